// FTP, over a real server of ProFTPD.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remoteServerMissing, startFtpServer } from '@sluice/testkit/remote-servers';
import { describe } from 'vitest';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';

const missing = remoteServerMissing('ftp');

describe.skipIf(missing)(missing ?? 'ftp_file', () => {
  describeFileService(
    'ftp_file',
    async () => {
      const { host, port, username, password, folder, stop } = await startFtpServer();
      const container = 'new/container';
      return {
        config: { host, port, username, password, container },
        async fill(paths) {
          for (const path of paths) {
            mkdirSync(dirname(join(folder, container, path)), { recursive: true });
            writeFileSync(join(folder, container, path), '');
          }
        },
        stop,
      };
    },
    // Of two writers one alone makes a file here because both are calls of one instance.
    { hasEtags: false, manyFiles: 60 },
  );
});
