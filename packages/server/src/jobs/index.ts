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
  bounds: KindBounds;
  /** Never there: holds the type. */
  readonly payload?: Payload;
}

/** What keeps jobs of one kind from all others; what is absent is bounded for all kinds together. */
export interface KindBounds {
  /** Jobs of it that a process works on at once, beside the places of other kinds. */
  places?: number;
  /** How often one is begun before it is given up. */
  attempts?: number;
  /** Jobs of it that may wait. */
  maxWaiting?: number;
  /** Jobs of it that are kept once they are given up, the latest. */
  maxFailed?: number;
  /** Its work goes on until it is stopped: it ends at once with the process, and another process takes it then. */
  isOngoing?: true;
}

export const createJobKind = <Payload>(name: string, bounds: KindBounds = {}): JobKind<Payload> => ({ name, bounds });

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
  /** What it is about, for people who look at jobs. */
  subject?: string;
}

/** What /metrics shows of jobs. */
export interface JobFigures {
  /** Runs of this process that are over, by the name of the kind. */
  ended: ReadonlyMap<string, Readonly<Record<JobResult, number>>>;
  /** What the store has, of all processes. */
  stored(): Promise<{ name: string; state: string; count: number }[]>;
}

/** `failed` is tried again. */
export type JobResult = 'done' | 'failed' | 'given_up';

export interface Jobs {
  /** Says how jobs of a kind are done; before `start`. */
  handle<Payload>(kind: JobKind<Payload>, work: JobWork<Payload>): void;
  /** Has work done when a cron expression says so (in UTC), by one process of the instance; before `start`. */
  schedule(name: string, cron: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Has this process do something again and again, for itself. Failures are logged. */
  repeat(interval: number, name: string, work: () => Promise<void> | void): void;
  /** Adds a job. Throws `job.tooLarge` and `job.tooMany`. */
  add<Payload>(kind: JobKind<Payload>, payload: Payload, options?: AddOptions): Promise<void>;
  figures(): JobFigures;
  /** Begins to take jobs. */
  start(): Promise<void>;
  /** Ends all of it: what is under way has a moment, then it is given back. */
  close(): Promise<void>;
}

/** A failure that no further attempt can mend: the job is given up. */
export class HopelessError extends Error {}

/** Milliseconds until the next attempt; after the last pause a job is given up. */
const retryPauses = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000, 24 * 3_600_000];
/** Jobs that a process works on at once, of kinds without places of their own. */
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
  const works = new Map<string, { work: JobWork<unknown>; bounds: KindBounds }>();
  const ended = new Map<string, Record<JobResult, number>>();
  const schedules = new Map<string, string>();
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<number, { name: string; stop: AbortController; ended: Promise<void> }>();
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
      goesOn = false;
      for (const { names, places } of freePlaces()) {
        const taken = await queue.take(names, places);
        for (const job of taken) begin(job);
        goesOn ||= taken.length === places;
      }
      goesOn ||= isAsked;
    }
  }

  /** Where a job can be begun: the places that kinds share, and those of each kind with its own. The end of a job looks again. */
  function freePlaces(): { names: string[]; places: number }[] {
    const own = [...works].flatMap(([name, { bounds }]) =>
      bounds.places ? [{ names: [name], total: bounds.places }] : [],
    );
    const shared = [...works.keys()].filter((name) => !own.some(({ names }) => names[0] === name));
    return [{ names: shared, total: maxRunning }, ...own].flatMap(({ names, total }) => {
      const places = total - [...running.values()].filter(({ name }) => names.includes(name)).length;
      return places > 0 ? [{ names, places }] : [];
    });
  }

  function countEnd(name: string, result: JobResult): void {
    const counts = ended.get(name) ?? { done: 0, failed: 0, given_up: 0 };
    counts[result] += 1;
    ended.set(name, counts);
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
    const whenEnded = runJob(job, stop.signal)
      .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'What became of a job could not be written.'))
      .finally(() => {
        clearInterval(lease);
        running.delete(job.id);
        wake();
      });
    running.set(job.id, { name: job.name, stop, ended: whenEnded });
  }

  async function runJob(job: TakenJob, signal: AbortSignal): Promise<void> {
    const { id, name, attempts, schedule, payload } = job;
    const { work, bounds = {} } = works.get(name) ?? {};
    const maxAttempts = bounds.attempts ?? retryPauses.length + 1;
    try {
      // Each attempt before ended with the process.
      if (attempts > maxAttempts) throw new HopelessError('The process ended each time it was worked on.');
      await work?.(payload, { attempt: attempts, signal });
      await queue.finish(id, schedule === null ? undefined : nextTime(schedule));
      countEnd(name, 'done');
    } catch (error) {
      if (signal.aborted) {
        await queue.release(id);
        if (bounds.isOngoing) await store.bus.publish({ table: 'job' });
        return;
      }
      log.warn({ err: error instanceof Failure ? (error.cause ?? error) : error, job: name }, 'A job failed.');
      const isLast = error instanceof HopelessError || attempts >= maxAttempts;
      const pause = isLast ? undefined : retryPauses[attempts - 1];
      countEnd(name, pause === undefined ? 'given_up' : 'failed');
      const runAt = pause === undefined ? undefined : new Date(Date.now() + pause);
      await queue.putBack(id, {
        error: error instanceof Error ? error.message : String(error),
        // What comes again and again is never given up.
        runAt: runAt ?? (schedule === null ? undefined : nextTime(schedule)),
        startsAnew: runAt === undefined && schedule !== null,
      });
      if (pause === undefined && bounds.maxFailed !== undefined) await queue.trimFailed(name, bounds.maxFailed);
    }
  }

  works.set('purge jobs', { work: () => queue.purge(new Date(Date.now() - failedJobRetention)), bounds: {} });
  schedules.set('purge jobs', '41 3 * * *');
  store.bus.subscribe((change) => {
    if (affects(change, 'job') && isStarted) wake();
  });

  return {
    handle: ({ name, bounds }, work) => void works.set(name, { work: work as JobWork<unknown>, bounds }),
    schedule(name, cron, work) {
      schedules.set(name, cron);
      works.set(name, { work: (_payload, { signal }) => work(signal), bounds: {} });
    },
    repeat,
    async add({ name, bounds: { maxWaiting } }, payload, { delay = 0, db = store.db, ...options } = {}) {
      await queue.add(db, { ...options, name, payload, maxWaiting, runAt: new Date(Date.now() + delay) });
      if (delay > 0) return;
      if (db === store.db) await store.bus.publish({ table: 'job' });
      // In a transaction it is not there yet, but soon; else the next look finds it.
      else setTimeout(wake, commitTime).unref();
    },
    figures: () => ({ ended, stored: () => queue.count() }),
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
      for (const { name, stop } of all) if (works.get(name)?.bounds.isOngoing) stop.abort();
      const allEnded = Promise.all(all.map((job) => job.ended));
      await Promise.race([allEnded, sleep(closeTime, undefined, { ref: false })]);
      for (const { stop } of all) stop.abort();
      // One that does not listen comes back when its lease is over.
      await Promise.race([allEnded, sleep(closeTime, undefined, { ref: false })]);
    },
  };
}

const nextTime = (cron: string): Date | undefined => new Cron(cron, { timezone: 'UTC' }).nextRun() ?? undefined;
