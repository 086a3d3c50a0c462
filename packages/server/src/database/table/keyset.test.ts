import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, userWithAccess } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql(
      `create table step (a integer not null, b integer, c varchar(20), d decimal(8,2), e varchar(30) not null, primary key (a, e));`,
    );
    const rows = Array.from({ length: 60 }, (_, n) => {
      const c = n % 5 === 0 ? 'null' : `'${'xyz'[n % 3]}'`;
      return `(${n % 7}, ${n % 4 === 0 ? 'null' : n % 3}, ${c}, ${n % 6}.5, 'k${String(n).padStart(2, '0')}')`;
    });
    await db.sql(`insert into step values ${rows.join(', ')};`);
    const double = engine === 'pgsql' ? 'double precision' : 'double';
    const nonNumbers = { sqlite: ['9e999', '-9e999'], pgsql: ["'NaN'", "'-Infinity'", "'Infinity'"], mysql: [] }[
      engine
    ];
    const values = ['1e17', '9007199254740994', '0.1', 'null', ...nonNumbers].flatMap((value) => [value, value]);
    await db.sql(`create table size (e varchar(30) not null primary key, v ${double});
      insert into size values ${values.map((value, n) => `('k${n}', ${value})`).join(', ')};`);
    if (engine === 'mysql') await db.sql(`create table placed (e varchar(30) not null primary key, v enum('z', 'a'));`);
  }, 60_000);
  afterAll(() => db?.stop());

  async function pages(query: Record<string, string>, as?: ReturnType<typeof userWithAccess>, table = 'step') {
    const all: string[] = [];
    let after: string | undefined = '';
    for (let page = 0; after !== undefined; page += 1) {
      expect(page).toBeLessThan(80);
      const { status, body, text } = await ask(db.service, `GET _table/${table}`, {
        query: { ...query, after },
        ...(as ? { as } : {}),
      });
      expect(status, text).toBe(200);
      all.push(...body.resource.map((record: { e: string }) => record.e));
      after = body.meta?.after;
    }
    return all;
  }

  it.each([
    ['', '1'],
    ['', '7'],
    ['b', '7'],
    ['b desc', '7'],
    ['c desc, b', '4'],
    ['b nulls first, c nulls last', '9'],
    ['d, c desc nulls first', '11'],
    ['e desc', '60'],
  ])('order %j in pages of %s: every record once, in order', async (order, limit) => {
    const paged = await pages({ order, limit, fields: 'e' });
    expect(new Set(paged).size).toBe(60);
    expect(paged).toHaveLength(60);
    // The same in one page.
    expect(paged).toEqual(await pages({ order, limit: '1000', fields: 'e' }));
  });

  it.each([['v'], ['v desc']])('order %s of numbers that callers cannot express', async (order) => {
    const paged = await pages({ order, limit: '1', fields: 'e' }, undefined, 'size');
    expect(paged).toEqual(await pages({ order, limit: '100', fields: 'e' }, undefined, 'size'));
  });

  if (engine === 'mysql')
    it('refuses an enum, whose order is not that of its texts', async () => {
      const { status, body } = await ask(db.service, 'GET _table/placed', { query: { after: '', order: 'v' } });
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/after= needs an order/)]);
    });

  it('goes with a filter, a count and a record filter', async () => {
    const query = { filter: 'b = 1 or b is null', limit: '4', order: 'c', fields: 'e', include_count: 'true' };
    const paged = await pages(query);
    const { body } = await ask(db.service, 'GET _table/step', { query: { ...query, after: '' } });
    expect(body.meta.count).toBe(paged.length);
    expect(body.meta.next).toBeUndefined();
    const as = userWithAccess([
      { component: '_table/step/*', filters: [{ name: 'a', operator: '=', value: '3' }] },
      { component: '_table/step', filters: [{ name: 'a', operator: '=', value: '3' }] },
    ] as never);
    const pageValues = await pages({ limit: '2', order: 'b desc', fields: 'e' }, as);
    expect(pageValues.toSorted()).toEqual(await db.sql('select e from step where a = 3 order by e'));
  });

  it('holds when records before the place go', async () => {
    const first = await ask(db.service, 'GET _table/step', { query: { after: '', limit: '5', order: 'e' } });
    await db.sql("delete from step where e < 'k04'");
    const second = await ask(db.service, 'GET _table/step', {
      query: { after: first.body.meta.after, limit: '2', order: 'e' },
    });
    expect(second.body.resource.map((record: { e: string }) => record.e)).toEqual(['k05', 'k06']);
  });

  const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['no token', { after: 'x' }],
    ['one of another order', { after: token(['b asc ', '1']) }],
    ['one with other values', { after: token(['a asc ,e asc ', '"x"', '"y"']) }],
    ['one with null in the key', { after: token(['a asc ,e asc ', 'null', 'null']) }],
    ['one that is no list', { after: token({}) }],
    ['one that is too long', { after: 'x'.repeat(20_000) }],
    ['an offset', { after: '', offset: '5' }],
    ['a group', { after: '', group: 'a' }],
    ['a list', { after: '', as_list: 'true' }],
  ])('refuses %s', async (_what, query) => {
    expect((await ask(db.service, 'GET _table/step', { query })).status).toBe(400);
  });

  it('refuses a table without a key', async () => {
    const { body } = await ask(db.service, 'GET _table/loose', { query: { after: '' } });
    expect(body.error.message).toBe('Identifying field(s) could not be determined.');
  });

  it('goes with relations', async () => {
    await db.sql('insert into member (id, team_id) values (1, 1), (2, 1), (3, 2);');
    const query = { related: 'team_by_team_id', limit: '2', after: '', fields: 'id' };
    const { body } = await ask(db.service, 'GET _table/member', { query });
    expect(body.resource[0]).toEqual({ id: 1, team_id: 1, team_by_team_id: { id: 1, name: 'red' } });
    const next = await ask(db.service, 'GET _table/member', { query: { ...query, after: body.meta.after } });
    expect(next.body).toEqual({ resource: [{ id: 3, team_id: 2, team_by_team_id: { id: 2, name: 'blue' } }] });
  });
});
