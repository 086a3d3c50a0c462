// Zips of folders while they are sent: no more is read than is taken, and none that was cut short looks whole.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Storage, StorageEntry } from './storage.ts';
import { openZip } from './zip.ts';

const entry = (path: string): StorageEntry => ({
  ...{ path, type: 'file', size: null, modified: null, contentType: null, etag: null },
});

/** A storage of files that are made when they are read. */
function storageOf(files: Record<string, () => Readable>): Storage {
  return {
    async *list() {
      for (const path of Object.keys(files)) yield entry(path);
    },
    read: async (path: string) => files[path]!(),
  } as Partial<Storage> as Storage;
}

it('reads no more than is taken, and stops where its reader goes away', async () => {
  let produced = 0;
  let isClosed = false;
  const endless = () =>
    Readable.from(
      (async function* () {
        try {
          for (;;) {
            produced += 65_536;
            // Nothing that compresses: what is read is what would be sent.
            yield crypto.getRandomValues(new Uint8Array(65_536));
          }
        } finally {
          isClosed = true;
        }
      })(),
    );
  const zip = openZip(storageOf({ a: endless }), '', () => true);
  await new Promise((resolve) => zip.once('readable', resolve));
  zip.read(1);
  let before = -1;
  // Until everything between is full.
  while (before !== produced) {
    before = produced;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(produced).toBeLessThan(4_000_000);
  zip.on('error', () => {});
  zip.destroy();
  await expect.poll(() => isClosed).toBe(true);
});

it.each(['before its first byte', 'within'])('fails where a file cannot be read %s', async (when) => {
  const broken = () =>
    Readable.from(
      (async function* () {
        if (when === 'within') yield Buffer.from('half');
        throw new Error('the disk is gone');
      })(),
    );
  const good = () => Readable.from([Buffer.from('good')]);
  const zip = openZip(storageOf({ a: good, b: broken, c: good }), '', () => true);
  await expect(zip.toArray()).rejects.toThrow('the disk is gone');
  const missing = openZip(
    storageOf({
      a: good,
      b: () => {
        throw new Error('no such file');
      },
    }),
    '',
    () => true,
  );
  await expect(missing.toArray()).rejects.toThrow('no such file');
});
