import { corp, directoryMissing, reader, startDirectoryServer } from '@sluice/testkit/directory-server';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { name: 'nobody' },
  needsServer: true,
  missing: async () => directoryMissing(),
  async prepare() {
    const { port, stop } = await startDirectoryServer();
    return { config: { host: `127.0.0.1:${port}`, base_dn: corp, ...reader }, release: stop };
  },
};
