// What storages on other machines share: bounds of time, names and their order, and what a server cannot promise by itself.
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail } from '@sluice/contract';
import { TimeoutError, withTimeout } from '../store/dialects/within.ts';
import { maxPath, nameOf, parentOf, temporaryPrefix } from './path.ts';
import { entriesBelow, type ListOptions, type StorageEntry } from './storage.ts';

/** Milliseconds after which an incomplete file belongs to a process that is gone. It is long: clocks of servers differ. */
export const abandonedAfter = 24 * 60 * 60_000;
/** Milliseconds between two searches for such files. */
const sweepInterval = 10 * 60_000;
/** Bytes that a transfer must move in the time limit of its service; a slower one is stopped. */
const leastBytes = 16 * 1024;
/** Most entries of a folder that are held to be put in order; more come as the server sends them. */
const maxSorted = 20_000;

/** Waits for an answer of a server, at most for a time. `abandon` drops the connection that did not give it. */
export const withinTime = <T>(seconds: number, answer: Promise<T>, abandon?: () => void): Promise<T> =>
  withTimeout(seconds * 1000, answer).catch((error: unknown) => {
    if (!(error instanceof TimeoutError)) throw error;
    abandon?.();
    throw fail('file.timeout', { seconds });
  });

/**
 * The bytes of a source, to or from a server; ends with `file.timeout` when the server is slower than `leastBytes` in
 * `seconds`. Time in which our own caller is the slow side does not count. An error of the source passes `translate`.
 */
export function watchTransfer(
  source: Readable,
  server: 'source' | 'target',
  seconds: number,
  translate: (error: Error) => Error = (error) => error,
): Readable {
  let bytes = 0;
  let waited = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const out = new PassThrough();
  // Also one that nobody reads any more may break off.
  out.on('error', () => {});
  const tick = Math.min(1, seconds);
  const timer = setInterval(() => {
    const isServerSlow = server === 'source' ? !out.writableNeedDrain : out.readableLength > 0;
    if (!isServerSlow) return;
    waited += tick;
    if (waited < seconds) return;
    if (bytes < leastBytes) out.destroy(fail('file.timeout', { seconds }));
    bytes = 0;
    waited = 0;
  }, tick * 1000);
  timer.unref();
  source.once('error', (error) => out.destroy(translate(error)));
  pipeline(source, counter, out)
    .catch((error: Error) => out.destroy(translate(error)))
    .finally(() => clearInterval(timer));
  return out;
}

/** Whether a name of a server's listing is one: it is neither ours nor one that leads elsewhere. */
export const isListedName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  !/[\x00-\x1f\x7f/]/.test(name) &&
  !name.toLowerCase().startsWith(temporaryPrefix);

/** An entry of one folder. A recursive listing does not go into links: two that lead to each other have no end. */
export type FoundEntry = StorageEntry & { isLink?: boolean };

/** The listing of `Storage`, from one that reads a single folder. */
export async function* listFolders(
  readFolder: (folder: string, namesOnly: boolean) => AsyncIterable<FoundEntry>,
  folder: string,
  options: ListOptions = {},
): AsyncGenerator<StorageEntry> {
  for await (const { isLink, ...entry } of inOrder(readFolder(folder, options.namesOnly ?? false))) {
    yield entry;
    // A server that follows links may have no end of folders.
    if (options.isRecursive && entry.type === 'folder' && !isLink && entry.path.length < maxPath)
      yield* entriesBelow(listFolders(readFolder, entry.path, options), options);
  }
}

async function* inOrder(entries: AsyncIterable<FoundEntry>): AsyncGenerator<FoundEntry> {
  const found: FoundEntry[] = [];
  let isLong = false;
  for await (const entry of entries) {
    if (isLong) {
      yield entry;
      continue;
    }
    found.push(entry);
    if (found.length < maxSorted) continue;
    isLong = true;
    yield* found.splice(0);
  }
  yield* found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Runs what is done to a path one after the other. It makes a look before a write hold against other calls of this
 * process where the protocol has no write that never replaces.
 */
export function createPathLocks() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(path: string, run: () => Promise<T>): Promise<T> => {
    const turn = (last.get(path) ?? Promise.resolve()).then(run, run);
    const settled = turn.catch(() => {});
    last.set(path, settled);
    try {
      return await turn;
    } finally {
      if (last.get(path) === settled) last.delete(path);
    }
  };
}

/**
 * Finds out whether a server takes names of other letter case or Unicode form for the same. It is asked once, with a
 * temporary file that was just written; where it does, `isSameName` looks whether an existing file has exactly this name.
 */
export function createNameCheck(list: (folder: string) => AsyncIterable<StorageEntry>) {
  let folds: Promise<boolean> | undefined;
  return {
    /** Characters that a temporary name ends in for this. */
    suffix: '-\u00e4',
    learn(temporary: string, exists: (path: string) => Promise<boolean>): Promise<boolean> {
      folds ??= (async () => {
        const stem = temporary.slice(0, -1);
        return (await exists(`${stem}\u00c4`)) || (await exists(`${stem}a\u0308`));
      })().catch((error) => {
        folds = undefined;
        throw error;
      });
      return folds;
    },
    async isSameName(path: string): Promise<boolean> {
      if (!(await folds)) return true;
      for await (const entry of list(parentOf(path))) if (nameOf(entry.path) === nameOf(path)) return true;
      return false;
    },
  };
}

/** Runs `sweep` at once when it is first asked, then at most every ten minutes; nobody waits for it, and it fails silently. */
export function createSweeper(sweep: () => Promise<void>): () => void {
  let last = 0;
  return () => {
    if (Date.now() - last < sweepInterval) return;
    last = Date.now();
    sweep().catch(() => {});
  };
}

/** What a server said, for an error: short, printable, without a period at its end. */
export const serverText = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/^\s+|[\s.]+$/g, '')
    .slice(0, 200);

/** A path on a server, below the root of the container. */
export const remotePath = (root: string, path: string): string =>
  path === '' ? root : `${root === '/' ? '' : root}/${path}`;
