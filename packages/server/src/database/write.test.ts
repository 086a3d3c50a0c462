import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, fixture } from './fixture.ts';
import { type Asked, ask } from './test-call.ts';

let db: Fixture;
beforeAll(async () => {
  db = await fixture();
});
beforeEach(() => db.reset());
afterAll(() => db.stop());

const many = (...resource: unknown[]) => ({ resource });
const item = (message: string, code: number | string = 400, status = 400) => ({
  code,
  context: null,
  message,
  status_code: status,
});
const batch = (verb: string, error: number[], resource: unknown[], after = '') => ({
  error: {
    code: 1000,
    context: { error, resource },
    message: `Batch Error: Not all requested records could be ${verb}.${after}`,
    status_code: 400,
  },
});
const noRecords =
  'No record(s) detected in request. Please make sure record(s) are wrapped in a \'resource\' tag. Example: {"resource":[{"record":1},{"record":2}]}';

/** Asks, compares the answer, then what the database holds. */
type Case = [what: string, line: string, asked: Asked, status: number, body: unknown, sql?: string, rows?: unknown[][]];

const run = async (
  _: string,
  line: string,
  asked: Asked,
  status: number,
  body: unknown,
  sql?: string,
  rows?: unknown[][],
) => {
  const answer = await ask(db.service, line, asked);
  expect(answer.body).toEqual(body);
  expect(answer.status).toBe(status);
  if (sql) expect(db.sql(sql)).toEqual(rows);
};

const teams = "SELECT group_concat(name, ',') FROM (SELECT name FROM team ORDER BY id)";

