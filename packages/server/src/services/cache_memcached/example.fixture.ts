import { remoteServerMissing, startMemcached } from '@sluice/testkit/remote-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { key: 'made' },
  needsServer: true,
  missing: async () => remoteServerMissing('memcached'),
  async prepare() {
    const { host, port, stop } = await startMemcached();
    return { config: { host, port }, release: stop };
  },
};
