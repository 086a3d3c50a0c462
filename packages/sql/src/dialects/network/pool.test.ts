import { type Failure, fail } from '@sluice/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../suite/failure.fixture.ts';
import { Pool } from './pool.ts';

/** A connection that does nothing but count what is done with it. */
class Fake {
  isUsable = true;
  onLost?: () => void;
  cancelled = 0;
  ended = 0;
  destroyed = 0;

  cancel(): void {
    this.cancelled += 1;
  }

  async end(): Promise<void> {
    this.ended += 1;
  }

  destroy(): void {
    this.destroyed += 1;
    this.isUsable = false;
    this.onLost?.();
  }
}

let connections: Fake[];
let refuse: Failure | undefined;
const aPool = (max = 2, timeout = 30_000) =>
  new Pool<Fake>({
    max,
    timeout,
    async connect() {
      if (refuse) throw refuse;
      const fake = new Fake();
      connections.push(fake);
      return fake;
    },
  });
const moment = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);
/** Milliseconds within which it is seen that a caller is gone. */
const sweep = 200;
const never = () => new Promise<never>(() => {});

beforeEach(() => {
  connections = [];
  refuse = undefined;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('connections', () => {
  it('are opened as far as calls need them, and used again', async () => {
    const pool = aPool();
    for (let i = 0; i < 5; i += 1)
      expect(await pool.use({}, async (connection) => connections.indexOf(connection))).toBe(0);
    const used = await Promise.all(
      Array.from({ length: 9 }, () => pool.use({}, async (connection) => connections.indexOf(connection))),
    );
    expect(new Set(used)).toEqual(new Set([0, 1]));
    expect(pool.load()).toEqual({ open: 2, busy: 0, waiting: 0 });
  });

  it('are closed after a minute without work', async () => {
    const pool = aPool();
    await pool.use({}, async () => {});
    await moment(59_000);
    expect(connections[0]?.ended).toBe(0);
    await moment(2000);
    expect(connections[0]?.ended).toBe(1);
    expect(pool.load().open).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(await pool.use({}, async (connection) => connections.indexOf(connection))).toBe(1);
  });

  it('that broke are replaced, idle or busy', async () => {
    const pool = aPool(1);
    await pool.use({}, async () => {});
    connections[0]?.destroy();
    expect(pool.load().open).toBe(0);
    expect(await pool.use({}, async (connection) => connections.indexOf(connection))).toBe(1);
    const breaking = pool.use({}, async (connection) => connection.destroy());
    const waiting = pool.use({}, async (connection) => connections.indexOf(connection));
    await breaking;
    expect(await waiting).toBe(2);
    expect(pool.load()).toEqual({ open: 1, busy: 0, waiting: 0 });
  });

  it('that cannot be made fail all waiting calls, at once', async () => {
    refuse = fail('database.refused');
    const pool = aPool();
    const failures = await Promise.all(Array.from({ length: 5 }, () => failureOf(pool.use({}, never))));
    expect(new Set(failures.map((failure) => failure.key))).toEqual(new Set(['database.refused']));
    refuse = undefined;
    expect(await pool.use({}, async () => 'there')).toBe('there');
  });

  it('that cannot be made do no harm where there are others', async () => {
    const pool = aPool(5);
    await pool.use({}, async () => {});
    refuse = fail('database.noConnectionLeft');
    const order: number[] = [];
    const action = (n: number) => pool.use({}, async () => order.push(n));
    await Promise.all([action(1), action(2), action(3)]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('that are no use as soon as they are open are not opened over and over', async () => {
    const pool = new Pool<Fake>({
      max: 2,
      timeout: 1000,
      async connect() {
        const fake = new Fake();
        fake.isUsable = false;
        connections.push(fake);
        return fake;
      },
    });
    expect((await failureOf(pool.use({}, never))).status).toBe(503);
    expect(connections).toHaveLength(1);
    expect(connections[0]?.destroyed).toBe(1);
  });
});

describe('calls', () => {
  it('wait in a queue with an end', async () => {
    const pool = aPool(1);
    const busy = pool.use({}, never);
    await moment();
    const waiting = Array.from({ length: 1000 }, () => failureOf(pool.use({ timeout: 500 }, never)));
    expect((await failureOf(pool.use({}, never))).key).toBe('database.overloaded');
    expect(pool.load()).toEqual({ open: 1, busy: 1, waiting: 1000 });
    await moment(1000);
    expect(new Set((await Promise.all(waiting)).map((failure) => failure.key))).toEqual(new Set(['database.busy']));
    expect(pool.load().waiting).toBe(0);
    expect(await Promise.race([busy, 'still running'])).toBe('still running');
  });

  it('are stopped in the database when their time is over, and cut off when that is no use', async () => {
    const pool = aPool(1);
    const call = failureOf(
      pool.use(
        { timeout: 1000 },
        (connection) => new Promise((_, reject) => (connection.onLost = () => reject(new Error('lost')))),
      ),
    );
    await moment(900);
    expect(connections[0]?.cancelled).toBe(0);
    await moment(400);
    expect([connections[0]?.cancelled, connections[0]?.destroyed]).toEqual([1, 0]);
    await moment(2500);
    expect(connections[0]?.destroyed).toBeGreaterThanOrEqual(1);
    expect((await call).message).toBe('The database took longer than 1 second and was stopped.');
  });

  it('end with their caller, also those that wait', async () => {
    const pool = aPool(1);
    const caller = new AbortController();
    const running = failureOf(
      pool.use({ signal: caller.signal }, (connection) => {
        connection.cancel = () => connection.destroy();
        return new Promise((_, reject) => (connection.onLost = () => reject(new Error('lost'))));
      }),
    );
    await moment();
    const waiting = failureOf(pool.use({ signal: caller.signal }, never));
    await moment();
    caller.abort();
    await moment(sweep);
    expect((await running).key).toBe('database.cancelled');
    expect((await waiting).key).toBe('database.cancelled');
    void pool.use({}, never);
    const late = failureOf(pool.use({ signal: caller.signal }, never));
    await moment(sweep);
    expect((await late).key).toBe('database.cancelled');
  });

  it('abuse: forget their wait when it is over, by which all that the call holds could be reached', async () => {
    const pool = aPool(1);
    const first = await pool.take({});
    const waiting = pool.take({});
    await moment();
    pool.release(first);
    const lease = await waiting;
    expect(lease.wait).toBeUndefined();
    pool.release(lease);
  });

  it('that may be long have no connection when their caller was gone before they began', async () => {
    const pool = aPool(1);
    await pool.use({}, async () => 'a connection is open, and idle');
    expect((await failureOf(pool.take({ signal: AbortSignal.abort() }, true))).key).toBe('database.cancelled');
    expect(connections.map((connection) => connection.cancelled)).toEqual([0]);
    expect(pool.load()).toEqual({ open: 1, busy: 0, waiting: 0 });
  });

  it('that do not end when they are stopped are stopped once more, and cut off', async () => {
    const pool = aPool(1);
    const caller = new AbortController();
    const lease = await pool.take({ signal: caller.signal }, true);
    caller.abort();
    await moment(1900);
    expect(connections.map(({ cancelled, destroyed }) => [cancelled, destroyed])).toEqual([[1, 0]]);
    await moment(500);
    expect(connections.map(({ cancelled, destroyed }) => [cancelled, destroyed])).toEqual([[2, 1]]);
    pool.release(lease);
  });

  it('that hold a connection for long leave some to the others', async () => {
    const pool = aPool(4);
    const long = [await pool.take({}, true), await pool.take({}, true), await pool.take({}, true)];
    const fourth = pool.take({}, true);
    expect(await pool.use({}, async () => 'short')).toBe('short');
    expect(pool.load()).toEqual({ open: 4, busy: 3, waiting: 1 });
    for (const lease of long.splice(0, 1)) pool.release(lease);
    pool.release(await fourth);
    for (const lease of long) pool.release(lease);
    expect(pool.load()).toEqual({ open: 4, busy: 0, waiting: 0 });
    const single = aPool(1);
    single.release(await single.take({}, true));
    expect(await single.use({}, async () => 'short')).toBe('short');
  });

  it('fail as they say, unless they were stopped', async () => {
    const pool = aPool(1);
    await expect(
      pool.use({}, async () => {
        throw new Error('of the driver');
      }),
    ).rejects.toThrow('of the driver');
    expect(await pool.use({}, async () => 'next')).toBe('next');
  });
});

it('closes when those that run are done, and takes no more', async () => {
  const pool = aPool(1);
  let finish = (_: string) => {};
  const running = pool.use({}, () => new Promise<string>((resolve) => (finish = resolve)));
  await moment();
  const waiting = failureOf(pool.use({}, never));
  await moment();
  let isClosed = false;
  const closing = pool.close().then(() => {
    isClosed = true;
  });
  expect((await waiting).message).toBe('The database is not available: it was closed.');
  await moment();
  expect(isClosed).toBe(false);
  finish('done');
  expect(await running).toBe('done');
  await closing;
  expect(connections[0]?.ended).toBe(1);
  expect((await failureOf(pool.use({}, never))).message).toBe('The database is not available: it was closed.');
  expect(vi.getTimerCount()).toBe(0);
});

it('closes without waiting for a reader who takes its time', async () => {
  const pool = aPool(2);
  const lease = await pool.take({}, true);
  lease.pause();
  let isClosed = false;
  const closing = pool.close().then(() => {
    isClosed = true;
  });
  await moment();
  expect(lease.stopReason?.message).toBe('The database is not available: it was closed.');
  expect(connections[0]?.cancelled).toBe(1);
  await moment(5000);
  expect(isClosed).toBe(true);
  pool.release(lease);
  await closing;
  expect(vi.getTimerCount()).toBe(0);
});
