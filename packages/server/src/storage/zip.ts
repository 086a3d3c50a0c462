// A folder as a zip that is made while it is sent (contract/files.md §2).
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { configure, ZipWriter } from '@zip.js/zip.js';
import type { Storage, StorageEntry } from './storage.ts';

configure({ useWebWorkers: false });

/**
 * A zip of everything below a folder, or of those entries of it and all that is below them. Empty folders are in it; files for
 * which `isReadable` says no are left out.
 */
export function openZip(
  storage: Storage,
  folder: string,
  isReadable: (path: string) => boolean,
  selection?: StorageEntry[],
): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = new ZipWriter(writable, { bufferedWrite: false, keepOrder: true });
  const fill = async () => {
    const start = folder === '' ? 0 : folder.length + 1;
    for await (const entry of selection ? withContents(storage, selection) : contents(storage, folder)) {
      const name = entry.path.slice(start);
      const options = entry.modified ? { lastModDate: entry.modified } : {};
      if (entry.type === 'folder') await writer.add(`${name}/`, undefined, { ...options, directory: true });
      else if (!isReadable(entry.path)) continue;
      else if (entry.size === 0) await writer.add(name, undefined, options);
      else
        await writer.add(name, Readable.toWeb(await storage.read(entry.path)) as ReadableStream<Uint8Array>, options);
    }
    await writer.close();
  };
  // The reader sees the error: a zip that was cut short must not look whole.
  fill().catch((error: unknown) => writable.abort(error).catch(() => {}));
  return Readable.fromWeb(readable as WebStream);
}

const contents = (storage: Storage, folder: string) => storage.list(folder, { isRecursive: true });

async function* withContents(storage: Storage, selection: StorageEntry[]): AsyncGenerator<StorageEntry> {
  for (const entry of selection) {
    yield entry;
    if (entry.type === 'folder') yield* contents(storage, entry.path);
  }
}
