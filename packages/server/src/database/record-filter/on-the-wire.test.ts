// Record filters of roles on the wire (contract/role-access.md §5): which rows of service access are chosen, what their
// conditions leave of a table, and that no operation goes around them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccessRow } from '../../access/decide.ts';
import type { Caller } from '../../call/call.ts';
import { admin, ask, userWithAccess } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine, operationsOf } from '../fixture/index.ts';
import { batchError, type Case, checkCase, itemError, wrapRecords } from '../fixture/write.fixture.ts';

const condition = (name: string, operator: string, value?: unknown) => ({ name, operator, value });
const userWithFilters = (filters: unknown[], filterOp = 'AND', lookups?: Record<string, string>): Caller =>
  userWithAccess([{ filters, filterOp }], lookups);

/** Sees Ann (1), Dee (4) and Eve (5); Bob is 17 and Cyd of no age. */
const grown = userWithFilters([condition('AGE', '>=', '18')]);
const denied = itemError('Denied access to some of the requested fields.', 403, 403);
const missing = (id: string) => itemError(`Record with identifier '${id}' not found.`, 404, 404);
const alone = (inner: ReturnType<typeof itemError>) => ({ error: inner });

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  const visible = async (as: Caller, query: Record<string, string> = {}) => {
    const { body } = await ask(db.service, 'GET _table/contact', {
      as,
      query: { fields: 'id', order: 'id', ...query },
    });
    return body.resource?.map(({ id }: { id: number }) => id) ?? body.error;
  };
  const names = 'SELECT name FROM contact ORDER BY id';
  const untouched = ['Ann', 'Bob', 'Cyd', 'Dee', 'Eve; DROP TABLE team'];

  describe('which records a condition leaves', () => {
    it.each<[string, unknown, number[]]>([
      ['=', '18', [5]],
      ['=', "'18'", [5]],
      ['!=', '18', [1, 2, 4]],
      ['>', '18', [1, 4]],
      ['<', '18', [2]],
      ['>=', '18', [1, 4, 5]],
      ['<=', '18', [2, 5]],
      ['in', '(17, 18)', [2, 5]],
      ['IN', '17,18', [2, 5]],
      ['not in', [17, 18], [1, 4]],
      ['is null', '', [3]],
      ['IS NOT NULL', undefined, [1, 2, 4, 5]],
      ['=', 'null', [3]],
      ['!=', null, [1, 2, 4, 5]],
      ['>', 'null', []],
      ['=', '{years}', [1]],
    ])('age %s %j', async (operator, value, ids) =>
      expect(await visible(userWithFilters([condition('age', operator, value)], 'AND', { years: '30' }))).toEqual(ids),
    );

    it.each<[string, string, unknown, number[]]>([
      ['name', 'starts with', 'An', [1]],
      ['name', 'contains', 'e', [4, 5]],
      ['name', 'ends with', '"b"', [2]],
      ['name', 'in', "Ann,'Dee'", [1, 4]],
      ['name', '=', '{first}', [1]],
      ['note', 'contains', '{braces}', [4]],
      ['note', '=', '{quote}', [5]],
      ['name', '=', '{ghost}', []],
      ['name', '=', '{injection}', []],
      ['active', '=', 'false', [2]],
      ['active', '=', 'NO', [2]],
      ['active', '=', '{ghost}', []],
      ['active', '!=', '{ghost}', []],
      ['price', '=', '12.50', [1]],
      ['price', '<', '3', [4, 5]],
      ['big', '=', '9007199254740993', [1]],
      ['ratio', '=', '0.5', [1]],
      ['born', '>=', '2000-01-01', [4]],
      ['name', '=', '(email)', []],
      ['born', '<', '(NOW())', [1, 4]],
    ])('%s %s %j', async (name, operator, value, ids) => {
      const lookups = { first: 'Ann', braces: '{b}', quote: "x'y", injection: "x') or (1=1" };
      expect(await visible(userWithFilters([condition(name, operator, value)], 'AND', lookups))).toEqual(ids);
    });

    it.each(['=', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'contains'])(
      'none where nobody knows the lookup: %s',
      async (operator) => {
        for (const name of ['born', 'name', 'active', 'ratio', 'age']) {
          const as = userWithFilters([condition(name, operator, '{ghost}')]);
          const list = await ask(db.service, 'GET _table/contact', { as });
          const isNumber = name === 'ratio' || name === 'age';
          // A day that is none is PostgreSQL's to refuse, a pattern for truth values ours.
          expect(list.status === 400 || (!isNumber && list.text === '{"resource":[]}'), `${name} ${list.text}`).toBe(
            true,
          );
          const change = await ask(db.service, 'PATCH _table/contact/1', { as, body: { [name]: null } });
          expect(change.status, name).toBeGreaterThanOrEqual(400);
        }
        expect(await db.sql(names)).toEqual(untouched);
      },
    );

    it('joins conditions by filter_op (ROL-017)', async () => {
      const two = [condition('age', '>', '18'), condition('name', 'starts with', 'D')];
      expect(await visible(userWithFilters(two))).toEqual([4]);
      expect(await visible(userWithFilters([...two, condition('age', '=', '17')], 'or'))).toEqual([1, 2, 4]);
    });

    it('keeps wildcards of lookups from being any', async () => {
      await db.sql("UPDATE contact SET note = '50%' WHERE id = 3; UPDATE contact SET note = 'a|_b' WHERE id = 4");
      const findIds = (operator: string, value: string, mine: string) =>
        visible(userWithFilters([condition('note', operator, value)], 'AND', { mine }));
      expect(await findIds('starts with', '{mine}', '%')).toEqual([]);
      expect(await findIds('contains', '{mine}', '_')).toEqual([4]);
      expect(await findIds('contains', '{mine}', '|_')).toEqual([4]);
      expect(await findIds('ends with', '{mine}', '%')).toEqual([3]);
      expect(await findIds('starts with', '_0{mine}', '%')).toEqual([3]);
      expect(await findIds('contains', '{mine}', '\\')).toEqual([]);
    });

    it.each<[string, unknown[], number, string]>([
      ['no operator', [{ name: 'age' }], 500, 'Invalid server-side filter configuration detected.'],
      ['no list', ['age'], 500, 'Invalid server-side filter configuration detected.'],
      ['an unknown field', [condition('foo', '=', 1)], 400, "Invalid or unparsable field in filter request: 'foo'"],
      ['a text for a number', [condition('age', '=', '{x}')], 400, "Field 'age' must be a valid integer."],
      ['a text for a bigint', [condition('big', '=', '{x}')], 400, "Field 'big' must be a valid integer."],
    ])('refuses %s on every verb', async (_, filters, status, message) => {
      const as = userWithFilters(filters);
      for (const [line, body] of [
        ['GET _table/contact'],
        ['GET _table/contact/1'],
        ['POST _table/contact', wrapRecords({ name: 'x' })],
        ['PATCH _table/contact/1', { note: 'x' }],
        ['DELETE _table/contact/1'],
      ] as const) {
        const answer = await ask(db.service, line, { as, body });
        expect([answer.status, answer.failure?.message]).toEqual([status, message]);
      }
      expect(await db.sql(names)).toEqual(untouched);
    });
  });

  describe('which row of service access is chosen', () => {
    const idCondition = (id: number) => [condition('id', '=', id)];
    it.each<[string, Partial<AccessRow>[], unknown]>([
      [
        'exact beats wildcard',
        [{ component: '_table/contact', filters: idCondition(1) }, { filters: idCondition(2) }],
        [1],
      ],
      ['the last of a class alone', [{ filters: idCondition(1) }, { filters: idCondition(2) }], [2]],
      ['none of a row without', [{ filters: idCondition(1) }, { filters: null }], [1, 2, 3, 4, 5]],
      [
        'only of rows that grant the verb',
        [{ filters: idCondition(1) }, { verbMask: 2, filters: idCondition(2) }],
        [1],
      ],
      ['not of rows for scripts', [{ filters: idCondition(1) }, { requestorMask: 2, filters: idCondition(2) }], [1]],
      ['not of rows for all services', [{ service: null, component: '*', filters: idCondition(1) }], [1, 2, 3, 4, 5]],
      ['the plain * counts', [{ component: '*', filters: idCondition(3) }], [3]],
      [
        'another table, another filter',
        [{ filters: idCondition(4) }, { component: '_table/team', filters: idCondition(1) }],
        [4],
      ],
    ])('%s', async (_, rows, ids) => {
      expect(await visible(userWithAccess(rows))).toEqual(ids);
    });

    it('the id is no part of it, nor are letter case and slashes', async () => {
      const as = userWithAccess([
        { component: '_table/contact', filters: idCondition(1) },
        { filters: idCondition(2) },
      ]);
      for (const path of ['_table/contact/1', '_TABLE/Contact/1', '_table/contact/1/'])
        expect((await ask(db.service, `GET ${path}`, { as })).status, path).toBe(200);
      for (const path of ['_table/contact/2', '_TABLE/Contact/2', '_table/contact/2/'])
        expect((await ask(db.service, `GET ${path}`, { as })).status, path).toBe(404);
    });

    it('counts where access by id comes from a row for all services', async () => {
      const as = userWithAccess([
        { component: '_table/contact', filters: idCondition(1) },
        { service: null, component: '*' },
      ]);
      const { status, failure } = await ask(db.service, 'GET _table/contact/2', { as });
      expect([status, failure?.key]).toEqual([404, 'record.notFound']);
      expect((await ask(db.service, 'GET _table/contact/1', { as })).status).toBe(200);
    });

    it('an administrator has none', async () => {
      expect(await visible({ ...admin, role: grown.role })).toEqual([1, 2, 3, 4, 5]);
    });
  });

  // Every operation on records in every form, with the answer for a caller to whom Bob and Cyd do not exist.
  const cases: Record<string, Case[]> = {
    'GET _table/{table_name}': [
      ['a list', 'GET _table/contact', { query: { fields: 'id' } }, 200, wrapRecords({ id: 1 }, { id: 4 }, { id: 5 })],
      [
        'a filter of the caller can not widen it',
        'GET _table/contact',
        { query: { fields: 'id', filter: '(age < 20) or (id > 0) or (age is null)' } },
        200,
        wrapRecords({ id: 1 }, { id: 4 }, { id: 5 }),
      ],
      ['nor can NOT', 'GET _table/contact', { query: { fields: 'id', filter: 'not (age >= 18)' } }, 200, wrapRecords()],
      ['a count', 'GET _table/contact', { query: { count_only: 'true' } }, 200, 3],
      [
        'a count of groups',
        'GET _table/contact',
        { query: { count_only: 'true', group: 'active', filter: 'id > 0' } },
        200,
        1,
      ],
      [
        'groups',
        'GET _table/contact',
        { query: { fields: 'active', group: 'active', include_count: 'true' } },
        200,
        { resource: [{ active: true }], meta: { count: 1 } },
      ],
      [
        'pages',
        'GET _table/contact',
        { query: { fields: 'id', limit: '2', include_count: 'true', order: 'age desc' } },
        200,
        { resource: [{ id: 4 }, { id: 1 }], meta: { count: 3, next: 2 } },
      ],
      [
        'the last page has no next',
        'GET _table/contact',
        { query: { fields: 'id', limit: '2', offset: '2', include_count: 'true', order: 'age desc' } },
        200,
        { resource: [{ id: 5 }], meta: { count: 3 } },
      ],
      [
        'a list of names',
        'GET _table/contact',
        { query: { as_list: 'true' } },
        200,
        wrapRecords('Ann', 'Dee', untouched[4]),
      ],
      [
        'a download',
        'GET _table/contact',
        { query: { file: 'a.json', fields: 'name' } },
        200,
        wrapRecords({ name: 'Ann' }, { name: 'Dee' }, { name: untouched[4] }),
      ],
      [
        'by ids',
        'GET _table/contact',
        { query: { ids: '5,1', fields: 'name' } },
        200,
        wrapRecords({ name: untouched[4] }, { name: 'Ann' }),
      ],
      [
        'by ids of which one is hidden',
        'GET _table/contact',
        { query: { ids: '1,2', fields: 'id' } },
        400,
        batchError('retrieved', [1], [{ id: 1 }, missing('2')]),
      ],
      [
        'by ids, all of them',
        'GET _table/contact',
        { query: { ids: '2,99,4', fields: 'id', continue: 'true' } },
        400,
        batchError('retrieved', [0, 1], [missing('2'), missing('99'), { id: 4 }]),
      ],
      [
        'by the records of a body',
        'GET _table/contact',
        { body: wrapRecords({ id: 3 }), query: { fields: 'id' } },
        400,
        batchError('retrieved', [0], [missing('3')]),
      ],
      [
        'by another field',
        'GET _table/contact',
        { query: { ids: 'Bob', id_field: 'name', fields: 'id' } },
        400,
        batchError('retrieved', [0], [missing('Bob')]),
      ],
    ],
    'GET _table/{table_name}/{id}': [
      ['one', 'GET _table/contact/1', { query: { fields: 'name' } }, 200, { name: 'Ann' }],
      ['a hidden one', 'GET _table/contact/2', {}, 404, alone(missing('2'))],
      ['one that is not there', 'GET _table/contact/99', {}, 404, alone(missing('99'))],
      [
        'a hidden one by another field',
        'GET _table/contact/Bob',
        { query: { id_field: 'name' } },
        404,
        alone(missing('Bob')),
      ],
    ],
    'POST _table/{table_name}': [
      [
        'one that passes',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Fay', age: 18 }) },
        200,
        wrapRecords({ id: 6 }),
        names,
        [...untouched, 'Fay'],
      ],
      [
        'one that does not',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Fay', age: 17 }) },
        400,
        batchError('created', [0], [denied]),
        names,
        untouched,
      ],
      [
        'one without the field',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Fay' }) },
        400,
        batchError('created', [0], [denied]),
        names,
        untouched,
      ],
      [
        'one with null',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Fay', age: null }) },
        400,
        batchError('created', [0], [denied]),
        names,
        untouched,
      ],
      [
        'one of several',
        'POST _table/contact',
        {
          body: wrapRecords({ name: 'Fay', age: 20 }, { name: 'Gus', age: 3 }, { name: 'Hal', age: 20 }),
          query: { continue: 'true' },
        },
        400,
        batchError('created', [1], [{ id: 6 }, denied, { id: 7 }]),
        names,
        [...untouched, 'Fay', 'Hal'],
      ],
      [
        'all or none',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Fay', age: 20 }, { name: 'Gus', age: 3 }), query: { rollback: 'true' } },
        400,
        batchError('created', [1], [{ id: 6 }, denied], ' All changes rolled back.'),
        names,
        untouched,
      ],
      [
        'shown as it is',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Fay', AGE: '21' }), query: { fields: 'name,age,status' } },
        200,
        wrapRecords({ name: 'Fay', age: 21, status: 'open' }),
      ],
    ],
  };
  for (const verb of ['PUT', 'PATCH']) {
    cases[`${verb} _table/{table_name}`] = [
      [
        'records',
        `${verb} _table/contact`,
        { body: wrapRecords({ id: 1, name: 'A' }, { id: 2, name: 'B' }), query: { continue: 'true' } },
        400,
        batchError('updated', [1], [{ id: 1 }, missing('2')]),
        names,
        ['A', ...untouched.slice(1)],
      ],
      [
        'ids',
        `${verb} _table/contact`,
        { body: wrapRecords({ name: 'X' }), query: { ids: '3,1', continue: 'true' } },
        400,
        batchError('updated', [0], [missing('3'), { id: 1 }]),
        names,
        ['X', ...untouched.slice(1)],
      ],
      [
        'a filter',
        `${verb} _table/contact`,
        { body: wrapRecords({ note: 'n' }), query: { filter: 'id < 5' } },
        200,
        wrapRecords({ id: 1 }, { id: 4 }),
        "SELECT id FROM contact WHERE note = 'n' ORDER BY id",
        ['1', '4'],
      ],
      [
        'a filter that finds hidden ones only',
        `${verb} _table/contact`,
        { body: wrapRecords({ note: 'n' }), query: { filter: 'age < 18' } },
        200,
        wrapRecords(),
      ],
      [
        'a value that would hide them',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 3 }), query: { filter: 'id < 5' } },
        403,
        alone(denied),
        'SELECT age FROM contact ORDER BY id',
        ['30', '17', null, '44', '18'],
      ],
      [
        'a value that would hide one',
        `${verb} _table/contact`,
        { body: wrapRecords({ id: 1, age: 3 }, { id: 4, age: 50 }), query: { continue: 'true' } },
        400,
        batchError('updated', [0], [denied, { id: 4 }]),
        'SELECT age FROM contact ORDER BY id',
        ['30', '17', null, '50', '18'],
      ],
    ];
    cases[`${verb} _table/{table_name}/{id}`] = [
      ['one', `${verb} _table/contact/1`, { body: { name: 'A' } }, 200, { id: 1 }, names, ['A', ...untouched.slice(1)]],
      ['a hidden one', `${verb} _table/contact/2`, { body: { name: 'B' } }, 404, alone(missing('2')), names, untouched],
      [
        'a hidden one with nothing to change',
        `${verb} _table/contact/2`,
        { body: { foo: 1 } },
        404,
        alone(missing('2')),
      ],
      [
        'a hidden one that would pass then',
        `${verb} _table/contact/2`,
        { body: { age: 20 }, query: { fields: '*' } },
        404,
        alone(missing('2')),
        'SELECT age FROM contact WHERE id = 2',
        ['17'],
      ],
      ['a value that would hide it', `${verb} _table/contact/1`, { body: { age: 3 } }, 403, alone(denied)],
      ['null would, too', `${verb} _table/contact/1`, { body: { age: null } }, 403, alone(denied)],
      ['the same of a hidden one, and of none', `${verb} _table/contact/2`, { body: { age: 3 } }, 403, alone(denied)],
      [
        'a value that passes',
        `${verb} _table/contact/1`,
        { body: { age: 99 }, query: { fields: 'age' } },
        200,
        { age: 99 },
      ],
    ];
  }
  cases['DELETE _table/{table_name}'] = [
    [
      'ids',
      'DELETE _table/contact',
      { query: { ids: '2,1', continue: 'true' } },
      400,
      batchError('deleted', [0], [missing('2'), { id: 1 }]),
      names,
      untouched.slice(1),
    ],
    [
      'records',
      'DELETE _table/contact',
      { body: wrapRecords({ id: 3 }) },
      400,
      batchError('deleted', [0], [missing('3')]),
      names,
      untouched,
    ],
    [
      'a filter',
      'DELETE _table/contact',
      { query: { filter: 'id > 0', fields: 'name' } },
      200,
      wrapRecords({ name: 'Ann' }, { name: 'Dee' }, { name: untouched[4] }),
      names,
      ['Bob', 'Cyd'],
    ],
    ['force', 'DELETE _table/contact', { query: { force: 'true' } }, 200, { success: true }, names, ['Bob', 'Cyd']],
  ];
  cases['DELETE _table/{table_name}/{id}'] = [
    ['one', 'DELETE _table/contact/1', { query: { fields: 'name' } }, 200, { name: 'Ann' }, names, untouched.slice(1)],
    ['a hidden one', 'DELETE _table/contact/2', { query: { fields: '*' } }, 404, alone(missing('2')), names, untouched],
  ];

  describe.each(Object.entries(cases))('%s', (_, some) => {
    it.each(some)('%s', async (...testCase) => {
      const [what, line, request, ...rest] = testCase;
      await checkCase(db, engine, [what, line, { ...request, as: grown }, ...rest]);
    });
  });

  it('says of every operation on records what a filter does to it', () => {
    const onRecords = operationsOf(engine).filter(({ path }) => path.startsWith('_table/'));
    expect(Object.keys(cases).sort()).toEqual(onRecords.map(({ verb, path }) => `${verb} ${path}`).sort());
  });

  describe('the values of new and changed records', () => {
    const either = [condition('age', '=', '18'), condition('status', '=', 'mine')];
    it.each<[string, unknown[], string, Record<string, unknown>, number]>([
      ['one of several', either, 'OR', { age: 18, status: 'x' }, 200],
      ['none of several', either, 'OR', { age: 19, status: 'x' }, 403],
      ['all of several', either, 'AND', { age: 18, status: 'mine' }, 200],
      ['not all', either, 'AND', { age: 18, status: 'x' }, 403],
      ['another letter case', [condition('status', '=', 'mine')], 'AND', { status: 'MINE' }, 403],
      ['a blank at the end', [condition('status', '=', "'mine '")], 'AND', { status: 'mine ' }, 403],
      ['different but for the case', [condition('status', '!=', 'mine')], 'AND', { status: 'MINE' }, 403],
      ['different', [condition('status', '!=', 'mine')], 'AND', { status: 'yours' }, 200],
      ['a default nobody knows', [condition('status', 'is null')], 'AND', {}, 403],
      ['a key the database counts', [condition('id', '>', '0')], 'AND', {}, 403],
      ['null where nothing is sent', [condition('note', 'is null')], 'AND', {}, 200],
      ['texts that sort by rules of the database', [condition('status', '>', 'a')], 'AND', { status: 'b' }, 403],
      ['digits that are rounded away', [condition('price', '<', '10')], 'AND', { price: '9.999' }, 403],
      ['exact digits', [condition('price', '<', '10')], 'AND', { price: '9.99' }, 200],
      ['a day', [condition('born', '>=', '2000-01-01')], 'AND', { born: '2000-01-01' }, 200],
      ['a day written otherwise', [condition('born', '>=', '2000-01-01')], 'AND', { born: '2000-1-2' }, 403],
      [
        'a moment of the database',
        [condition('born', '<', '2100-01-01')],
        'AND',
        { born: { expression: 'NOW()' } },
        403,
      ],
      ['a lookup', [condition('note', '=', '{user.email}')], 'AND', { note: '{user.email}' }, 200],
      ['somebody else', [condition('note', '=', '{user.email}')], 'AND', { note: 'eve@example.com' }, 403],
      ['a truth value', [condition('active', '=', 'true')], 'AND', { active: '1' }, 200],
      ['another truth value', [condition('active', '=', 'true')], 'AND', { active: false }, 403],
    ])('%s', async (_, filters, filterOp, record, status) => {
      const as = userWithFilters(filters, filterOp);
      const body = wrapRecords({ name: 'New', ...record });
      const { body: created } = await ask(db.service, 'POST _table/contact', { as, body });
      const item = created.error ? created.error.context.resource[0] : created.resource[0];
      expect(item.status_code ?? 200).toBe(status);
      // A caller can see what passed their filter.
      if (status === 200) expect((await ask(db.service, `GET _table/contact/${item.id}`, { as })).status).toBe(200);
      else expect(await db.sql("SELECT count(*) FROM contact WHERE name = 'New'")).toEqual(['0']);
    });

    it('tests of a change only what is changed, and refuses it when none of several passes', async () => {
      const as = userWithFilters([condition('age', '=', '30'), condition('status', '=', 'mine')], 'OR');
      const patch = async (body: Record<string, unknown>) =>
        (await ask(db.service, 'PATCH _table/contact/1', { as, body })).status;
      expect(await patch({ note: 'x' })).toBe(200);
      expect(await patch({ status: 'yours' })).toBe(403);
      expect(await patch({ age: 31, status: 'yours' })).toBe(403);
      expect(await patch({ age: 31, status: 'mine' })).toBe(200);
      expect(await patch({ note: 'y' })).toBe(200);
    });
  });

  describe('an upsert', () => {
    it('neither changes nor shows a hidden record', async () => {
      const service = await db.open({ allow_upsert: true });
      const put = (id: number, body: Record<string, unknown>) =>
        ask(service, `PUT _table/contact/${id}`, { as: grown, body, query: { fields: '*' } });
      const hidden = await put(2, { name: 'B', age: 20 });
      expect(hidden.status).toBe(400);
      expect(hidden.text).not.toContain('bob@example.com');
      expect((await put(2, { name: 'B', age: 3 })).body).toEqual(alone(denied));
      expect((await put(77, { name: 'B', age: 3 })).body).toEqual(alone(denied));
      expect((await put(77, { name: 'B' })).body).toEqual(alone(denied));
      expect(await db.sql(names)).toEqual(untouched);
      expect((await put(77, { name: 'New', age: 20 })).body).toMatchObject({ id: 77, name: 'New' });
    });
  });

  describe('kept answers', () => {
    it('are given to nobody who sees other records', async () => {
      const service = await db.open({ cache_enabled: true, cache_ttl: 5 });
      const count = async (as: Caller, query: Record<string, string> = {}) =>
        (await ask(service, 'GET _table/contact', { as, query: { count_only: 'true', ...query } })).body;
      expect(await count(grown)).toBe(3);
      expect(await count(userWithFilters([condition('age', '<', '18')]))).toBe(1);
      const ownRecords = (name: string) => userWithFilters([condition('name', '=', '{me}')], 'AND', { me: name });
      expect([
        await count(ownRecords('Ann')),
        await count(ownRecords('nobody')),
        await count(ownRecords('Ann')),
      ]).toEqual([1, 0, 1]);
      const userNamed = (name: string) => userWithAccess([{}], { me: name });
      const filter = { filter: 'name = {me}' };
      expect([await count(userNamed('Ann'), filter), await count(userNamed('nobody'), filter)]).toEqual([1, 0]);
      expect(await count(userWithAccess([{}]))).toBe(5);
    });
  });

  it('shows nothing of hidden records in the order of those that are seen, in groups or in errors', async () => {
    const as = userWithFilters([condition('age', '=', '30')]);
    for (const query of [
      { order: 'age' },
      { order: 'age desc', offset: '1' },
      { group: 'age', fields: 'age' },
      { filter: "name = 'Bob'", include_count: 'true' },
      { filter: 'price > 100', include_count: 'true' },
    ] as Record<string, string>[]) {
      const { text } = await ask(db.service, 'GET _table/contact', { as, query });
      expect(text).not.toMatch(/Bob|17|Dee|44/);
    }
  });
});