describe('POST _table/{table} (SRV-045, TBL-027)', () => {
  const cases: Case[] = [
    [
      'one answers its id with 200',
      'POST _table/team',
      { body: many({ name: 'green' }) },
      200,
      many({ id: 3 }),
      teams,
      [['red,blue,green']],
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
    ['as_list', 'POST _table/team', { body: many({ name: 'green' }), query: { as_list: 'true' } }, 200, many('green')],
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
          born: '',
          photo: 'AQI=',
        }),
        query: { fields: 'age,big,price,ratio,active,photo' },
      },
      200,
      many({ age: 7, big: '9007199254740995', price: 1.1, ratio: 0.25, active: false, photo: 'AQI=' }),
    ],
    [
      '64-bit integers exactly',
      'POST _table/contact',
      { body: many({ name: 'Max', big: '9223372036854775807' }) },
      200,
      many({ id: 6 }),
      'SELECT big FROM contact WHERE id = 6',
      [[9223372036854775807n]],
    ],
    [
      'null and empty text stay two things',
      'POST _table/contact',
      { body: many({ name: 'N', note: null }, { name: 'E', note: '' }) },
      200,
      many({ id: 6 }, { id: 7 }),
      'SELECT note FROM contact WHERE id > 5',
      [[null], ['']],
    ],
    [
      'an empty list is null',
      'POST _table/contact',
      { body: many({ name: 'N', note: [] }) },
      200,
      many({ id: 6 }),
      'SELECT note FROM contact WHERE id > 5',
      [[null]],
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
      [[4n]],
    ],
    [
      'values are never SQL',
      'POST _table/team',
      { body: many({ name: "x'); DROP TABLE contact; --" }) },
      200,
      many({ id: 3 }),
      'SELECT count(*) FROM contact',
      [[5n]],
    ],

    ['nothing: no body', 'POST _table/team', {}, 400, { error: item(noRecords) }],
    [
      'nothing: a bare object',
      'POST _table/team',
      { body: { name: 'green' } },
      400,
      { error: item(noRecords) },
      teams,
      [['red,blue']],
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
      'a related record',
      'POST _table/member',
      { body: many({ id: 1, team_id: 1, team_by_team_id: { name: 'x' } }) },
      501,
      { error: item('Related records are not available yet.', 501, 501) },
      'SELECT count(*) FROM member',
      [[0n]],
    ],
    [
      'related records asked for',
      'POST _table/member',
      { body: many({ id: 1, team_id: 1 }), query: { related: '*' } },
      501,
      { error: item('Related records are not available yet.', 501, 501) },
      'SELECT count(*) FROM member',
      [[0n]],
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
      [['red,blue']],
    ],
  ];
  it.each(cases)('%s', run);

  it('tells what the database refuses by its own code and text, as an item', async () => {
    for (const [record, text] of [
      [{ name: 'x', email: 'ann@example.com' }, /UNIQUE constraint failed: contact.email/],
      [{ name: 'x', age: -1 }, /CHECK constraint failed/],
    ] as const) {
      const { status, body } = await ask(db.service, 'POST _table/contact', { body: many(record) });
      expect(status).toBe(400);
      expect(body.error.context.resource[0]).toMatchObject({
        context: null,
        status_code: 400,
        message: expect.stringMatching(text),
      });
    }
    const { body } = await ask(db.service, 'POST _table/member', { body: many({ id: 1, team_id: 99 }) });
    expect(body.error.context.resource[0].message).toMatch(/FOREIGN KEY constraint failed/);
  });

  const wrong = many({ name: 'green' }, { name: 'red' }, { name: 'grey' }, { name: null });
  const taken = expect.objectContaining({ message: expect.stringMatching(/UNIQUE constraint failed: team.name/) });
  const modes: Case[] = [
    [
      'stops at the first failure and keeps what was done',
      'POST _table/team',
      { body: wrong },
      400,
      batch('created', [1], [{ id: 3 }, taken]),
      teams,
      [['red,blue,green']],
    ],
    [
      'continue goes on',
      'POST _table/team',
      { body: wrong, query: { continue: 'true' } },
      400,
      batch('created', [1, 3], [{ id: 3 }, taken, { id: expect.any(Number) }, item("Field 'name' can not be NULL.")]),
      teams,
      [['red,blue,green,grey']],
    ],
    [
      'rollback undoes all',
      'POST _table/team',
      { body: { ...wrong, rollback: true } },
      400,
      batch('created', [1], [{ id: 3 }, taken], ' All changes rolled back.'),
      teams,
      [['red,blue']],
    ],
    [
      'rollback without a failure keeps all',
      'POST _table/team',
      { body: many({ name: 'a' }, { name: 'b' }), query: { rollback: 'true' } },
      200,
      many({ id: 3 }, { id: 4 }),
      teams,
      [['red,blue,a,b']],
    ],
    [
      'a record wrong before the database is a failure in its place',
      'POST _table/team',
      { body: many({ name: 'a' }, { name: null }, { name: 'b' }) },
      400,
      batch('created', [1], [{ id: 3 }, item("Field 'name' can not be NULL.")]),
      teams,
      [['red,blue,a']],
    ],
    [
      'and rolls back too',
      'POST _table/team',
      { body: many({ name: 'a' }, {}), query: { rollback: '1' } },
      400,
      batch('created', [1], [{ id: 3 }, item("Required field 'name' can not be NULL.")], ' All changes rolled back.'),
      teams,
      [['red,blue']],
    ],
    [
      'what was done answers the asked fields',
      'POST _table/team',
      { body: wrong, query: { fields: 'name' } },
      400,
      batch('created', [1], [{ name: 'green' }, taken]),
    ],
  ];
  it.each(modes)('%s', run);
});

