// Child processes that work on one SQLite file. Each does one task at a time, so that killing one, or its crash, fails
// that task alone; the next task starts a new one.
import { fail } from '@sluice/contract';
import type { DatabaseLoad, RunOptions } from '../../../query/index.ts';
import { acquireSlot, type FairSlots, type Waiter } from '../../../shares/index.ts';
import { exportSlots, querySlots } from '../../database-slots.ts';
import { type ChangeTask, RefusalError } from '../change/task.ts';
import type { Batches, FileOptions, Problem, Results, StreamTask, WholeTask } from '../driver/index.ts';
import type { Answer, Request } from './child.ts';
import { type Child, defaultProgram, prepareChildren, startChild } from './start-child.ts';

export interface PoolOptions {
  file: FileOptions;
  /**
   * The program of the child. By default `child.ts` beside this file, run through tsx; in a bundle (which has no .ts)
   * `child.js` beside it, to be built as an entry of its own from `packages/sql/src/dialects/sqlite/children/child.ts`.
   */
  program?: string;
  /** Milliseconds a task may take, waiting included. */
  timeout?: number;
  /** Milliseconds after which a child without work ends. */
  idle?: number;
  /** Children at most that do tasks; one more does those of a caller who has none under way. */
  size?: number;
  /** Streams at most that are read at once, each by a child of its own: a slow reader holds nobody up. */
  streams?: number;
}

/** The problem of a child's task; `translate` makes a failure of it. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.text);
    this.problem = problem;
  }
}

interface Job {
  task: WholeTask;
  /** Whose share of the children it uses. */
  caller: string | undefined;
  resolve(result: Results[WholeTask['kind']]): void;
  reject(error: Error): void;
  isSettled: boolean;
}

interface Worker {
  child: Child;
  /** What it does, and whose slot that uses. */
  job?: Job;
  /** Reads a stream, and waits for its next answer with this. */
  stream?: { answer(answer: Answer): void; lost(error: Error): void };
  idleTimer?: NodeJS.Timeout;
  isStale?: boolean;
}

/** Milliseconds a task may still take to end when its caller is gone: starting a new child costs more. */
const abandonedGraceMs = 100;

/** Milliseconds after which it is watched whether the caller of a task goes away. */
const watchAfterMs = 50;

export class Pool {
  private readonly options: Required<PoolOptions>;
  private readonly workers = new Set<Worker>();
  /** Tasks that are done or wait. */
  private readonly queries: FairSlots<Job>;
  private readonly exports: FairSlots<Waiter>;
  private isClosed = false;

  constructor(options: PoolOptions) {
    this.options = {
      file: options.file,
      program: options.program ?? defaultProgram.path,
      timeout: options.timeout ?? 30_000,
      idle: options.idle ?? 60_000,
      size: options.size ?? 2,
      streams: options.streams ?? 4,
    };
    this.queries = querySlots(this.options.size + 1);
    this.exports = exportSlots(this.options.streams);
    prepareChildren();
  }

  load(): DatabaseLoad {
    const workers = [...this.workers];
    const busy = workers.filter((worker) => worker.job || worker.stream).length;
    return { open: workers.length, busy, waiting: this.queries.waiting + this.exports.waiting };
  }

  /**
   * Runs a task in a child. Throws `ProblemError` with what SQLite said; `database.timeout`, `database.cancelled`,
   * `database.crashed`, `database.tooLarge` (400) and the failures of database-slots.ts.
   */
  async run<T extends WholeTask>(task: T, options: RunOptions = {}) {
    const { timeout = this.options.timeout, caller } = options;
    if (this.isClosed) throw closedFailure();
    return await new Promise<Results[T['kind']]>((resolve, reject) => {
      const cleanUp = () => {
        job.isSettled = true;
        clearTimeout(timer);
        unwatch?.();
      };
      const job: Job = {
        task,
        caller,
        isSettled: false,
        resolve: (result) => {
          cleanUp();
          resolve(result as Results[T['kind']]);
        },
        reject: (error) => {
          cleanUp();
          reject(error);
        },
      };
      const onAbort = () => {
        job.reject(fail('database.cancelled'));
        this.abandon(job, abandonedGraceMs);
      };
      const handleTimeout = () => {
        job.reject(this.timeoutFailure(job, timeout));
        this.abandon(job, 0);
      };
      // Most calls are over before it matters whether their caller is still there: a signal is not made for them.
      const watch = () => {
        timer = setTimeout(handleTimeout, timeout - watchAfterMs);
        const { signal } = options;
        if (!signal) return;
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
        unwatch = () => signal.removeEventListener('abort', onAbort);
      };
      let unwatch: (() => void) | undefined;
      let timer = timeout > watchAfterMs ? setTimeout(watch, watchAfterMs) : setTimeout(handleTimeout, timeout);
      if (this.queries.take(caller)) this.begin(job);
      else this.enqueue(job);
    });
  }

