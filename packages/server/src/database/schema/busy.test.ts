// A table that somebody else holds: a change waits for it with a limit, and nobody waits behind the change.
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '@sluice/sql';
import { NetworkSchemaEditor } from '@sluice/sql/dialects/network/schema-editor';
import { SqliteSchemaEditor } from '@sluice/sql/dialects/sqlite/change/index';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from '../fixture/index.ts';

/** Milliseconds a table is waited for; ten seconds in the product. */
const lockTimeout = 1000;

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;

  beforeAll(async () => {
    db = await fixture(engine);
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'yard'));
    expect((await platform.ask('GET', 'yard/_table/team')).body.resource).toHaveLength(2);
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });
  beforeEach(() => {
    for (const { prototype } of [SqliteSchemaEditor, NetworkSchemaEditor]) {
      const { apply } = prototype;
      vi.spyOn(prototype, 'apply').mockImplementation(function (this: SqliteSchemaEditor, changes, options) {
        return apply.call(this as never, changes, { ...options, lockTimeout });
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** A session that has read the table, and written it on SQLite, and does not end its transaction for so long. */
  const hold = async (ms: number): Promise<void> => {
    const seconds = ms / 1000;
    if (engine === 'pgsql') await db.sql(`begin; select * from team; select pg_sleep(${seconds}); commit`);
    else if (engine === 'mysql')
      await db.sql(`start transaction; select * from team; select sleep(${seconds}); commit`);
    else {
      const file = openSqlite(String(db.config.database), { busyTimeout: 1000 });
      file.exec('begin immediate');
      await wait(ms);
      file.exec('rollback');
      file.close();
    }
  };
  const add = () =>
    platform.ask('POST', 'yard/_schema/team/_field', {
      body: { resource: [{ name: 'motto', type: 'string', allow_null: true, label: 'Their motto' }] },
    });
  const description = async () => (await platform.ask('GET', 'yard/_schema/team?refresh=true')).body;
  const auditCount = async () => (await platform.ask('GET', 'system/audit?count_only=true')).text;

  it('after the limit it is busy, with nothing changed, and readers went on all the time', async () => {
    // The processes that read a SQLite file take a while to start.
    await Promise.all([1, 2, 3].map(() => platform.ask('GET', 'yard/_table/team?order=id')));
    const before = await description();
    const entries = await auditCount();
    const holding = hold(lockTimeout * 3);
    await wait(100);
    let isOver = false;
    let reads = 0;
    const reading = (async () => {
      while (!isOver) {
        const { status, body } = await platform.ask('GET', 'yard/_table/team?order=id');
        expect([status, body.resource?.length]).toEqual([200, 2]);
        reads += 1;
        await wait(10);
      }
    })();
    const { status, body } = await add();
    isOver = true;
    await reading;
    expect([status, body.error.status_code, body.error.message]).toEqual([
      503,
      503,
      "Table 'team' was in use for 1 s. Nothing was changed.",
    ]);
    expect(await description()).toEqual(before);
    expect(await auditCount()).toBe(entries);
    // While the change waited.
    expect(reads).toBeGreaterThan(1);
    await holding;
    expect((await add()).status).toBe(200);
    expect((await description()).field.map(({ name }: { name: string }) => name)).toEqual(['id', 'name', 'motto']);
    expect((await platform.ask('DELETE', 'yard/_schema/team/_field/motto')).status).toBe(200);
  });

  it('it goes on as soon as the table is free', async () => {
    const holding = hold(lockTimeout / 2);
    await wait(100);
    expect((await add()).status).toBe(200);
    await holding;
    expect((await platform.ask('DELETE', 'yard/_schema/team/_field/motto')).status).toBe(200);
  });
});
