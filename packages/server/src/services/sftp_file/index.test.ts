// SFTP, over a real server of OpenSSH.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remoteServerMissing, startSshServer } from '@sluice/testkit/remote-servers';
import { describe } from 'vitest';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';

const missing = remoteServerMissing('sftp');

describe.skipIf(missing)(missing ?? 'sftp_file', () => {
  describeFileService(
    'sftp_file',
    async () => {
      const { host, port, username, privateKey, folder, stop } = await startSshServer();
      const container = join(folder, 'new/container');
      return {
        config: { host, port, username, private_key: privateKey, container },
        async fill(paths) {
          for (const path of paths) {
            mkdirSync(dirname(join(container, path)), { recursive: true });
            writeFileSync(join(container, path), '');
          }
        },
        stop,
      };
    },
    { hasEtags: false, manyFiles: 60 },
  );
});
