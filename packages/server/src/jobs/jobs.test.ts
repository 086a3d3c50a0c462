// Jobs: done at least once, by one process at a time, whatever happens to the processes.
import { openStorePlace, type TestStorePlace } from '@sluice/testkit/store';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { createJobKind, HopelessError, type Jobs } from './index.ts';
import { testJobs } from './jobs.fixture.ts';

const greeting = createJobKind<{ name: string }>('greet');

let place: TestStorePlace;
let store: Store;
let processes: Jobs[] = [];
beforeEach(async () => {
  place = await openStorePlace();
  store = await openStore({ url: place.url || 'sqlite::memory:', dataFolder: '', log: { info() {}, warn() {} } });
});
afterEach(async () => {
  await Promise.all(processes.map((jobs) => jobs.close()));
  processes = [];
  await store.close();
  place.free();
});

/** A process of the instance that greets. */
async function startProcess(greet: Parameters<Jobs['handle']>[1], prepare?: (jobs: Jobs) => void): Promise<Jobs> {
  const jobs = testJobs(store);
  processes.push(jobs);
  jobs.handle(greeting, greet as never);
  prepare?.(jobs);
  await jobs.start();
  return jobs;
}

const rows = () => store.db.selectFrom('job').selectAll().where('name', '=', 'greet').orderBy('id').execute();
const setRow = (set: object) => store.db.updateTable('job').set(set).where('name', '=', 'greet').execute();

it('does a job with what it was given, and forgets it', async () => {
  const done: unknown[] = [];
  const jobs = await startProcess(async (payload, { attempt }) => void done.push([payload, attempt]));
  await jobs.add(greeting, { name: 'Ada' });
  await vi.waitFor(() => expect(done).toEqual([[{ name: 'Ada' }, 1]]));
  await vi.waitFor(async () => expect(await rows()).toEqual([]));
});

it('is there with the transaction it is added in, and not without', async () => {
  const done: string[] = [];
  const jobs = await startProcess(async (payload) => void done.push((payload as { name: string }).name));
  await expect(
    store.transaction(async (db) => {
      await jobs.add(greeting, { name: 'undone' }, { db });
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await store.transaction((db) => jobs.add(greeting, { name: 'kept' }, { db }));
  await jobs.add(greeting, { name: 'later' });
  await vi.waitFor(() => expect(done.sort()).toEqual(['kept', 'later']));
});

it('is done once by several processes that want it at the same time', async () => {
  const done = new Map<string, number>();
  const greet = async (payload: unknown) => {
    const { name } = payload as { name: string };
    done.set(name, (done.get(name) ?? 0) + 1);
  };
  for (let at = 0; at < 3; at++) await startProcess(greet);
  await Promise.all(Array.from({ length: 60 }, (_, at) => processes[at % 3]!.add(greeting, { name: `n${at}` })));
  await vi.waitFor(async () => expect(await rows()).toEqual([]), 10_000);
  expect([done.size, Math.max(...done.values())]).toEqual([60, 1]);
});

it('is tried again with growing pauses, says why, and is given up in the end', async () => {
  let attempts = 0;
  const jobs = await startProcess(async () => {
    attempts += 1;
    throw new Error(`no luck ${attempts}`);
  });
  await jobs.add(greeting, { name: 'Ada' });
  const pauses: number[] = [];
  for (let at = 1; at <= 7; at++) {
    await vi.waitFor(async () =>
      expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: at, error: `no luck ${at}` }),
    );
    pauses.push(Math.round((Date.parse((await rows())[0]!.run_at) - Date.now()) / 1_000));
    await setRow({ run_at: new Date().toISOString() });
    await store.bus.publish({ table: 'job' });
  }
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect([pauses[0], pauses[6]]).toEqual([10, 86_400]);
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'failed', error: 'no luck 8' }));
});

it('is given up at once where no other attempt can help', async () => {
  const jobs = await startProcess(async () => {
    throw new HopelessError('nobody is there');
  });
  await jobs.add(greeting, { name: 'Ada' });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'failed', error: 'nobody is there' }));
});

it('is done by another when the process that had it was killed', async () => {
  const done: number[] = [];
  const greetUnlessFirst = async (_payload: unknown, { attempt }: { attempt: number }) => {
    if (attempt === 1) await new Promise(() => {});
    done.push(attempt);
  };
  await startProcess(greetUnlessFirst);
  await processes[0]!.add(greeting, { name: 'Ada' });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'running' }));
  await startProcess(greetUnlessFirst);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(done).toEqual([]);
  // What a killed process leaves: it says no more that it is at work.
  await setRow({ leased_until: new Date(Date.now() - 1).toISOString(), worker: 'killed' });
  await store.bus.publish({ table: 'job' });
  await vi.waitFor(() => expect(done).toEqual([2]));
});

it('is given back by a process that stops, and that attempt does not count', async () => {
  const jobs = await startProcess(
    (_payload, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  );
  await jobs.add(greeting, { name: 'Ada' });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'running' }));
  await jobs.close();
  expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: 0, worker: null, error: null });
});