describe.each(['PUT', 'PATCH'])('%s (SRV-045, TBL-025)', (verb) => {
  const ages = "SELECT group_concat(ifnull(age, '-'), ',') FROM (SELECT age FROM contact ORDER BY id)";
  const before = [['30,17,-,44,18']];
  const cases: Case[] = [
    [
      'one by its path answers the bare id',
      `${verb} _table/contact/2`,
      { body: { age: 20 } },
      200,
      { id: 2 },
      ages,
      [['30,20,-,44,18']],
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
      [['30,20,-,44,18']],
    ],
    [
      'a wrapped record on a path',
      `${verb} _table/contact/2`,
      { body: { resource: [{ age: 20 }] } },
      200,
      { id: 2 },
      ages,
      [['30,20,-,44,18']],
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
      { error: item("Record with identifier '77' not found.", 404, 404) },
    ],
    [
      'an empty body',
      `${verb} _table/contact/2`,
      { body: {} },
      400,
      { error: item('The request contains no valid record fields.') },
    ],
    [
      'a missing record',
      `${verb} _table/contact/77`,
      { body: { age: 1 } },
      404,
      { error: item("Record with identifier '77' not found.", 404, 404) },
    ],
    [
      'a wrong value is a plain 400',
      `${verb} _table/contact/2`,
      { body: { age: 'x' } },
      400,
      { error: item("Field 'age' must be a valid integer.") },
    ],
    [
      'null where it may not be',
      `${verb} _table/contact/2`,
      { body: { name: null } },
      400,
      { error: item("Field 'name' can not be NULL.") },
    ],
    [
      'by another column',
      `${verb} _table/contact/bob@example.com`,
      { body: { age: 20 }, query: { id_field: 'email' } },
      200,
      { email: 'bob@example.com' },
      ages,
      [['30,20,-,44,18']],
    ],
    [
      'SQL as id',
      `${verb} _table/contact/2 OR 1=1`,
      { body: { age: 1 } },
      400,
      { error: item("Field 'id' must be a valid integer.") },
      ages,
      before,
    ],
    [
      'records with their ids',
      `${verb} _table/contact`,
      { body: many({ id: 2, age: 1 }, { ID: '1', age: 2 }) },
      200,
      many({ id: 2 }, { id: 1 }),
      ages,
      [['2,1,-,44,18']],
    ],
    [
      'composite keys',
      `${verb} _table/Order Line`,
      { body: many({ 'order no': 1, größe: 2, select: 'new' }), query: { fields: '*' } },
      200,
      many({ 'order no': 1, Größe: 2, select: 'new', 'Ünï "code"': 'b' }),
      'SELECT "select" FROM "Order Line"',
      [['from'], ['new'], ['group']],
    ],
    [
      'a record without id',
      `${verb} _table/contact`,
      { body: many({ age: 1 }) },
      400,
      batch('updated', [0], [item('Required id field(s) not found in record 0')]),
      ages,
      before,
    ],
    [
      'one record over several ids',
      `${verb} _table/contact`,
      { body: many({ age: 9 }), query: { ids: '4,2' } },
      200,
      many({ id: 4 }, { id: 2 }),
      ages,
      [['30,9,-,9,18']],
    ],
    [
      'ids of the body',
      `${verb} _table/contact`,
      { body: { resource: [{ age: 9 }], ids: [5] } },
      200,
      many({ id: 5 }),
      ages,
      [['30,17,-,44,9']],
    ],
    [
      'composite ids of the body',
      `${verb} _table/Order Line`,
      { body: { resource: [{ select: 'new' }], ids: [{ 'order no': 2, größe: 1 }] } },
      200,
      many({ 'order no': 2, Größe: 1 }),
    ],
    [
      'by filter, all in one',
      `${verb} _table/contact`,
      { body: many({ age: 50 }), query: { filter: 'age > 20' } },
      200,
      many({ id: 1 }, { id: 4 }),
      ages,
      [['50,17,-,50,18']],
    ],
    [
      'by filter answers the rows that no longer match',
      `${verb} _table/contact`,
      { body: many({ age: 1 }), query: { filter: 'age > 20', fields: 'id,age' } },
      200,
      many({ id: 1, age: 1 }, { id: 4, age: 1 }),
    ],
    [
      'by filter without a match',
      `${verb} _table/contact`,
      { body: many({ age: 1 }), query: { filter: 'age > 99' } },
      200,
      many(),
      ages,
      before,
    ],
    [
      'by filter with nothing known to change',
      `${verb} _table/contact`,
      { body: many({ foo: 1 }), query: { filter: 'age > 20' } },
      200,
      many({ id: 1 }, { id: 4 }),
      ages,
      before,
    ],
    [
      'an id is never changed',
      `${verb} _table/contact`,
      { body: many({ id: 90, age: 1 }), query: { filter: 'id = 1' } },
      200,
      many({ id: 1 }),
      'SELECT age FROM contact WHERE id = 1',
      [[1n]],
    ],
    [
      'a blank filter is no filter',
      `${verb} _table/contact`,
      { body: many({ age: 1 }), query: { filter: ' ' } },
      400,
      batch('updated', [0], [item('Required id field(s) not found in record 0')]),
      ages,
      before,
    ],
    [
      'a wrong filter',
      `${verb} _table/contact`,
      { body: many({ age: 1 }), query: { filter: '1=1' } },
      400,
      { error: item("Invalid or unparsable field in filter request: '1'") },
      ages,
      before,
    ],
    ['no records', `${verb} _table/contact`, { body: { age: 1 } }, 400, { error: item(noRecords) }, ages, before],
    [
      'a view',
      `${verb} _table/grown`,
      { body: many({ name: 'x' }), query: { filter: 'id = 1' } },
      400,
      { error: expect.objectContaining({ status_code: 400, message: expect.stringMatching(/view/) }) },
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
      { body: many({ id: 2, name: 'y' }, { id: 1, name: 'x' }), query: { fields: 'changes,id' } },
      200,
      many({ changes: 1, id: 2 }, { changes: 1, id: 1 }),
    ],
    [
      'also by filter',
      `${verb} _table/stamped`,
      { body: many({ name: 'x' }), query: { filter: 'id = 2', fields: '*' } },
      200,
      many({ id: 2, name: 'x', changes: 1 }),
    ],
    [
      'what was undone answers as it was written',
      `${verb} _table/stamped`,
      { body: many({ id: 1, name: 'x' }, { id: 77, name: 'x' }), query: { rollback: 'true', fields: 'name' } },
      400,
      batch(
        'updated',
        [1],
        [{ name: 'x' }, item("Record with identifier '77' not found.", 404, 404)],
        ' All changes rolled back.',
      ),
      'SELECT name FROM stamped WHERE id = 1',
      [['a']],
    ],
    [
      'a missing one stops',
      `${verb} _table/contact`,
      { body: many({ id: 1, age: 1 }, { id: 77, age: 1 }, { id: 2, age: 1 }) },
      400,
      batch('updated', [1], [{ id: 1 }, item("Record with identifier '77' not found.", 404, 404)]),
      ages,
      [['1,17,-,44,18']],
    ],
    [
      'a missing one and continue',
      `${verb} _table/contact`,
      { body: many({ age: 1 }), query: { ids: '1,77,2', continue: 'true' } },
      400,
      batch('updated', [1], [{ id: 1 }, item("Record with identifier '77' not found.", 404, 404), { id: 2 }]),
      ages,
      [['1,1,-,44,18']],
    ],
    [
      'a missing one and rollback',
      `${verb} _table/contact`,
      { body: many({ id: 1, age: 1 }, { id: 77, age: 1 }), query: { rollback: 'true' } },
      400,
      batch(
        'updated',
        [1],
        [{ id: 1 }, item("Record with identifier '77' not found.", 404, 404)],
        ' All changes rolled back.',
      ),
      ages,
      before,
    ],
  ];
  it.each(cases)('%s', run);

  it('inserts what is missing when the service allows it', async () => {
    const upserting = await fixture({ allow_upsert: true });
    const put = (path: string, body: unknown, query = {}) =>
      ask(upserting.service, `${verb} _table/${path}`, { body, query });
    expect((await put('team/9', { name: 'nine' })).body).toEqual({ id: 9 });
    expect((await put('team', many({ id: 9, name: 'nein' }, { id: 8, name: 'acht' }))).body).toEqual(
      many({ id: 9 }, { id: 8 }),
    );
    expect((await put('word', many({ key: 'New', meaning: 'm' }), { fields: '*' })).body).toEqual(
      many({ key: 'New', meaning: 'm' }),
    );
    expect((await put('team/10', { foo: 1 })).body.error.message).toBe("Required field 'name' can not be NULL.");
    expect(upserting.sql('SELECT * FROM team WHERE id > 2 ORDER BY id')).toEqual([
      [8n, 'acht'],
      [9n, 'nein'],
    ]);
    await upserting.stop();
  });
});

