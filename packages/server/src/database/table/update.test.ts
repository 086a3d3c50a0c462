import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine, perEngine } from '../fixture/index.ts';
import { batchError, type Case, checkCase, itemError, noRecords, wrapRecords } from '../fixture/write.fixture.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  describe.each(['PUT', 'PATCH'])('%s', (verb) => {
    const ages = 'SELECT age FROM contact ORDER BY id';
    const before = ['30', '17', null, '44', '18'];
    const cases: Case[] = [
      [
        'one by its path answers the bare id',
        `${verb} _table/contact/2`,
        { body: { age: 20 } },
        200,
        { id: 2 },
        ages,
        ['30', '20', null, '44', '18'],
      ],
      [
        'leaves what was not sent',
        `${verb} _table/contact/1`,
        { body: { note: null }, query: { fields: 'name,age,note' } },
        200,
        { name: 'Ann', age: 30, note: null },
      ],
      [
        'the id of the path counts, not one of the body',
        `${verb} _table/contact/2`,
        { body: { id: 4, age: 20 } },
        200,
        { id: 2 },
        ages,
        ['30', '20', null, '44', '18'],
      ],
      [
        'a wrapped record on a path',
        `${verb} _table/contact/2`,
        { body: { resource: [{ age: 20 }] } },
        200,
        { id: 2 },
        ages,
        ['30', '20', null, '44', '18'],
      ],
      [
        'only unknown keys changes nothing',
        `${verb} _table/contact/2`,
        { body: { foo: 1 } },
        200,
        { id: 2 },
        ages,
        before,
      ],
      [
        'only unknown keys of a missing record',
        `${verb} _table/contact/77`,
        { body: { foo: 1 } },
        404,
        { error: itemError("Record with identifier '77' not found.", 404, 404) },
      ],
      [
        'an empty body',
        `${verb} _table/contact/2`,
        { body: {} },
        400,
        { error: itemError('The request contains no valid record fields.') },
      ],
      [
        'a missing record',
        `${verb} _table/contact/77`,
        { body: { age: 1 } },
        404,
        { error: itemError("Record with identifier '77' not found.", 404, 404) },
      ],
      [
        'a wrong value is a plain 400',
        `${verb} _table/contact/2`,
        { body: { age: 'x' } },
        400,
        { error: itemError("Field 'age' must be a valid integer.") },
      ],
      [
        'null where it may not be',
        `${verb} _table/contact/2`,
        { body: { name: null } },
        400,
        { error: itemError("Field 'name' can not be NULL.") },
      ],
      [
        'by another column',
        `${verb} _table/contact/bob@example.com`,
        { body: { age: 20 }, query: { id_field: 'email' } },
        200,
        { email: 'bob@example.com' },
        ages,
        ['30', '20', null, '44', '18'],
      ],
      [
        'SQL as id',
        `${verb} _table/contact/2 OR 1=1`,
        { body: { age: 1 } },
        400,
        { error: itemError("Field 'id' must be a valid integer.") },
        ages,
        before,
      ],
      [
        'records with their ids',
        `${verb} _table/contact`,
        { body: wrapRecords({ id: 2, age: 1 }, { ID: '1', age: 2 }) },
        200,
        wrapRecords({ id: 2 }, { id: 1 }),
        ages,
        ['2', '1', null, '44', '18'],
      ],
      [
        'composite keys',
        `${verb} _table/Order Line`,
        { body: wrapRecords({ 'order no': 1, größe: 2, select: 'new' }), query: { fields: '*' } },
        200,
        wrapRecords({ 'order no': 1, Größe: 2, select: 'new', 'Ünï "code"': 'b' }),
        'SELECT "select" FROM "Order Line" ORDER BY "order no", "Größe"',
        ['from', 'new', 'group'],
      ],
      [
        'a record without id',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 1 }) },
        400,
        batchError('updated', [0], [itemError('Required id field(s) not found in record 0')]),
        ages,
        before,
      ],
      [
        'one record over several ids',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 9 }), query: { ids: '4,2' } },
        200,
        wrapRecords({ id: 4 }, { id: 2 }),
        ages,
        ['30', '9', null, '9', '18'],
      ],
      [
        'ids of the body',
        `${verb} _table/contact`,
        { body: { resource: [{ age: 9 }], ids: [5] } },
        200,
        wrapRecords({ id: 5 }),
        ages,
        ['30', '17', null, '44', '9'],
      ],
      [
        'composite ids of the body',
        `${verb} _table/Order Line`,
        { body: { resource: [{ select: 'new' }], ids: [{ 'order no': 2, größe: 1 }] } },
        200,
        wrapRecords({ 'order no': 2, Größe: 1 }),
      ],
      [
        'by filter, all in one',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 50 }), query: { filter: 'age > 20' } },
        200,
        wrapRecords({ id: 1 }, { id: 4 }),
        ages,
        ['50', '17', null, '50', '18'],
      ],
      [
        'by filter answers the rows that no longer match',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 1 }), query: { filter: 'age > 20', fields: 'id,age' } },
        200,
        wrapRecords({ id: 1, age: 1 }, { id: 4, age: 1 }),
      ],
      [
        'by filter without a match',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 1 }), query: { filter: 'age > 99' } },
        200,
        wrapRecords(),
        ages,
        before,
      ],
      [
        'by filter with nothing known to change',
        `${verb} _table/contact`,
        { body: wrapRecords({ foo: 1 }), query: { filter: 'age > 20' } },
        200,
        wrapRecords({ id: 1 }, { id: 4 }),
        ages,
        before,
      ],
      [
        'an id is never changed',
        `${verb} _table/contact`,
        { body: wrapRecords({ id: 90, age: 1 }), query: { filter: 'id = 1' } },
        200,
        wrapRecords({ id: 1 }),
        'SELECT age FROM contact WHERE id = 1',
        ['1'],
      ],
      [
        'a blank filter is no filter',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 1 }), query: { filter: ' ' } },
        400,
        batchError('updated', [0], [itemError('Required id field(s) not found in record 0')]),
        ages,
        before,
      ],
      [
        'a wrong filter',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 1 }), query: { filter: '1=1' } },
        400,
        { error: itemError("Invalid or unparsable field in filter request: '1'") },
        ages,
        before,
      ],
      [
        'no records',
        `${verb} _table/contact`,
        { body: { age: 1 } },
        400,
        { error: itemError(noRecords) },
        ages,
        before,
      ],
      [
        // PostgreSQL and MariaDB write through a view on one table; it has no key to be answered by.
        'a view',
        `${verb} _table/grown`,
        { body: wrapRecords({ name: 'x' }), query: { filter: 'id = 1' } },
        perEngine({ sqlite: 400, pgsql: 200, mysql: 200 }),
        perEngine({
          sqlite: { error: itemError('cannot modify grown because it is a view', 1) },
          pgsql: wrapRecords({}),
          mysql: wrapRecords({}),
        }),
        'SELECT name FROM contact WHERE id = 1',
        perEngine({ sqlite: ['Ann'], pgsql: ['x'], mysql: ['x'] }),
      ],
      [
        '64-bit integers',
        `${verb} _table/contact/2`,
        { body: { big: '-9223372036854775808' }, query: { fields: 'big' } },
        200,
        { big: '-9223372036854775808' },
      ],

      [
        'what triggers made of it is in the answer',
        `${verb} _table/stamped/1`,
        { body: { name: 'x' }, query: { fields: 'name,changes' } },
        200,
        { name: 'x', changes: 1 },
      ],
      [
        'also of several, in their order',
        `${verb} _table/stamped`,
        { body: wrapRecords({ id: 2, name: 'y' }, { id: 1, name: 'x' }), query: { fields: 'changes,id' } },
        200,
        wrapRecords({ changes: 1, id: 2 }, { changes: 1, id: 1 }),
      ],
      [
        'also by filter',
        `${verb} _table/stamped`,
        { body: wrapRecords({ name: 'x' }), query: { filter: 'id = 2', fields: '*' } },
        200,
        wrapRecords({ id: 2, name: 'x', changes: 1 }),
      ],
      [
        'what was undone answers as it was written',
        `${verb} _table/stamped`,
        { body: wrapRecords({ id: 1, name: 'x' }, { id: 77, name: 'x' }), query: { rollback: 'true', fields: 'name' } },
        400,
        batchError(
          'updated',
          [1],
          [{ name: 'x' }, itemError("Record with identifier '77' not found.", 404, 404)],
          ' All changes rolled back.',
        ),
        'SELECT name FROM stamped WHERE id = 1',
        ['a'],
      ],
      [
        'a missing one stops',
        `${verb} _table/contact`,
        { body: wrapRecords({ id: 1, age: 1 }, { id: 77, age: 1 }, { id: 2, age: 1 }) },
        400,
        batchError('updated', [1], [{ id: 1 }, itemError("Record with identifier '77' not found.", 404, 404)]),
        ages,
        ['1', '17', null, '44', '18'],
      ],
      [
        'a missing one and continue',
        `${verb} _table/contact`,
        { body: wrapRecords({ age: 1 }), query: { ids: '1,77,2', continue: 'true' } },
        400,
        batchError(
          'updated',
          [1],
          [{ id: 1 }, itemError("Record with identifier '77' not found.", 404, 404), { id: 2 }],
        ),
        ages,
        ['1', '1', null, '44', '18'],
      ],
      [
        'a missing one and rollback',
        `${verb} _table/contact`,
        { body: wrapRecords({ id: 1, age: 1 }, { id: 77, age: 1 }), query: { rollback: 'true' } },
        400,
        batchError(
          'updated',
          [1],
          [{ id: 1 }, itemError("Record with identifier '77' not found.", 404, 404)],
          ' All changes rolled back.',
        ),
        ages,
        before,
      ],
    ];
    it.each(cases)('%s', (...testCase) => checkCase(db, engine, testCase));

    it('inserts what is missing when the service allows it', async () => {
      const upserting = await db.open({ allow_upsert: true });
      const put = (path: string, body: unknown, query = {}) =>
        ask(upserting, `${verb} _table/${path}`, { body, query });
      expect((await put('team/9', { name: 'nine' })).body).toEqual({ id: 9 });
      expect((await put('team', wrapRecords({ id: 9, name: 'nein' }, { id: 8, name: 'acht' }))).body).toEqual(
        wrapRecords({ id: 9 }, { id: 8 }),
      );
      expect((await put('word', wrapRecords({ key: 'New', meaning: 'm' }), { fields: '*' })).body).toEqual(
        wrapRecords({ key: 'New', meaning: 'm' }),
      );
      expect((await put('team/10', { foo: 1 })).body.error.message).toBe("Required field 'name' can not be NULL.");
      expect(await db.sql('SELECT * FROM team WHERE id > 2 ORDER BY id')).toEqual(['8', 'acht', '9', 'nein']);
    });
  });
});
