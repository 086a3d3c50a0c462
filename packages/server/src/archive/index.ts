// Archives of packages: a zip that is written into a temporary file or while it is sent, and the one file of a call that brings a
// package. What is in a package is none of its business; reading a zip is storage/unzip.ts.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { fail } from '@sluice/contract';
import { ZipWriter } from '@zip.js/zip.js';
import { appendChunk, openTemporaryFile } from '../storage/temporary-file.ts';

export { type UploadForm, withFetched, withUpload } from './upload.ts';

/** A zip that is being written. */
export interface ArchiveWriter {
  add(path: string, content: Readable): Promise<void>;
  addFolder(path: string): Promise<void>;
}

export interface ArchiveOptions {
  /** Where temporary files are. */
  folder: string;
  /** Most bytes of the zip. */
  limit: number;
  /** Everything in it is encrypted by it (AES-256). */
  password?: string | undefined;
}

/** Every entry has the same date: what was not changed makes the same bytes. */
const entryDate = new Date(1980, 0, 1);

/** Writes a zip by `fill` and hands it to `use`; it is gone afterwards, also when the process is killed. */
export async function withArchive<T>(
  { folder, limit, password }: ArchiveOptions,
  fill: (archive: ArchiveWriter) => Promise<void>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await openTemporaryFile(folder);
  try {
    let size = 0;
    const target = new WritableStream<Uint8Array>({
      async write(chunk) {
        size += chunk.length;
        if (size > limit) throw fail('package.tooLarge', { limit });
        await appendChunk(file, chunk);
      },
    });
    await writeZip(target, password, fill);
    return await use(file);
  } finally {
    await file.close();
  }
}

/** A zip that `fill` writes while it is read; it breaks off where that fails, so that it does not look whole. */
export function openArchive(fill: (archive: ArchiveWriter) => Promise<void>): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  writeZip(writable, undefined, fill).catch((error: unknown) => writable.abort(error).catch(() => {}));
  return Readable.fromWeb(readable as WebStream);
}

async function writeZip(
  target: WritableStream<Uint8Array>,
  password: string | undefined,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const zip = new ZipWriter(target, {
    ...{ keepOrder: true, bufferedWrite: false, useWebWorkers: false, extendedTimestamp: false },
    ...{ lastModDate: entryDate },
    ...(password === undefined ? {} : { password, encryptionStrength: 3 as const }),
  });
  await fill({
    async add(path, content) {
      await zip.add(path, Readable.toWeb(content) as ReadableStream<Uint8Array>);
    },
    async addFolder(path) {
      await zip.add(`${path}/`, undefined, { directory: true });
    },
  });
  await zip.close();
}
