import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { ask, type TestRequest } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, forEngine, onEachEngine, perEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  let small: Service;
  beforeAll(async () => {
    db = await fixture(engine);
    small = await db.open({ max_records: 2 });
  });
  afterAll(() => db?.stop());

  const ids = (...list: number[]) => ({ resource: list.map((id) => ({ id })) });
  const q = (query: Record<string, string>): TestRequest => ({ query });
  const onlyIds = (query: Record<string, string>): TestRequest => q({ fields: 'id', ...query });

  type Case = [what: string, line: string, request: TestRequest, status: number, body: unknown];

  const ann = {
    id: 1,
    name: 'Ann',
    email: 'ann@example.com',
    age: 30,
    big: '9007199254740993',
    price: 12.5,
    ratio: 0.5,
    active: true,
    born: '1990-01-31',
    photo: 'AP8Q',
    note: 'says "hi"',
    status: 'open',
  };

  describe('GET _table/{table}/{id}', () => {
    const cases: Case[] = [
      ['the bare record, every type as the contract has it', 'GET _table/contact/1', {}, 200, ann],
      [
        'nulls are null',
        'GET _table/contact/3',
        q({ fields: 'email,age,big,price,photo,note' }),
        200,
        { email: null, age: null, big: null, price: null, photo: null, note: null },
      ],
      ['empty text is not null', 'GET _table/contact/2', q({ fields: 'note' }), 200, { note: '' }],
      ['names in any case', 'GET _TABLE/Contact/1', q({ fields: 'ID,Name' }), 200, { id: 1, name: 'Ann' }],
      ['no fields is the id', 'GET _table/contact/2', q({ fields: '' }), 200, { id: 2 }],
      ['as_list is for lists', 'GET _table/team/1', q({ as_list: 'true' }), 200, { id: 1, name: 'red' }],
      ['a trailing slash', 'GET _table/contact/2/', q({ fields: 'id' }), 200, { id: 2 }],
      [
        'by another column',
        'GET _table/contact/ann@example.com',
        q({ id_field: 'email', fields: 'id' }),
        200,
        { id: 1 },
      ],
      ['a text key with a slash', 'GET _table/word/a/b', {}, 200, { key: 'a/b', meaning: 'slash' }],
      ['a text key with a quote', "GET _table/word/it's", {}, 200, { key: "it's", meaning: 'quote' }],
      [
        'a composite key by naming its columns in the body',
        'GET _table/Order Line',
        { body: { ids: [{ 'order no': 1, größe: 2 }] } },
        200,
        { resource: [{ 'order no': 1, Größe: 2, select: 'where', 'Ünï "code"': 'b' }] },
      ],
    ];
    it.each(cases)('%s', async (_, ...testCase) => {
      const [line, request, status, body] = forEngine(engine, testCase);
      const answer = await ask(db.service, line, request);
      expect(answer.body).toEqual(body);
      expect(answer.status).toBe(status);
    });

    const refused: [string, string, TestRequest, number, string][] = [
      ['unknown id', 'GET _table/contact/77', {}, 404, "Record with identifier '77' not found."],
      ['wrong type', 'GET _table/contact/abc', {}, 400, "Field 'id' must be a valid integer."],
      ['SQL as id', 'GET _table/contact/1 OR 1=1', {}, 400, "Field 'id' must be a valid integer."],
      ['SQL as text id', "GET _table/word/x' OR '1'='1", {}, 404, "Record with identifier 'x' OR '1'='1' not found."],
      ['unknown table', 'GET _table/nothing/1', {}, 404, 'Table "nothing" does not exist in the database.'],
      [
        'SQL as table',
        'GET _table/contact; DROP TABLE team/1',
        {},
        404,
        'Table "contact; DROP TABLE team" does not exist in the database.',
      ],
      ['no key', 'GET _table/loose/1', {}, 400, 'Identifying field(s) could not be determined.'],
      ['a view has no key', 'GET _table/grown/1', {}, 400, 'Identifying field(s) could not be determined.'],
      [
        'a composite key can not stand in the path',
        'GET _table/Order Line/1',
        {},
        400,
        'Required id field(s) not valid in request 0: 1',
      ],
      ['unknown field', 'GET _table/contact/1', q({ fields: 'id,foo' }), 400, 'Invalid field requested: foo'],
      ['unknown id_field', 'GET _table/contact/1', q({ id_field: 'foo' }), 400, 'Invalid field requested: foo'],
    ];
    it.each(refused)('refuses %s', async (_, line, request, status, message) => {
      const answer = await ask(db.service, line, request);
      expect(answer.body.error).toMatchObject({ message, status_code: status });
    });
  });

  describe('GET _table/{table}', () => {
    const cases: Case[] = [
      [
        'all, without meta',
        'GET _table/team',
        {},
        200,
        {
          resource: [
            { id: 1, name: 'red' },
            { id: 2, name: 'blue' },
          ],
        },
      ],
      [
        'fields in the order asked',
        'GET _table/contact',
        q({ fields: 'name,id', limit: '1' }),
        200,
        { resource: [{ name: 'Ann', id: 1 }] },
      ],
      ['select is fields', 'GET _table/contact', q({ select: 'id', top: '1' }), 200, ids(1)],
      ['filter', 'GET _table/contact', onlyIds({ filter: '(age > 17) and (active = true)' }), 200, ids(1, 4, 5)],
      [
        'filter without parentheses',
        'GET _table/contact',
        onlyIds({ where: 'age > 17 and active = yes or name = Bob' }),
        200,
        ids(1, 2, 4, 5),
      ],
      [
        'filter with parameters of the body',
        'GET _table/contact',
        { body: { filter: '(name = :n)', params: { ':n': 'Bob' }, fields: 'id' } },
        200,
        ids(2),
      ],
      [
        'the query wins over the body',
        'GET _table/contact',
        { query: { filter: 'id = 1' }, body: { filter: 'id = 2', fields: 'id' } },
        200,
        ids(1),
      ],
      [
        'parameters as JSON in the query',
        'GET _table/contact',
        onlyIds({ filter: 'name = :n', params: '{":n":"Cyd"}' }),
        200,
        ids(3),
      ],
      ['a filter that finds nothing', 'GET _table/contact', onlyIds({ filter: 'name = Nobody' }), 200, ids()],
      ['null and empty text are two things', 'GET _table/contact', onlyIds({ filter: "note = ''" }), 200, ids(2)],
      ['is null', 'GET _table/contact', onlyIds({ filter: 'note is null' }), 200, ids(3)],
      ['a 64-bit integer', 'GET _table/contact', onlyIds({ filter: 'big = 9007199254740993' }), 200, ids(1)],
      [
        'its neighbour is another number',
        'GET _table/contact',
        onlyIds({ filter: 'big = 9007199254740992' }),
        200,
        ids(),
      ],
      ['order', 'GET _table/contact', onlyIds({ order: 'name desc', limit: '2' }), 200, ids(5, 4)],
      ['order by two', 'GET _table/contact', onlyIds({ sort: 'active asc, id desc' }), 200, ids(2, 5, 4, 3, 1)],
      [
        "order by what may be null: where nulls come is the database's to say",
        'GET _table/contact',
        onlyIds({ order: 'age' }),
        200,
        perEngine({ sqlite: ids(3, 2, 5, 1, 4), pgsql: ids(2, 5, 1, 4, 3), mysql: ids(3, 2, 5, 1, 4) }),
      ],
      [
        "like: letter case is the database's to say",
        'GET _table/contact',
        onlyIds({ filter: "name like 'B%' or name like 'c%'" }),
        200,
        perEngine({ sqlite: ids(2, 3), pgsql: ids(2), mysql: ids(2, 3) }),
      ],
      [
        "equality: letter case is the column's to say",
        'GET _table/contact',
        onlyIds({ filter: 'name = bob' }),
        200,
        perEngine({ sqlite: ids(), pgsql: ids(), mysql: ids(2) }),
      ],
      [
        'contains, starts with, ends with',
        'GET _table/contact',
        onlyIds({ filter: "(email contains 'nn@') or (email starts with 'dee') or (note ends with '\"')" }),
        200,
        ids(1, 4),
      ],
      ['a date', 'GET _table/contact', onlyIds({ filter: "born > '1995-01-01'" }), 200, ids(4)],
      ['a decimal', 'GET _table/contact', onlyIds({ filter: 'price >= 3 and price < 12.51' }), 200, ids(1, 2)],
      ['offset', 'GET _table/contact', onlyIds({ limit: '2', offset: '3' }), 200, ids(4, 5)],
      ['skip is offset', 'GET _table/contact', onlyIds({ limit: '2', skip: '4' }), 200, ids(5)],
      [
        'group',
        'GET _table/contact',
        q({ fields: 'active', group: 'active', order: 'active' }),
        200,
        { resource: [{ active: false }, { active: true }] },
      ],
      ['count_only', 'GET _table/contact', q({ count_only: 'true', filter: 'age is not null' }), 200, 4],
      ['count_only of groups', 'GET _table/contact', q({ count_only: 'true', group: 'active' }), 200, 2],
      [
        'include_count with more',
        'GET _table/contact',
        onlyIds({ limit: '2', include_count: 'true' }),
        200,
        { ...ids(1, 2), meta: { count: 5, next: 2 } },
      ],
      [
        'include_count in the middle',
        'GET _table/contact',
        onlyIds({ limit: '2', offset: '2', include_count: '1' }),
        200,
        { ...ids(3, 4), meta: { count: 5, next: 4 } },
      ],
      [
        'include_count at the end',
        'GET _table/contact',
        onlyIds({ limit: '2', offset: '4', include_count: 'yes' }),
        200,
        { ...ids(5), meta: { count: 5 } },
      ],
      [
        'include_count past the end',
        'GET _table/contact',
        onlyIds({ limit: '2', offset: '9', include_count: 'yes' }),
        200,
        { ...ids(), meta: { count: 5 } },
      ],
      [
        'include_count counts what the filter finds',
        'GET _table/contact',
        onlyIds({ filter: 'active = false', include_count: 'true' }),
        200,
        { ...ids(2), meta: { count: 1 } },
      ],
      ['as_list takes the column name', 'GET _table/team', q({ as_list: 'true' }), 200, { resource: ['red', 'blue'] }],
      ['as_list of id_field', 'GET _table/team', q({ as_list: 'true', id_field: 'id' }), 200, { resource: [1, 2] }],
      [
        'as_list of several',
        'GET _table/Order Line',
        q({ as_list: 'true', id_field: 'order no,größe' }),
        200,
        { resource: ['(1,1)', '(1,2)', '(2,1)'] },
      ],
      [
        'abuse: as_list without a column name lists keys',
        'GET _table/sum',
        q({ as_list: 'true' }),
        200,
        { resource: [1] },
      ],
      [
        'abuse: as_list without a column name lists keys of several parts as ids are written',
        'GET _table/order line',
        q({ as_list: 'true', limit: '2' }),
        200,
        { resource: ['(1,1)', '(1,2)'] },
      ],
      [
        'abuse: as_list by ids without a column name lists keys',
        'GET _table/word',
        q({ as_list: 'true', ids: 'a/b,Alpha' }),
        200,
        { resource: ['a/b', 'Alpha'] },
      ],
      [
        'a table of strange names',
        'GET _table/order line',
        q({ filter: 'select = where', fields: 'größe,Ünï "code"' }),
        200,
        { resource: [{ Größe: 2, 'Ünï "code"': 'b' }] },
      ],
      [
        'ordering by strange names',
        'GET _table/Order Line',
        q({ order: 'order no desc', fields: 'order no', limit: '1' }),
        200,
        { resource: [{ 'order no': 2 }] },
      ],
      [
        'a view',
        'GET _table/grown',
        q({ fields: 'name', order: 'name' }),
        200,
        { resource: [{ name: 'Ann' }, { name: 'Dee' }, { name: 'Eve; DROP TABLE team' }] },
      ],
      [
        'a table without key',
        'GET _table/loose',
        {},
        200,
        {
          resource: [
            { a: 1, b: 'x' },
            { a: 1, b: 'x' },
            { a: 2, b: 'y' },
          ],
        },
      ],
      ['generated columns', 'GET _table/sum', q({ fields: 'total' }), 200, { resource: [{ total: 3 }] }],
      ['unknown relations are ignored', 'GET _table/team', q({ related: 'nothing', fields: 'id' }), 200, ids(1, 2)],
      ['user_id is a parameter', 'GET _table/contact', onlyIds({ filter: 'id = :user_id' }), 200, ids()],
      [
        'lookups are values',
        'GET _table/contact',
        onlyIds({ filter: '(name = {user.first_name}) or (id = 1)' }),
        200,
        ids(1),
      ],
    ];
    it.each(cases)('%s', async (_, ...testCase) => {
      const [line, request, status, body] = forEngine(engine, testCase);
      const answer = await ask(db.service, line, request);
      expect(answer.body).toEqual(body);
      expect(answer.status).toBe(status);
    });

    it('include_schema describes the table without aliases and access', async () => {
      const { body } = await ask(db.service, 'GET _table/contact', onlyIds({ limit: '1', include_schema: 'true' }));
      expect(Object.keys(body.meta)).toEqual(['schema']);
      const { schema } = body.meta;
      expect(Object.keys(schema).sort()).toEqual(
        [
          'name',
          'label',
          'description',
          'native',
          'plural',
          'is_view',
          'primary_key',
          'name_field',
          'field',
          'related',
          'constraints',
        ].sort(),
      );
      expect(schema.field[0]).toMatchObject({ name: 'id', type: 'id', is_primary_key: true });
      expect(schema.field[0]).not.toHaveProperty('alias');
    });

    const paged: Case[] = [
      [
        'without a limit the maximum, and meta tells of more',
        'GET _table/contact',
        onlyIds({}),
        200,
        { ...ids(1, 2), meta: { count: 5, next: 2 } },
      ],
      [
        'a limit past the maximum likewise',
        'GET _table/contact',
        onlyIds({ limit: '3' }),
        200,
        { ...ids(1, 2), meta: { count: 5, next: 2 } },
      ],
      [
        'a limit below one likewise',
        'GET _table/contact',
        onlyIds({ limit: '-1' }),
        200,
        { ...ids(1, 2), meta: { count: 5, next: 2 } },
      ],
      [
        'a limit that is no number likewise',
        'GET _table/contact',
        onlyIds({ limit: '1 OR 1' }),
        200,
        { ...ids(1, 2), meta: { count: 5, next: 2 } },
      ],
      ['the last page', 'GET _table/contact', onlyIds({ offset: '4' }), 200, { ...ids(5), meta: { count: 5 } }],
      ['past the end', 'GET _table/contact', onlyIds({ offset: '9' }), 200, { ...ids(), meta: { count: 5 } }],
      ['what fits has no meta', 'GET _table/contact', onlyIds({ filter: 'id < 3' }), 200, ids(1, 2)],
      ['a limit within range has none', 'GET _table/contact', onlyIds({ limit: '1' }), 200, ids(1)],
      [
        'what is no download is cut',
        'GET _table/contact',
        onlyIds({ file: 'all', limit: '9' }),
        200,
        { ...ids(1, 2), meta: { count: 5, next: 2 } },
      ],
      [
        'a download keeps to its own limit',
        'GET _table/contact',
        onlyIds({ file: 'x.csv', limit: '3' }),
        200,
        ids(1, 2, 3),
      ],
      [
        'a download is not cut at the maximum',
        'GET _table/contact',
        onlyIds({ file: 'all.csv' }),
        200,
        ids(1, 2, 3, 4, 5),
      ],
    ];
    it.each(paged)('max_records 2: %s', async (_, line, request, status, body) => {
      const answer = await ask(small, line, request);
      expect(answer.body).toEqual(body);
      expect(answer.status).toBe(status);
    });

    const refused: [string, string, TestRequest, string][] = [
      ['no operator', 'GET _table/contact', q({ filter: 'foo' }), 'Invalid or unparsable filter request.'],
      [
        'unknown filter field',
        'GET _table/contact',
        q({ filter: 'foo = 1' }),
        "Invalid or unparsable field in filter request: 'foo'",
      ],
      ['a tautology', 'GET _table/contact', q({ filter: '1=1' }), "Invalid or unparsable field in filter request: '1'"],
      [
        'wrong type in a filter',
        'GET _table/contact',
        q({ filter: 'age = old' }),
        "Field 'age' must be a valid integer.",
      ],
      [
        'lists without parentheses',
        'GET _table/contact',
        q({ filter: 'id in 1,2' }),
        'Filter value lists must be wrapped in parentheses.',
      ],
      [
        'SQL in order',
        'GET _table/contact',
        q({ order: 'id; DROP TABLE team' }),
        'Invalid order by clause in request.',
      ],
      [
        'unknown order field',
        'GET _table/contact',
        q({ order: '(select 1)' }),
        "Invalid field '(select' in order by clause.",
      ],
      [
        'SQL in group',
        'GET _table/contact',
        q({ group: 'id; DROP TABLE team' }),
        'Invalid group by clause in request.',
      ],
      [
        'SQL in fields',
        'GET _table/contact',
        q({ fields: 'id, (select sql from sqlite_master)' }),
        'Invalid field requested: (select sql from sqlite_master)',
      ],
      [
        'aggregates in fields',
        'GET _table/contact',
        q({ fields: 'SUM(price)' }),
        'Invalid field requested: SUM(price)',
      ],
      ['SQL in id_field', 'GET _table/contact', q({ id_field: 'id"--', ids: '1' }), 'Invalid field requested: id"--'],
      [
        'as_list without a column name or a key',
        'GET _table/loose',
        q({ as_list: 'true' }),
        'Invalid field requested: name',
      ],
      [
        'both modes',
        'GET _table/contact',
        q({ ids: '1', continue: 'true', rollback: 'true' }),
        'Rollback and continue operations can not be requested at the same time.',
      ],
      [
        'functions in filters',
        'GET _table/contact',
        q({ filter: "name = (load_extension('x'))" }),
        "The function 'load_extension('x')' is not allowed in a filter.",
      ],
    ];
    it.each(refused)('refuses %s', async (_, line, request, message) => {
      const answer = await ask(db.service, line, request);
      expect(answer.body.error).toMatchObject({ message, status_code: 400 });
    });

    it('executes nothing of what was sent', async () => {
      const evil = "x'; DROP TABLE team; --";
      const places = ['filter', 'order', 'group', 'fields', 'ids', 'id_field', 'limit', 'offset', 'params', 'related'];
      for (const place of places)
        for (const value of [evil, `name = '${evil}'`, `1); DELETE FROM team; --`, '"; DROP TABLE team; --'])
          expect((await ask(db.service, 'GET _table/team', q({ [place]: value }))).status).toBeLessThan(405);
      expect(await db.sql('SELECT count(*) FROM team')).toEqual(['2']);
    });
  });
});
