// The program of the child process: it has one SQLite file open and does one task after another. It is killed when a
// task takes too long and ends by itself when its parent goes away. The first message says which file.
import { Worker } from 'node:worker_threads';
import type { Sqlite } from './driver.ts';
import {
  type FileOptions,
  openFile,
  type Problem,
  perform,
  problemOf,
  type Results,
  type Task,
  TooLarge,
} from './work.ts';

export type Request = { file: FileOptions } | { task: Task };
export type Answer =
  | { result: Results[Task['kind']] }
  | { problem: Problem }
  | { tooLarge: number }
  | { fault: string };

let file: FileOptions | undefined;
let database: Sqlite | undefined;

function answer(task: Task): Answer {
  if (!file) return { fault: 'A task came before the file.' };
  try {
    database ??= openFile(file);
    return { result: perform(database, task) };
  } catch (error) {
    if (error instanceof TooLarge) return { tooLarge: error.limit };
    try {
      return { problem: problemOf(error) };
    } catch (fault) {
      return { fault: String((fault as Error).stack ?? fault) };
    }
  }
}

process.on('message', (request: Request) => {
  if ('file' in request) file = request.file;
  else process.send?.(answer(request.task));
});
// While a query runs, this thread hears nothing: another one watches for the parent, which may have been killed.
const parent = process.ppid;
new Worker(`setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL'); }, 2000)`, {
  eval: true,
}).unref();

process.on('disconnect', () => {
  database?.close();
  process.exit(0);
});
