import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, RoutineKind, Routines } from '../../index.ts';
import { skipTime } from '../../suite/clock.fixture.ts';
import { openPgsqlDatabase } from './connect.ts';

const sql = `
  create table note (t text);
  create function wait() returns integer language plpgsql as $$begin
    insert into note values ('waited'); perform pg_sleep(30); return 1; end$$;
  create function long(n integer) returns text language sql as $$select repeat('x', n)$$;
  create function hang_up() returns boolean language sql as 'select pg_terminate_backend(pg_backend_pid())';
  create function mine() returns integer language sql as 'select 1';
  create function not_yours() returns integer language sql as 'select 1';
  create function changing(a integer) returns integer language sql as 'select a';
  revoke execute on function not_yours from public;
  create schema other;
  create function other.far() returns integer language sql as 'select 1';
  create function "other.far"() returns integer language sql as 'select 2'`;

describe.skipIf(await engineMissing('pgsql'))('routines of PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  const databases: Database[] = [];
  const open = (overrides: Partial<Parameters<typeof openPgsqlDatabase>[0]> = {}) => {
    const newDatabase = openPgsqlDatabase({ ...testDatabase, ...overrides });
    databases.push(newDatabase);
    return newDatabase;
  };
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    await testDatabase.run(sql);
    database = open({ timeout: 500, answerLimit: 1000, maxConnections: 1 });
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await testDatabase?.drop();
  });

  const routines = (target = database) => target.routines as Routines;
  const names = async (target = database, kind: RoutineKind = 'function') =>
    (await routines(target).list(kind)).map(({ name }) => name);
  async function call(name: string, values: unknown[] = [], target = database) {
    const [routine] = await routines(target).findAll('function', name);
    const argumentValues = new Map(
      routine.parameters.flatMap((parameter, index) => (index in values ? [[parameter, values[index]]] : [])),
    );
    return routines(target).call(routine, argumentValues);
  }

  it('stops one that takes too long, and nothing of it stays', async () => {
    await expect(call('wait')).rejects.toMatchObject({ key: 'database.timeout', status: 503 });
    expect(await testDatabase.run('select * from note')).toEqual([]);
    expect(await call('mine')).toEqual({ value: 1 });
  });

  it('does not call a second time where the connection is lost', async () => {
    await expect(call('hang_up')).rejects.toMatchObject({ key: 'database.unsure' });
    expect(await call('mine')).toEqual({ value: 1 });
  });

  it('has a limit to what it answers', async () => {
    expect(await call('long', [900])).toEqual({ value: 'x'.repeat(900) });
    await expect(call('long', [2000])).rejects.toMatchObject({ key: 'database.tooLarge' });
  });

  it('calls what is there now', async () => {
    expect(await call('changing', [1])).toEqual({ value: 1 });
    await testDatabase.run(
      `drop function changing; create function changing(b text) returns text language sql as 'select b'`,
    );
    // A second after it was described, a routine is looked at again; a call that does not find it gets that error.
    skipTime(1001);
    await expect.poll(() => call('changing', ['x']).catch(() => undefined), { timeout: 3000 }).toEqual({ value: 'x' });
    await testDatabase.run('drop function changing');
    skipTime(1001);
    await expect(call('changing')).rejects.toMatchObject({ key: 'routine.unknown' });
    await testDatabase.run(`create function late() returns integer language sql as 'select 3'`);
    skipTime(1001);
    expect(await call('late')).toEqual({ value: 3 });
  });

  it('keeps to the schemas that are shown', async () => {
    expect(await names()).toContain('other.far');
    // The function of the naming schema that has a point in its name.
    expect(await call('other.far')).toEqual({ value: 2 });
    expect(await names(open({ schema: 'other' }))).toEqual(['far']);
  });

  it('shows a user what that user may call', async () => {
    const role = `${testDatabase.database}_caller`;
    await testDatabase.run(`create role "${role}" login password 'x'`);
    try {
      const theirs = open({ user: role, password: 'x' });
      expect(await names(theirs)).toContain('mine');
      expect(await names(theirs)).not.toContain('not_yours');
      const [refused] = await routines().findAll('function', 'not_yours');
      await expect(routines(theirs).call(refused, new Map())).rejects.toMatchObject({
        key: 'database.denied',
        status: 403,
      });
      await theirs.close();
    } finally {
      await testDatabase.run(`drop role "${role}"`);
    }
  });
});
