// A folder of an SFTP server as a `Storage`. Links are followed as long as they stay in the container: the server is asked
// for real paths. A file is written beside, then renamed into place.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
import type { FileEntryWithStats, Stats } from 'ssh2';
import { networkFailure } from '../../storage/network.ts';
import { folderPath, joinPath, nameOf, parentOf, temporaryPrefix } from '../../storage/path.ts';
import {
  abandonedAfter,
  createNameCheck,
  createPathLocks,
  createSweeper,
  type FoundEntry,
  isListedName,
  listFolders,
  remotePath,
  serverText,
  watchTransfer,
  withinTime,
} from '../../storage/remote.ts';
import type { Storage, StorageEntry } from '../../storage/storage.ts';
import { createConnections, type SftpConnection, type SftpServer } from './connection.ts';

/** Status codes of the protocol, version 3. */
const status = { endOfFile: 1, missing: 2, denied: 3, failure: 4, badMessage: 5, unsupported: 8 };
/** Bytes of one write request, and how many of them are under way at once. */
const writeSize = 32 * 1024;
const writesAtOnce = 16;

type SftpError = Error & { code?: unknown };

/** The storage of a folder, absolute or relative to where the account starts. Connects when it is first used. */
export function openSftpStorage(server: SftpServer, container: string): Storage {
  let root = '';
  const temporaryFolder = () => remotePath(root, temporaryPrefix);
  const lock = createPathLocks();
  const connections = createConnections(server, async (connection) => {
    root = await makeRoot(connection, container);
    sweepSoon();
  });
  const sweepSoon = createSweeper(() => run('', (connection) => removeAbandoned(connection, temporaryFolder())));

  /** Runs something for a path; errors of the server become failures. */
  const run = <T>(path: string, act: (connection: SftpConnection) => Promise<T>): Promise<T> =>
    connections.use(act).catch((error) => {
      throw translate(error, path);
    });

  /** The real path of what is at a path; undefined where nothing is, or where a link leads out of the container. */
  const locate = async ({ sftp, ask }: SftpConnection, path: string): Promise<string | undefined> => {
    if (path === '') return root;
    const real = await ask<string>((done) => sftp.realpath(remotePath(root, path), done)).catch(ignoreMissing);
    return real !== undefined && isBelow(real, root) ? real : undefined;
  };

  /** Where something new goes: its folder's real path and its own name. */
  const locateNew = async (connection: SftpConnection, path: string): Promise<string> => {
    const folder = await locate(connection, parentOf(path));
    const isFolder = folder !== undefined && (await statOf(connection, folder))?.isDirectory();
    if (!isFolder) throw fail('file.folderMissing', { path: parentOf(path) });
    return remotePath(folder, nameOf(path));
  };

  const list = (folder: string, options = {}) => listFolders(readFolder, folder, options);
  const names = createNameCheck((folder) => list(folder, { namesOnly: true }));

  async function* readFolder(folder: string, namesOnly: boolean): AsyncGenerator<FoundEntry> {
    const batches = openFolder(folder);
    try {
      for await (const { connection, real, found } of batches)
        for (const { filename, attrs } of found) {
          if (!isListedName(filename)) continue;
          const path = joinPath(folder, filename);
          if (attrs.isFile() || attrs.isDirectory()) {
            yield namesOnly
              ? { ...entryOf(path, attrs), size: null, modified: null, etag: null }
              : entryOf(path, attrs);
            continue;
          }
          if (!attrs.isSymbolicLink()) continue;
          const target = await locate(connection, path).catch(() => undefined);
          const stats = target && (await statOf(connection, remotePath(real, filename)).catch(() => undefined));
          if (stats && (stats.isFile() || stats.isDirectory())) yield { ...entryOf(path, stats), isLink: true };
        }
    } catch (error) {
      throw translate(error as SftpError, folder);
    }
  }

  /** What a folder holds, as the server sends it; nothing where there is no folder, or it cannot be read. */
  async function* openFolder(folder: string) {
    // `use` ends with its run, so that of a listing lasts until the last batch was taken.
    let release = () => {};
    const isTaken = new Promise<void>((resolve) => {
      release = resolve;
    });
    const connection = await new Promise<SftpConnection>((resolve, reject) => {
      run(folder, async (connection) => {
        resolve(connection);
        await isTaken;
      }).catch(reject);
    });
    const { sftp, ask } = connection;
    try {
      const real = await locate(connection, folder);
      const handle =
        real &&
        (await ask<Buffer>((done) => sftp.opendir(real, done)).catch(folder === '' ? throwIt : ignoreUnreadable));
      if (real === undefined || handle === undefined || handle === '') return;
      try {
        for (;;) {
          const found = await ask<FileEntryWithStats[]>((done) => sftp.readdir(handle, done)).catch(ignoreEnd);
          if (!found) return;
          yield { connection, real, found };
        }
      } finally {
        sftp.close(handle, () => {});
      }
    } finally {
      release();
    }
  }

  /** Puts a complete temporary file in its place. */
  const place = async (connection: SftpConnection, temporary: string, path: string, isNew: boolean): Promise<void> => {
    const { sftp, ask } = connection;
    const target = await locateNew(connection, path);
    const existing = await lstatOf(connection, target);
    if (existing?.isDirectory()) throw fail('file.folderExists', { path: folderPath(path) });
    if (existing && (isNew || !(await names.isSameName(path)))) throw fail('file.exists', { path });
    if (isNew || !existing) {
      // The protocol's own rename never replaces.
      await ask<void>((done) => sftp.rename(temporary, target, done)).catch(async (error: SftpError) => {
        if (!(await lstatOf(connection, target))) throw error;
        if (isNew) throw fail('file.exists', { path });
        await replace(connection, temporary, target);
      });
    } else await replace(connection, temporary, target);
  };

  /** Renames over an existing file: in one step where the server can, else with the old one kept until the new one is there. */
  const replace = async ({ sftp, ask }: SftpConnection, temporary: string, target: string): Promise<void> => {
    try {
      await ask<void>((done) => sftp.ext_openssh_rename(temporary, target, done));
    } catch (error) {
      if (!isUnsupported(error as SftpError)) throw error;
      const old = `${temporaryFolder()}/old-${randomUUID()}`;
      await ask<void>((done) => sftp.rename(target, old, done));
      try {
        await ask<void>((done) => sftp.rename(temporary, target, done));
      } catch (error) {
        await ask<void>((done) => sftp.rename(old, target, done));
        throw error;
      }
      await ask<void>((done) => sftp.unlink(old, done)).catch(() => {});
    }
  };

  const storage: Storage = {
    hasRanges: true,
    stat: (path) =>
      run(path, async (connection) => {
        const real = await locate(connection, path);
        const stats = real === undefined ? undefined : await statOf(connection, real);
        return stats && (stats.isFile() || stats.isDirectory()) ? entryOf(path, stats) : undefined;
      }),
    list,
    read: (path, range) =>
      new Promise<Readable>((resolve, reject) => {
        // The connection stays in use until the last byte was read.
        run(path, async (connection) => {
          const real = await locate(connection, path);
          const stats = real === undefined ? undefined : await statOf(connection, real);
          if (real === undefined || !stats?.isFile()) throw fail('file.notFound', { path });
          const options = { ...(range ? { start: range.start, end: range.end } : {}), highWaterMark: 256 * 1024 };
          const stream = connection.sftp.createReadStream(real, options) as unknown as Readable;
          const stop = (error: Error) => void stream.destroy(error);
          connection.pending.add(stop);
          const watched = watchTransfer(stream, 'source', server.timeout, (error) => translate(error, path));
          const ended = new Promise<void>((done) => watched.once('close', done));
          const closed = new Promise<void>((done) => stream.once('close', done));
          resolve(watched);
          await ended;
          connection.pending.delete(stop);
          await withinTime(server.timeout, closed).catch(() => {});
        }).catch(reject);
      }),
    async write(path, source, { isNew = false } = {}) {
      sweepSoon();
      let temporary = '';
      try {
        await run(path, async (connection) => {
          const { sftp, ask } = connection;
          await locateNew(connection, path);
          await ask<void>((done) => sftp.mkdir(temporaryFolder(), { mode: 0o700 }, done)).catch(async (error) => {
            if (!(await statOf(connection, temporaryFolder()))?.isDirectory()) throw error;
          });
          const name = `${temporaryFolder()}/${randomUUID()}${names.suffix}`;
          const handle = await ask<Buffer>((done) => sftp.open(name, 'wx', done));
          temporary = name;
          try {
            await writeAll(connection, handle, source);
            await ask<void>((done) => sftp.ext_openssh_fsync(handle, done)).catch(ignoreUnsupported);
          } catch (error) {
            throw await explainFull(connection, error as SftpError, temporaryFolder());
          } finally {
            await ask<void>((done) => sftp.close(handle, done)).catch(() => {});
          }
          await names.learn(name, async (other) => (await lstatOf(connection, other)) !== undefined);
          await lock(path, () => place(connection, name, path, isNew));
        });
      } catch (error) {
        source.destroy();
        // Over a new connection where that one is gone; else it is swept later.
        if (temporary)
          await run('', ({ sftp, ask }) => ask<void>((done) => sftp.unlink(temporary, done))).catch(() => {});
        throw error;
      }
    },
    makeFolder: (path) =>
      run(path, async (connection) => {
        const target = await locateNew(connection, path);
        await connection
          .ask<void>((done) => connection.sftp.mkdir(target, done))
          .catch(async (error: SftpError) => {
            const existing = await lstatOf(connection, target);
            if (!existing) throw error;
            throw existing.isDirectory()
              ? fail('file.folderExists', { path: folderPath(path) })
              : fail('file.exists', { path });
          });
      }),
    deleteFile: (path) =>
      run(path, async (connection) => {
        const folder = await locate(connection, parentOf(path));
        if (folder === undefined) return false;
        const target = remotePath(folder, nameOf(path));
        const existing = await lstatOf(connection, target);
        if (!existing || existing.isDirectory()) return false;
        await connection.ask<void>((done) => connection.sftp.unlink(target, done)).catch(ignoreMissing);
        return true;
      }),
    deleteFolder: (path) =>
      run(path, async (connection) => {
        const { sftp, ask } = connection;
        const folder = path === '' ? undefined : await locate(connection, parentOf(path));
        if (folder === undefined) return;
        const target = remotePath(folder, nameOf(path));
        const existing = await lstatOf(connection, target);
        if (!existing) return;
        // A link to a folder is deleted as a file is: what it leads to stays.
        if (existing.isSymbolicLink()) return ask<void>((done) => sftp.unlink(target, done));
        await ask<void>((done) => sftp.rmdir(target, done)).catch(async (error: SftpError) => {
          if (error.code === status.missing) return;
          const found = await ask<FileEntryWithStats[]>((done) => sftp.readdir(target, done)).catch(() => []);
          throw found.some(({ filename }) => filename !== '.' && filename !== '..') ? fail('file.notEmpty') : error;
        });
      }),
    move: (source, target) =>
      run(source, async (connection) => {
        const folder = await locate(connection, parentOf(source));
        if (folder === undefined) throw fail('file.sourceMissing', { path: source });
        await lock(target, () => place(connection, remotePath(folder, nameOf(source)), target, true));
      }),
    async close() {
      connections.close();
    },
  };
  return storage;
}

