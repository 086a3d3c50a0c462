import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { aField } from '../extras/rows.fixture.ts';
import { ask, type TestRequest, user } from '../fixture/call.fixture.ts';
import { type Fixture, fixture } from '../fixture/index.ts';

// What is written is stored by us, not by an engine: one of them is enough.
let db: Fixture;
let service: Service;
beforeAll(async () => {
  db = await fixture('sqlite');
});
beforeEach(async () => {
  service = await db.open({});
});
afterAll(() => db?.stop());

const full = { fields: '*' };
const get = async (path: string, query = {}) => (await ask(service, `GET ${path}`, { query })).body;
const write = (line: string, body?: unknown, request: TestRequest = {}) => ask(service, line, { body, ...request });
const refusal = async (line: string, body?: unknown, request: TestRequest = {}) => {
  const { status, body: answer } = await write(line, body, request);
  return `${status} ${answer.error?.message}`;
};
const select = (text: string, use: unknown = ['SELECT']) => [{ use, function: text, function_type: 'database' }];

describe('a table', () => {
  it('gets labels, alias and description, and gives them back', async () => {
    const overrides = { label: 'Side', plural: 'Sides', alias: 'side', description: ' who plays ', name_field: 'name' };
    expect((await write('PATCH _schema/team', overrides)).body).toEqual({ name: 'team' });
    const table = await get('_schema/team');
    expect(table).toMatchObject({ ...overrides, description: 'who plays', name: 'team' });
    expect((await get('_table/side', { as_list: 'true' })).resource).toHaveLength(2);
    const cleared = await write('PUT _schema/Team', { label: 'Team', alias: '', plural: null }, { query: full });
    expect(cleared.body).toMatchObject({
      label: 'Team',
      plural: 'Teams',
      alias: null,
      description: 'who plays',
      access: 31,
    });
  });

  it('is written in a list, too, and answered as it was asked', async () => {
    const list = {
      resource: [
        { name: 'team', label: 'Crew' },
        { name: 'word', label: 'Bee' },
      ],
    };
    expect((await write('PATCH _schema', list)).body).toEqual({ resource: [{ name: 'team' }, { name: 'word' }] });
    const { body } = await write('POST _schema', list, { query: full });
    expect(body.resource).toMatchObject([
      { name: 'team', label: 'Crew', plural: 'Crews', access: 31 },
      { name: 'word', label: 'Bee' },
    ]);
  });

  it('may come back as it was read', async () => {
    await write('PATCH _schema/contact', {
      label: 'Human',
      field: [
        { name: 'email', label: 'Mail', alias: 'mail', db_function: select('upper(email)') },
        { name: 'twice', type: 'integer', is_virtual: true, db_function: select('age * 2') },
        { name: 'big', type: 'user_id' },
      ],
      related: { type: 'belongs_to', is_virtual: true, field: 'age', ref_table: 'team', ref_field: 'id', label: 'T' },
    });
    for (const name of ['contact', 'sum', 'member', 'Order Line']) {
      const before = await get(`_schema/${name}`);
      for (const verb of ['PUT', 'PATCH', 'POST'])
        expect((await write(`${verb} _schema/${name}`, before, { query: full })).body).toEqual(before);
    }
    expect(await get('_schema/contact/big')).toMatchObject({ type: 'user_id', alias: null });
  });

  it.each<[string, string, unknown, TestRequest?]>([
    ['400 No data in schema create request.', 'POST _schema', { name: 'team' }],
    ['400 No data in schema delete request.', 'DELETE _schema', {}, { query: { names: 'team' } }],
    ['400 Table schema received does not have a valid name.', 'POST _schema', [{ label: 'x' }]],
    [
      "400 A table with name 'team' already exist in the database.",
      'POST _schema',
      [{ name: 'TEAM' }],
      { query: { check_exist: 'true' } },
    ],
    ['404 Table "nope" does not exist in the database.', 'POST _schema/nope', {}],
    ['404 Table "nope" does not exist in the database.', 'DELETE _schema/nope', {}],
    ['404 Table "nope" does not exist in the database.', 'PATCH _schema/nope/_field', [{ name: 'x' }]],
    ['400 Invalid schema path in update request.', 'PATCH _schema/team/name/x', {}],
    ['400 Invalid schema path in delete request.', 'DELETE _schema/team/_field/name/x', {}],
    ["400 The label of 'team' is longer than 255 characters.", 'PATCH _schema/team', { label: 'x'.repeat(256) }],
    ["400 The label of 'team' must be a text.", 'PATCH _schema/team', { label: {} }],
    ["400 The name 'Word' is already used in the service.", 'PATCH _schema/team', { alias: 'Word' }],
  ])('%s', async (expected, line, body, request) => expect(await refusal(line, body, request)).toBe(expected));

  it.each(['a/b', 'a,b', ' ', '../x', 'a"b', '(a)', 'a;b', 'x'.repeat(65), '*', 'a{b}', 'a\nb'])(
    'is not called %j',
    async (alias) => {
      const { body } = await write('PATCH _schema/team', { alias });
      expect((await get('_schema/team')).alias).toBeNull();
      if (alias.trim() !== '') expect(body.error.message).toMatch(/^The alias of 'team' /);
    },
  );

  it('a list stops at the first that fails', async () => {
    const { status, body } = await write('PATCH _schema', [
      { name: 'team', label: 'Kept' },
      { name: 'nope' },
      { name: 'word', label: 'Not reached' },
    ]);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 1000,
      context: { error: [1, 2], resource: [{ name: 'team' }, { code: 400 }, { code: 400 }] },
    });
    expect(await get('_schema/team')).toMatchObject({ label: 'Kept' });
    expect(await get('_schema/word')).toMatchObject({ label: 'Word' });
  });

  it('is asked for once more in a list, and whole where parts of it are', async () => {
    const some = user({ _schema: 31, '_schema/team': 31, '_schema/word': 1, '_schema/word/*': 9 });
    const denied = (verb: string) =>
      `403 ${verb} access to component '_schema/word' of service 'db' is not allowed by this user's role.`;
    expect(await refusal('PATCH _schema', [{ name: 'word', label: 'x' }], { as: some })).toBe(denied('PATCH'));
    expect(await refusal('DELETE _schema', [{ name: 'word' }], { as: some })).toBe(denied('DELETE'));
    expect(await refusal('PATCH _schema/word/_field', [{ name: 'key' }], { as: some })).toBe(denied('PUT'));
    expect((await write('PATCH _schema/team', { label: 'Crew' }, { as: some })).status).toBe(200);
    expect((await write('PATCH _schema/word/_field/key', { label: 'Key word' }, { as: some })).status).toBe(200);
  });
});

