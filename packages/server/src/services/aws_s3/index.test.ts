// Buckets as file services, on a server of S3's protocol.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startS3Server } from '@sluice/testkit/file-servers';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';

describeFileService(
  'aws_s3',
  async () => {
    const { url, folder, stop } = await startS3Server();
    const config = { key: 'S3RVER', secret: 'S3RVER', region: 'us-east-1', container: 'bucket', endpoint: url };
    return {
      config,
      // It knows keys, and takes any signature.
      refusedCredentials: { key: 'OTHER' },
      async fill(paths) {
        for (const path of paths) {
          const file = join(folder, 'bucket', `${path}._S3rver_object`);
          writeFileSync(file, '');
          writeFileSync(`${file}.md5`, 'd41d8cd98f00b204e9800998ecf8427e');
        }
      },
      stop,
    };
  },
  // This server ignores conditions, and writers of one key meet in one file of it; S3 has them one after the other.
  { isAtomic: false },
);
