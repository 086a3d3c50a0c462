// What an instance does beside calls: jobs, which are kept in the store until they are done and survive the process; schedules,
// which one process of the instance keeps at a time; and what each process repeats for itself. All of it ends here, too.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@sluice/contract';
import { Cron } from 'croner';
import { affects, type Db, type Store } from '../store/index.ts';
import { createQueue, type JobSecrets, leaseTime, type TakenJob } from './queue.ts';

/** A kind of work and what it works on, which JSON can hold. */
export interface JobKind<Payload> {
  name: string;
  /** Never there: holds the type. */
  readonly payload?: Payload;
}

export const createJobKind = <Payload>(name: string): JobKind<Payload> => ({ name });

export interface JobRun {
  /** How often the job was begun, this time included. */
  attempt: number;
  /** Aborted when the process stops, or the job was taken away: the work is done again by another. */
  signal: AbortSignal;
}

/** Does a job. It may be done more than once: a process can be killed between the work and the note that it is done. */
export type JobWork<Payload> = (payload: Payload, run: JobRun) => Promise<void>;

export interface AddOptions {
  /** Milliseconds until it is begun. */
  delay?: number;
  /** A transaction: the job is there when that is committed. */
  db?: Db;
  /** There is one job of this key at most; another is not added. */
  uniqueKey?: string;
  /** The job of the same key gives way to this one. */
  replaces?: boolean;
}

export interface Jobs {
  /** Says how jobs of a kind are done; before `start`. */
  handle<Payload>(kind: JobKind<Payload>, work: JobWork<Payload>): void;
  /** Has work done when a cron expression says so (in UTC), by one process of the instance; before `start`. */
  schedule(name: string, cron: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Has this process do something again and again, for itself. Failures are logged. */
  repeat(interval: number, name: string, work: () => Promise<void> | void): void;
  /** Adds a job. Throws `job.tooLarge` and `job.tooMany`. */
  add<Payload>(kind: JobKind<Payload>, payload: Payload, options?: AddOptions): Promise<void>;
  /** Begins to take jobs. */
  start(): Promise<void>;
  /** Ends all of it: what is under way has a moment, then it is given back. */
  close(): Promise<void>;
}

/** A failure that no further attempt can mend: the job is given up. */
export class HopelessError extends Error {}

/** Milliseconds until the next attempt; after the last pause a job is given up. */
const retryPauses = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000, 24 * 3_600_000];
/** Jobs that a process works on at once. */
const maxRunning = 4;
/** Milliseconds between two looks at the store; a new job is taken at once. */
const lookInterval = 5_000;
/** Milliseconds after which a transaction is committed, as a rule. */
const commitTime = 100;
/** Milliseconds that what was given up is kept. */
const failedJobRetention = 30 * 24 * 3_600_000;
/** Milliseconds that jobs under way have at the end. */
const closeTime = 3_000;

export interface JobParts {
  store: Store;
  secrets: JobSecrets;
  log: { warn(details: object, message: string): void };
}

export function createJobs({ store, secrets, log }: JobParts): Jobs {
  const queue = createQueue(store, secrets);
  const works = new Map<string, JobWork<unknown>>();
  const schedules = new Map<string, string>();
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<number, { stop: AbortController; ended: Promise<void> }>();
  let isStarted = false;
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let isAsked = false;

  const repeat: Jobs['repeat'] = (interval, name, work) => {
    const run = async () => {
      try {
        await work();
      } catch (error) {
        log.warn({ err: error }, `${name} failed; it is tried again in a while.`);
      }
    };
    timers.push(setInterval(() => void run(), interval).unref());
  };

  /** Takes what is due, as long as there are places and jobs. */
  async function look(): Promise<void> {
    for (let goesOn = true; goesOn && isStarted && !isClosed; ) {
      isAsked = false;
      const places = maxRunning - running.size;
      // The end of each job looks again.
      if (places === 0) return;
      const taken = await queue.take([...works.keys()], places);
      for (const job of taken) begin(job);
      goesOn = isAsked || taken.length === places;
    }
  }

  function wake(): void {
    isAsked = true;
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'Jobs could not be taken; they are tried again.'))
      .finally(() => {
        looking = undefined;
      });
  }

  function begin(job: TakenJob): void {
    const stop = new AbortController();
    const lease = setInterval(() => {
      queue.renew(job.id).then(
        (isKept) => !isKept && stop.abort(),
        () => {},
      );
    }, leaseTime / 3).unref();
    const ended = runJob(job, stop.signal)
      .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'What became of a job could not be written.'))
      .finally(() => {
        clearInterval(lease);
        running.delete(job.id);
        wake();
      });
    running.set(job.id, { stop, ended });
  }

  async function runJob(job: TakenJob, signal: AbortSignal): Promise<void> {
    const { id, name, attempts, schedule, payload } = job;
    try {
      // Each attempt before ended with the process.
      if (attempts > retryPauses.length + 1) throw new HopelessError('The process ended each time it was worked on.');
      await works.get(name)?.(payload, { attempt: attempts, signal });
      await queue.finish(id, schedule === null ? undefined : nextTime(schedule));
    } catch (error) {
      if (signal.aborted) return queue.release(id);
      log.warn({ err: error instanceof Failure ? (error.cause ?? error) : error, job: name }, 'A job failed.');
      const pause = error instanceof HopelessError ? undefined : retryPauses[attempts - 1];
      const runAt = pause === undefined ? undefined : new Date(Date.now() + pause);
      await queue.putBack(id, {
        error: error instanceof Error ? error.message : String(error),
        // What comes again and again is never given up.
        runAt: runAt ?? (schedule === null ? undefined : nextTime(schedule)),
        startsAnew: runAt === undefined && schedule !== null,
      });
    }
  }

  works.set('purge jobs', () => queue.purge(new Date(Date.now() - failedJobRetention)));
  schedules.set('purge jobs', '41 3 * * *');
  store.bus.subscribe((change) => {
    if (affects(change, 'job') && isStarted) wake();
  });

  return {
    handle: (kind, work) => void works.set(kind.name, work as JobWork<unknown>),
    schedule(name, cron, work) {
      schedules.set(name, cron);
      works.set(name, (_payload, { signal }) => work(signal));
    },
    repeat,
    async add({ name }, payload, { delay = 0, db = store.db, ...options } = {}) {
      await queue.add(db, { ...options, name, payload, runAt: new Date(Date.now() + delay) });
      if (delay > 0) return;
      if (db === store.db) await store.bus.publish({ table: 'job' });
      // In a transaction it is not there yet, but soon; else the next look finds it.
      else setTimeout(wake, commitTime).unref();
    },
    async start() {
      await queue.keepSchedules(schedules);
      isStarted = true;
      repeat(lookInterval, 'Looking for jobs', wake);
      wake();
    },
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      await looking;
      const all = [...running.values()];
      const ended = Promise.all(all.map((job) => job.ended));
      await Promise.race([ended, sleep(closeTime, undefined, { ref: false })]);
      for (const { stop } of all) stop.abort();
      // One that does not listen comes back when its lease is over.
      await Promise.race([ended, sleep(closeTime, undefined, { ref: false })]);
    },
  };
}

const nextTime = (cron: string): Date | undefined => new Cron(cron, { timezone: 'UTC' }).nextRun() ?? undefined;
