// Somebody else alters the database: calls notice it by themselves, without a refresh.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask } from './fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from './fixture/index.ts';
import { type Case, checkCase, itemError, wrapRecords } from './fixture/write.fixture.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine, { max_records: 5000 });
  });
  afterAll(() => db?.stop());

  const get = async (path: string, query: Record<string, string> = {}) =>
    (await ask(db.service, `GET _table/${path}`, { query })).body;

  // A description is checked for an unknown field once a second; SQLite notices almost at once.
  const holds = { sqlite: 60, pgsql: 1100, mysql: 1100 }[engine];
  const untilItIsLookedAt = () => {
    clock += holds;
  };

  // What is known ages by this clock. It stands still unless a test moves it: a busy machine would look again by itself.
  let clock = performance.now();
  beforeAll(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  /** Makes a table of which everything is known, and prepared where the engine prepares. */
  const aPaper = async () => {
    await db.sql(`DROP TABLE IF EXISTS paper; DROP TABLE IF EXISTS sheet;
      CREATE TABLE paper (id integer PRIMARY KEY, name varchar(20), weight integer, odd varchar(20));
      INSERT INTO paper VALUES (1, 'one', 10, 'a'), (2, 'two', 20, 'b')`);
    await ask(db.service, 'GET _table', { query: { refresh: 'true' } });
    for (let i = 0; i < 3; i += 1) {
      expect(await get('paper/1')).toEqual({ id: 1, name: 'one', weight: 10, odd: 'a' });
      expect((await get('paper', { limit: '2' })).resource).toHaveLength(2);
    }
  };

  describe('a column that is dropped', () => {
    beforeEach(async () => {
      await aPaper();
      await db.sql('ALTER TABLE paper DROP COLUMN odd');
    });
    const one = { id: 1, name: 'one', weight: 10 };
    const two = { id: 2, name: 'two', weight: 20 };

    it.each<[path: string, query: Record<string, string>, body: unknown]>([
      ['paper/1', {}, one],
      ['paper', { limit: '2' }, wrapRecords(one, two)],
      // What is streamed finds it out when its first rows are to come.
      ['paper', { limit: '3000' }, wrapRecords(one, two)],
      ['paper', { file: 'all.json' }, wrapRecords(one, two)],
      ['paper', { ids: '2,1' }, wrapRecords(two, one)],
      ['paper', { as_list: 'true' }, { resource: ['one', 'two'] }],
      ['paper', { include_count: 'true', limit: '1' }, { ...wrapRecords(one), meta: { count: 2, next: 1 } }],
      ['paper', { order: 'id desc', fields: '*' }, wrapRecords(two, one)],
    ])('is missed by no GET of %s %o', async (path, query, body) => {
      expect(await get(path, query)).toEqual(body);
    });

    it('is unknown to who asks for it', async () => {
      expect((await get('paper', { fields: 'id,odd' })).error).toEqual(itemError('Invalid field requested: odd'));
      expect((await get('paper', { filter: 'odd = a' })).error.status_code).toBe(400);
    });

    const writes: Case[] = [
      ['a change', 'PATCH _table/paper/1', { body: { odd: 'x' } }, 503, expect.anything()],
      ['a new record', 'POST _table/paper', { body: wrapRecords({ id: 3, odd: 'x' }) }, 503, expect.anything()],
      [
        'a change by filter',
        'PATCH _table/paper',
        { query: { filter: "odd = 'a'" }, body: wrapRecords({ weight: 1 }) },
        503,
        expect.anything(),
      ],
      ['a deletion', 'DELETE _table/paper', { query: { filter: "odd = 'a'" } }, 503, expect.anything()],
    ];
    it.each(writes)('makes %s fail once, with nothing written', async (...testCase) => {
      const [what, line, request, expected, failure] = testCase;
      const storedValues = ['1', '10', '2', '20'];
      await checkCase(db, engine, [
        what,
        line,
        request,
        expected,
        failure,
        'SELECT id, weight FROM paper ORDER BY id',
        storedValues,
      ]);
      const { status, body } = await ask(db.service, line, request);
      expect([line, status]).toEqual([line, /filter/.test(JSON.stringify(request)) ? 400 : 200]);
      if (status === 400) expect(body.error.message).toContain("'odd'");
    });

    it('tells a writer what to do', async () => {
      const { failure } = await ask(db.service, 'PATCH _table/paper/1', { body: { odd: 'x' } });
      expect(failure).toMatchObject({ key: 'database.changed', status: 503 });
    });
  });

  describe('a column that is added', () => {
    const reads: [path: string, query: Record<string, string>, body: unknown][] = [
      ['', { fields: 'id,shade' }, wrapRecords({ id: 1, shade: null }, { id: 2, shade: 'grey' })],
      ['', { filter: 'shade = grey', fields: 'id' }, wrapRecords({ id: 2 })],
      ['', { order: 'shade desc', fields: 'shade', filter: 'id = 2' }, wrapRecords({ shade: 'grey' })],
      ['', { group: 'shade', fields: 'shade', filter: 'id = 2' }, wrapRecords({ shade: 'grey' })],
      ['', { ids: '2', fields: 'shade' }, wrapRecords({ shade: 'grey' })],
      ['', { ids: 'grey', id_field: 'shade', fields: 'id' }, wrapRecords({ id: 2 })],
      ['', { file: 'x.json', fields: 'shade', filter: 'id = 2' }, wrapRecords({ shade: 'grey' })],
      ['/2', { fields: 'shade' }, { shade: 'grey' }],
    ];
    const writes: Case[] = [
      ['a new record', 'POST', { body: wrapRecords({ id: 3, SHADE: 'x' }) }, 200, wrapRecords({ id: 3 })],
      ['several', 'PUT', { body: [{ id: 1, shade: 'x' }] }, 200, wrapRecords({ id: 1 })],
      // Done once, although its fields are found only when they are looked for.
      [
        'one that names it in its fields',
        'POST',
        { body: wrapRecords({ id: 4, name: 'x' }), query: { fields: 'id,shade' } },
        200,
        wrapRecords({ id: 4, shade: null }),
      ],
    ];
    const tables = [...reads, ...writes].map((_, at) => `added_${at}`);
    beforeAll(async () => {
      const all = (sql: (table: string) => string) => db.sql(tables.map(sql).join(';'));
      await all((table) => `CREATE TABLE ${table} (id integer PRIMARY KEY, name varchar(20))`);
      await all((table) => `INSERT INTO ${table} VALUES (1, 'one'), (2, 'two')`);
      await ask(db.service, 'GET _table', { query: { refresh: 'true' } });
      for (const table of tables) expect(await get(`${table}/1`)).toEqual({ id: 1, name: 'one' });
      await all((table) => `ALTER TABLE ${table} ADD COLUMN shade varchar(20)`);
      await all((table) => `UPDATE ${table} SET shade = 'grey' WHERE id = 2`);
      untilItIsLookedAt();
    });

    it.each(reads.map((read, at) => [at, ...read] as const))(
      'is there for who asks for it: %i %s %o',
      async (at, path, query, body) => {
        expect(await get(`added_${at}${path}`, query)).toEqual(body);
      },
    );

    it.each(writes.map((write, at) => [write[0], reads.length + at, write] as const))(
      'is written, not dropped unseen: %s',
      async (_, at, testCase) => {
        const [what, verb, request, status, body] = testCase;
        const table = `added_${at}`;
        const written = `SELECT count(*) FROM ${table} WHERE name = 'x' OR shade = 'x'`;
        await checkCase(db, engine, [what, `${verb} _table/${table}`, request, status, body, written, ['1']]);
      },
    );
  });

  it('a table that is dropped is unknown, and one made in its place is served', async () => {
    await aPaper();
    await db.sql('DROP TABLE paper');
    await db.sql('CREATE TABLE sheet (id integer PRIMARY KEY, name varchar(20))');
    untilItIsLookedAt();
    for (const path of ['paper/1', 'paper']) {
      const { error } = await get(path);
      expect(error).toEqual(itemError('Table "paper" does not exist in the database.', 404, 404));
    }
    expect(await get('sheet')).toEqual(wrapRecords());
    await db.sql('CREATE TABLE paper (no integer PRIMARY KEY)');
    untilItIsLookedAt();
    expect(await get('paper')).toEqual(wrapRecords());
  });

  it('a table re-created with other columns is read as it is now', async () => {
    await aPaper();
    await db.sql('DROP TABLE paper');
    await db.sql('CREATE TABLE paper (id varchar(9) PRIMARY KEY, title varchar(9))');
    await db.sql("INSERT INTO paper VALUES ('a', 'b')");
    expect(await get('paper')).toEqual(wrapRecords({ id: 'a', title: 'b' }));
    expect(await get('paper/a')).toEqual({ id: 'a', title: 'b' });
  });

  it('a column that is renamed goes by its new name', async () => {
    await aPaper();
    await db.sql('ALTER TABLE paper RENAME COLUMN odd TO even');
    expect(await get('paper/1')).toEqual({ id: 1, name: 'one', weight: 10, even: 'a' });
  });

  // A column of another type is none of SQLite's: the table is created again there.
  const retyped = {
    sqlite:
      "DROP TABLE paper; CREATE TABLE paper (id integer PRIMARY KEY, name varchar(20), weight varchar(20), odd varchar(20)); INSERT INTO paper VALUES (1, 'one', '10', 'a')",
    pgsql: 'ALTER TABLE paper ALTER COLUMN weight TYPE varchar(20)',
    mysql: 'ALTER TABLE paper MODIFY COLUMN weight varchar(20)',
  };
  it('a column of another type gives what is stored, soon in its new type', async () => {
    await aPaper();
    await db.sql(retyped[engine]);
    await db.sql("UPDATE paper SET weight = 'ten' WHERE id = 1");
    expect((await get('paper/1')).weight).toBe('ten');
    untilItIsLookedAt();
    await get('paper', { fields: 'whatever' });
    expect((await ask(db.service, 'GET _schema/paper/_field/weight')).body.type).toBe('string');
    expect((await ask(db.service, 'PATCH _table/paper/1', { body: { weight: 'eleven' } })).status).toBe(200);
  });
});
