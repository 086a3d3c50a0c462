import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { batchError, type Case, checkCase, itemError, wrapRecords } from '../fixture/write.fixture.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  describe('DELETE', () => {
    const remainingSql = 'SELECT id FROM contact ORDER BY id';
    const all = ['1', '2', '3', '4', '5'];
    const cases: Case[] = [
      ['one by its path', 'DELETE _table/contact/2', {}, 200, { id: 2 }, remainingSql, ['1', '3', '4', '5']],
      [
        'answers what it was',
        'DELETE _table/contact/2',
        { query: { fields: 'name,age' } },
        200,
        { name: 'Bob', age: 17 },
      ],
      [
        'a missing one',
        'DELETE _table/contact/77',
        {},
        404,
        { error: itemError("Record with identifier '77' not found.", 404, 404) },
        remainingSql,
        all,
      ],
      [
        'SQL as id',
        'DELETE _table/contact/1 OR 1=1',
        {},
        400,
        { error: itemError("Field 'id' must be a valid integer.") },
        remainingSql,
        all,
      ],
      [
        'by ids',
        'DELETE _table/contact',
        { query: { ids: '5,1' } },
        200,
        wrapRecords({ id: 5 }, { id: 1 }),
        remainingSql,
        ['2', '3', '4'],
      ],
      [
        'by records',
        'DELETE _table/contact',
        { body: wrapRecords({ id: 3, name: 'whatever' }) },
        200,
        wrapRecords({ id: 3 }),
        remainingSql,
        ['1', '2', '4', '5'],
      ],
      [
        'composite keys',
        'DELETE _table/Order Line',
        { body: wrapRecords({ 'order no': 1, größe: 1 }), query: { fields: '*' } },
        200,
        wrapRecords({ 'order no': 1, Größe: 1, select: 'from', 'Ünï "code"': 'a' }),
      ],
      [
        'by filter',
        'DELETE _table/contact',
        { query: { filter: 'age >= 18' } },
        200,
        wrapRecords({ id: 1 }, { id: 4 }, { id: 5 }),
        remainingSql,
        ['2', '3'],
      ],
      [
        'by filter of the body',
        'DELETE _table/contact',
        { body: { filter: 'age < :a', params: { ':a': 18 }, fields: 'name' } },
        200,
        wrapRecords({ name: 'Bob' }),
        remainingSql,
        ['1', '3', '4', '5'],
      ],
      [
        'by filter without a match',
        'DELETE _table/contact',
        { query: { filter: 'age = 99' } },
        200,
        wrapRecords(),
        remainingSql,
        all,
      ],
      [
        'all by force',
        'DELETE _table/contact',
        { query: { force: 'true' } },
        200,
        { success: true },
        'SELECT count(*) FROM contact',
        ['0'],
      ],
      [
        'force does not widen a filter',
        'DELETE _table/contact',
        { query: { force: 'true', filter: 'id = 1' } },
        200,
        wrapRecords({ id: 1 }),
        remainingSql,
        ['2', '3', '4', '5'],
      ],
      [
        'force in the body is not heard',
        'DELETE _table/contact',
        { body: { force: true } },
        400,
        { error: itemError('No filter or records given for delete request.') },
        remainingSql,
        all,
      ],
      [
        'nothing told',
        'DELETE _table/contact',
        {},
        400,
        { error: itemError('No filter or records given for delete request.') },
        remainingSql,
        all,
      ],
      [
        'a blank filter',
        'DELETE _table/contact',
        { query: { filter: ' ' } },
        400,
        { error: itemError('Filter for delete request can not be empty.') },
        remainingSql,
        all,
      ],
      [
        'a tautology',
        'DELETE _table/contact',
        { query: { filter: '1=1' } },
        400,
        { error: itemError("Invalid or unparsable field in filter request: '1'") },
        remainingSql,
        all,
      ],
      [
        'a record without id',
        'DELETE _table/contact',
        { body: wrapRecords({ name: 'x' }) },
        400,
        batchError('deleted', [0], [itemError('Required id field(s) not found in record 0')]),
        remainingSql,
        all,
      ],
      [
        'ids before records, records before filter',
        'DELETE _table/contact',
        { query: { ids: '1', filter: 'id > 0' }, body: wrapRecords({ id: 2 }) },
        200,
        wrapRecords({ id: 1 }),
        remainingSql,
        ['2', '3', '4', '5'],
      ],
      [
        'no key',
        'DELETE _table/loose',
        { query: { ids: '1' } },
        400,
        { error: itemError('Identifying field(s) could not be determined.') },
      ],
      [
        'no key, by filter',
        'DELETE _table/loose',
        { query: { filter: 'a = 1' } },
        200,
        wrapRecords({}, {}),
        'SELECT count(*) FROM loose',
        ['1'],
      ],
      [
        'no key, by id_field',
        'DELETE _table/loose',
        { query: { ids: '2', id_field: 'a' } },
        200,
        wrapRecords({ a: 2 }),
      ],
      [
        'a missing one stops',
        'DELETE _table/contact',
        { query: { ids: '1,77,2' } },
        400,
        batchError('deleted', [1], [{ id: 1 }, itemError("Record with identifier '77' not found.", 404, 404)]),
        remainingSql,
        ['2', '3', '4', '5'],
      ],
      [
        'a missing one and continue',
        'DELETE _table/contact',
        { query: { ids: '1,77,2', continue: 'true' } },
        400,
        batchError(
          'deleted',
          [1],
          [{ id: 1 }, itemError("Record with identifier '77' not found.", 404, 404), { id: 2 }],
        ),
        remainingSql,
        ['3', '4', '5'],
      ],
      [
        'a missing one and rollback',
        'DELETE _table/contact',
        { query: { ids: '1,77', rollback: 'true' } },
        400,
        batchError(
          'deleted',
          [1],
          [{ id: 1 }, itemError("Record with identifier '77' not found.", 404, 404)],
          ' All changes rolled back.',
        ),
        remainingSql,
        all,
      ],
    ];
    it.each(cases)('%s', (...testCase) => checkCase(db, engine, testCase));
  });
});
