// A folder of this machine as a `Storage`. Links are followed as long as they stay in the container: real paths are compared,
// and the last part of a path is opened without following. A file is written beside, synced and renamed into place.
import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants, type Dirent } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Failure, fail } from '@sluice/contract';
import { folderPath, joinPath, nameOf, parentOf, temporaryPrefix } from '../../storage/path.ts';
import {
  entriesBelow,
  type ListOptions,
  type Storage,
  type StorageEntry,
  type WriteOptions,
} from '../../storage/storage.ts';
import { isBelow } from './container.ts';

/** Milliseconds without a write after which an incomplete file belongs to a process that is gone. */
const abandonedAfter = 10 * 60_000;
/** Entries whose sizes and dates are asked for at once. */
const statBatch = 64;

/** The storage of a folder, given by its real path. */
export async function openLocalStorage(root: string): Promise<Storage> {
  const temporaryFolder = join(root, temporaryPrefix);
  const sweep = () => removeAbandoned(temporaryFolder).catch(() => {});
  await sweep();
  const timer = setInterval(sweep, abandonedAfter).unref();

  /** The real path of what is at a path; undefined where nothing is, or where a link leads out of the container. */
  const locate = async (path: string): Promise<string | undefined> => {
    const real = await realpath(join(root, path)).catch(ignoreMissing);
    return real !== undefined && isBelow(real, root) ? real : undefined;
  };

  /** Where something new goes: its folder's real path and its own name. */
  const locateNew = async (path: string): Promise<string> => {
    const folder = await locate(parentOf(path));
    if (folder === undefined) throw fail('file.folderMissing', { path: parentOf(path) });
    return join(folder, nameOf(path));
  };

  /** Puts a complete temporary file in its place. */
  const place = async (temporary: string, path: string, isNew: boolean): Promise<void> => {
    const target = await locateNew(path);
    const existing = await lstat(target).catch(ignoreMissing);
    if (existing?.isDirectory()) throw fail('file.folderExists', { path: folderPath(path) });
    // Where letter case or Unicode form does not count, the name may be found as that of another file.
    if (existing?.isFile() && nameOf(await realpath(target)) !== nameOf(path)) throw fail('file.exists', { path });
    if (!isNew) return rename(temporary, target);
    await link(temporary, target).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? fail('file.exists', { path }) : error;
    });
    await unlink(temporary);
  };

  /** Has `fill` make a temporary file, and puts it in its place. */
  const writeWhole = async (path: string, isNew: boolean, fill: (temporary: string) => Promise<void>) => {
    await mkdir(temporaryFolder, { mode: 0o700 }).catch(ignoreExisting);
    const temporary = join(temporaryFolder, randomUUID());
    try {
      await fill(temporary);
      await place(temporary, path, isNew);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };

  return withFailures({
    hasRanges: true,
    async stat(path) {
      const real = await locate(path);
      return real === undefined ? undefined : entryAt(real, path);
    },
    list: (folder, options = {}) => list(folder, options, locate, root),
    async read(path, range, etag) {
      const real = await locate(path);
      if (real === undefined) throw fail('file.notFound', { path });
      const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile() || (etag && etag !== etagOf(stats))) {
        await handle.close();
        throw stats.isFile() ? fail('file.replaced', { path }, { retryAfter: 1 }) : fail('file.notFound', { path });
      }
      return handle.createReadStream(range ? { start: range.start, end: range.end } : {});
    },
    write: (path, source: Readable, { isNew = false }: WriteOptions = {}) =>
      writeWhole(path, isNew, async (temporary) => {
        const handle = await open(temporary, 'wx', 0o640);
        try {
          await pipeline(source, handle.createWriteStream({ flush: true }));
        } finally {
          await handle.close().catch(() => {});
        }
      }),
    async makeFolder(path) {
      const target = await locateNew(path);
      await mkdir(target, { mode: 0o750 }).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        const entry = await lstat(target).catch(ignoreMissing);
        throw entry?.isDirectory()
          ? fail('file.folderExists', { path: folderPath(path) })
          : fail('file.exists', { path });
      });
    },
    async deleteFile(path) {
      const folder = await locate(parentOf(path));
      if (folder === undefined) return false;
      const target = join(folder, nameOf(path));
      const entry = await lstat(target).catch(ignoreMissing);
      if (entry === undefined || entry.isDirectory()) return false;
      await unlink(target).catch(ignoreMissing);
      return true;
    },
    async deleteFolder(path) {
      const folder = await locate(path === '' ? '' : parentOf(path));
      if (folder === undefined || path === '') return;
      await rmdir(join(folder, nameOf(path))).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return;
        // A link to a folder is deleted as a file is: what it leads to stays.
        if (error.code === 'ENOTDIR') return unlink(join(folder, nameOf(path)));
        throw error.code === 'ENOTEMPTY' || error.code === 'EEXIST' ? fail('file.notEmpty') : error;
      });
    },
    async copy(source, target) {
      const real = await locate(source);
      if (real === undefined) throw fail('file.sourceMissing', { path: source });
      await writeWhole(target, true, (temporary) => copyFile(real, temporary, constants.COPYFILE_FICLONE));
    },
    async move(source, target) {
      const folder = await locate(parentOf(source));
      if (folder === undefined) throw fail('file.sourceMissing', { path: source });
      await place(join(folder, nameOf(source)), target, true);
    },
    async close() {
      clearInterval(timer);
    },
  });
}

