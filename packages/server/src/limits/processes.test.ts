// Limits over several real processes: exactly as many calls pass as the rate says, whatever their number, and what a killed one
// leaves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineMissing, freshDatabase, type TestDatabase, testRedis } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess, type TestProcess } from '../process.fixture.ts';

interface Place {
  name: string;
  missing?: string | undefined;
  database?: 'pgsql' | 'mysql';
  redis?: boolean;
  /** Which of the tests: what differs between the places is in all of them together. */
  proves: ('restart' | 'hand-over' | 'rounds' | 'kill')[];
}

const places: Place[] = [
  { name: 'one SQLite file', proves: ['restart', 'hand-over', 'kill'] },
  { name: 'one SQLite file and Redis', redis: true, proves: ['rounds', 'kill'] },
  {
    name: 'one PostgreSQL database',
    database: 'pgsql',
    missing: await engineMissing('pgsql'),
    proves: ['hand-over', 'rounds', 'kill'],
  },
  { name: 'one MariaDB database', database: 'mysql', missing: await engineMissing('mysql'), proves: ['rounds'] },
];

const admin = { email: 'ada@example.com', password: 'correct horse' };

describe.each(places)('processes on $name', ({ missing, database: engine, redis, proves }) => {
  const test = it.skipIf(missing);
  const provesIt = (name: Place['proves'][number]) => proves.includes(name);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-limits-'));
  const processes: TestProcess[] = [];
  let database: TestDatabase | undefined;
  let start: () => Promise<TestProcess>;
  let token = '';

  beforeAll(async () => {
    if (missing) return;
    database = engine && (await freshDatabase(engine));
    const settings = {
      ...(database ? { SLUICE_DATABASE_URL: database.url } : {}),
      ...(redis ? { SLUICE_REDIS_URL: await testRedis() } : {}),
      ...{ SLUICE_SECRET: 's'.repeat(40), SLUICE_DATA: folder, SLUICE_APPS_PORT: 'off' },
      ...{ SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password },
      // Here a slow answer of a busy machine is to be waited for.
      SLUICE_LIMITS_TIMEOUT: '10000',
    };
    start = async () => {
      const started = await startProcess(settings);
      processes.push(started);
      return started;
    };
    const first = await start();
    if (!provesIt('hand-over')) await Promise.all([start(), start()]);
    token = (await first.ask('POST', 'system/admin/session', { body: admin })).body.session_token;
  });
  afterAll(async () => {
    const ended = await Promise.all(processes.map((process) => process.stop()));
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
    if (!missing) expect(ended.every((code) => code === 0 || code === null)).toBe(true);
  });

  const living = () => processes.filter(({ url }) => !killed.has(url));
  const killed = new Set<string>();
  const asAdmin = async (verb: string, path: string, body?: unknown) => {
    const answer = await living()[0]!.ask(verb, path, { body, token });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  /** Makes a limit and waits until every process knows it: where processes learn of changes by polling, some learn of it a moment later. */
  const limit = async (period: string, rate: number): Promise<number> => {
    const record = { name: 'all', type: 'instance', rate, period };
    const [{ id }] = (await asAdmin('POST', 'system/limit', { resource: [record] })).resource;
    const reset = () => asAdmin('DELETE', `system/limit_cache?ids=${id}`);
    const countOneOfEach = async () => {
      await reset();
      await call(living().length);
      return (await asAdmin('GET', `system/limit_cache/${id}`)).attempts;
    };
    await expect.poll(countOneOfEach, { timeout: 10_000 }).toBe(living().length);
    await reset();
    return id;
  };
  /** Calls of strangers, spread over processes; answers how many were answered how. */
  const call = async (count: number, targets = living()): Promise<Record<string, number>> => {
    const statuses = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        targets[at % targets.length]!.ask('GET', 'system/environment').then(
          ({ status }) => status,
          () => 'lost',
        ),
      ),
    );
    const counts: Record<string, number> = {};
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  if (provesIt('restart'))
    test('one that is killed leaves its counters to the next', async () => {
      const id = await limit('hour', 8);
      expect(await call(5)).toEqual({ 200: 5 });
      // As long as it may take until they are written.
      await sleep(1_000);
      killed.add(processes[0]!.url);
      await processes[0]!.stop('SIGKILL');
      await start();
      expect(await call(20)).toEqual({ 200: 3, 429: 17 });
      await asAdmin('DELETE', `system/limit/${id}`);
    }, 60_000);

  if (provesIt('hand-over'))
    test('one that counts alone hands over to others that start, while it is called', async () => {
      const id = await limit('minute', 30);
      const counting = (async () => {
        const counts: Record<string, number> = {};
        while (living().length < 3)
          for (const [status, count] of Object.entries(await call(1, [living()[0]!])))
            counts[status] = (counts[status] ?? 0) + count;
        return counts;
      })();
      await Promise.all([start(), start()]);
      const before = await counting;
      const after = await call(90);
      expect((before[200] ?? 0) + (after[200] ?? 0)).toBe(30);
      await asAdmin('DELETE', `system/limit/${id}`);
    }, 60_000);

  if (provesIt('rounds'))
    test('three let exactly as many calls pass, in every round', async () => {
      const id = await limit('day', 25);
      for (let round = 0; round < 4; round++) {
        await asAdmin('DELETE', `system/limit_cache?ids=${id}`);
        expect(await call(250)).toEqual({ 200: 25, 429: 225 });
      }
      const [entry] = (await asAdmin('GET', 'system/limit_cache')).resource;
      expect(entry).toMatchObject({ id, attempts: 25, remaining: 0 });
      await asAdmin('DELETE', `system/limit/${id}`);
    }, 60_000);

  if (provesIt('kill'))
    test('one that is killed in the middle changes nothing', async () => {
      const id = await limit('day', 40);
      const calls = call(400);
      const last = living().at(-1)!;
      killed.add(last.url);
      await last.stop('SIGKILL');
      const counts = await calls;
      expect(counts[200] ?? 0).toBeLessThanOrEqual(40);
      // What it had counted and could not answer is counted all the same.
      expect((counts[200] ?? 0) + (counts.lost ?? 0)).toBeGreaterThanOrEqual(40);
      const rest = await call(100);
      expect((counts[200] ?? 0) + (rest[200] ?? 0)).toBeLessThanOrEqual(40);
      await asAdmin('DELETE', `system/limit_cache?ids=${id}`);
      expect(await call(120)).toEqual({ 200: 40, 429: 80 });
      await asAdmin('DELETE', `system/limit/${id}`);
    }, 60_000);
});
