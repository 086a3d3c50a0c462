// What storages on other machines share: bounds of time, names and their order, and what a server cannot promise by itself.
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail } from '@sluice/contract';
import { nameOf, parentOf, temporaryPrefix } from './path.ts';
import type { ListOptions, StorageEntry } from './storage.ts';

/** Milliseconds after which an incomplete file belongs to a process that is gone. It is long: clocks of servers differ. */
export const abandonedAfter = 24 * 60 * 60_000;
/** Milliseconds between two searches for such files. */
const sweepInterval = 10 * 60_000;
/** Bytes that a transfer must move in the time limit of its service; a slower one is stopped. */
const leastBytes = 16 * 1024;
/** Most entries of a folder that are held to be put in order; more come as the server sends them. */
const maxSorted = 20_000;

/** Waits for an answer of a server, at most for a time. `abandon` drops the connection that did not give it. */
export async function withinTime<T>(seconds: number, answer: Promise<T>, abandon?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(fail('file.timeout', { seconds }));
      abandon?.();
    }, seconds * 1000);
  });
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
// Storages on other machines: how long their servers may take, and what the network did in words of the catalogue. A server
// that answers nothing, or a byte now and then, holds no call for ever.
import { PassThrough, pipeline, Readable } from 'node:stream';
import { Failure, fail } from '@sluice/contract';

/** Milliseconds. */
export const remoteLimits = {
  /** Until a connection is there. */
  connect: 10_000,
  /** Until a call that carries no file is answered. */
  answer: 60_000,
  /** Without a byte in either direction while a file is read or written. */
  idle: 60_000,
  /** Each of these spans of waiting must bring `leastBytes`. */
  pace: 300_000,
  leastBytes: 64 * 1024,
};

/** A failure that a server took too long. */
export const timeoutFailure = (milliseconds: number): Failure =>
  fail('file.timeout', { seconds: Math.ceil(milliseconds / 1000) });

