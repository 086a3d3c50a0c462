// WebDAV, over a real server of rclone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remoteServerMissing, startWebdavServer } from '@sluice/testkit/remote-servers';
import { describe } from 'vitest';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';

const missing = remoteServerMissing('webdav');

describe.skipIf(missing)(missing ?? 'webdav_file', () => {
  describeFileService(
    'webdav_file',
    async () => {
      const { host, port, username, password, folder, stop } = await startWebdavServer();
      const container = 'new/container %41';
      return {
        config: { base_uri: `http://${host}:${port}/`, username, password, container },
        async fill(paths) {
          for (const path of paths) {
            mkdirSync(dirname(join(folder, container, path)), { recursive: true });
            writeFileSync(join(folder, container, path), '');
          }
        },
        stop,
      };
    },
    { manyFiles: 60 },
  );
});