  /** Whether a stream for this caller would begin at once. */
  canStream(caller: string | undefined): boolean {
    return this.exports.isFreeFor(caller);
  }

  /**
   * Does a task step by step; the time limit is for each of them. Throws as `run` does, and `RefusalError`; leaving the
   * loop ends the task, and a change that is left is undone when this returns.
   */
  async *stream<T extends StreamTask | ChangeTask>(
    task: T,
    options: RunOptions = {},
  ): AsyncGenerator<Batches[T['kind']]> {
    // Changes are carried out one after the other, and need not wait for readers.
    if (task.kind === 'change' && task.isApplied) {
      yield* this.streamNow(task, options);
      return;
    }
    const { signal, timeout = this.options.timeout, caller } = options;
    const release = await acquireSlot(this.exports, caller, { signal, timeout });
    try {
      yield* this.streamNow(task, options);
    } finally {
      release();
    }
  }

  private async *streamNow<T extends StreamTask | ChangeTask>(
    task: T,
    { signal, timeout = this.options.timeout }: RunOptions,
  ): AsyncGenerator<Batches[T['kind']]> {
    if (signal?.aborted) throw fail('database.cancelled');
    if (this.isClosed) throw closedFailure();
    // One without work is at hand at once; others start as they are needed.
    const worker = [...this.workers].find((worker) => !worker.job && !worker.stream) ?? this.start();
    if (worker.idleTimer) clearTimeout(worker.idleTimer);
    const kill = () => this.kill(worker);
    const sendRequest = (request: Request) =>
      new Promise<Batches[T['kind']] | undefined>((resolve, reject) => {
        const timer = setTimeout(
          () => settleRequest(fail('database.timeout', { seconds: timeout / 1000 }), kill),
          timeout,
        );
        const onAbort = () => settleRequest(fail('database.cancelled'), kill);
        const settleRequest = (outcome: Answer | Error, after?: () => void) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          worker.stream = { answer: () => {}, lost: () => {} };
          if (outcome instanceof Error) reject(outcome);
          else if ('batch' in outcome) resolve(outcome.batch as Batches[T['kind']] | undefined);
          else {
            // It said no: nothing of the task is left in it.
            isOver = !('fault' in outcome);
            reject(errorOf(outcome));
          }
          after?.();
        };
        worker.stream = { answer: settleRequest, lost: settleRequest };
        signal?.addEventListener('abort', onAbort, { once: true });
        // It may have ended while the reader was busy with a batch: nobody would answer.
        if (this.workers.has(worker)) worker.child.send(request);
        else settleRequest(fail('database.crashed'));
      });
    worker.stream = { answer: () => {}, lost: () => {} };
    let isOver = false;
    let hasBegun = false;
    try {
      let batch = await sendRequest({ task });
      hasBegun = true;
      while (batch) {
        yield batch;
        if (signal?.aborted) throw fail('database.cancelled');
        batch = await sendRequest({ next: true });
      }
      isOver = true;
    } finally {
      // A change that is not to be committed is undone; what is read of it is none of its time.
      if (task.kind === 'change' && hasBegun && !isOver && this.workers.has(worker))
        isOver = await sendRequest({ leave: true }).then(
          () => true,
          () => false,
        );
      worker.stream = undefined;
      // In the middle of a query it is of no more use: disconnected, it closes the file and ends.
      if (isOver && !this.isClosed && !worker.isStale && this.workers.has(worker)) this.park(worker);
      else {
        const isRunning = this.workers.has(worker);
        this.dismiss(worker);
        if (task.kind === 'change' && isRunning) await ended(worker);
      }
    }
  }

  /** The file is another one now: children without work end, the others after their task. */
  reset(): void {
    for (const worker of this.workers) {
      if (worker.job || worker.stream) worker.isStale = true;
      else this.dismiss(worker);
    }
  }

  /** Takes no more tasks; ends when the running ones have, or are killed after some seconds. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const waiter of [...this.queries.drain(), ...this.exports.drain()]) waiter.reject(closedFailure());
    await Promise.all(
      [...this.workers].map((worker) => {
        const exited = ended(worker);
        if (worker.stream) worker.child.kill();
        else if (!worker.job) this.dismiss(worker);
        return exited;
      }),
    );
  }

  private startNext(): void {
    for (let job = this.queries.next(); job; job = this.queries.next()) this.begin(job);
  }

  private enqueue(job: Job): void {
    try {
      this.queries.enqueue(job.caller, job);
    } catch (error) {
      job.reject(error as Error);
    }
  }

  /** Gives a job that has a slot to a child. */
  private begin(job: Job): void {
    const worker = [...this.workers].find((worker) => !worker.job && !worker.stream) ?? this.start();
    if (worker.idleTimer) clearTimeout(worker.idleTimer);
    worker.job = job;
    worker.child.send({ task: job.task });
  }

  /** The failure of a job whose time is over. */
  private timeoutFailure(job: Job, timeout: number): Error {
    const isRunning = [...this.workers].some((worker) => worker.job === job);
    return isRunning
      ? fail('database.timeout', { seconds: timeout / 1000 })
      : this.queries.lateFailure(job.caller, timeout);
  }

  private start(): Worker {
    const child = startChild(this.options.program, this.options.file, {
      onAnswer: (answer) => this.finish(worker, answer),
      onLoss: (reason) => this.handleLoss(worker, reason),
    });
    const worker: Worker = { child };
    this.workers.add(worker);
    return worker;
  }

  private finish(worker: Worker, answer: Answer): void {
    const { job, stream } = worker;
    if (stream) {
      stream.answer(answer);
      return;
    }
    if (!job) return;
    if (!job.isSettled) settleJob(job, answer);
    worker.job = undefined;
    this.queries.release(job.caller);
    if (this.isClosed || worker.isStale) {
      this.dismiss(worker);
      this.startNext();
    } else this.park(worker);
  }

  /** A child without work waits for some, if there are not too many. */
  private park(worker: Worker): void {
    const others = [...this.workers].filter((other) => !other.stream && other !== worker);
    if (others.length > this.options.size) this.dismiss(worker);
    else {
      worker.idleTimer = setTimeout(() => this.dismiss(worker), this.options.idle);
      worker.idleTimer.unref();
    }
    this.startNext();
  }

  /** The task of a child that is gone fails; the others go on. */
  private handleLoss(worker: Worker, reason: string): void {
    if (!this.workers.delete(worker)) return;
    clearTimeout(worker.idleTimer);
    const { job, stream } = worker;
    worker.job = undefined;
    if (job) this.queries.release(job.caller);
    const crashFailure = () => fail('database.crashed', undefined, { cause: new Error(reason) });
    stream?.lost(crashFailure());
    if (job && !job.isSettled) job.reject(crashFailure());
    this.startNext();
  }

  /** Nobody waits for this task any more: out of the queue with it, or its child is killed. */
  private abandon(job: Job, grace: number): void {
    this.queries.leave(job.caller, job);
    const worker = [...this.workers].find((worker) => worker.job === job);
    if (!worker) return;
    const kill = () => worker.job === job && this.kill(worker);
    if (grace === 0) kill();
    else setTimeout(kill, grace);
  }

  private kill(worker: Worker): void {
    worker.child.kill();
    this.handleLoss(worker, 'killed');
  }

  private dismiss(worker: Worker): void {
    this.workers.delete(worker);
    clearTimeout(worker.idleTimer);
    worker.child.release();
  }
}

/** Waits until a child has ended, and kills it when that takes seconds. */
async function ended({ child }: Worker): Promise<void> {
  const deadline = setTimeout(() => child.kill(), 5000);
  await child.ended;
  clearTimeout(deadline);
}

const closedFailure = () => fail('database.unreachable', { text: 'it was closed' });

function settleJob(job: Job, answer: Answer): void {
  if ('result' in answer) job.resolve(answer.result);
  else job.reject(errorOf(answer));
}

function errorOf(answer: Answer): Error {
  if ('problem' in answer) return new ProblemError(answer.problem);
  if ('refusal' in answer) return new RefusalError(answer.refusal);
  if ('tooLarge' in answer) return fail('database.tooLarge', { limit: answer.tooLarge });
  return new Error(`The database process met an error: ${'fault' in answer ? answer.fault : 'an answer out of turn'}`);
}
