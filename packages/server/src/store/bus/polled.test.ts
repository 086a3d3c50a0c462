import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeDialect, storeDialects } from '../dialects/index.ts';
import { type Db, openStore, type Store } from '../index.ts';
import type { Tables } from '../tables.ts';
import type { Bus, Change } from './bus.ts';
import { createPolledBus } from './polled.ts';
import { createTableNotices } from './table.ts';

const any = { table: '*' };
const quiet = { info() {}, warn() {} };

let folder: string;
let closing: (() => Promise<unknown>)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-bus-'));
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

function listening(bus: Bus): Change[] {
  const changes: Change[] = [];
  // Not the row by which another process says that it began.
  bus.subscribe((change) => void (change.table === 'change_notice' || changes.push(change)));
  return changes;
}

describe('the file of a SQLite store', () => {
  const start = async (): Promise<Store> => {
    const store = await openStore({ url: '', dataFolder: folder, log: quiet });
    closing.push(() => store.close());
    return store;
  };
  const write = ({ db }: Store, name: string) => db.insertInto('instance').values({ name, value: '' }).execute();

  it('tells other processes of every write to it, and none of its own', async () => {
    const [a, b] = [await start(), await start()];
    const [hereA, hereB] = [listening(a.bus), listening(b.bus)];
    await write(a, 'x');
    await a.bus.publish({ table: 'role', ids: [1] });
    expect(hereA).toEqual([{ table: 'role', ids: [1] }]);
    await expect.poll(() => hereB, { timeout: 5_000, interval: 10 }).toEqual([any]);
    await wait(500);
    expect(hereB).toEqual([any]);
    expect(hereA).toEqual([{ table: 'role', ids: [1] }]);
  });

  it('tells also of what a process wrote that ended before it could say so', async () => {
    const [a, b] = [await start(), await start()];
    const here = listening(b.bus);
    await write(a, 'x');
    await expect.poll(() => here, { timeout: 5_000, interval: 10 }).toEqual([any]);
  });

  it('has nothing to tell where it is in memory only', async () => {
    const store = await openStore({ url: 'sqlite::memory:', dataFolder: '', log: quiet });
    closing.push(() => store.close());
    const here = listening(store.bus);
    await write(store, 'x');
    await store.bus.publish({ table: 'role' });
    expect(here).toEqual([{ table: 'role' }]);
  });
});

/** Stores whose databases carry no messages; SQLite stands in where it can be had for nothing. */
const mysql = storeDialects.some(({ schemes }) => schemes.includes('mysql')) && !(await engineMissing('mysql'));

