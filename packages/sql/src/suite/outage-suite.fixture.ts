import { Failure } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../query/index.ts';
import { failureOf } from './failure.fixture.ts';
import { insert } from './insert.fixture.ts';

/** A server that can be stopped. */
export interface SuiteServer {
  database: Database;
  run(sql: string): Promise<unknown>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A server that goes away and comes back: 503 in between, no wrong answer, no write lost or done twice unseen. */
export function outageSuite(name: string, startServer: () => Promise<SuiteServer>): void {
  describe(`${name}: a server that goes away`, () => {
    let server: SuiteServer;
    beforeAll(async () => {
      server = await startServer();
      await server.run('create table t (id integer primary key)');
      await server.run('create table writes (id integer primary key)');
    });
    afterAll(() => server?.remove());

    it.each(['stop', 'kill'] as const)(
      'is used again after %s',
      async (signal) => {
        const { database } = server;
        const t = await database.table('t');
        const writes = await database.table('writes');
        await database.write([{ kind: 'delete', table: writes, returning: [] }], 'stop');
        // Load: readers that must never see anything else, and writers that must know what became of their writes.
        let isOver = false;
        const failures: string[] = [];
        const acknowledgedIds: number[] = [];
        const unsureIds: number[] = [];
        let lastId = 0;
        const recordFailure = (error: unknown) => {
          if (!(error instanceof Failure) || error.status !== 503) throw error;
          failures.push(error.key);
          return new Promise((resolve) => setTimeout(resolve, 5));
        };
        const reader = async () => {
          while (!isOver) await database.count({ table: t }).then((count) => expect(count).toBe(0), recordFailure);
        };
        const writer = async () => {
          while (!isOver) {
            lastId += 1;
            const id = lastId;
            try {
              const [outcome] = await database.write([insert(writes, { id }, [])], 'stop');
              if (outcome?.failure) throw outcome.failure;
              acknowledgedIds.push(id);
            } catch (error) {
              if (error instanceof Failure && error.key === 'database.unsure') unsureIds.push(id);
              await recordFailure(error);
            }
          }
        };
        const load = Promise.all([reader(), reader(), reader(), writer(), writer()]);
        await pause(300);
        await server[signal]();
        await pause(300);
        expect((await failureOf(database.count({ table: t }))).status).toBe(503);
        expect((await failureOf(database.test())).status).toBe(503);
        await server.start();
        await pause(300);
        const after = failures.length;
        await pause(300);
        isOver = true;
        await load;
        expect(failures.length).toBe(after);
        expect(after).toBeGreaterThan(0);
        expect(acknowledgedIds.length).toBeGreaterThan(10);
        const stored = (await database.select({ table: writes, columns: writes.columns }))
          .list()
          .map((row) => Number(row.id));
        expect(acknowledgedIds.filter((id) => !stored.includes(id))).toEqual([]);
        expect(stored.filter((id) => !acknowledgedIds.includes(id) && !unsureIds.includes(id))).toEqual([]);
      },
      60_000,
    );
  });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
