// What every type of file service implements: one container of files and folders. The calls over it are in this room, too,
// written once; a type (local disk, S3, SFTP …) is a folder in services/ with a function that returns a `Storage`.
import type { Readable } from 'node:stream';
import { Failure } from '@sluice/contract';
import type { ByteRange } from '../call/reply.ts';
import { createKey } from '../call/typed-map.ts';
import { isAddressable } from './path.ts';

/** A file or a folder. What a storage does not know is null. */
export interface StorageEntry {
  /** Relative to the container, `/` between its parts, without one at either end. */
  path: string;
  type: 'file' | 'folder';
  /** Bytes of a file. */
  size: number | null;
  modified: Date | null;
  /** As the storage keeps it; null where the name has to say it. */
  contentType: string | null;
  /** The whole validator with its quotes; changes whenever the content does. */
  etag: string | null;
}

export interface ListOptions {
  /** Everything below the folder, a folder before what is in it; otherwise only what is directly in it. */
  isRecursive?: boolean;
  /** Only paths and types are needed: a storage need not ask for sizes and dates. */
  namesOnly?: boolean;
  /** A folder below that may not be read is listed without what is in it; otherwise it fails with `file.denied`. */
  skipsDenied?: boolean;
}

export interface WriteOptions {
  /** Fails with `file.exists` where a file has the path already, also when two write it at once. */
  isNew?: boolean;
  contentType?: string | undefined;
}

/**
 * One container. Paths were checked by `parsePath` (path.ts): parts without `.` and `..`, never empty except for the container
 * itself, which is `''` and always there. A storage throws failures of the catalogue (`file.*`) and errors of its own for
 * everything that the caller cannot help; those answer 500 and reveal nothing.
 */
export interface Storage {
  /** What is at a path; undefined where nothing is, and for links that lead out of the container. */
  stat(path: string): Promise<StorageEntry | undefined>;
  /**
   * The entries of a folder, in order of their names where the storage can; nothing where there is no folder. An entry that
   * cannot be read is listed with nulls, one that goes away meanwhile is left out.
   */
  list(folder: string, options?: ListOptions): AsyncIterable<StorageEntry>;
  /**
   * The bytes of a file, or of a part of it. Throws `file.notFound`; and `file.replaced`, where the storage can tell, when the file is
   * not the one of the validator any more.
   */
  read(path: string, range?: ByteRange, etag?: string | null): Promise<Readable>;
  /**
   * Writes a file, whole or not at all: until the source has ended well the old file stays, and nobody sees a part of the new
   * one, also when the process is killed. Of two writers one wins whole. The folder is there already; a folder at the path is
   * `file.folderExists`. A name that the storage takes for that of another file is `file.exists`, never its replacement.
   */
  write(path: string, source: Readable, options?: WriteOptions): Promise<void>;
  /** Makes a folder whose parent exists. Throws `file.folderExists`, and `file.exists` where a file has the path. */
  makeFolder(path: string): Promise<void>;
  /** Deletes a file; answers whether there was one. */
  deleteFile(path: string): Promise<boolean>;
  /** Deletes many files, of which some may be gone; absent: one after the other. */
  deleteFiles?(paths: string[]): Promise<void>;
  /** Deletes an empty folder; `file.notEmpty` for one that is not. Nothing happens where there is none. */
  deleteFolder(path: string): Promise<void>;
  /** Copies a file inside the container, by itself; absent: it is read and written. Never replaces (`file.exists`). */
  copy?(source: string, target: string): Promise<void>;
  /** Moves a file in one step; absent: it is copied and deleted. Never replaces (`file.exists`). */
  move?(source: string, target: string): Promise<void>;
  /** `read` takes ranges. */
  hasRanges?: boolean;
  close?(): Promise<void>;
}

/**
 * The storage without what no path leads to: names with `..`, backslashes or control characters, which would also be the names
 * of entries in zips. A folder that holds such a name is not empty.
 */
export const addressableOnly = (storage: Storage): Storage => ({
  ...storage,
  async *list(folder, options) {
    for await (const entry of storage.list(folder, options)) if (isAddressable(entry.path)) yield entry;
  },
});

/** The entries of a folder below the one that is listed, as `skipsDenied` wants them. */
export async function* entriesBelow(
  entries: AsyncIterable<StorageEntry>,
  { skipsDenied = false }: ListOptions,
): AsyncGenerator<StorageEntry> {
  try {
    yield* entries;
  } catch (error) {
    if (!(skipsDenied && error instanceof Failure && error.key === 'file.denied')) throw error;
  }
}

/** What an open file service provides to other parts: public paths, apps, packages. */
export const openStorage = createKey<Storage>('the storage of a file service');