describe('a field', () => {
  it('gets what is said of it, and nothing else changes', async () => {
    const overrides = {
      LABEL: 'State',
      picklist: 'open, done',
      validation: { picklist: { on_fail: 'no' } },
      description: 'how far',
      type: 'string',
      length: '10',
      allow_null: false,
      default: 'whatever',
    };
    expect((await write('PATCH _schema/contact/status', overrides)).body).toEqual([]);
    const { body } = await write('PATCH _schema/contact/_field/STATUS', { size: 10 }, { query: full });
    expect(body).toMatchObject({
      name: 'status',
      label: 'State',
      picklist: ['open', 'done'],
      validation: { picklist: { on_fail: 'no' } },
      description: 'how far',
      default: 'open',
      length: 10,
    });
    const list = [
      { name: 'status', picklist: null, validation: [] },
      { name: 'age', label: 'Age' },
    ];
    expect((await write('PATCH _schema/contact/_field', { resource: list })).body).toEqual([[], []]);
    const shown = (await write('POST _schema/contact/_field', list, { query: full })).body;
    expect(shown).toMatchObject([
      { name: 'status', picklist: null, validation: null, label: 'State' },
      { name: 'age' },
    ]);
  });

  it('knows who and when where its column has room for that', async () => {
    await write('PATCH _schema/contact/big', { type: 'USER_ID_ON_CREATE' });
    expect((await get('_schema/contact/big')).type).toBe('user_id_on_create');
    await write('PATCH _schema/contact/big', { label: 'B' });
    expect((await get('_schema/contact/big')).type).toBe('user_id_on_create');
    await write('PATCH _schema/contact/big', { type: 'bigint' });
    expect((await get('_schema/contact/big')).type).toBe('bigint');
  });

  it('may be virtual: made, changed and dropped', async () => {
    const virtual = {
      name: 'twice',
      type: 'integer',
      is_virtual: 'true',
      label: 'Double',
      db_function: select('age * 2', 'select')[0],
    };
    const { body } = await write('POST _schema/contact/_field', { resource: [virtual] }, { query: full });
    expect(body).toMatchObject([
      {
        name: 'twice',
        label: 'Double',
        type: 'integer',
        db_type: null,
        is_virtual: true,
        db_function: select('age * 2'),
      },
    ]);
    expect((await get('_table/contact/1', { fields: 'twice' })).twice).toBe(60);
    await write('PATCH _schema/contact/twice', { type: 'string', alias: 'double', db_function: select('age * 3') });
    expect(await get('_table/contact/1', { fields: 'double' })).toEqual({ double: '90' });
    await write('PUT _schema/contact/_field', [{ name: 'sum', type: 'virtual', is_aggregate: 1 }]);
    expect(await get('_schema/contact/sum')).toMatchObject({ type: 'string', is_aggregate: true, db_function: null });
    for (const path of ['TWICE', '_field/twice', '_field/nothing'])
      expect((await write(`DELETE _schema/contact/${path}`)).body).toEqual({ success: true });
    expect((await write('DELETE _schema/contact/_field', undefined, { query: { ids: 'sum,x' } })).body).toEqual({
      success: true,
    });
    expect((await get('_schema/contact')).field).toHaveLength(12);
  });

  it('of a PUT that leaves it out goes if it is virtual', async () => {
    await write('PATCH _schema/team', {
      field: [
        { name: 'a', is_virtual: true },
        { name: 'b', is_virtual: true },
      ],
    });
    const fields = [{ name: 'id' }, { name: 'NAME' }, { name: 'b' }];
    const { body } = await write('PUT _schema/team', { field: fields, label: 'T' }, { query: full });
    expect(body.field.map((field: { name: string }) => field.name)).toEqual(['id', 'name', 'b']);
    expect((await write('PUT _schema/team', { field: [], label: 'V' }, { query: full })).body.field).toHaveLength(3);
  });

  it.each<[string, object]>([
    ["400 Field 'name' already exists as non-virtual in table 'team'.", { is_virtual: true }],
    ["400 The name 'ID' is already used in table 'team'.", { alias: 'ID' }],
    ["400 The name 'member_by_team_id' is already used in table 'team'.", { alias: 'member_by_team_id' }],
    ["400 The picklist of 'name' must be a list.", { picklist: {} }],
    ["400 The validation of 'name' must be an object of rules.", { validation: 'email' }],
    ["400 The validation of 'name' is longer than 16384 characters.", { validation: { x: { y: 'x'.repeat(20_000) } } }],
    [
      "400 The validation of 'name' has a regexp that is no pattern: base64 of a text such as /^a+$/.",
      { validation: { match: { regexp: 'Lyg' } } },
    ],
    [
      "400 Invalid schema detected - unknown type 'reference' of virtual field 'v'.",
      { name: 'v', is_virtual: 1, type: 'fk' },
    ],
    [
      "400 The name of 'v\"w' must be a name of up to 64 letters, digits, underscores, blanks, dots and dashes.",
      { name: 'v"w', is_virtual: 1 },
    ],
    ['400 Invalid schema detected - no name element.', { name: '' }],
    [
      "400 The db_function of field 'id' is not usable: a key is found by what is stored.",
      { name: 'id', db_function: select('1') },
    ],
  ])('%s', async (expected, field) => {
    const body = { label: 'Never', field: { name: 'name', ...field } };
    expect(await refusal('PATCH _schema/team', body)).toBe(expected);
    // Nothing of it was saved.
    expect(await get('_schema/team')).toMatchObject({ label: 'Team' });
  });

  it('that is virtual does not become another one unseen', async () => {
    await write('PATCH _schema/team/_field', [{ name: 'v', is_virtual: true }]);
    expect(await refusal('PATCH _schema/team/v', { is_virtual: false })).toBe(
      "400 Field 'v' already exists as virtual in table 'team'.",
    );
    expect(await refusal('PATCH _schema/team/_field', [{ name: 'w', is_virtual: true, alias: 'V' }])).toBe(
      "400 The name 'V' is already used in table 'team'.",
    );
    expect(await refusal('DELETE _schema/team/_field', {})).toBe('400 No data in schema delete request.');
    expect(await refusal('PATCH _schema/team/_field', {})).toContain('contains no valid table field names');
    const many = Array.from({ length: 501 }, (_, at) => ({ name: `v${at}`, is_virtual: true }));
    expect(await refusal('PATCH _schema/team/_field', many)).toContain('more than 500 virtual fields');
  });

  it.each<[string, string, string]>([
    ['SELECT', '1; drop table team', 'it must be one expression, without a semicolon'],
    ['SELECT', '1 -- x', 'comments are not allowed'],
    ['SELECT', '1 /* x', 'comments are not allowed'],
    ['SELECT', '1 # x', 'comments are not allowed'],
    ['SELECT', '1) from team where (1=1', 'its brackets do not match'],
    ['SELECT', '(1', 'its brackets do not match'],
    ['SELECT', "'it", 'a quote is not closed'],
    ['SELECT', "'a\\' || (select 1) || '", 'a backslash before a quote is not allowed; double the quote'],
    ['SELECT', "[a'] , [b']", 'its brackets do not match'],
    ['SELECT', 'a = ?', 'placeholders are not allowed, but {value} of INSERT and UPDATE'],
    ['SELECT', '$1', 'placeholders are not allowed, but {value} of INSERT and UPDATE'],
    ['SELECT', '@x', 'placeholders are not allowed, but {value} of INSERT and UPDATE'],
    ['SELECT', ':x', 'placeholders are not allowed, but {value} of INSERT and UPDATE'],
    ['SELECT', 'upper({value})', '{value} is for INSERT and UPDATE alone'],
    ['INSERT', "'{value}'", '{value} must not stand in quotes'],
    ['DELETE', 'x', '"use" must be a list of SELECT, FILTER, INSERT and UPDATE'],
    ['SELECT', '', '"function" must be a text'],
    ['SELECT', 'x\u0000', 'control characters are not allowed'],
    ['SELECT', `1 + ${'1'.repeat(2000)}`, 'it is longer than 2000 characters'],
  ])('has no %s function %j', async (use, text, problem) => {
    expect(await refusal('PATCH _schema/team/name', { db_function: select(text, [use]) })).toBe(
      `400 The db_function of field 'name' is not usable: ${problem}.`,
    );
  });

  it.each([
    "upper(name) || ' -- ; ( ''' || \"name\"",
    'coalesce(name, (select max(name) from team where name <> :: text))'.replace(':: ', ''),
    'cast(name as text)',
    'name::text',
    "replace(name, '?', '$1')",
  ])('has the function %s', async (text) => {
    expect((await write('PATCH _schema/team/name', { db_function: select(text) })).status).toBe(200);
  });

  it('keeps a virtual field with a function from those who may not write one', async () => {
    const editor = user({ '_schema/*': 31 });
    const virtual = (name: string, more: object) => ({ name, is_virtual: true, ...more });
    await write('PATCH _schema/team', {
      field: [virtual('loud', { db_function: select('upper(name)') }), virtual('mine', { label: 'Own' })],
    });
    const message = '403 Only administrators may change the db_function of a field.';
    expect(await refusal('DELETE _schema/team/_field/loud', undefined, { as: editor })).toBe(message);
    expect((await write('DELETE _schema/team/_field/mine', undefined, { as: editor })).status).toBe(200);
    expect((await get('_schema/team/_field/loud')).name).toBe('loud');
  });

  it('gets SQL and names of the API from administrators alone', async () => {
    const editor = user({ '_schema/*': 31 });
    await write('PATCH _schema/team', { alias: 'side', field: [{ name: 'name', db_function: select('upper(name)') }] });
    const shown = await get('_schema/team');
    expect((await write('PUT _schema/team', { ...shown, label: 'Mine' }, { as: editor })).status).toBe(200);
    for (const [what, body] of [
      ['the alias of a table', { alias: 'other' }],
      ['the alias of a field', { field: { name: 'id', alias: 'no' } }],
      ['the db_function of a field', { field: { name: 'name', db_function: select('(select password from user)') } }],
      ['the db_function of a field', { field: { name: 'name', db_function: null } }],
      ['the db_function of a field', { field: { name: 'v', is_virtual: true, db_function: select('1') } }],
    ] as const)
      expect(await refusal('PATCH _schema/team', body, { as: editor })).toBe(
        `403 Only administrators may change ${what}.`,
      );
    expect(await get('_schema/team')).toEqual({ ...shown, label: 'Mine' });
  });
});