describe('DELETE (SRV-045, TBL-026)', () => {
  const left = "SELECT group_concat(id, ',') FROM (SELECT id FROM contact ORDER BY id)";
  const all = [['1,2,3,4,5']];
  const cases: Case[] = [
    ['one by its path', 'DELETE _table/contact/2', {}, 200, { id: 2 }, left, [['1,3,4,5']]],
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
      { error: item("Record with identifier '77' not found.", 404, 404) },
      left,
      all,
    ],
    [
      'SQL as id',
      'DELETE _table/contact/1 OR 1=1',
      {},
      400,
      { error: item("Field 'id' must be a valid integer.") },
      left,
      all,
    ],
    ['by ids', 'DELETE _table/contact', { query: { ids: '5,1' } }, 200, many({ id: 5 }, { id: 1 }), left, [['2,3,4']]],
    [
      'by records',
      'DELETE _table/contact',
      { body: many({ id: 3, name: 'whatever' }) },
      200,
      many({ id: 3 }),
      left,
      [['1,2,4,5']],
    ],
    [
      'composite keys',
      'DELETE _table/Order Line',
      { body: many({ 'order no': 1, größe: 1 }), query: { fields: '*' } },
      200,
      many({ 'order no': 1, Größe: 1, select: 'from', 'Ünï "code"': 'a' }),
    ],
    [
      'by filter',
      'DELETE _table/contact',
      { query: { filter: 'age >= 18' } },
      200,
      many({ id: 1 }, { id: 4 }, { id: 5 }),
      left,
      [['2,3']],
    ],
    [
      'by filter of the body',
      'DELETE _table/contact',
      { body: { filter: 'age < :a', params: { ':a': 18 }, fields: 'name' } },
      200,
      many({ name: 'Bob' }),
      left,
      [['1,3,4,5']],
    ],
    ['by filter without a match', 'DELETE _table/contact', { query: { filter: 'age = 99' } }, 200, many(), left, all],
    [
      'all by force',
      'DELETE _table/contact',
      { query: { force: 'true' } },
      200,
      { success: true },
      'SELECT count(*) FROM contact',
      [[0n]],
    ],
    [
      'force does not widen a filter',
      'DELETE _table/contact',
      { query: { force: 'true', filter: 'id = 1' } },
      200,
      many({ id: 1 }),
      left,
      [['2,3,4,5']],
    ],
    [
      'force in the body is not heard',
      'DELETE _table/contact',
      { body: { force: true } },
      400,
      { error: item('No filter or records given for delete request.') },
      left,
      all,
    ],
    [
      'nothing told',
      'DELETE _table/contact',
      {},
      400,
      { error: item('No filter or records given for delete request.') },
      left,
      all,
    ],
    [
      'a blank filter',
      'DELETE _table/contact',
      { query: { filter: ' ' } },
      400,
      { error: item('Filter for delete request can not be empty.') },
      left,
      all,
    ],
    [
      'a tautology',
      'DELETE _table/contact',
      { query: { filter: '1=1' } },
      400,
      { error: item("Invalid or unparsable field in filter request: '1'") },
      left,
      all,
    ],
    [
      'a record without id',
      'DELETE _table/contact',
      { body: many({ name: 'x' }) },
      400,
      batch('deleted', [0], [item('Required id field(s) not found in record 0')]),
      left,
      all,
    ],
    [
      'ids before records, records before filter',
      'DELETE _table/contact',
      { query: { ids: '1', filter: 'id > 0' }, body: many({ id: 2 }) },
      200,
      many({ id: 1 }),
      left,
      [['2,3,4,5']],
    ],
    [
      'no key',
      'DELETE _table/loose',
      { query: { ids: '1' } },
      400,
      { error: item('Identifying field(s) could not be determined.') },
    ],
    [
      'no key, by filter',
      'DELETE _table/loose',
      { query: { filter: 'a = 1' } },
      200,
      many({}, {}),
      'SELECT count(*) FROM loose',
      [[1n]],
    ],
    ['no key, by id_field', 'DELETE _table/loose', { query: { ids: '2', id_field: 'a' } }, 200, many({ a: 2 })],
    [
      'a missing one stops',
      'DELETE _table/contact',
      { query: { ids: '1,77,2' } },
      400,
      batch('deleted', [1], [{ id: 1 }, item("Record with identifier '77' not found.", 404, 404)]),
      left,
      [['2,3,4,5']],
    ],
    [
      'a missing one and continue',
      'DELETE _table/contact',
      { query: { ids: '1,77,2', continue: 'true' } },
      400,
      batch('deleted', [1], [{ id: 1 }, item("Record with identifier '77' not found.", 404, 404), { id: 2 }]),
      left,
      [['3,4,5']],
    ],
    [
      'a missing one and rollback',
      'DELETE _table/contact',
      { query: { ids: '1,77', rollback: 'true' } },
      400,
      batch(
        'deleted',
        [1],
        [{ id: 1 }, item("Record with identifier '77' not found.", 404, 404)],
        ' All changes rolled back.',
      ),
      left,
      all,
    ],
  ];
  it.each(cases)('%s', run);
});
