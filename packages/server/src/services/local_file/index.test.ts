// A folder of this machine as a file service. What only it has is in storage/files.test.ts.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';

describeFileService(
  'local_file',
  async () => {
    const container = mkdtempSync(join(tmpdir(), 'sluice-files-'));
    return {
      config: { container },
      async fill(paths) {
        for (const path of paths) writeFileSync(join(container, path), '');
      },
      stop: () => rm(container, { recursive: true, force: true }),
    };
  },
  { isLocal: true },
);
