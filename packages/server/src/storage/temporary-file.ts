// A file of the data folder that has no name: it is removed as soon as it is open, so a process that is killed leaves nothing.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail } from '@sluice/contract';

/** Writes a source into a file, and closes that when `use` is done. */
export async function withTemporaryFile<T>(
  folder: string,
  source: Readable,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  let file: FileHandle;
  try {
    file = await openTemporaryFile(folder);
  } catch (error) {
    source.destroy();
    throw error;
  }
  try {
    // A stream of the handle would have to be closed before the handle can be.
    await pipeline(source, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await appendChunk(file, chunk);
    });
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Opens an empty file that nothing but the handle leads to. */
export async function openTemporaryFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** Adds bytes at the end of a file. Throws `file.full` where the disk is. */
export async function appendChunk(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    await file.appendFile(chunk);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? fail('file.full', undefined, { cause: error }) : error;
  }
}

/** The content of a file from its beginning; the handle stays open. */
export function readHandle(file: FileHandle): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0; ; ) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkLength), 0, chunkLength, at);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    })(),
  );
}

const chunkLength = 64 * 1024;
