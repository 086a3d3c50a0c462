import { remoteServerMissing, startMosquitto } from '@sluice/testkit/remote-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  needsServer: true,
  missing: async () => remoteServerMissing('mqtt'),
  async prepare() {
    const { host, port, username, password, stop } = await startMosquitto();
    return { config: { host, port, username, password, client_id: 'example' }, release: stop };
  },
};