/** The real path of the container, made when it is missing. */
async function makeRoot(connection: SftpConnection, container: string): Promise<string> {
  const { sftp, ask } = connection;
  const start = container.startsWith('/') ? '/' : await ask<string>((done) => sftp.realpath('.', done));
  let folder = start;
  for (const part of container.split('/').filter((part) => part !== '' && part !== '.')) {
    folder = remotePath(folder, part);
    if ((await statOf(connection, folder))?.isDirectory()) continue;
    await ask<void>((done) => sftp.mkdir(folder, done)).catch(async (error: SftpError) => {
      if (!(await statOf(connection, folder).catch(() => undefined))?.isDirectory()) throw translate(error, container);
    });
  }
  return ask<string>((done) => sftp.realpath(folder, done));
}

async function writeAll({ sftp, ask }: SftpConnection, handle: Buffer, source: Readable): Promise<void> {
  const pending = new Set<Promise<void>>();
  let position = 0;
  for await (const chunk of source as AsyncIterable<Buffer>)
    for (let at = 0; at < chunk.length; at += writeSize) {
      const length = Math.min(writeSize, chunk.length - at);
      const start = position;
      const writing = ask<void>((done) => sftp.write(handle, chunk, at, length, start, done)).then(() => {
        pending.delete(writing);
      });
      writing.catch(() => {});
      pending.add(writing);
      position += length;
      if (pending.size >= writesAtOnce) await Promise.race(pending);
    }
  await Promise.all(pending);
}

