import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, perEngine } from '../fixture/index.ts';
import { batchError, type Case, checkCase, itemError, noRecords, wrapRecords } from '../fixture/write.fixture.ts';

const teams = 'SELECT name FROM team ORDER BY id';

/** One record, which the database refused with these. */
const refusal = (code: number | string, message: RegExp) =>
  batchError('created', [0], [{ code, context: null, message: expect.stringMatching(message), status_code: 400 }]);

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  describe('POST _table/{table}', () => {
    const cases: Case[] = [
      [
        'one answers its id with 200',
        'POST _table/team',
        { body: wrapRecords({ name: 'green' }) },
        200,
        wrapRecords({ id: 3 }),
        teams,
        ['red', 'blue', 'green'],
      ],
      [
        'several, in their order',
        'POST _table/team',
        { body: [{ name: 'green' }, { name: 'grey' }] },
        200,
        wrapRecords({ id: 3 }, { id: 4 }),
      ],
      [
        'one object as resource',
        'POST _table/team',
        { body: { resource: { name: 'green' } } },
        200,
        wrapRecords({ id: 3 }),
      ],
      [
        'with the asked fields',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Flo', age: '5' }), query: { fields: 'name,age,active,status' } },
        200,
        wrapRecords({ name: 'Flo', age: 5, active: true, status: 'open' }),
      ],
      [
        'fields=* is the whole row',
        'POST _table/sum',
        { body: wrapRecords({ a: 20, b: 22 }), query: { fields: '*' } },
        200,
        wrapRecords({ id: 2, a: 20, b: 22, total: 42 }),
      ],
      [
        'fields in the body',
        'POST _table/team',
        { body: { resource: [{ name: 'green' }], fields: 'name' } },
        200,
        wrapRecords({ name: 'green' }),
      ],
      [
        'as_list',
        'POST _table/team',
        { body: wrapRecords({ name: 'green' }), query: { as_list: 'true' } },
        200,
        wrapRecords('green'),
      ],
      [
        'unknown keys are dropped, names taken in any case',
        'POST _table/team',
        { body: wrapRecords({ NAME: 'green', colour: 'x' }) },
        200,
        wrapRecords({ id: 3 }),
      ],
      [
        'an own key is kept',
        'POST _table/team',
        { body: wrapRecords({ id: 40, name: 'green' }) },
        200,
        wrapRecords({ id: 40 }),
      ],
      [
        'a made key sent as null or empty is made',
        'POST _table/team',
        { body: wrapRecords({ id: null, name: 'green' }, { id: '', name: 'grey' }) },
        200,
        wrapRecords({ id: 3 }, { id: 4 }),
      ],
      [
        'all texts, as CSV gives them',
        'POST _table/contact',
        {
          body: wrapRecords({
            name: 'Gil',
            age: '7',
            big: '9007199254740995',
            price: '1.10',
            ratio: '0.25',
            active: 'false',
            photo: 'AQI=',
          }),
          query: { fields: 'age,big,price,ratio,active,photo' },
        },
        200,
        wrapRecords({ age: 7, big: '9007199254740995', price: 1.1, ratio: 0.25, active: false, photo: 'AQI=' }),
      ],
      [
        'an empty date is what the database takes it for',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Gil', born: '' }), query: { fields: 'born' } },
        perEngine({ sqlite: 200, pgsql: 400, mysql: 400 }),
        perEngine({
          sqlite: wrapRecords({ born: '' }),
          pgsql: batchError('created', [0], [itemError('invalid input syntax for type date: ""', '22007')]),
          mysql: batchError(
            'created',
            [0],
            [expect.objectContaining({ code: 1292, message: expect.stringMatching(/^Incorrect date value: ''/) })],
          ),
        }),
      ],
      [
        '64-bit integers exactly',
        'POST _table/contact',
        { body: wrapRecords({ name: 'Max', big: '9223372036854775807' }) },
        200,
        wrapRecords({ id: 6 }),
        "SELECT concat(big, '') FROM contact WHERE id = 6",
        ['9223372036854775807'],
      ],
      [
        'null and empty text stay two things',
        'POST _table/contact',
        { body: wrapRecords({ name: 'N', note: null }, { name: 'E', note: '' }) },
        200,
        wrapRecords({ id: 6 }, { id: 7 }),
        'SELECT note FROM contact WHERE id > 5',
        [null, ''],
      ],
      [
        'an empty list is null',
        'POST _table/contact',
        { body: wrapRecords({ name: 'N', note: [] }) },
        200,
        wrapRecords({ id: 6 }),
        'SELECT note FROM contact WHERE id > 5',
        [null],
      ],
      [
        'lookups are replaced, unknown ones stay',
        'POST _table/contact',
        { body: wrapRecords({ name: '{user.first_name} {x}', age: '{user.id}' }), query: { fields: 'name,age' } },
        200,
        wrapRecords({ name: 'Ada {x}', age: 7 }),
      ],
      [
        'composite keys',
        'POST _table/Order Line',
        { body: wrapRecords({ 'ORDER NO': 9, größe: 9, select: 'x' }) },
        200,
        wrapRecords({ 'order no': 9, Größe: 9 }),
      ],
      [
        'without a key the answer is empty',
        'POST _table/loose',
        { body: wrapRecords({ a: 3 }) },
        200,
        wrapRecords({}),
        'SELECT count(*) FROM loose',
        ['4'],
      ],
      [
        'values are never SQL',
        'POST _table/team',
        { body: wrapRecords({ name: "x'); DROP TABLE contact; --" }) },
        200,
        wrapRecords({ id: 3 }),
        'SELECT count(*) FROM contact',
        ['5'],
      ],

      ['nothing: no body', 'POST _table/team', {}, 400, { error: itemError(noRecords) }],
      [
        'nothing: a bare object',
        'POST _table/team',
        { body: { name: 'green' } },
        400,
        { error: itemError(noRecords) },
        teams,
        ['red', 'blue'],
      ],
      ['nothing: an empty list', 'POST _table/team', { body: wrapRecords() }, 400, { error: itemError(noRecords) }],
      [
        'not objects',
        'POST _table/team',
        { body: wrapRecords('green') },
        400,
        { error: itemError('Record 0 is not an object.') },
      ],
      [
        'by id',
        'POST _table/team/9',
        { body: { name: 'green' } },
        400,
        { error: itemError('Create record by identifier not currently supported.') },
      ],
      [
        'only unknown keys',
        'POST _table/loose',
        { body: wrapRecords({ colour: 1 }) },
        400,
        batchError('created', [0], [itemError('No valid fields were found in record.')]),
      ],
      [
        'a required field left out',
        'POST _table/Order Line',
        { body: wrapRecords({ 'order no': 1 }) },
        400,
        batchError('created', [0], [itemError("Required field 'größe' can not be NULL.")]),
      ],
      [
        'a required field null',
        'POST _table/team',
        { body: wrapRecords({ name: null }) },
        400,
        batchError('created', [0], [itemError("Field 'name' can not be NULL.")]),
      ],
      [
        'a wrong type',
        'POST _table/contact',
        { body: wrapRecords({ name: 'x', age: 'old' }) },
        400,
        batchError('created', [0], [itemError("Field 'age' must be a valid integer.")]),
      ],
      [
        'both modes',
        'POST _table/team',
        { body: { resource: [{ name: 'x' }], continue: true, rollback: true } },
        400,
        { error: itemError('Rollback and continue operations can not be requested at the same time.') },
      ],
      [
        'an unknown field asked for writes nothing',
        'POST _table/team',
        { body: wrapRecords({ name: 'x' }), query: { fields: 'foo' } },
        400,
        { error: itemError('Invalid field requested: foo') },
        teams,
        ['red', 'blue'],
      ],
    ];
    it.each(cases)('%s', (...testCase) => checkCase(db, engine, testCase));

    const refused: Case[] = [
      [
        'a value that is taken',
        'POST _table/contact',
        { body: wrapRecords({ name: 'x', email: 'ann@example.com' }) },
        400,
        perEngine({
          sqlite: refusal(2067, /^UNIQUE constraint failed: contact.email$/),
          pgsql: refusal('23505', /^duplicate key value violates unique constraint "contact_email_key"$/),
          mysql: refusal(1062, /^Duplicate entry 'ann@example.com' for key '(contact.)?email'$/),
        }),
      ],
      [
        'what a rule forbids',
        'POST _table/contact',
        { body: wrapRecords({ name: 'x', age: -1 }) },
        400,
        perEngine({
          sqlite: refusal(275, /^CHECK constraint failed: age IS NULL OR age >= 0$/),
          pgsql: refusal('23514', /^new row for relation "contact" violates check constraint "contact_age_check"$/),
          mysql: refusal(4025, /^CONSTRAINT `CONSTRAINT_1` failed for /),
        }),
      ],
      [
        'a reference to nothing',
        'POST _table/member',
        { body: wrapRecords({ id: 1, team_id: 99 }) },
        400,
        perEngine({
          sqlite: refusal(787, /^FOREIGN KEY constraint failed$/),
          pgsql: refusal('23503', /^insert or update on table "member" violates foreign key constraint/),
          mysql: refusal(1452, /^Cannot add or update a child row: a foreign key constraint fails/),
        }),
      ],
      [
        'what is too long: SQLite alone takes it',
        'POST _table/team',
        { body: wrapRecords({ name: 'x'.repeat(41) }) },
        perEngine({ sqlite: 200, pgsql: 400, mysql: 400 }),
        perEngine({
          sqlite: wrapRecords({ id: 3 }),
          pgsql: refusal('22001', /^value too long for type character varying\(40\)$/),
          mysql: refusal(1406, /^Data too long for column 'name' at row 1$/),
        }),
      ],
    ];
    it.each(refused)('tells what the database refuses by its own code and text: %s', (...testCase) =>
      checkCase(db, engine, testCase),
    );

    const wrong = wrapRecords({ name: 'green' }, { name: 'red' }, { name: 'grey' }, { name: null });
    // Numbers that PostgreSQL has counted stay counted, whatever is undone.
    const green = { id: perEngine({ sqlite: 3, pgsql: expect.any(Number), mysql: 3 }) };
    const taken = perEngine({
      sqlite: expect.objectContaining({ message: 'UNIQUE constraint failed: team.name' }),
      pgsql: expect.objectContaining({ message: expect.stringMatching(/^duplicate key value .*"team_name_key"$/) }),
      mysql: expect.objectContaining({ message: expect.stringMatching(/^Duplicate entry 'red' for key/) }),
    });
    const modes: Case[] = [
      [
        'stops at the first failure and keeps what was done',
        'POST _table/team',
        { body: wrong },
        400,
        batchError('created', [1], [green, taken]),
        teams,
        ['red', 'blue', 'green'],
      ],
      [
        'continue goes on',
        'POST _table/team',
        { body: wrong, query: { continue: 'true' } },
        400,
        batchError(
          'created',
          [1, 3],
          [green, taken, { id: expect.any(Number) }, itemError("Field 'name' can not be NULL.")],
        ),
        teams,
        ['red', 'blue', 'green', 'grey'],
      ],
      [
        'rollback undoes all',
        'POST _table/team',
        { body: { ...wrong, rollback: true } },
        400,
        batchError('created', [1], [green, taken], ' All changes rolled back.'),
        teams,
        ['red', 'blue'],
      ],
      [
        'rollback without a failure keeps all',
        'POST _table/team',
        { body: wrapRecords({ name: 'a' }, { name: 'b' }), query: { rollback: 'true' } },
        200,
        wrapRecords({ id: 3 }, { id: 4 }),
        teams,
        ['red', 'blue', 'a', 'b'],
      ],
      [
        'a record wrong before the database is a failure in its place',
        'POST _table/team',
        { body: wrapRecords({ name: 'a' }, { name: null }, { name: 'b' }) },
        400,
        batchError('created', [1], [{ id: 3 }, itemError("Field 'name' can not be NULL.")]),
        teams,
        ['red', 'blue', 'a'],
      ],
      [
        'and rolls back too',
        'POST _table/team',
        { body: wrapRecords({ name: 'a' }, {}), query: { rollback: '1' } },
        400,
        batchError(
          'created',
          [1],
          [{ id: 3 }, itemError("Required field 'name' can not be NULL.")],
          ' All changes rolled back.',
        ),
        teams,
        ['red', 'blue'],
      ],
      [
        'what was done answers the asked fields',
        'POST _table/team',
        { body: wrong, query: { fields: 'name' } },
        400,
        batchError('created', [1], [{ name: 'green' }, taken]),
      ],
    ];
    it.each(modes)('%s', (...testCase) => checkCase(db, engine, testCase));
  });
});
