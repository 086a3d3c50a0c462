// A folder of an FTP server as a `Storage`. A file is written beside, then renamed into place. Where links lead is the
// server's business: it says nothing of them that could be relied on.
import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
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
} from '../../storage/remote.ts';
import type { Storage, StorageEntry } from '../../storage/storage.ts';
import { connectionFailure, createConnections, type FtpConnection, type FtpServer, isRefusal } from './connections.ts';
import { type FtpEntry, parseFacts, parseTime } from './facts.ts';

/** The storage of a folder, absolute or relative to where the account starts. Connects when it is first used. */
export function openFtpStorage(server: FtpServer, container: string): Storage {
  let root = '';
  const at = (path: string) => remotePath(root, path);
  const temporaryFolder = () => at(temporaryPrefix);
  const lock = createPathLocks();
  const connections = createConnections(server, async (connection) => {
    root ||= await makeRoot(connection, container);
    sweepSoon();
  });
  const sweepSoon = createSweeper(() => run('', (connection) => removeAbandoned(connection, temporaryFolder())));

  /** Runs something for a path; errors of the server become failures. */
  const run = <T>(path: string, act: (connection: FtpConnection) => Promise<T>): Promise<T> =>
    connections.use(act).catch((error) => {
      throw translate(error, path, server.timeout);
    });

  const stat = async (connection: FtpConnection, path: string): Promise<StorageEntry | undefined> => {
    const found = await describe(connection, at(path));
    return found && storageEntry(path, found);
  };

  const requireFolder = async (connection: FtpConnection, path: string): Promise<void> => {
    if (path !== '' && (await stat(connection, path))?.type !== 'folder') throw fail('file.folderMissing', { path });
  };

  async function* readFolder(folder: string, namesOnly: boolean): AsyncGenerator<FoundEntry> {
    // The connection is free again before anybody takes the entries.
    const entries = await run(folder, async (connection) => {
      const found: FoundEntry[] = [];
      for (const entry of (await readEntries(connection, at(folder))) ?? []) {
        if (!isListedName(entry.name)) continue;
        const path = joinPath(folder, entry.name);
        if (entry.type !== 'link') {
          const shown = storageEntry(path, entry);
          if (shown) found.push(shown);
          continue;
        }
        const target = await followLink(connection, at(path)).catch(ignoreRefusal);
        const shown = target && storageEntry(path, target);
        if (shown) found.push({ ...shown, isLink: true });
      }
      return found;
    });
    for (const entry of entries) yield namesOnly ? { ...entry, size: null, modified: null } : entry;
  }
  const list = (folder: string, options = {}) => listFolders(readFolder, folder, options);
  const names = createNameCheck((folder) => list(folder, { namesOnly: true }));

  const rename = async ({ client, ask }: FtpConnection, from: string, to: string): Promise<void> => {
    await ask(client.rename(from, to));
  };

  /** Puts a complete file in its place. FTP has no rename that never replaces: the look before is all there is. */
  const place = async (connection: FtpConnection, source: string, path: string, isNew: boolean): Promise<void> => {
    const { client, ask } = connection;
    await requireFolder(connection, parentOf(path));
    const existing = await stat(connection, path);
    if (existing?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
    if (existing && isNew) throw fail('file.exists', { path });
    try {
      await rename(connection, source, at(path));
    } catch (error) {
      if (!existing || !isRefusal(error)) throw error;
      // A server that renames onto nothing: the old file is kept until the new one is there.
      const old = `${temporaryFolder()}/old-${randomUUID()}`;
      await rename(connection, at(path), old);
      try {
        await rename(connection, source, at(path));
      } catch (error) {
        await rename(connection, old, at(path));
        throw error;
      }
      await ask(client.remove(old)).catch(() => {});
    }
  };

  const storage: Storage = {
    hasRanges: true,
    stat: (path) => run(path, (connection) => stat(connection, path)),
    list,
    read: (path, range) =>
      new Promise<Readable>((resolve, reject) => {
        run(path, async (connection) => {
          const entry = await stat(connection, path);
          if (entry?.type !== 'file') throw fail('file.notFound', { path });
          const isToEnd = !range || entry.size === null || range.end >= entry.size - 1;
          const download = startDownload(
            connection,
            at(path),
            range?.start ?? 0,
            isToEnd ? undefined : range.end - range.start + 1,
          );
          // What the server refuses is known before the first byte.
          await Promise.race([download.begun, download.done]);
          download.done.catch((error) => download.content.destroy(translate(error, path, server.timeout)));
          resolve(watchTransfer(download.content, 'source', server.timeout));
          await download.done.catch(() => {});
        }).catch(reject);
      }),
    async write(path, source, { isNew = false } = {}) {
      let temporary = '';
      // The client tells a source that fails as the end of the connection, which it closes then.
      let sourceError: Error | undefined;
      source.once('error', (error) => {
        sourceError = error;
      });
      try {
        await run(path, async (connection) => {
          const { client, ask } = connection;
          sweepSoon();
          await requireFolder(connection, parentOf(path));
          await ask(client.sendIgnoringError(`MKD ${temporaryFolder()}`));
          temporary = `${temporaryFolder()}/${randomUUID()}${names.suffix}`;
          await client.uploadFrom(watchTransfer(source, 'target', server.timeout), temporary);
          await names.learn(temporary, async (other) => (await describe(connection, other)) !== undefined);
        });
        // The look at other names lists a folder over a connection of its own, so none is held meanwhile.
        await lock(path, async () => {
          if (!isNew && !(await names.isSameName(path)) && (await storage.stat(path)))
            throw fail('file.exists', { path });
          await run(path, (connection) => place(connection, temporary, path, isNew));
        });
      } catch (error) {
        source.destroy();
        // Over another connection, since that one may be gone; else it is swept later.
        if (temporary) await run('', ({ client, ask }) => ask(client.remove(temporary))).catch(() => {});
        throw sourceError ?? error;
      }
    },
    makeFolder: (path) =>
      lock(path, () =>
        run(path, async (connection) => {
          await requireFolder(connection, parentOf(path));
          const existing = await stat(connection, path);
          if (existing?.type === 'folder') throw fail('file.folderExists', { path: folderPath(path) });
          if (existing) throw fail('file.exists', { path });
          await connection.ask(connection.client.send(`MKD ${at(path)}`)).catch(async (error) => {
            if (!isRefusal(error) || (await stat(connection, path))?.type !== 'folder') throw error;
            throw fail('file.folderExists', { path: folderPath(path) });
          });
        }),
      ),
    deleteFile: (path) =>
      run(path, async (connection) => {
        if ((await stat(connection, path))?.type !== 'file') return false;
        await connection.ask(connection.client.remove(at(path)));
        return true;
      }),
    deleteFolder: (path) =>
      run(path, async (connection) => {
        if (path === '' || (await stat(connection, path))?.type !== 'folder') return;
        await connection.ask(connection.client.send(`RMD ${at(path)}`)).catch(async (error) => {
          if (!isRefusal(error)) throw error;
          throw (await readEntries(connection, at(path)))?.length ? fail('file.notEmpty') : error;
        });
      }),
    move: (source, target) =>
      lock(target, () => run(source, (connection) => place(connection, at(source), target, true))),
    async close() {
      connections.close();
    },
  };
  return storage;
}

/** The path of the container, made when it is missing. */
async function makeRoot(connection: FtpConnection, container: string): Promise<string> {
  const { client, ask } = connection;
  let folder = container.startsWith('/') ? '/' : await ask(client.pwd());
  for (const part of container.split('/').filter((part) => part !== '' && part !== '.')) {
    folder = remotePath(folder, part);
    if ((await describe(connection, folder))?.type === 'folder') continue;
    await ask(client.send(`MKD ${folder}`)).catch(async (error) => {
      if (!isRefusal(error) || (await describe(connection, folder))?.type !== 'folder') throw error;
    });
  }
  return folder;
}

/** What is at a path; undefined where nothing is. */
async function describe(connection: FtpConnection, path: string): Promise<FtpEntry | undefined> {
  const { client, hasFacts, ask } = connection;
  if (!hasFacts) return followLink(connection, path);
  const answer = await ask(client.send(`MLST ${path}`)).catch(ignoreMissing);
  const facts = answer?.message
    .split('\n')
    .flatMap((line) => parseFacts(line.replace(/^250[ -]/, ' ')) ?? rootOf(line))[0];
  return facts?.type === 'link' ? followLink(connection, path) : facts;
}

/** The root of a server is described as the folder that is listed. */
const rootOf = (line: string): FtpEntry[] =>
  /(^|[ ;])type=[cp]?dir;/i.test(line) ? [{ name: '/', type: 'folder', size: null, modified: null }] : [];

/** What is at a path as the server treats it: a folder can be entered, a file has a size or is in the list of its folder. */
async function followLink({ client, ask, hasFacts }: FtpConnection, path: string): Promise<FtpEntry | undefined> {
  const name = nameOf(path);
  if (await ask(client.cd(path)).catch(ignoreRefusal)) return { name, type: 'folder', size: null, modified: null };
  const size = await ask(client.size(path)).catch(ignoreRefusal);
  if (size === undefined && !hasFacts) {
    const entries = await readList({ client, ask }, parentOf(path) || '/');
    const entry = entries?.find((entry) => entry.name === name);
    return entry?.type === 'file' ? { ...entry, modified: await timeOf({ client, ask }, path) } : undefined;
  }
  return size === undefined ? undefined : { name, type: 'file', size, modified: await timeOf({ client, ask }, path) };
}

/** MDTM is UTC. The dates of LIST are in a zone that nobody names, so they are not used. */
async function timeOf({ client, ask }: Pick<FtpConnection, 'client' | 'ask'>, path: string): Promise<Date | null> {
  const answer = await ask(client.send(`MDTM ${path}`)).catch(ignoreRefusal);
  return parseTime(answer?.message.slice(4));
}

const readEntries = (connection: FtpConnection, path: string) => readList(connection, path);

/** What a folder holds; undefined where there is none, or it cannot be entered. */
async function readList(
  { client, ask }: Pick<FtpConnection, 'client' | 'ask'>,
  path: string,
): Promise<FtpEntry[] | undefined> {
  if (!(await ask(client.cd(path)).catch(ignoreRefusal))) return undefined;
  const { parseList } = await import('basic-ftp');
  let text = '';
  client.parseList = (listing) => {
    text = listing;
    return [];
  };
  await ask(client.list());
  const lines = text.split(/\r?\n/);
  const withFacts = lines.flatMap((line) => parseFacts(line) ?? []);
  if (withFacts.length > 0 || lines.some((line) => /(^|;)type=[cp]dir;/i.test(line))) return withFacts;
  const kinds = ['other', 'file', 'folder', 'link'] as const;
  return parseList(text)
    .filter(({ name }) => name !== '.' && name !== '..')
    .map(({ name, type, size }) => ({ name, type: kinds[type] ?? 'other', size, modified: null }));
}

interface Download {
  content: Readable;
  /** The first byte is here. */
  begun: Promise<void>;
  /** The server has confirmed the transfer, or as many bytes as were wanted are here. */
  done: Promise<void>;
}

/** Begins to read a file. Its content ends only when the server has confirmed it: one that was cut short must not look whole. */
function startDownload({ client }: FtpConnection, path: string, start: number, wanted: number | undefined): Download {
  const content = new PassThrough();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let missing = wanted ?? Number.POSITIVE_INFINITY;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, next) {
      begin();
      const part = chunk.length > missing ? chunk.subarray(0, missing) : chunk;
      missing -= part.length;
      if (missing === 0) {
        // The protocol cannot end a transfer early but by breaking off.
        content.end(part);
        client.close();
        next();
      } else if (content.write(part)) next();
      else content.once('drain', next);
    },
  });
  sink.on('error', () => {});
  // A caller who leaves early ends the transfer.
  content.once('close', () => {
    if (!content.readableEnded) client.close();
  });
  content.on('error', () => {});
  const done = client.downloadTo(sink, path, start).then(
    () => void content.end(),
    (error) => {
      if (missing > 0) throw error;
    },
  );
  return { content, begun, done };
}

