// The jobs of the store as processes take them: each is begun by one of them, and comes back when that is killed.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { fail, maxJobError, maxJobSubject } from '@sluice/contract';
import { cutText } from '../call/cut-text.ts';
import type { Db, Store } from '../store/index.ts';

/** Encrypts what a job works on. */
export interface JobSecrets {
  encrypt(text: string): string;
  decrypt(text: string): string;
}

export interface NewJob {
  name: string;
  payload: unknown;
  runAt: Date;
  /** There is one job of this key at most. */
  uniqueKey?: string | undefined;
  /** A job of the same key gives way to this one. */
  replaces?: boolean;
  schedule?: string;
  /** What it is about. */
  subject?: string | undefined;
  /** Jobs of its name that may wait. */
  maxWaiting?: number | undefined;
}

/** A job that this process works on. */
export interface TakenJob {
  id: number;
  name: string;
  /** How often it was begun, this time included. */
  attempts: number;
  schedule: string | null;
  payload: unknown;
}

/** Milliseconds a process has a job before another may take it, unless it says that it is still at work. */
export const leaseTime = 60_000;
/** Bytes of a payload as JSON. */
const maxPayload = 256 * 1024;
/** Jobs that may wait. */
const maxWaiting = 100_000;

export interface Queue {
  /** Adds a job, in a transaction if `db` is one; false where there is one of its key already. */
  add(db: Db, job: NewJob): Promise<boolean>;
  /** Takes jobs whose time has come, at most so many, those of the given names only. */
  take(names: string[], limit: number): Promise<TakenJob[]>;
  /** Keeps a job for another while; false where it was taken away meanwhile. */
  renew(id: number): Promise<boolean>;
  /** Ends a job that went well; one with a schedule waits for the next time. */
  finish(id: number, next?: Date): Promise<void>;
  /** Has a job that failed tried again; without a time it is given up. */
  putBack(id: number, failure: { error: string; runAt: Date | undefined; startsAnew: boolean }): Promise<void>;
  /** Makes the jobs with schedules those of the map, from names to cron expressions. */
  keepSchedules(schedules: ReadonlyMap<string, string>): Promise<void>;
  /** Removes what was given up before a date. */
  purge(before: Date): Promise<void>;
  /** Removes what was given up of a kind, but for the latest so many. */
  trimFailed(name: string, keep: number): Promise<void>;
  /** How many jobs there are, by name and state. */
  count(): Promise<{ name: string; state: string; count: number }[]>;
  /** Gives a job back that was not worked on to its end: the attempt does not count. */
  release(id: number): Promise<void>;
}

