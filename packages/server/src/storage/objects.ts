// Object stores as containers: keys are flat, folders are made of them. A folder is there when an object `path/` marks it or any
// key begins with `path/`; what is made here always has its marker, and a folder keeps one when the last file in it goes.
import type { Readable } from 'node:stream';
import { fail } from '@sluice/contract';
import type { ByteRange } from '../call/reply.ts';
import { contentTypeOf } from './content-type.ts';
import { folderPath, parentOf } from './path.ts';
import type { Storage, StorageEntry } from './storage.ts';

/** An object; keys that end with `/` mark folders. */
export interface StoredObject extends Omit<StorageEntry, 'path' | 'type'> {
  key: string;
}

export interface PutOptions {
  /** Fails with `file.exists` where the key is taken, as far as the server can decide it. */
  isNew: boolean;
  contentType: string;
}

/** What a type of object stores implements: one bucket. Failures are those of the catalogue. */
export interface ObjectStore {
  /** Longest key in bytes of UTF-8. */
  maxKey: number;
  head(key: string): Promise<StoredObject | undefined>;
  /**
   * Every object whose key begins with the prefix, in an order that keeps keys of one prefix together. With `isFlat` a key with
   * a further `/` comes as that folder once: an object with its key up to the slash. `limit` is how many are needed.
   */
  list(prefix: string, options: { isFlat: boolean; limit?: number }): AsyncIterable<StoredObject>;
  /** undefined where there is no such object. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Writes whole or not at all. An error of the source is thrown as it is. */
  put(key: string, source: Readable, options: PutOptions): Promise<void>;
  /** Writes an object without content. */
  putMarker(key: string): Promise<void>;
  /** Nothing happens where there is none. */
  delete(keys: string[]): Promise<void>;
  /** Replaces nothing, as far as the server can decide it (`file.exists`); false where the server cannot copy this one. */
  copy(source: StoredObject, target: string): Promise<boolean>;
  close?(): Promise<void>;
}

/** Objects that are listed at once: servers of all types answer so many. */
export const objectLimits = { page: 1_000 };

/** Where the next page of a list begins. Throws where that is where this one began: the list would have no end. */
export function nextPage(next: string | undefined, current: string | undefined): string | undefined {
  if (next !== undefined && next === current) throw fail('file.storageFailed', { text: 'its list does not go on' });
  return next;
}

/** Content types that say nothing: names say more. */
const genericTypes = new Set(['application/octet-stream', 'binary/octet-stream', '']);

