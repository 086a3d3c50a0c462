import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remoteServerMissing, startWebdavServer } from '@sluice/testkit/remote-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  needsServer: true,
  missing: async () => remoteServerMissing('webdav'),
  async prepare() {
    const { host, port, username, password, folder, stop } = await startWebdavServer();
    mkdirSync(join(folder, 'example/notes'), { recursive: true });
    writeFileSync(join(folder, 'example/note.txt'), 'a note');
    const config = { base_uri: `http://${host}:${port}`, username, password, container: 'example' };
    return { config, release: stop };
  },
};
