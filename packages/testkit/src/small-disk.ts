// A file system of few bytes, to fill up. Only root can mount one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  freeBytes(): Promise<number>;
  /** Takes all room with a file `ballast`, except for so many bytes. */
  fill(exceptBytes?: number): Promise<void>;
  /** Deletes the ballast. */
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts one; throws where that is not allowed. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) throw new Error(`A small file system cannot be mounted: ${mounted.stderr}`);
  const ballast = join(folder, 'ballast');
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    async fill(exceptBytes = 0) {
      await writeFile(ballast, Buffer.alloc(Math.max(0, (await freeBytes()) - exceptBytes)), { flag: 'a' });
    },
    makeRoom: () => rm(ballast, { force: true }),
    async remove() {
      // Lazily: processes that were killed may not be gone yet.
      spawnSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
