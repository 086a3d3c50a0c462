import { azureAccount, startAzureServer } from '@sluice/testkit/file-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  needsServer: true,
  async prepare() {
    const { url, stop } = await startAzureServer();
    return { config: { ...azureAccount, protocol: 'http', container: 'example', endpoint: url }, release: stop };
  },
};