it('waits for its time, and is there once where it has a key', async () => {
  const jobs = await startProcess(async () => {});
  for (const name of ['one', 'two']) await jobs.add(greeting, { name }, { delay: 60_000, uniqueKey: 'hello' });
  expect(await rows()).toHaveLength(1);
  expect(Date.parse((await rows())[0]!.run_at) - Date.now()).toBeGreaterThan(50_000);
});

it('keeps what it works on from those who read the store', async () => {
  const jobs = testJobs(store);
  processes.push(jobs);
  await jobs.add(greeting, { name: 'secret code' });
  expect(JSON.stringify(await rows())).not.toContain('secret');
});

it('abuse: is refused where it is too large', async () => {
  const jobs = testJobs(store);
  processes.push(jobs);
  await expect(jobs.add(greeting, { name: 'x'.repeat(300_000) })).rejects.toThrow('262144 bytes at most');
});

it('a kind with bounds keeps to its places and leaves those of others free, is tried so often, and keeps so many', async () => {
  const bounded = createJobKind<{ at: number }>('bounded', { places: 2, attempts: 2, maxWaiting: 5, maxFailed: 2 });
  let running = 0;
  let most = 0;
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const greeted: unknown[] = [];
  const prepare = (jobs: Jobs) =>
    jobs.handle(bounded, async ({ at }) => {
      running += 1;
      most = Math.max(most, running);
      await isOpen;
      running -= 1;
      throw new Error(`no luck ${at}`);
    });
  const jobs = await startProcess(async (payload) => void greeted.push(payload), prepare);
  for (let at = 1; at <= 4; at++) await jobs.add(bounded, { at }, { subject: `number ${at}` });
  await vi.waitFor(() => expect(running).toBe(2));
  await jobs.add(greeting, { name: 'Ada' });
  await vi.waitFor(() => expect(greeted).toHaveLength(1));
  expect(most).toBe(2);
  for (let at = 5; at <= 7; at++) await jobs.add(bounded, { at }, { delay: 3_600_000 });
  await expect(jobs.add(bounded, { at: 8 })).rejects.toThrow('5');
  open();
  const ofKind = () => store.db.selectFrom('job').selectAll().where('name', '=', 'bounded').orderBy('id');
  const failed = () => ofKind().where('error', 'is not', null).execute();
  await vi.waitFor(async () => expect(await failed()).toHaveLength(4));
  await store.db.updateTable('job').set({ run_at: new Date().toISOString() }).where('error', 'is not', null).execute();
  await store.bus.publish({ table: 'job' });
  await vi.waitFor(async () => expect((await failed()).map(({ state }) => state)).toEqual(['failed', 'failed']));
  expect(most).toBe(2);
  expect(jobs.figures().ended.get('bounded')).toEqual({ done: 0, failed: 4, given_up: 4 });
  expect(await jobs.figures().stored()).toEqual(
    expect.arrayContaining([
      { name: 'bounded', state: 'failed', count: 2 },
      { name: 'bounded', state: 'waiting', count: 3 },
    ]),
  );
  expect((await ofKind().execute())[0]?.subject).toMatch(/^number \d$/);
});

it('does what is scheduled in one process, again and again, also where it failed', async () => {
  const done: number[] = [];
  const prepare = (at: number) => (jobs: Jobs) =>
    jobs.schedule('tidy', '0 0 1 1 *', async () => {
      done.push(at);
      if (done.length === 1) throw new Error('not now');
    });
  for (let at = 0; at < 3; at++) await startProcess(async () => {}, prepare(at));
  const tidy = async () => (await store.db.selectFrom('job').selectAll().where('name', '=', 'tidy').execute())[0]!;
  await vi.waitFor(async () => expect(await tidy()).toMatchObject({ state: 'waiting', error: 'not now' }));
  await store.db.updateTable('job').set({ run_at: new Date().toISOString() }).where('name', '=', 'tidy').execute();
  await store.bus.publish({ table: 'job' });
  await vi.waitFor(async () => expect(await tidy()).toMatchObject({ state: 'waiting', error: null, attempts: 0 }));
  expect(done).toHaveLength(2);
  expect((await tidy()).run_at).toMatch(/^\d{4}-01-01T00:00:00/);
  // A version without it takes it away.
  await startProcess(async () => {});
  expect(await tidy()).toBeUndefined();
});

it('one that goes on ends at once with its process, and another process takes it then', async () => {
  const listening = createJobKind<null>('listen', { isOngoing: true, places: 1, attempts: Number.MAX_SAFE_INTEGER });
  const listeners: number[] = [];
  const start = (index: number) =>
    startProcess(
      async () => {},
      (jobs) =>
        jobs.handle(listening, async (_payload, { signal }) => {
          listeners.push(index);
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          listeners.splice(listeners.indexOf(index), 1);
          throw signal.reason;
        }),
    );
  const first = await start(1);
  await first.add(listening, null, { uniqueKey: 'one' });
  await vi.waitFor(() => expect(listeners).toEqual([1]));
  await start(2);
  await first.add(listening, null, { uniqueKey: 'one' });
  await first.close();
  await vi.waitFor(() => expect(listeners).toEqual([2]));
  const row = await store.db.selectFrom('job').selectAll().where('name', '=', 'listen').executeTakeFirstOrThrow();
  expect([row.state, row.attempts]).toEqual(['running', 1]);
});