async function removeAbandoned(connection: FtpConnection, folder: string): Promise<void> {
  const { client, ask } = connection;
  for (const { name, type, modified } of (await readEntries(connection, folder)) ?? []) {
    if (type !== 'file' || name.startsWith('old-')) continue;
    const time = modified ?? (await timeOf(connection, `${folder}/${name}`));
    if (time && time.getTime() < Date.now() - abandonedAfter)
      await ask(client.remove(`${folder}/${name}`)).catch(ignoreRefusal);
  }
}

function storageEntry(path: string, { type, size, modified }: FtpEntry): StorageEntry | undefined {
  if (type !== 'file' && type !== 'folder') return undefined;
  // No validator: times are whole seconds, and two contents of one second and one size would share it.
  return { path, type, size: type === 'folder' ? null : size, modified, contentType: null, etag: null };
}

function ignoreRefusal(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}

function ignoreMissing(error: unknown): undefined {
  if (!isRefusal(error) || isDenied(error)) throw error;
}

const isDenied = ({ message }: Error): boolean => /denied|not permitted/i.test(message);

/** An error of the server or the client as a failure of the catalogue. */
function translate(error: Error & { code?: unknown }, path: string, seconds: number): Error {
  if (error instanceof Failure) return error;
  if (!isRefusal(error)) return connectionFailure(error, seconds) ?? error;
  const { code, message } = error;
  if (code === 452 || code === 552 || /no space|quota/i.test(message))
    return fail('file.full', undefined, { cause: error });
  if (isDenied(error)) return fail('file.denied', { path }, { cause: error });
  if (code === 550 && /no such|not found|not exist/i.test(message))
    return fail('file.notFound', { path }, { cause: error });
  return fail('file.storageFailed', { text: serverText(message) }, { cause: error });
}
