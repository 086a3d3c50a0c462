import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remoteServerMissing, startSshServer } from '@sluice/testkit/remote-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  needsServer: true,
  missing: async () => remoteServerMissing('sftp'),
  async prepare() {
    const { host, port, username, privateKey, folder, stop } = await startSshServer();
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'note.txt'), 'a note');
    return { config: { host, port, username, private_key: privateKey, container: folder }, release: stop };
  },
};
