import { startSwiftServer, swiftAccount } from '@sluice/testkit/file-servers';
import type { ServiceExample } from '../example.fixture.ts';

const { username, tenant_name, password } = swiftAccount;

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  needsServer: true,
  async prepare() {
    const { url, stop } = await startSwiftServer();
    const config = { username, tenant_name, password, url: `${url}/v3`, region: 'RegionOne', container: 'example' };
    return { config, release: stop };
  },
};
