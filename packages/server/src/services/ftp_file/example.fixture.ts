import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remoteServerMissing, startFtpServer } from '@sluice/testkit/remote-servers';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  needsServer: true,
  missing: async () => remoteServerMissing('ftp'),
  async prepare() {
    const { host, port, username, password, folder, stop } = await startFtpServer();
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'note.txt'), 'a note');
    return { config: { host, port, username, password, container: '.' }, release: stop };
  },
};
