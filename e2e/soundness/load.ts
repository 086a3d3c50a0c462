// Calls that go on while their database is stopped and started, and the answers they may get.
import { setTimeout as wait } from 'node:timers/promises';
import type { OwnServer } from '@sluice/testkit/databases';
import { expect, type Instance } from '../instance.ts';

/** Where records are written and found by their name. */
export interface RecordStore {
  /** `system/role` or `shop/_table/note`. */
  path: string;
  /** The records of one write: that of this name first, then those that must be written with it or not at all. */
  records(name: string): Record<string, unknown>[];
  /** How many writes are stored in part, read directly from the database. */
  countHalfWritten(): Promise<number>;
}

interface Tally {
  /** Answers that succeeded. */
  done: number;
  /** 503s. */
  away: number;
  /** Milliseconds of the slowest answer. */
  slowest: number;
}

/** The milliseconds any call may take at most, and the server to work again, while the database is away or comes back. */
const maxWait = 10_000;

/**
 * Stops the database, in order and by SIGKILL, while callers read and write, and starts it again. In between calls answer
 * 503 in the envelope and nothing else, and `whileAway` is called. Afterwards everything works as fast as before, and all
 * that was acknowledged is there.
 */
export async function expectSurvives(
  instance: Instance,
  server: OwnServer,
  store: RecordStore,
  whileAway: () => Promise<void>,
): Promise<void> {
  const attempted = new Set<string>();
  const acknowledged: string[] = [];
  await write('first');
  const timeBefore = await measureRead(instance, store, 'first');

  for (const end of ['stop', 'kill'] as const) {
    const tally: Tally = { done: 0, away: 0, slowest: 0 };
    let isOver = false;
    const callers = [
      ...[1, 2].map((n) =>
        callUntil(
          () => isOver,
          tally,
          (round) => write(`${end}-${n}-${round}`),
        ),
      ),
      ...[1, 2].map(() =>
        callUntil(
          () => isOver,
          tally,
          () => read(pickAny(acknowledged)),
        ),
      ),
    ];
    await until(() => tally.done > 50);
    await server[end]();
    // Earlier answers are still on their way.
    await wait(500);
    const { done, away } = tally;
    await until(() => tally.away >= away + 20);
    expect(tally.done).toBe(done);
    await whileAway();

    await server.start();
    await until(async () => (await read('first')) === 200);
    const doneAtReturn = tally.done;
    await until(() => tally.done > doneAtReturn + 50);
    const awayAtReturn = tally.away;
    await until(() => tally.done > doneAtReturn + 100);
    expect(tally.away).toBe(awayAtReturn);
    isOver = true;
    await Promise.all(callers);
    expect(tally.slowest).toBeLessThan(maxWait);
  }

  const stored = await storedNames(instance, store);
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect([...stored].filter((name) => !attempted.has(name))).toEqual([]);
  expect(await store.countHalfWritten()).toBe(0);
  const timeAfter = await measureRead(instance, store, 'first');
  expect(timeAfter, `milliseconds a read, ${timeBefore} before`).toBeLessThan(timeBefore * 2 + 5);

  async function write(name: string): Promise<number> {
    attempted.add(name);
    const { status, body } = await instance.api('POST', `${store.path}?rollback=true`, {
      resource: store.records(name),
    });
    if (status < 300) acknowledged.push(name);
    else expectAway(status, body);
    return status;
  }

  /** Reads one existing record: any answer but that record or 503 is wrong. */
  async function read(name: string): Promise<number> {
    const { status, body } = await instance.api('GET', `${store.path}?${filterByName(name)}`);
    if (status === 200) expect(body.resource.map((record: { name: string }) => record.name)).toEqual([name]);
    else expectAway(status, body);
    return status;
  }
}

/** 503 in the envelope, with a message; in a batch the record that met the outage has it. */
export function expectAway(status: number, { error }: { error: any }): void {
  expect([status, error.status_code, error]).toEqual([503, 503, error]);
  const failure = error.code === 1000 ? error.context.resource.at(-1) : error;
  expect(failure).toMatchObject({ status_code: 503, message: expect.stringMatching(/\w+ \w+/) });
}

/** Marks the names of records that are written beside another one. */
export const besideMark = '+';

const filterByName = (name: string) => `fields=name&filter=${encodeURIComponent(`name="${name}"`)}`;
const pickAny = (names: string[]) => names[Math.floor(Math.random() * names.length)] as string;

async function callUntil(isOver: () => boolean, tally: Tally, call: (round: number) => Promise<number>): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const startedAt = performance.now();
    const status = await call(round);
    tally.slowest = Math.max(tally.slowest, performance.now() - startedAt);
    if (status < 300) tally.done += 1;
    else tally.away += 1;
    await wait(status < 300 ? 5 : 25);
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: maxWait, intervals: [50] }).toBe(true);
}

/** Milliseconds of a read: the best of three medians, so that other work of the machine matters little. */
async function measureRead(instance: Instance, store: RecordStore, name: string): Promise<number> {
  const medians: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const times: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const startedAt = performance.now();
      expect((await instance.api('GET', `${store.path}?${filterByName(name)}`)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    medians.push(times.sort((a, b) => a - b)[20] as number);
  }
  return Math.min(...medians);
}

async function storedNames(instance: Instance, { path }: RecordStore): Promise<Set<string>> {
  const { status, body } = await instance.api('GET', `${path}?fields=name&limit=100000`);
  expect(status).toBe(200);
  return new Set(
    body.resource.map((record: { name: string }) => record.name).filter((name: string) => !name.includes(besideMark)),
  );
}
