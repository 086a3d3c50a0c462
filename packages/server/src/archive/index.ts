// Archives of packages: a zip that is written into a temporary file, and the one file of a call that brings a package. What is in
// a package is none of its business; reading a zip is storage/unzip.ts.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fail } from '@sluice/contract';
import { ZipWriter } from '@zip.js/zip.js';
import { appendChunk, openTemporaryFile } from '../storage/temporary-file.ts';

export { type UploadForm, withFetched, withUpload } from './upload.ts';

/** A zip that is being written. */
export interface ArchiveWriter {
  add(path: string, content: Readable): Promise<void>;
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
  });
  await zip.close();
}