describe.each([
  ['SQLite', true],
  ['MariaDB', mysql],
])('the table of change notices on %s', (name, isThere) => {
  const test = it.skipIf(!isThere);
  let database: TestDatabase | undefined;
  let url: string;
  beforeEach(async () => {
    if (!isThere) return;
    database = name === 'MariaDB' ? await freshDatabase('mysql') : undefined;
    url = database?.url ?? '';
    if (database) closing.push(database.drop);
    const store = await openStore({ url, dataFolder: folder, log: quiet });
    await store.close();
  });

  /** Notices on connections of their own, as a process has them, read by the test alone. */
  async function join(clock?: () => number) {
    const dialect = storeDialect(url);
    const opened = await dialect.open({ url, dataFolder: folder, connections: 1, busyTimeout: 5_000 });
    const db: Db = new Kysely<Tables>({ dialect: opened.dialect });
    const notices = await createTableNotices(db, dialect, clock);
    closing.push(() => db.destroy());
    const ids = async () =>
      (await db.selectFrom('change_notice').select('id').orderBy('id').execute()).map((row) => row.id);
    return { db, notices, ids };
  }

  /** A process with its bus, and what it heard. */
  async function start() {
    const { db, notices } = await join();
    const bus = createPolledBus(notices, quiet);
    closing.push(bus.close);
    return { db, bus, heard: listening(bus) };
  }

  test('brings what others changed soon, in order and once', async () => {
    const [a, b] = [await start(), await start()];
    await a.bus.publish({ table: 'role', ids: [1] });
    await a.bus.publish({ table: 'revoked_token', keys: ['x'] });
    expect(a.heard).toHaveLength(2);
    await expect.poll(() => b.heard, { timeout: 5_000, interval: 10 }).toHaveLength(2);
    await wait(500);
    expect(b.heard).toEqual([
      { table: 'role', ids: [1] },
      { table: 'revoked_token', keys: ['x'] },
    ]);
    expect(a.heard).toEqual(b.heard);
  });

  test('names the table alone when there are too many rows to list', async () => {
    const [a, b] = [await start(), await start()];
    await a.bus.publish({ table: 'user', ids: Array.from({ length: 10_000 }, (_, index) => index) });
    await expect.poll(() => b.heard, { timeout: 5_000, interval: 10 }).toEqual([{ table: 'user' }]);
  });

  test('brings a row whose commit came after that of a later one', async () => {
    const { db, notices, ids } = await join();
    const [own = 0] = (await ids()).slice(-1);
    const commit = (id: number, table: string) =>
      db
        .insertInto('change_notice')
        .values({ id, source: 'another', notice: JSON.stringify({ table }) })
        .execute();
    await commit(own + 2, 'role');
    expect(await notices.read()).toEqual([{ table: 'role' }]);
    await commit(own + 1, 'app');
    expect(await notices.read()).toEqual([{ table: 'app' }]);
    expect(await notices.read()).toEqual([]);
  });

  test('drops everything when rows were deleted before they were read', async () => {
    const [a, b] = [await join(), await join()];
    await a.notices.write({ table: 'role' });
    await a.notices.write({ table: 'app' });
    const [newest = 0] = (await a.ids()).slice(-1);
    await a.db.deleteFrom('change_notice').where('id', '<', newest).execute();
    expect(await b.notices.read()).toEqual([any]);
    expect(await b.notices.read()).toEqual([]);
    await a.notices.write({ table: 'user' });
    expect(await b.notices.read()).toEqual([{ table: 'user' }]);
    await a.db.deleteFrom('change_notice').execute();
    expect(await b.notices.read()).toEqual([any]);
    expect(await b.notices.read()).toEqual([]);
  });

  test('is cleared of what all have read for minutes', async () => {
    let minute = 0;
    const { notices, ids } = await join(() => minute * 60_000);
    const begun = await ids();
    for (; minute < 20; minute++) {
      await notices.write({ table: 'role', ids: [minute] });
      expect(await notices.read()).toEqual([]);
    }
    const remainingIds = await ids();
    expect(remainingIds.at(-1)).toBe((begun.at(-1) as number) + 20);
    expect(remainingIds.length).toBeGreaterThanOrEqual(5);
    expect(remainingIds.length).toBeLessThanOrEqual(9);
    const late = await join();
    await notices.write({ table: 'app' });
    expect(await late.notices.read()).toEqual([{ table: 'app' }]);
  });

  test('drops everything over and over while the table is out of reach, and tells later what was not told', async () => {
    const [a, b] = [await start(), await start()];
    await sql`alter table change_notice rename to elsewhere`.execute(b.db);
    await expect.poll(() => a.heard, { timeout: 5_000 }).toContainEqual(any);
    await a.bus.publish({ table: 'role' });
    a.heard.length = 0;
    await expect.poll(() => a.heard.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(3);
    await sql`alter table elsewhere rename to change_notice`.execute(b.db);
    await wait(700);
    // What is back may have been missed, and the notice that did not get out stands for anything.
    expect(b.heard.at(-1)).toEqual(any);
    a.heard.length = 0;
    b.heard.length = 0;
    await a.bus.publish({ table: 'app' });
    await expect.poll(() => b.heard, { timeout: 5_000, interval: 10 }).toEqual([{ table: 'app' }]);
    expect(a.heard).toEqual([{ table: 'app' }]);
  });
});
