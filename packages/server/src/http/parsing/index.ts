// Large bodies are parsed in a thread beside the one that answers calls, one at a time: it is ended when it takes too much time
// or memory, and the next body gets a new one. Callers take turns. What is read comes back in slices.
import { Worker } from 'node:worker_threads';
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import { pause, TurnQueue } from '@sluice/sql';
import { parseBytes } from './parse-bytes.ts';
import { assemble } from './slices.ts';
import type { ParseRequest, ParseResult } from './worker.ts';

/** Bytes up to which a body is parsed at once. JSON and forms are read ten times as fast as the rest. */
const parsedAtOnce = (contentType: string): number => (/json|urlencoded/i.test(contentType) ? 256 : 16) * 1024;

/** Milliseconds that one body may take, and may wait for those before it. */
const parseTime = 10_000;
const waitTime = 30_000;
/** Milliseconds without work after which the thread ends. */
const idleTime = 30_000;
/** Megabytes the thread may take: enough for all that the bounds of a body allow, more only where bodies may be larger. */
const memoryFor = (bytes: number): number => Math.max(256, Math.ceil((20 * bytes) / 2 ** 20));

/** Who sent a body, and whether an answer is still waited for. */
export interface Sender {
  readonly callerKey: string;
  readonly signal: AbortSignal;
}

interface Job extends ParseRequest {
  sender: Sender;
  since: number;
  resolve: (result: ParseResult) => void;
  reject: (error: unknown) => void;
}

/** The jobs that wait, by caller. Their bytes are counted by holding.ts. */
const waiting = new TurnQueue<Job>();
let running: Job | undefined;
let thread: { worker: Worker; memory: number } | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * Parses a body of a caller who is known, where it takes nobody's time; the bytes are gone afterwards. 400 when it takes too
 * much time or memory itself, 503 when it waited too long.
 */
export function parseFairly(
  bytes: Buffer,
  contentType: string,
  isForSpreadsheet: boolean,
  sender: Sender,
): MaybePromise<unknown> {
  return bytes.length <= parsedAtOnce(contentType)
    ? parseBytes(bytes, contentType, isForSpreadsheet)
    : parseApart({ bytes, contentType, isForSpreadsheet }, sender);
}

async function parseApart(request: ParseRequest, sender: Sender): Promise<unknown> {
  const result = await new Promise<ParseResult>((resolve, reject) => {
    const job = { ...request, sender, since: performance.now(), resolve, reject };
    waiting.add([sender.callerKey], job);
    runNext();
  });
  if ('fault' in result) throw new Error(result.fault);
  if ('slices' in result) {
    const value = result.slices === undefined ? undefined : await assemble(result.slices);
    // What is done with so much takes time, too.
    await pause();
    return value;
  }
  const { key, status, message, hint } = result.failure;
  throw new Failure(key, status, message, { hint });
}

function runNext(): void {
  if (running) return;
  running = takeNext();
  clearTimeout(timer);
  if (!running) {
    timer = setTimeout(endThread, idleTime).unref();
    return;
  }
  const { bytes, contentType, isForSpreadsheet } = running;
  const worker = threadFor(bytes.length);
  worker.ref();
  timer = setTimeout(() => {
    endThread();
    finish((job) => job.reject(fail('http.bodyTooCostly')));
  }, parseTime);
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  const request: ParseRequest = { bytes, contentType, isForSpreadsheet };
  worker.postMessage(request, isWhole ? [bytes.buffer as ArrayBuffer] : []);
}

/** The next job somebody still waits for. */
function takeNext(): Job | undefined {
  for (let job = waiting.next(); job; job = waiting.next()) {
    if (job.sender.signal.aborted) job.reject(fail('http.bodyBroken'));
    else if (performance.now() - job.since > waitTime) job.reject(fail('http.tooManyBodies'));
    else return job;
  }
  return undefined;
}

function finish(settle: (job: Job) => void): void {
  const job = running;
  running = undefined;
  thread?.worker.unref();
  if (job) settle(job);
  runNext();
}

function threadFor(bytes: number): Worker {
  const memory = memoryFor(bytes);
  if (thread && thread.memory < memory) endThread();
  thread ??= { worker: startWorker(memory), memory };
  return thread.worker;
}

function startWorker(memory: number): Worker {
  const program = import.meta.url.endsWith('.ts') ? './from-source.mjs' : './parse.js';
  const worker = new Worker(new URL(program, import.meta.url), {
    // None of our settings, least of all secrets.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  const isCurrent = () => worker === thread?.worker;
  worker.on('message', (result: ParseResult) => isCurrent() && finish((job) => job.resolve(result)));
  worker.on('error', (error: Error & { code?: string }) => {
    if (!isCurrent()) return;
    thread = undefined;
    finish((job) => job.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? fail('http.bodyTooCostly') : error));
  });
  return worker;
}

function endThread(): void {
  void thread?.worker.terminate();
  thread = undefined;
}
