// Many new records of one call go to the database some at a time (@sluice/sql, compile/bundle.ts): no caller may notice.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

const wideColumns = Array.from({ length: 700 }, (_, at) => `c${at}`);

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql(`create table wide (id integer primary key, ${wideColumns.map((column) => `${column} smallint`).join(', ')});
      create table plain (id integer primary key, name varchar(20) unique);`);
    if (engine === 'sqlite')
      await db.sql('create table passing (id integer primary key, name text unique on conflict ignore);');
  });
  afterAll(() => db?.stop());

  const create = (table: string, resource: unknown[], query: Record<string, string> = {}) =>
    ask(db.service, `POST _table/${table}`, { body: { resource }, query });
  const records = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: from + at, name: `n${from + at}` }));

  it('takes more values than a statement does', async () => {
    const wide = Object.fromEntries(wideColumns.map((column, at) => [column, at]));
    const { status, text } = await create(
      'wide',
      records(1, 100).map(({ id }) => ({ id, ...wide })),
    );
    expect(status, text).toBe(200);
    expect(await db.sql('select count(*), sum(c699) from wide')).toEqual(['100', '69900']);
  });

  it('answers every record in its place', async () => {
    const input = records(1, 250).reverse();
    expect((await create('plain', input, { fields: 'id,name' })).body).toEqual({ resource: input });
  });

  it.each([
    [{}, 115],
    [{ continue: 'true' }, 149],
    [{ rollback: 'true' }, 0],
  ])('a record in the midst that fails, with %j', async (query, storedCount) => {
    await db.sql('delete from plain');
    const input = records(1, 150).map((record) => (record.id === 116 ? { ...record, name: 'n3' } : record));
    const { body } = await create('plain', input, query as Record<string, string>);
    expect(body.error.context.error).toEqual([115]);
    expect(await db.sql('select count(*) from plain')).toEqual([String(storedCount)]);
  });

  if (engine === 'sqlite')
    it('a record the table passes over has its place, too', async () => {
      const input = records(1, 12).map((record) => (record.id === 5 ? { ...record, name: 'n3' } : record));
      expect((await create('passing', input)).body).toEqual({ resource: input.map(({ id }) => ({ id })) });
      expect(await db.sql('select count(*) from passing')).toEqual(['11']);
    });
});