/** The protocol has no word for a full disk; servers of OpenSSH say how much room is left. */
async function explainFull({ sftp, ask }: SftpConnection, error: SftpError, folder: string): Promise<Error> {
  if (error.code !== status.failure) return error;
  const room = await ask<{ f_bavail?: number | bigint }>((done) => sftp.ext_openssh_statvfs(folder, done)).catch(
    () => ({}),
  );
  return 'f_bavail' in room && Number(room.f_bavail) < 16 ? fail('file.full', undefined, { cause: error }) : error;
}

async function removeAbandoned({ sftp, ask }: SftpConnection, folder: string): Promise<void> {
  const found = await ask<FileEntryWithStats[]>((done) => sftp.readdir(folder, done));
  for (const { filename, attrs } of found)
    if (attrs.isFile() && !filename.startsWith('old-') && attrs.mtime * 1000 < Date.now() - abandonedAfter)
      await ask<void>((done) => sftp.unlink(`${folder}/${filename}`, done)).catch(() => {});
}

function entryOf(path: string, stats: Stats): StorageEntry {
  const modified = Number.isFinite(stats.mtime) ? new Date(stats.mtime * 1000) : null;
  if (stats.isDirectory()) return { path, type: 'folder', size: null, modified, contentType: null, etag: null };
  // No validator: times are whole seconds, and two contents of one second and one size would share it.
  return { path, type: 'file', size: stats.size ?? null, modified, contentType: null, etag: null };
}

