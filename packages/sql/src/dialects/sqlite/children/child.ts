// The program of the child process: it has one SQLite file open and does one task after another. It is killed when a
// task takes too long and ends by itself when its parent goes away. The first message says which file. Of a stream it
// hands out one batch for each message to continue; a change of the schema is committed so.
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { changeSchema } from '../change/carry-out.ts';
import { type Refusal, RefusalError } from '../change/task.ts';
import {
  type Batches,
  type FileOptions,
  openFile,
  type Problem,
  perform,
  problemOf,
  type Results,
  readBatches,
  type Sqlite,
  type Task,
  TooLargeError,
  type WholeTask,
} from '../driver/index.ts';
import { receiveMessages, sendMessage } from './channel.ts';

export type Request = { file: FileOptions } | { task: Task } | { next: true } | { leave: true };
export type Answer =
  | { result: Results[WholeTask['kind']] }
  | { batch: Batches[keyof Batches] | undefined }
  | { problem: Problem }
  | { tooLarge: number }
  | { refusal: Refusal }
  | { fault: string };

/** What the process that gives the tasks has the other end of. */
const socket = new Socket({ fd: 3 });

let file: FileOptions | undefined;
let database: Sqlite | undefined;
let stream: Generator<Batches[keyof Batches]> | undefined;

function answer(request: Exclude<Request, { file: FileOptions }>): Answer {
  if (!file) return { fault: 'A task came before the file.' };
  try {
    database ??= openFile(file);
    if ('next' in request) return nextBatch();
    if ('leave' in request) {
      stream?.return(undefined);
      return endStream();
    }
    const { task } = request;
    if (task.kind !== 'stream' && task.kind !== 'change') return { result: perform(database, task) };
    stream = task.kind === 'stream' ? readBatches(database, task) : changeSchema(database, task);
    return nextBatch();
  } catch (error) {
    stream = undefined;
    if (error instanceof TooLargeError) return { tooLarge: error.limit };
    if (error instanceof RefusalError) return { refusal: error.refusal };
    try {
      return { problem: problemOf(error) };
    } catch (fault) {
      return { fault: String((fault as Error).stack ?? fault) };
    }
  }
}

function nextBatch(): Answer {
  const { done, value } = stream?.next() ?? { done: true, value: undefined };
  return done ? endStream() : { batch: value };
}

/** A stream without a batch to follow is over. */
function endStream(): Answer {
  stream = undefined;
  return { batch: undefined };
}

const send = (message: Answer) => sendMessage(socket, message);

receiveMessages(socket, (message) => {
  const request = message as Request;
  if ('file' in request) file = request.file;
  else send(answer(request));
});
// While a query runs, this thread hears nothing: another one watches for the parent, which may have been killed.
const parent = Number(process.argv[2]);
/** Milliseconds between two looks at the parent. */
const parentCheckMs = Number(process.argv[3] ?? 2000);
const watcherCode = `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL'); }, ${parentCheckMs})`;
new Worker(watcherCode, { eval: true }).unref();

// The process that gives the tasks lets go of it, or is gone.
socket.on('error', () => {});
socket.on('close', () => {
  stream?.return(undefined);
  database?.close();
  process.exit(0);
});
// A signal for all processes of a terminal or a service is for that process, which lets go when nobody waits any more.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
