import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, RoutineKind, Routines } from '../../index.ts';
import { skipTime } from '../../suite/clock.fixture.ts';
import { openMysqlDatabase } from './connect.ts';

const sql = `
  create table note (t text);
  create procedure wait() begin declare n integer; insert into note values ('waited');
    start transaction; insert into note values ('undone'); while true do set n = sleep(0.01); end while; end;
  create function long_text(n integer) returns text deterministic return repeat('x', n);
  create procedure long_rows(n integer) select repeat('x', n) as t;
  create procedure hang_up() kill connection_id();
  create function mine() returns integer deterministic return 1;
  create procedure mine() select 2 as n;
  create function changing(a integer) returns integer deterministic return a`;

describe.skipIf(await engineMissing('mysql'))('routines of MariaDB', () => {
  let testDatabase: TestDatabase;
  let other: TestDatabase;
  let database: Database;
  const databases: Database[] = [];
  const open = (overrides: Partial<Parameters<typeof openMysqlDatabase>[0]> = {}) => {
    const newDatabase = openMysqlDatabase({ ...testDatabase, ...overrides });
    databases.push(newDatabase);
    return newDatabase;
  };
  beforeAll(async () => {
    [testDatabase, other] = await Promise.all([freshDatabase('mysql'), freshDatabase('mysql')]);
    await testDatabase.run(sql);
    await other.run('create function far() returns integer deterministic return 3');
    database = open({ timeout: 500, answerLimit: 1000, maxConnections: 1, schema: 'default' });
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await Promise.all([testDatabase?.drop(), other?.drop()]);
  });

  const routines = (target = database) => target.routines as Routines;
  const names = async (target = database, kind: RoutineKind = 'function') =>
    (await routines(target).list(kind)).map(({ name }) => name);
  async function call(kind: RoutineKind, name: string, values: unknown[] = [], target = database) {
    const [routine] = await routines(target).findAll(kind, name);
    const argumentValues = new Map(
      routine.parameters.flatMap((parameter, index) => (index in values ? [[parameter, values[index]]] : [])),
    );
    return routines(target).call(routine, argumentValues);
  }

  it('stops one that takes too long, and what it left open is undone', async () => {
    await expect(call('procedure', 'wait')).rejects.toMatchObject({ key: 'database.timeout', status: 503 });
    expect(await call('function', 'mine')).toEqual({ value: 1 });
    expect(await testDatabase.run('select t from note')).toEqual([['waited']]);
  });

  it('does not call a second time where the connection is lost', async () => {
    await expect(call('procedure', 'hang_up')).rejects.toMatchObject({ key: 'database.unsure' });
    expect(await call('procedure', 'mine')).toEqual({ sets: [[{ n: 2 }]], out: {} });
  });

  it('has a limit to what it answers', async () => {
    expect(await call('function', 'long_text', [900])).toEqual({ value: 'x'.repeat(900) });
    await expect(call('function', 'long_text', [2000])).rejects.toMatchObject({ key: 'database.tooLarge' });
    await expect(call('procedure', 'long_rows', [2000])).rejects.toMatchObject({ key: 'database.tooLarge' });
  });

  it('calls what is there now', async () => {
    expect(await call('function', 'changing', [1])).toEqual({ value: 1 });
    await testDatabase.run(
      'drop function changing; create function changing(b text) returns text deterministic return b',
    );
    // A second after it was described, a routine is looked at again.
    skipTime(1001);
    expect(await call('function', 'changing', ['x'])).toEqual({ value: 'x' });
    await testDatabase.run('drop function changing');
    skipTime(1001);
    await expect(call('function', 'changing')).rejects.toMatchObject({ key: 'routine.unknown' });
  });

  it('keeps to the databases that are shown', async () => {
    expect(await names()).toEqual(['long_text', 'mine']);
    const all = open();
    expect(await names(all)).toEqual(expect.arrayContaining(['mine', `${other.database}.far`]));
    expect(await call('function', `${other.database}.far`, [], all)).toEqual({ value: 3 });
    expect(await names(open({ schema: other.database }))).toEqual(['far']);
  });

  it('shows a user what that user may call', async () => {
    const user = `c${testDatabase.database.slice(-12)}`;
    await testDatabase.run(`create user '${user}'@'%' identified by 'x'; grant select on note to '${user}'@'%';
      grant execute on procedure mine to '${user}'@'%'; grant execute on function long_text to '${user}'@'%'`);
    try {
      const theirs = open({ user, password: 'x', schema: 'default' });
      expect(await names(theirs, 'procedure')).toEqual(['mine']);
      expect(await names(theirs)).toEqual(['long_text']);
      expect(await call('procedure', 'mine', [], theirs)).toEqual({ sets: [[{ n: 2 }]], out: {} });
      expect(await call('function', 'long_text', [3], theirs)).toEqual({ value: 'xxx' });
      const [refused] = await routines().findAll('function', 'mine');
      await expect(routines(theirs).call(refused, new Map())).rejects.toMatchObject({
        key: 'database.denied',
        status: 403,
      });
    } finally {
      await testDatabase.run(`drop user '${user}'@'%'`);
    }
  });
});
