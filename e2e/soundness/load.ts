// Calls that go on while a database behind them comes and goes, and what their answers may be.
import { setTimeout as wait } from 'node:timers/promises';
import type { OwnServer } from '@sluice/testkit/databases';
import { expect, type Instance } from '../instance.ts';

/** Records that are found by their name. */
export interface Place {
  /** `system/role` or `shop/_table/note`. */
  path: string;
  /** What one write sends: the record of this name first, and what must be written with it or not at all. */
  records(name: string): Record<string, unknown>[];
  /** How many of what was written are there by half, seen past the platform. */
  halves(): Promise<number>;
}

interface Seen {
  /** Answers that did their work. */
  done: number;
  /** 503s. */
  away: number;
  /** Milliseconds of the slowest answer. */
  slowest: number;
}

/** Most milliseconds any call may take, and the server may need to work again, while the database is away or comes back. */
const patience = 10_000;

/**
 * Takes the database away, in order and by SIGKILL, while callers read and write, and gives it back. In between calls
 * answer 503 in the envelope and nothing else, `whileAway` is called; afterwards everything works as before, as fast, with all
 * that was acknowledged.
 */
export async function expectSurvives(
  instance: Instance,
  server: OwnServer,
  place: Place,
  whileAway: () => Promise<void>,
): Promise<void> {
  const sent = new Set<string>();
  const acknowledged: string[] = [];
  await write('first');
  const before = await speed(instance, place, 'first');

  for (const end of ['stop', 'kill'] as const) {
    const seen: Seen = { done: 0, away: 0, slowest: 0 };
    let isOver = false;
    const callers = [
      ...[1, 2].map((n) =>
        callUntil(
          () => isOver,
          seen,
          (round) => write(`${end}-${n}-${round}`),
        ),
      ),
      ...[1, 2].map(() =>
        callUntil(
          () => isOver,
          seen,
          () => read(anyOf(acknowledged)),
        ),
      ),
    ];
    await until(() => seen.done > 50);
    await server[end]();
    // Answers of before are still on their way.
    await wait(500);
    const { done, away } = seen;
    await until(() => seen.away >= away + 20);
    expect(seen.done).toBe(done);
    await whileAway();

    await server.start();
    await until(async () => (await read('first')) === 200);
    const back = seen.done;
    await until(() => seen.done > back + 50);
    const late = seen.away;
    await until(() => seen.done > back + 100);
    expect(seen.away).toBe(late);
    isOver = true;
    await Promise.all(callers);
    expect(seen.slowest).toBeLessThan(patience);
  }

  const stored = await names(instance, place);
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect([...stored].filter((name) => !sent.has(name))).toEqual([]);
  expect(await place.halves()).toBe(0);
  const after = await speed(instance, place, 'first');
  expect(after, `milliseconds a read, ${before} before`).toBeLessThan(before * 2 + 5);

  async function write(name: string): Promise<number> {
    sent.add(name);
    const { status, body } = await instance.api('POST', `${place.path}?rollback=true`, {
      resource: place.records(name),
    });
    if (status < 300) acknowledged.push(name);
    else expectAway(status, body);
    return status;
  }

  /** Reads one record that is known to be there: any other answer than that record, or 503, is a wrong one. */
  async function read(name: string): Promise<number> {
    const { status, body } = await instance.api('GET', `${place.path}?${byName(name)}`);
    if (status === 200) expect(body.resource.map((it: { name: string }) => it.name)).toEqual([name]);
    else expectAway(status, body);
    return status;
  }
}

/** 503 in the envelope, with words; a batch says them of the record that met the outage. */
export function expectAway(status: number, { error }: { error: any }): void {
  expect([status, error.status_code, error]).toEqual([503, 503, error]);
  const said = error.code === 1000 ? error.context.resource.at(-1) : error;
  expect(said).toMatchObject({ status_code: 503, message: expect.stringMatching(/\w+ \w+/) });
}

/** Marks the names of records that are written beside another one. */
export const beside = '+';

const byName = (name: string) => `fields=name&filter=${encodeURIComponent(`name="${name}"`)}`;
const anyOf = (names: string[]) => names[Math.floor(Math.random() * names.length)] as string;

async function callUntil(isOver: () => boolean, seen: Seen, call: (round: number) => Promise<number>): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const from = performance.now();
    const status = await call(round);
    seen.slowest = Math.max(seen.slowest, performance.now() - from);
    if (status < 300) seen.done += 1;
    else seen.away += 1;
    await wait(status < 300 ? 5 : 25);
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { timeout: patience, intervals: [50] }).toBe(true);
}

/** Milliseconds of a read: the best of three medians, so that what else the machine does weighs little. */
async function speed(instance: Instance, place: Place, name: string): Promise<number> {
  const medians: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const times: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const from = performance.now();
      expect((await instance.api('GET', `${place.path}?${byName(name)}`)).status).toBe(200);
      times.push(performance.now() - from);
    }
    medians.push(times.sort((a, b) => a - b)[20] as number);
  }
  return Math.min(...medians);
}

async function names(instance: Instance, { path }: Place): Promise<Set<string>> {
  const { status, body } = await instance.api('GET', `${path}?fields=name&limit=100000`);
  expect(status).toBe(200);
  return new Set(body.resource.map((it: { name: string }) => it.name).filter((name: string) => !name.includes(beside)));
}