/** The container in a bucket. */
export function objectStorage(store: ObjectStore): Storage {
  const isTooLong = (key: string) => Buffer.byteLength(key) > store.maxKey;
  const requireLength = (key: string) => {
    const problem = `the storage keeps paths of ${store.maxKey} bytes at most.`;
    if (isTooLong(key)) throw fail('file.badPath', { path: key.slice(0, 200), problem });
  };

  const file = async (path: string): Promise<StoredObject | undefined> =>
    path === '' || isTooLong(path) ? undefined : store.head(path);

  const folder = async (path: string): Promise<StorageEntry | undefined> => {
    if (path === '') return folderEntry('', null);
    if (isTooLong(folderPath(path))) return undefined;
    for await (const { key, modified } of store.list(folderPath(path), { isFlat: false, limit: 1 }))
      return folderEntry(path, key === folderPath(path) ? modified : null);
    return undefined;
  };

  /** Marks a folder that lives by the files in it alone, before one of them goes. */
  const keepFolder = async (path: string): Promise<void> => {
    if (path !== '' && !(await store.head(folderPath(path)))) await store.putMarker(folderPath(path));
  };

  return {
    hasRanges: true,
    async stat(path) {
      const object = await file(path);
      return object ? fileEntry(object) : folder(path);
    },
    list: (path, { isRecursive = false } = {}) =>
      isRecursive ? listTree(store, folderPath(path)) : listFolder(store, folderPath(path)),
    async read(path, range) {
      const stream = isTooLong(path) ? undefined : await store.get(path, range);
      if (!stream) throw fail('file.notFound', { path });
      return stream;
    },
    async write(path, source, { isNew = false, contentType } = {}) {
      requireLength(path);
      if (await folder(path)) throw fail('file.folderExists', { path: folderPath(path) });
      // Also where the server takes no condition.
      if (isNew && (await file(path))) throw fail('file.exists', { path });
      await store.put(path, source, { isNew, contentType: contentTypeOf(path, contentType ?? null) });
    },
    async makeFolder(path) {
      requireLength(folderPath(path));
      if (await folder(path)) throw fail('file.folderExists', { path: folderPath(path) });
      if (await file(path)) throw fail('file.exists', { path });
      await store.putMarker(folderPath(path));
    },
    async deleteFile(path) {
      if (!(await file(path))) return false;
      await keepFolder(parentOf(path));
      await store.delete([path]);
      return true;
    },
    async deleteFiles(paths) {
      for (const path of new Set(paths.map(parentOf))) await keepFolder(path);
      await store.delete(paths);
    },
    async deleteFolder(path) {
      if (path === '') return;
      const marker = folderPath(path);
      let isMarked = false;
      for await (const { key } of store.list(marker, { isFlat: false, limit: 2 })) {
        if (key !== marker) throw fail('file.notEmpty');
        isMarked = true;
      }
      if (!isMarked) return;
      await keepFolder(parentOf(path));
      await store.delete([marker]);
    },
    async copy(source, target) {
      requireLength(target);
      const object = await file(source);
      if (!object) throw fail('file.sourceMissing', { path: source });
      if (await file(target)) throw fail('file.exists', { path: target });
      if (await store.copy(object, target)) return;
      const stream = await store.get(source);
      if (!stream) throw fail('file.sourceMissing', { path: source });
      await store.put(target, stream, { isNew: true, contentType: contentTypeOf(target, object.contentType) });
    },
    async close() {
      await store.close?.();
    },
  };
}

const fileEntry = ({ key, contentType, ...facts }: StoredObject): StorageEntry => ({
  ...{ path: key, type: 'file', ...facts },
  contentType: contentType !== null && genericTypes.has(contentType) ? null : contentType,
});

const folderEntry = (path: string, modified: Date | null): StorageEntry => ({
  ...{ path, type: 'folder', size: null, modified, contentType: null, etag: null },
});

/** Keys that no path leads to: a part of them is empty. They are not shown. */
const isUnreachable = (key: string) => key.startsWith('/') || key.includes('//');

async function* listFolder(store: ObjectStore, prefix: string): AsyncGenerator<StorageEntry> {
  for await (const object of store.list(prefix, { isFlat: true })) {
    const { key, modified } = object;
    if (key === prefix || isUnreachable(key)) continue;
    yield key.endsWith('/') ? folderEntry(key.slice(0, -1), modified) : fileEntry(object);
  }
}

/** Everything below a prefix; each folder once, before what is in it. */
async function* listTree(store: ObjectStore, prefix: string): AsyncGenerator<StorageEntry> {
  let open: string[] = [];
  for await (const object of store.list(prefix, { isFlat: false })) {
    const { key, modified } = object;
    if (key === prefix || isUnreachable(key)) continue;
    const folders = foldersOf(key, prefix.length);
    for (const [depth, path] of folders.entries())
      if (open[depth] !== path) yield folderEntry(path, key === folderPath(path) ? modified : null);
    open = folders;
    if (!key.endsWith('/')) yield fileEntry(object);
  }
}

/** The folders below the first characters of a key that it lies in, the outermost first; of a marker, its own too. */
function foldersOf(key: string, from: number): string[] {
  const folders: string[] = [];
  for (let slash = key.indexOf('/', from); slash >= 0; slash = key.indexOf('/', slash + 1))
    folders.push(key.slice(0, slash));
  return folders;
}