/** Runs a call with a signal that aborts it when it takes too long. */
export async function withDeadline<T>(
  run: (signal: AbortSignal) => Promise<T>,
  milliseconds: number = remoteLimits.answer,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await run(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? timeoutFailure(milliseconds) : error;
  } finally {
    clearTimeout(timer);
  }
}

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
  { isRecursive = false, namesOnly = false }: ListOptions = {},
): AsyncGenerator<StorageEntry> {
  for await (const { isLink, ...entry } of inOrder(readFolder(folder, namesOnly))) {
    yield entry;
    if (isRecursive && entry.type === 'folder' && !isLink)
      yield* listFolders(readFolder, entry.path, { isRecursive, namesOnly });
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

const networkTexts = new Map([
  ['ECONNREFUSED', 'it takes no connections there'],
  ['ENOTFOUND', 'its host name is unknown'],
  ['EAI_AGAIN', 'its host name is unknown'],
  ['EHOSTUNREACH', 'no way leads to its host'],
  ['ENETUNREACH', 'no way leads to its host'],
  ['ETIMEDOUT', 'its host does not answer'],
  ['ECONNRESET', 'it broke off the connection'],
  ['EPIPE', 'it broke off the connection'],
]);

/** A failure of the network as `file.unreachable`; undefined for other errors. */
export function networkFailure(error: { code?: unknown; message?: string }): Error | undefined {
  const text = networkTexts.get(String(error.code));
  return text === undefined ? undefined : fail('file.unreachable', { text }, { cause: error as Error });
}

/** A path on a server, below the root of the container. */
export const remotePath = (root: string, path: string): string =>
  path === '' ? root : `${root === '/' ? '' : root}/${path}`;
/** A stream of a server that fails when the server pauses or trickles; a reader may be as slow as it likes. */
export function pacedStream(source: Readable, { idle, pace, leastBytes } = remoteLimits): Readable {
  const output = new PassThrough();
  const step = Math.min(1_000, idle / 4);
  let sinceByte = 0;
  let waited = 0;
  let bytes = 0;
  const timer = setInterval(() => {
    if (output.writableNeedDrain) return;
    sinceByte += step;
    waited += step;
    if (sinceByte >= idle) output.destroy(timeoutFailure(idle));
    else if (waited >= pace) {
      if (bytes < leastBytes) output.destroy(timeoutFailure(pace));
      waited = 0;
      bytes = 0;
    }
  }, step).unref();
  source.on('data', (chunk: Buffer) => {
    sinceByte = 0;
    bytes += chunk.length;
  });
  // Pauses the source again until the pipeline reads it.
  source.pause();
  pipeline(source, output, () => clearInterval(timer));
  return output;
}

/** The file of a caller on its way to a server; `signal` fires when the server takes no more of it, or gives no answer. */
export interface Upload {
  body: Readable;
  signal: AbortSignal;
  /** The error of the source, if that is what ended it: the caller went away, its body was too long. */
  sourceError(): unknown;
  end(): void;
}

export function watchUpload(source: Readable, idle: number = remoteLimits.idle): Upload {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const disarm = () => clearTimeout(timer);
  const arm = () => {
    disarm();
    timer = setTimeout(() => controller.abort(), idle);
  };
  const chunks = async function* (): AsyncGenerator<Buffer> {
    disarm();
    try {
      for await (const chunk of source) {
        arm();
        yield chunk as Buffer;
        disarm();
      }
    } catch (error) {
      disarm();
      failure = error;
      throw error;
    }
    arm();
  };
  // Until the server asks for the first of it.
  arm();
  return {
    body: Readable.from(chunks(), { objectMode: false }),
    signal: controller.signal,
    sourceError: () => failure,
    end: disarm,
  };
}

/** Sends a file with `send`. A failure of the source is thrown as it is, since it is not the server's. */
export async function upload<T>(
  source: Readable,
  send: (upload: Upload) => Promise<T>,
  idle: number = remoteLimits.idle,
): Promise<T> {
  const watched = watchUpload(source, idle);
  try {
    return await send(watched);
  } catch (error) {
    throw watched.sourceError() ?? (watched.signal.aborted ? timeoutFailure(idle) : error);
  } finally {
    watched.end();
    watched.body.destroy();
  }
}

/** Codes of Node and their words. The address is left out: callers have no business with it. */
const networkProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its server refuses connections',
  ECONNRESET: 'its server broke the connection off',
  EPIPE: 'its server broke the connection off',
  UND_ERR_SOCKET: 'its server broke the connection off',
  ENOTFOUND: 'the name of its server is not known',
  EAI_AGAIN: 'the name of its server is not known',
  EHOSTUNREACH: 'no way leads to its server',
  ENETUNREACH: 'no way leads to its server',
  ENETDOWN: 'no way leads to its server',
  ETIMEDOUT: 'its server does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'its server does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of its server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of its server is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of its server is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of its server is not trusted',
  CERT_HAS_EXPIRED: 'the certificate of its server has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of its server is for another name',
  EPROTO: 'its server speaks no TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'its server speaks no TLS there',
};

/** A failure of the network, or of the catalogue already; undefined for other errors. */
export function networkFailure(error: unknown): Failure | undefined {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
    if (cause instanceof Failure) return cause;
    const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] };
    const problem = typeof code === 'string' && Object.hasOwn(networkProblems, code) && networkProblems[code];
    if (problem) return fail('file.unreachable', { text: problem }, { cause: error });
    cause = cause.cause ?? errors?.[0];
  }
  return undefined;
}

/** Words of a server for a message: one line without secrets, without the full stop that messages have. */
export function serverWords(text: string, secrets: readonly (string | null | undefined)[] = []): string {
  const line = text.split('\n')[0]?.replace(/\p{Cc}/gu, '') ?? '';
  if (secrets.some((secret) => secret && line.includes(secret))) return 'no reason that could be shown';
  return line.slice(0, 300).replace(/\.\s*$/, '') || 'no reason';
}
