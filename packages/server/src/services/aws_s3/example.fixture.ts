import { startS3Server } from '@sluice/testkit/file-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  needsServer: true,
  async prepare() {
    const { url, stop } = await startS3Server();
    const config = { key: 'S3RVER', secret: 'S3RVER', region: 'us-east-1', container: 'example', endpoint: url };
    return { config, release: stop };
  },
};