/** The storage, whose errors of the file system are failures of the catalogue where they concern its callers. */
function withFailures(storage: Storage): Storage {
  const wrapped = Object.entries(storage).map(([name, member]) => {
    if (typeof member !== 'function' || name === 'list' || name === 'close') return [name, member];
    const call = (path: string, ...rest: unknown[]) =>
      member(path, ...rest).catch((error: NodeJS.ErrnoException) => {
        throw failureOf(error, path) ?? error;
      });
    return [name, call];
  });
  return Object.fromEntries(wrapped);
}

async function* list(
  folder: string,
  options: ListOptions,
  locate: (path: string) => Promise<string | undefined>,
  root: string,
): AsyncGenerator<StorageEntry> {
  const { isRecursive = false, namesOnly = false } = options;
  const found = await readFolder(folder, locate);
  if (found === undefined) return;
  const [real, all] = found;
  const entries = all
    .filter(({ name }) => !name.toLowerCase().startsWith(temporaryPrefix))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (let at = 0; at < entries.length; at += statBatch) {
    const batch = entries.slice(at, at + statBatch);
    const described = await Promise.all(
      batch.map((entry) => describe(entry, real, joinPath(folder, entry.name), namesOnly, root)),
    );
    for (const [index, entry] of described.entries()) {
      if (!entry) continue;
      yield entry;
      // Not into links: two that lead to each other have no end.
      if (isRecursive && entry.type === 'folder' && batch[index]?.isDirectory())
        yield* entriesBelow(list(entry.path, options, locate, root), options);
    }
  }
}

/** The real path of a folder and what is in it; undefined where there is none. */
async function readFolder(
  folder: string,
  locate: (path: string) => Promise<string | undefined>,
): Promise<[real: string, entries: Dirent[]] | undefined> {
  try {
    const real = await locate(folder);
    const entries = real === undefined ? undefined : await readdir(real, { withFileTypes: true }).catch(ignoreMissing);
    return real === undefined || entries === undefined ? undefined : [real, entries];
  } catch (error) {
    throw failureOf(error as NodeJS.ErrnoException, folder) ?? error;
  }
}

/** An entry of a folder; undefined for what is neither file nor folder, and for links that lead nowhere or out. */
async function describe(
  entry: Dirent,
  folder: string,
  path: string,
  namesOnly: boolean,
  root: string,
): Promise<StorageEntry | undefined> {
  const isPlain = entry.isFile() || entry.isDirectory();
  if (!isPlain && !entry.isSymbolicLink()) return undefined;
  const nothing = { size: null, modified: null, contentType: null, etag: null };
  const named = { path, type: entry.isDirectory() ? 'folder' : 'file', ...nothing } as const;
  if (isPlain && namesOnly) return named;
  const place = join(folder, entry.name);
  // Where the folder may be listed and nothing else.
  if (isPlain) return entryAt(place, path).catch(() => named);
  const real = await realpath(place).catch(() => undefined);
  return real !== undefined && isBelow(real, root) ? entryAt(real, path).catch(() => undefined) : undefined;
}

async function entryAt(place: string, path: string): Promise<StorageEntry | undefined> {
  const stats = await stat(place, { bigint: true }).catch(ignoreMissing);
  if (!stats || !(stats.isFile() || stats.isDirectory())) return undefined;
  const modified = new Date(Number(stats.mtimeMs));
  if (stats.isDirectory()) return { path, type: 'folder', size: null, modified, contentType: null, etag: null };
  return { path, type: 'file', size: Number(stats.size), modified, contentType: null, etag: etagOf(stats) };
}

const etagOf = ({ ino, size, mtimeNs }: BigIntStats) =>
  `"${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}"`;

async function removeAbandoned(folder: string): Promise<void> {
  const before = Date.now() - abandonedAfter;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await lstat(path)).mtimeMs < before) await rm(path, { force: true });
  }
}

const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!missingCodes.has(error.code ?? '')) throw error;
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const deniedCodes = new Set(['EACCES', 'EPERM', 'EROFS']);

/** An error of the file system as a failure for callers; undefined where it does not concern them. */
function failureOf(error: NodeJS.ErrnoException, path: string): Failure | undefined {
  const { code = '' } = error;
  if (fullCodes.has(code)) return fail('file.full', undefined, { cause: error });
  if (deniedCodes.has(code)) return fail('file.denied', { path }, { cause: error });
  return undefined;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