it('what is left of a column, or of a virtual field that became one, is no more', async () => {
  const extras = {
    db_field_extras: [
      aField('team.lost', { alias: 'left', description: 'over' }),
      aField('team.name', { is_virtual: 1, sql: { SELECT: '1' } }),
    ],
  };
  service = await db.open({}, extras);
  expect((await get('_table/team', { order: 'name', fields: 'name' })).resource).toEqual([
    { name: 'blue' },
    { name: 'red' },
  ]);
  await write('PATCH _schema/team/_field', [
    { name: 'name', label: 'Called' },
    { name: 'lost', is_virtual: true },
  ]);
  expect((await get('_schema/team')).field.slice(1)).toMatchObject([
    { name: 'name', label: 'Called', is_virtual: false, db_function: null },
    { name: 'lost', alias: null, description: null, is_virtual: true },
  ]);
});

describe('a relation', () => {
  const virtual = { type: 'has_many', is_virtual: true, field: 'id', ref_table: 'contact', ref_field: 'age' };
  const named = async (table = 'team') =>
    (await get(`_schema/${table}/_related`)).resource.map((relation: { name: string }) => relation.name);

  it('of the database gets what is said of it', async () => {
    const overrides = {
      name: 'member_by_team_id',
      alias: 'mates',
      label: 'Mates',
      always_fetch: true,
      flatten: 'true',
    };
    expect((await write('PATCH _schema/team/_related', [overrides])).body).toEqual([[]]);
    const path = '_schema/team/_related/member_by_team_id';
    expect(await get(path)).toMatchObject({
      alias: 'mates',
      label: 'Mates',
      always_fetch: true,
      flatten: true,
      is_virtual: false,
    });
    const { body } = await write(`PATCH ${path}`, { label: '', flatten: false }, { query: full });
    expect(body).toMatchObject({ label: 'Member By Team Id', always_fetch: true, flatten: false, ref_service_id: 5 });
    expect((await write(`DELETE ${path}`)).body).toEqual({ success: true });
    expect(await get(path)).toMatchObject({ alias: null, always_fetch: false });
  });

  it('may be virtual: made, changed, replaced and dropped', async () => {
    const { body } = await write(
      'POST _schema/team/_related',
      { resource: [{ ...virtual, label: 'Ages' }] },
      { query: full },
    );
    expect(body).toMatchObject([
      { ...virtual, name: 'contact_by_age', label: 'Ages', ref_service_id: 5, ref_on_update: null },
    ]);
    await write('PATCH _schema/team/_related', [{ ...virtual, alias: 'aged' }]);
    expect(await named()).toEqual(['member_by_team_id', 'contact_by_age']);
    await write('PATCH _schema/team/_related', [{ ...virtual, name: 'contact_by_age', ref_field: 'big' }]);
    expect(await named()).toEqual(['member_by_team_id', 'contact_by_big']);
    expect(await get('_schema/team/_related/contact_by_big')).toMatchObject({ alias: 'aged', label: 'Ages' });
    await write('PATCH _schema/team/_related/contact_by_big', { label: 'Bigs' });
    expect(await get('_schema/team/_related/contact_by_big')).toMatchObject({ alias: 'aged', label: 'Bigs' });
    for (const name of ['contact_by_big', 'contact_by_big', 'nothing'])
      expect((await write(`DELETE _schema/team/_related/${name}`)).body).toEqual({ success: true });
    await write('POST _schema/team/_related', [{ ...virtual, ref_field: 'big' }]);
    expect(await get('_schema/team/_related/contact_by_big')).toMatchObject({ alias: null, label: 'Contact By Big' });
  });

  it('leads to other services by id or name', async () => {
    const through = { junction_table: 'member', junction_field: 'team_id', junction_ref_field: 'id' };
    await write('POST _schema/team/_related', [
      { ...virtual, ref_service: 'OTHER' },
      {
        ...virtual,
        ...through,
        type: 'many_many',
        ref_service_id: '6',
        junction_service: 'db',
        junction_service_id: null,
      },
    ]);
    const { resource } = await get('_schema/team/_related');
    expect(resource.slice(1)).toMatchObject([
      { name: 'other.contact_by_age', ref_service_id: 6, junction_service_id: null },
      { name: 'other.contact_by_member', ref_service_id: 6, junction_service_id: 5, ...through },
    ]);
  });

  it('goes with the virtual field it is on', async () => {
    await write('PATCH _schema/team', {
      field: { name: 'v', alias: 'w', is_virtual: true },
      related: { ...virtual, field: 'w', label: 'Gone' },
    });
    expect(await named()).toContain('contact_by_age');
    await write('DELETE _schema/team/v');
    expect(await named()).toEqual(['member_by_team_id']);
  });

  it.each<[string, object]>([
    ["404 No requested relationships found in table 'team'.", { name: 'nope' }],
    ['400 Invalid schema detected - no name element.', { label: 'x' }],
    ['400 Invalid schema detected - invalid or missing type element.', { ...virtual, type: 'x' }],
    ['400 Invalid schema detected - invalid or missing type element.', { ...virtual, type: undefined }],
    ['400 Invalid schema detected - no ref_table element for virtual relationship.', { ...virtual, ref_table: '' }],
    [
      '400 Invalid schema detected - no junction_table element for virtual relationship.',
      { ...virtual, type: 'many_many' },
    ],
    [
      "400 Invalid schema detected - no field 'x' in table 'team' for virtual relationship.",
      { ...virtual, field: 'id,x' },
    ],
    [
      '400 Invalid schema detected - lists of fields that differ in length for virtual relationship.',
      { ...virtual, ref_field: 'age,big' },
    ],
    [
      '400 Invalid schema detected - lists of fields that differ in length for virtual relationship.',
      {
        ...virtual,
        type: 'many_many',
        junction_table: 'member',
        junction_field: 'team_id',
        junction_ref_field: 'team_id,contact_id',
      },
    ],
    ["400 Invalid schema detected - no service '99' for virtual relationship.", { ...virtual, ref_service_id: 99 }],
    [
      "400 Invalid schema detected - no service 'constructor' for virtual relationship.",
      { ...virtual, ref_service: 'constructor' },
    ],
    [
      "400 Relationship 'member_by_team_id' already exists as non-virtual in table 'team'.",
      { ...virtual, ref_table: 'member', ref_field: 'team_id' },
    ],
    ["400 The name 'Name' is already used in table 'team'.", { ...virtual, alias: 'Name' }],
  ])('%s', async (expected, relation) => {
    expect(await refusal('PATCH _schema/team', { label: 'Never', related: [relation] })).toBe(expected);
    expect(await get('_schema/team')).toMatchObject({ label: 'Team' });
    expect(await named()).toEqual(['member_by_team_id']);
  });
});