export function createQueue(store: Store, secrets: JobSecrets): Queue {
  const worker = `${hostname().slice(0, 20)}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const isOurs = (id: number) => store.db.updateTable('job').where('id', '=', id).where('worker', '=', worker);
  const nobody = { worker: null, leased_until: null };

  return {
    async add(db, { name, payload, runAt, uniqueKey, replaces, schedule, subject, maxWaiting: maxOwn }) {
      const text = JSON.stringify(payload ?? null);
      if (Buffer.byteLength(text) > maxPayload) throw fail('job.tooLarge', { name, limit: maxPayload });
      const waiting = db.selectFrom('job').select(db.fn.countAll().as('count')).where('state', '=', 'waiting');
      for (const [limit, rows] of [
        [maxWaiting, waiting],
        [maxOwn, waiting.where('name', '=', name)],
      ] as const)
        if (limit !== undefined && Number((await rows.executeTakeFirstOrThrow()).count) >= limit)
          throw fail('job.tooMany', { limit });
      if (uniqueKey !== undefined && replaces) await db.deleteFrom('job').where('unique_key', '=', uniqueKey).execute();
      else if (uniqueKey !== undefined) {
        const known = db.selectFrom('job').select('id').where('unique_key', '=', uniqueKey);
        if (await known.executeTakeFirst()) return false;
      }
      try {
        await store.insert(db, 'job', {
          ...{ name, state: 'waiting', attempts: 0, run_at: runAt.toISOString(), schedule: schedule ?? null },
          ...{ created_date: new Date().toISOString(), payload: secrets.encrypt(text), unique_key: uniqueKey ?? null },
          subject: subject === undefined ? null : cutText(subject, maxJobSubject),
        });
        return true;
      } catch (error) {
        if (uniqueKey !== undefined && store.isDuplicate(error)) return false;
        throw error;
      }
    },

    async take(names, limit) {
      const now = new Date();
      const [nowText, until] = [now.toISOString(), new Date(now.getTime() + leaseTime).toISOString()];
      const isDue = store.db
        .selectFrom('job')
        .select(['id', 'version', 'name', 'attempts', 'schedule', 'payload'])
        .where('name', 'in', names);
      const waiting = await isDue
        .where('state', '=', 'waiting')
        .where('run_at', '<=', nowText)
        .orderBy('run_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      const left = await isDue
        .where('state', '=', 'running')
        .where('leased_until', '<', nowText)
        .orderBy('id')
        .limit(limit)
        .execute();
      const taken: TakenJob[] = [];
      for (const { id, version, name, attempts, schedule, payload } of [...waiting, ...left].slice(0, limit)) {
        // Only as it was read: the first process raises the version, and others find nothing.
        const { numUpdatedRows } = await store.db
          .updateTable('job')
          .set({ state: 'running', attempts: attempts + 1, worker, leased_until: until, version: version + 1 })
          .where('id', '=', id)
          .where('version', '=', version)
          .executeTakeFirst();
        if (numUpdatedRows === 1n)
          taken.push({ id, name, attempts: attempts + 1, schedule, payload: JSON.parse(secrets.decrypt(payload)) });
      }
      return taken;
    },

    async renew(id) {
      const leased_until = new Date(Date.now() + leaseTime).toISOString();
      return (await isOurs(id).set({ leased_until }).executeTakeFirst()).numUpdatedRows === 1n;
    },

    async finish(id, next) {
      if (next === undefined) {
        await store.db.deleteFrom('job').where('id', '=', id).where('worker', '=', worker).execute();
        return;
      }
      await isOurs(id)
        .set((row) => ({
          ...{ ...nobody, state: 'waiting', attempts: 0, error: null, run_at: next.toISOString() },
          version: row('version', '+', 1),
        }))
        .execute();
    },

    async putBack(id, { error, runAt, startsAnew }) {
      await isOurs(id)
        .set((row) => ({
          ...{ ...nobody, state: runAt ? 'waiting' : 'failed', error: error.slice(0, maxJobError) },
          ...(runAt && { run_at: runAt.toISOString() }),
          ...(startsAnew && { attempts: 0 }),
          version: row('version', '+', 1),
        }))
        .execute();
    },

    async keepSchedules(schedules) {
      const stored = await store.db
        .selectFrom('job')
        .select(['id', 'name', 'schedule'])
        .where('schedule', 'is not', null)
        .execute();
      for (const { id, name, schedule } of stored) {
        const wanted = schedules.get(name);
        if (wanted === undefined) await store.db.deleteFrom('job').where('id', '=', id).execute();
        else if (wanted !== schedule)
          await store.db.updateTable('job').set({ schedule: wanted }).where('id', '=', id).execute();
      }
      const missing = [...schedules].filter(([name]) => !stored.some((job) => job.name === name));
      for (const [name, schedule] of missing)
        await this.add(store.db, { name, payload: null, runAt: new Date(), uniqueKey: name, schedule });
    },

    async purge(before) {
      await store.db
        .deleteFrom('job')
        .where('state', '=', 'failed')
        .where('run_at', '<', before.toISOString())
        .execute();
    },

    async trimFailed(name, keep) {
      const failed = store.db.selectFrom('job').where('name', '=', name).where('state', '=', 'failed');
      const oldestKept = await failed
        .select('id')
        .orderBy('id', 'desc')
        .offset(keep - 1)
        .limit(1)
        .executeTakeFirst();
      if (!oldestKept) return;
      await store.db
        .deleteFrom('job')
        .where('name', '=', name)
        .where('state', '=', 'failed')
        .where('id', '<', oldestKept.id)
        .execute();
    },

    async count() {
      const rows = await store.db
        .selectFrom('job')
        .select(['name', 'state', store.db.fn.countAll().as('count')])
        .groupBy(['name', 'state'])
        .execute();
      return rows.map(({ name, state, count }) => ({ name, state, count: Number(count) }));
    },

    async release(id) {
      await isOurs(id)
        .set((row) => ({
          ...{ ...nobody, state: 'waiting' },
          attempts: row('attempts', '-', 1),
          version: row('version', '+', 1),
        }))
        .execute();
    },
  };
}
