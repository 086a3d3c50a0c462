import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, per } from '../fixture/index.ts';
import { batch, type Case, check, item, many, noRecords } from '../fixture/write.fixture.ts';

const teams = 'SELECT name FROM team ORDER BY id';

/** One record, which the database refused with these. */
const refusal = (code: number | string, message: RegExp) =>
  batch('created', [0], [{ code, context: null, message: expect.stringMatching(message), status_code: 400 }]);

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
        { body: many({ name: 'green' }) },
        200,
        many({ id: 3 }),
        teams,
        ['red', 'blue', 'green'],
      ],
      [
        'several, in their order',
        'POST _table/team',
        { body: [{ name: 'green' }, { name: 'grey' }] },
        200,
        many({ id: 3 }, { id: 4 }),
      ],
      ['one object as resource', 'POST _table/team', { body: { resource: { name: 'green' } } }, 200, many({ id: 3 })],
      [
        'with the asked fields',
        'POST _table/contact',
        { body: many({ name: 'Flo', age: '5' }), query: { fields: 'name,age,active,status' } },
        200,
        many({ name: 'Flo', age: 5, active: true, status: 'open' }),
      ],
      [
        'fields=* is the whole row',
        'POST _table/sum',
        { body: many({ a: 20, b: 22 }), query: { fields: '*' } },
        200,
        many({ id: 2, a: 20, b: 22, total: 42 }),
      ],
      [
        'fields in the body',
        'POST _table/team',
        { body: { resource: [{ name: 'green' }], fields: 'name' } },
        200,
        many({ name: 'green' }),
      ],
      [
        'as_list',
        'POST _table/team',
        { body: many({ name: 'green' }), query: { as_list: 'true' } },
        200,
        many('green'),
      ],
      [
        'unknown keys are dropped, names taken in any case',
        'POST _table/team',
        { body: many({ NAME: 'green', colour: 'x' }) },
        200,
        many({ id: 3 }),
      ],
      ['an own key is kept', 'POST _table/team', { body: many({ id: 40, name: 'green' }) }, 200, many({ id: 40 })],
      [
        'a made key sent as null or empty is made',
        'POST _table/team',
        { body: many({ id: null, name: 'green' }, { id: '', name: 'grey' }) },
        200,
        many({ id: 3 }, { id: 4 }),
      ],
      [
        'all texts, as CSV gives them',
        'POST _table/contact',
        {
          body: many({
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
        many({ age: 7, big: '9007199254740995', price: 1.1, ratio: 0.25, active: false, photo: 'AQI=' }),
      ],
      [
        'an empty date is what the database takes it for',
        'POST _table/contact',
        { body: many({ name: 'Gil', born: '' }), query: { fields: 'born' } },
        per({ sqlite: 200, pgsql: 400, mysql: 400 }),
        per({
          sqlite: many({ born: '' }),
          pgsql: batch('created', [0], [item('invalid input syntax for type date: ""', '22007')]),
          mysql: batch(
            'created',
            [0],
            [expect.objectContaining({ code: 1292, message: expect.stringMatching(/^Incorrect date value: ''/) })],
          ),
        }),
      ],
      [
        '64-bit integers exactly',
        'POST _table/contact',
        { body: many({ name: 'Max', big: '9223372036854775807' }) },
        200,
        many({ id: 6 }),
        "SELECT concat(big, '') FROM contact WHERE id = 6",
        ['9223372036854775807'],
      ],
      [
        'null and empty text stay two things',
        'POST _table/contact',
        { body: many({ name: 'N', note: null }, { name: 'E', note: '' }) },
        200,
        many({ id: 6 }, { id: 7 }),
        'SELECT note FROM contact WHERE id > 5',
        [null, ''],
      ],
      [
        'an empty list is null',
        'POST _table/contact',
        { body: many({ name: 'N', note: [] }) },
        200,
        many({ id: 6 }),
        'SELECT note FROM contact WHERE id > 5',
        [null],
      ],
      [
        'lookups are replaced, unknown ones stay',
        'POST _table/contact',
        { body: many({ name: '{user.first_name} {x}', age: '{user.id}' }), query: { fields: 'name,age' } },
        200,
        many({ name: 'Ada {x}', age: 7 }),
      ],
      [
        'composite keys',
        'POST _table/Order Line',
        { body: many({ 'ORDER NO': 9, größe: 9, select: 'x' }) },
        200,
        many({ 'order no': 9, Größe: 9 }),
      ],
      [
        'without a key the answer is empty',
        'POST _table/loose',
        { body: many({ a: 3 }) },
        200,
        many({}),
        'SELECT count(*) FROM loose',
        ['4'],
      ],
      [
        'values are never SQL',
        'POST _table/team',
        { body: many({ name: "x'); DROP TABLE contact; --" }) },
        200,
        many({ id: 3 }),
        'SELECT count(*) FROM contact',
        ['5'],
      ],

      ['nothing: no body', 'POST _table/team', {}, 400, { error: item(noRecords) }],
      [
        'nothing: a bare object',
        'POST _table/team',
        { body: { name: 'green' } },
        400,
        { error: item(noRecords) },
        teams,
        ['red', 'blue'],
      ],
      ['nothing: an empty list', 'POST _table/team', { body: many() }, 400, { error: item(noRecords) }],
      ['not objects', 'POST _table/team', { body: many('green') }, 400, { error: item('Record 0 is not an object.') }],
      [
        'by id',
        'POST _table/team/9',
        { body: { name: 'green' } },
        400,
        { error: item('Create record by identifier not currently supported.') },
      ],
      [
        'only unknown keys',
        'POST _table/loose',
        { body: many({ colour: 1 }) },
        400,
        batch('created', [0], [item('No valid fields were found in record.')]),
      ],
      [
        'a required field left out',
        'POST _table/Order Line',
        { body: many({ 'order no': 1 }) },
        400,
        batch('created', [0], [item("Required field 'größe' can not be NULL.")]),
      ],
      [
        'a required field null',
        'POST _table/team',
        { body: many({ name: null }) },
        400,
        batch('created', [0], [item("Field 'name' can not be NULL.")]),
      ],
      [
        'a wrong type',
        'POST _table/contact',
        { body: many({ name: 'x', age: 'old' }) },
        400,
        batch('created', [0], [item("Field 'age' must be a valid integer.")]),
      ],
      [
        'both modes',
        'POST _table/team',
        { body: { resource: [{ name: 'x' }], continue: true, rollback: true } },
        400,
        { error: item('Rollback and continue operations can not be requested at the same time.') },
      ],
      [
        'an unknown field asked for writes nothing',
        'POST _table/team',
        { body: many({ name: 'x' }), query: { fields: 'foo' } },
        400,
        { error: item('Invalid field requested: foo') },
        teams,
        ['red', 'blue'],
      ],
    ];
    it.each(cases)('%s', (...given) => check(db, engine, given));

    const refused: Case[] = [
      [
        'a value that is taken',
        'POST _table/contact',
        { body: many({ name: 'x', email: 'ann@example.com' }) },
        400,
        per({
          sqlite: refusal(2067, /^UNIQUE constraint failed: contact.email$/),
          pgsql: refusal('23505', /^duplicate key value violates unique constraint "contact_email_key"$/),
          mysql: refusal(1062, /^Duplicate entry 'ann@example.com' for key '(contact.)?email'$/),
        }),
      ],
      [
        'what a rule forbids',
        'POST _table/contact',
        { body: many({ name: 'x', age: -1 }) },
        400,
        per({
          sqlite: refusal(275, /^CHECK constraint failed: age IS NULL OR age >= 0$/),
          pgsql: refusal('23514', /^new row for relation "contact" violates check constraint "contact_age_check"$/),
          mysql: refusal(4025, /^CONSTRAINT `CONSTRAINT_1` failed for /),
        }),
      ],
      [
        'a reference to nothing',
        'POST _table/member',
        { body: many({ id: 1, team_id: 99 }) },
        400,
        per({
          sqlite: refusal(787, /^FOREIGN KEY constraint failed$/),
          pgsql: refusal('23503', /^insert or update on table "member" violates foreign key constraint/),
          mysql: refusal(1452, /^Cannot add or update a child row: a foreign key constraint fails/),
        }),
      ],
      [
        'what is too long: SQLite alone takes it',
        'POST _table/team',
        { body: many({ name: 'x'.repeat(41) }) },
        per({ sqlite: 200, pgsql: 400, mysql: 400 }),
        per({
          sqlite: many({ id: 3 }),
          pgsql: refusal('22001', /^value too long for type character varying\(40\)$/),
          mysql: refusal(1406, /^Data too long for column 'name' at row 1$/),
        }),
      ],
    ];
    it.each(refused)('tells what the database refuses by its own code and text: %s', (...given) =>
      check(db, engine, given),
    );

    const wrong = many({ name: 'green' }, { name: 'red' }, { name: 'grey' }, { name: null });
    // Numbers that PostgreSQL has counted stay counted, whatever is undone.
    const green = { id: per({ sqlite: 3, pgsql: expect.any(Number), mysql: 3 }) };
    const taken = per({
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
        batch('created', [1], [green, taken]),
        teams,
        ['red', 'blue', 'green'],
      ],
      [
        'continue goes on',
        'POST _table/team',
        { body: wrong, query: { continue: 'true' } },
        400,
        batch('created', [1, 3], [green, taken, { id: expect.any(Number) }, item("Field 'name' can not be NULL.")]),
        teams,
        ['red', 'blue', 'green', 'grey'],
      ],
      [
        'rollback undoes all',
        'POST _table/team',
        { body: { ...wrong, rollback: true } },
        400,
        batch('created', [1], [green, taken], ' All changes rolled back.'),
        teams,
        ['red', 'blue'],
      ],
      [
        'rollback without a failure keeps all',
        'POST _table/team',
        { body: many({ name: 'a' }, { name: 'b' }), query: { rollback: 'true' } },
        200,
        many({ id: 3 }, { id: 4 }),
        teams,
        ['red', 'blue', 'a', 'b'],
      ],
      [
        'a record wrong before the database is a failure in its place',
        'POST _table/team',
        { body: many({ name: 'a' }, { name: null }, { name: 'b' }) },
        400,
        batch('created', [1], [{ id: 3 }, item("Field 'name' can not be NULL.")]),
        teams,
        ['red', 'blue', 'a'],
      ],
      [
        'and rolls back too',
        'POST _table/team',
        { body: many({ name: 'a' }, {}), query: { rollback: '1' } },
        400,
        batch('created', [1], [{ id: 3 }, item("Required field 'name' can not be NULL.")], ' All changes rolled back.'),
        teams,
        ['red', 'blue'],
      ],
      [
        'what was done answers the asked fields',
        'POST _table/team',
        { body: wrong, query: { fields: 'name' } },
        400,
        batch('created', [1], [{ name: 'green' }, taken]),
      ],
    ];
    it.each(modes)('%s', (...given) => check(db, engine, given));
  });
});