const statOf = ({ sftp, ask }: SftpConnection, path: string): Promise<Stats | undefined> =>
  ask<Stats>((done) => sftp.stat(path, done)).catch(ignoreMissing);

const lstatOf = ({ sftp, ask }: SftpConnection, path: string): Promise<Stats | undefined> =>
  ask<Stats>((done) => sftp.lstat(path, done)).catch(ignoreMissing);

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

function ignoreMissing(error: SftpError): undefined {
  if (error.code !== status.missing) throw error;
}

function ignoreUnreadable(error: SftpError): undefined {
  if (error.code !== status.missing && error.code !== status.denied && error.code !== status.failure) throw error;
}

function throwIt(error: SftpError): never {
  throw error;
}

function ignoreEnd(error: SftpError): undefined {
  if (error.code !== status.endOfFile) throw error;
}

const isUnsupported = ({ code, message }: SftpError): boolean =>
  code === status.unsupported || /does not support/i.test(message);

function ignoreUnsupported(error: SftpError): void {
  if (!isUnsupported(error)) throw error;
}

/** An error of the server or the client as a failure of the catalogue. */
function translate(error: SftpError, path: string): Error {
  if (error instanceof Failure) return error;
  if (error.code === status.denied) return fail('file.denied', { path }, { cause: error });
  if (error.code === status.missing) return fail('file.notFound', { path }, { cause: error });
  if (error.code === status.badMessage)
    return fail('file.badPath', { path, problem: 'the storage takes no such name.' }, { cause: error });
  if (typeof error.code === 'number')
    return fail('file.storageFailed', { text: serverText(error.message) }, { cause: error });
  const isGone = /no response from server|not connected|channel|closed/i.test(error.message);
  return (
    networkFailure(error) ??
    (isGone ? fail('file.unreachable', { text: 'it broke off the connection' }, { cause: error }) : error)
  );
}
