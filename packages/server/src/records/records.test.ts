import { aCallerWith, nobody } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const addRoles = async (...names: string[]): Promise<number[]> => {
  const { body } = await ask('POST', 'role', { resource: names.map((name) => ({ name })) });
  return body.resource.map((role: { id: number }) => role.id);
};
const names = (body: { resource: { name: string }[] }) => body.resource.map((record) => record.name);
const version = async (table: 'role' | 'user' | 'app', id: number) =>
  (await system.store.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirst())?.version;

describe('creating', () => {
  test('answers 201 and the identifier only', async () => {
    const { status, body } = await ask('POST', 'role', { resource: [{ name: 'reader' }, { name: 'writer' }] });
    expect(status).toBe(201);
    expect(body).toEqual({ resource: [{ id: 1 }, { id: 2 }] });
  });

  test('answers whole records with fields=*, stamps by the caller', async () => {
    const { body } = await ask('POST', 'role?fields=*', { resource: [{ name: 'reader', created_by_id: 99, id: 77 }] });
    const [role] = body.resource;
    expect(role).toEqual({
      id: 1,
      name: 'reader',
      description: null,
      is_active: false,
      created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      last_modified_date: role.created_date,
      created_by_id: 1,
      last_modified_by_id: null,
    });
  });

  test.each([
    ['nothing', undefined],
    ['a bare object', { name: 'x' }],
    ['an empty list', { resource: [] }],
    ['an empty object', {}],
    ['text', 'name=x'],
  ])('refuses %s', async (_, payload) => {
    const { status, body } = await ask('POST', 'role', payload);
    expect(status).toBe(400);
    expect(body.error.message).toMatch(
      /^No record\(s\) detected in request\. Please make sure record\(s\) are wrapped/,
    );
  });

  test('takes a bare list and a single wrapped record', async () => {
    expect((await ask('POST', 'role', [{ name: 'a' }])).status).toBe(201);
    expect((await ask('POST', 'role', { resource: { name: 'b' } })).status).toBe(201);
  });

  test('refuses an id in the address', async () => {
    const { status, body } = await ask('POST', 'role/5', { name: 'x' });
    expect([status, body.error.message]).toEqual([400, 'Create record by identifier not currently supported.']);
  });

  test('ignores unknown and read-only keys, prototype keys among them', async () => {
    const payload = JSON.parse(
      '{"resource":[{"name":"x","native":1,"version":9,"__proto__":{"y":1},"constructor":2}]}',
    );
    expect((await ask('POST', 'role', payload)).status).toBe(201);
    expect(await version('role', 1)).toBe(1);
  });
});

describe('validation', () => {
  const item = async (path: string, record: unknown) => {
    const { status, body } = await ask('POST', path, { resource: [record] });
    expect(status).toBe(400);
    expect(body.error.code).toBe(1000);
    return body.error.context.resource[0];
  };

  test.each([
    ['role', {}, 'name', 'The name field is required.'],
    ['role', { name: '' }, 'name', 'The name field is required.'],
    ['role', { name: null }, 'name', 'The name field is required.'],
    ['role', { name: 'x'.repeat(65) }, 'name', 'The name may not be greater than 64 characters.'],
    ['role', { name: { a: 1 } }, 'name', 'The name must be a string.'],
    ['role', { name: 'a\0b' }, 'name', 'The name must be a string.'],
    ['role', { name: 'x', is_active: 'perhaps' }, 'is_active', 'The is active field must be true or false.'],
    ['app', { name: 'x', type: 'two' }, 'type', 'The type must be an integer.'],
    ['app', { name: 'x', type: 2 ** 53 }, 'type', 'The type must be an integer.'],
    ['app', { name: 'x', role_id: 77 }, 'role_id', 'The selected role id is invalid.'],
    ['user', { email: 'nonsense' }, 'email', 'The email must be a valid email address.'],
    ['user', { email: 'x@example.com', username: 'abc' }, 'username', 'The username must be at least 6 characters.'],
    ['user', { email: 'x@example.com', username: 'has space' }, 'username', 'The username format is invalid.'],
  ])('%s %j', async (path, record, field, message) => {
    const failed = await item(path, record);
    expect(failed).toMatchObject({ code: 400, status_code: 400 });
    expect(failed.context[field]).toContain(message);
    expect(failed.message).toContain(`Invalid data supplied. `);
    expect(failed.message).toContain(message);
  });

  test('gathers every message', async () => {
    const failed = await item('app', { type: 'two' });
    expect(failed.message).toBe('Invalid data supplied. The type must be an integer. The name field is required.');
  });

  test('cuts a description where the contract cuts', async () => {
    const { body } = await ask('POST', 'role?fields=*', { resource: [{ name: 'x', description: 'é'.repeat(300) }] });
    expect(body.resource[0].description).toBe('é'.repeat(255));
  });

  test('compares unique texts without regard to case, but not with themselves', async () => {
    const [id] = await addRoles('Reader');
    expect((await item('role', { name: 'reader' })).message).toBe(
      'Invalid data supplied. The name has already been taken.',
    );
    expect((await ask('PATCH', `role/${id}`, { name: 'READER' })).status).toBe(200);
  });

  test('is the same on update', async () => {
    const [first] = await addRoles('a', 'b');
    const taken = await ask('PATCH', `role/${first}`, { name: 'b' });
    expect(taken).toMatchObject({
      status: 400,
      body: { error: { code: 400, context: { name: ['The name has already been taken.'] } } },
    });
    expect((await ask('PUT', `role/${first}`, { name: '' })).status).toBe(400);
    expect((await ask('PATCH', `role/${first}`, { description: 'fine without a name' })).status).toBe(200);
  });

  test('reads numbers and words in CSV and XML, leaves empty cells out', async () => {
    const csv = { headers: { 'content-type': 'text/csv' } };
    const cells = [
      { name: 'x', is_active: 'true', description: 'null' },
      { name: 'y', is_active: '', description: '' },
    ];
    const { body } = await ask('POST', 'role?fields=*', { resource: cells }, csv);
    expect(body.resource).toMatchObject([
      { name: 'x', is_active: true, description: null },
      { name: 'y', is_active: false, description: null },
    ]);
  });
});

describe('reading', () => {
  beforeEach(() => addRoles('alpha', 'beta', 'gamma', 'delta'));

  test('lists in order of id, wrapped', async () => {
    const { status, body } = await ask('GET', 'role');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['resource']);
    expect(names(body)).toEqual(['alpha', 'beta', 'gamma', 'delta']);
  });

  test('answers one record bare; a trailing slash changes nothing', async () => {
    expect((await ask('GET', 'role/2')).body).toMatchObject({ id: 2, name: 'beta' });
    expect((await ask('GET', 'role/2/')).body).toMatchObject({ id: 2 });
  });

  test.each(['77', 'abc', '0', '-1', '1.0', '1 or 1=1', "1'--", '99999999999999999999', ' 1'])(
    'has no role %s',
    async (id) => {
      const { status, body } = await ask('GET', `role/${id}`);
      expect([status, body.error.message]).toEqual([404, `Record with identifier '${id}' not found.`]);
    },
  );

  test.each([
    ['limit=2', ['alpha', 'beta']],
    ['limit=2&offset=1', ['beta', 'gamma']],
    ['top=1&skip=3', ['delta']],
    ['limit=0', ['alpha', 'beta', 'gamma', 'delta']],
    ['limit=-3', ['alpha', 'beta', 'gamma', 'delta']],
    ['order=name', ['alpha', 'beta', 'delta', 'gamma']],
    ['order=name desc', ['gamma', 'delta', 'beta', 'alpha']],
    ['order_by=is_active, id desc', ['delta', 'gamma', 'beta', 'alpha']],
    ['filter=name="beta"', ['beta']],
    ['filter=NAME like "%25TA"', ['beta', 'delta']],
    ['filter=(name like "%25mm%25") or (id=1)', ['alpha', 'gamma']],
    ['filter=is_active = false', ['alpha', 'beta', 'gamma', 'delta']],
    ['filter=is_active = 1', []],
    ['filter=not (name contains a)', []],
    ['filter=name not like "%25A"', []],
    ['filter=id in (2,4)', ['beta', 'delta']],
    ['filter=id not in (2,4)', ['alpha', 'gamma']],
    ['filter=id between 2 and 3', ['beta', 'gamma']],
    ['filter=(id > 1) xor (id > 2) xor (id > 3)', ['beta', 'delta']],
    ['filter=(id = 1) nor (id = 2)', ['gamma', 'delta']],
    ['filter=description is null', ['alpha', 'beta', 'gamma', 'delta']],
    ['filter=description is not null', []],
    ['filter=created_by_id = {user.id} and name ends with ma', ['gamma']],
    ['filter=created_by_id = :user_id and id = 1', ['alpha']],
    ['filter=name = :n&params={":n":"delta"}', ['delta']],
    ['filter=created_date <= (NOW())', ['alpha', 'beta', 'gamma', 'delta']],
    ['filter=', ['alpha', 'beta', 'gamma', 'delta']],
    ['filter=name = "alpha%27; drop table role; --"', []],
  ])('%s', async (query, expected) => {
    const { status, body } = await ask('GET', `role?${query}`);
    expect(status).toBe(200);
    expect(names(body)).toEqual(expected);
  });

  test.each([
    ['filter=nope = 1', "Invalid or unparsable field in filter request: 'nope'"],
    ['filter=version > 0', "Invalid or unparsable field in filter request: 'version'"],
    ['filter=1=1', "Invalid or unparsable field in filter request: '1'"],
    ['filter=name', 'Invalid or unparsable filter request.'],
    ['filter=id = abc', "Field 'id' must be a valid integer."],
    ['filter=id in 1', 'Filter value lists must be wrapped in parentheses.'],
    [`filter=${'('.repeat(101)}id=1${')'.repeat(101)}`, 'The filter is nested more than 100 levels deep.'],
    ["filter=name = '%27 or 1=1 --'", expect.stringContaining("'1'")],
    ["filter=name = 'x') or (1=1'", 'Invalid or unparsable filter request.'],
    ['order=nope', "Invalid field 'nope' in order by clause."],
    ['order=version', "Invalid field 'version' in order by clause."],
    ['order=name; drop table role', 'Invalid order by clause in request.'],
    ['group=version', expect.stringContaining('version')],
    ['related=nope', 'Unknown relationship: nope'],
    ['related=*', 'Unknown relationship: *'],
    ['related=constructor', 'Unknown relationship: constructor'],
    ['related=app_by_role_id,worse&filter=id=99', 'Unknown relationship: worse'],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await ask('GET', `role?${query}`);
    expect([status, body.error.message]).toEqual([400, message]);
  });

  test('holds long filters: hundreds of comparisons, thousands of values', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => index + 2).join(',');
    const terms = (count: number, word: string) => Array.from({ length: count }, () => '(id=1)').join(` ${word} `);
    const status = async (filter: string) => (await ask('GET', 'role', { filter })).status;
    expect(await status(`id in (${list(20_000)})`)).toBe(200);
    expect(await status(terms(500, 'or'))).toBe(200);
    expect(await status(terms(500, 'xor'))).toBe(200);
    expect(await status(terms(500, 'nor'))).toBe(400);
  });

  test.each([
    ['characters', 262_144, `name = "${'a'.repeat(262_144)}"`],
    ['comparisons', 500, Array.from({ length: 501 }, () => '(id=1)').join(' or ')],
    ['values', 30_000, `id in (${Array.from({ length: 30_001 }, (_, index) => index).join(',')})`],
    ['patterns', 20, Array.from({ length: 21 }, () => '(name like "%a")').join(' and ')],
    ['characters of a pattern', 255, `name contains "${'a'.repeat(256)}"`],
    ['characters of a pattern', 255, 'name like (description)', 'lookup'],
  ])('abuse: no more %s than %d', async (unit, limit, filter, resource = 'role') => {
    const { status, body } = await ask('GET', resource, { filter });
    expect([status, body.error.message]).toEqual([400, `The filter is longer than ${limit} ${unit}.`]);
  });

  test('takes filters of a tunnelled body, but relations and ids from the address only', async () => {
    const { body } = await ask('GET', 'role', { filter: 'id = :x', params: { ':x': 3 }, ids: '1', related: 'nope' });
    expect(names(body)).toEqual(['gamma']);
    expect((await ask('GET', 'role', { resource: [{ id: 4 }, { id: 1 }] })).body.resource).toMatchObject([
      { name: 'delta' },
      { name: 'alpha' },
    ]);
  });

  test('never answers more than SLUICE_MAX_RECORDS', async () => {
    const small = await startSystem({ maxRecords: 2 });
    await small.ask('POST', 'role', { resource: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    expect((await small.ask('GET', 'role?limit=50&include_count=true')).body).toMatchObject({
      resource: [{ id: 1 }, { id: 2 }],
      meta: { count: 3 },
    });
    await small.close();
  });

  test('answers the fields asked for, unknown ones left out', async () => {
    expect((await ask('GET', 'role/1?fields=name,nope,version')).body).toEqual({ name: 'alpha' });
    expect(Object.keys((await ask('GET', 'role/1?fields=*')).body)).toHaveLength(8);
    expect((await ask('GET', 'role?fields=id&limit=1')).body).toEqual({ resource: [{ id: 1 }] });
  });

  test('answers count, schema and lists of ids', async () => {
    const { body } = await ask('GET', 'role?limit=1&filter=id>1&include_count=true&include_schema=true');
    expect(body.meta.count).toBe(3);
    expect(body.meta.schema).toMatchObject({ name: 'role', primary_key: ['id'] });
    expect(body.meta.schema.field.map((field: { name: string }) => field.name)).not.toContain('version');
    expect(body.meta.schema.related.map((relation: { name: string }) => relation.name)).toContain('lookup_by_role_id');
    expect((await ask('GET', 'role?as_list=true&order=id desc')).body).toEqual({ resource: [4, 3, 2, 1] });
    expect((await ask('GET', 'role?group=is_active&include_count=true')).body).toEqual({
      resource: [{ is_active: false }],
      meta: { count: 1 },
    });
  });

  test('reads ids in the order given, and fails as a batch when one is missing', async () => {
    expect(names((await ask('GET', 'role?ids=3,1')).body)).toEqual(['gamma', 'alpha']);
    const { status, body } = await ask('GET', 'role?ids=1,77,2&fields=id');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 1000,
      message: 'Batch Error: Not all requested records could be retrieved.',
      context: {
        error: [1],
        resource: [{ id: 1 }, { code: 404, message: "Record with identifier '77' not found.", status_code: 404 }],
      },
    });
    const all = await ask('GET', 'role?ids=1,77,2&fields=id&continue=true');
    expect(all.body.error.context.resource).toHaveLength(3);
  });
});

describe('updating', () => {
  test.each(['PUT', 'PATCH'] as const)('%s changes only what was given', async (verb) => {
    const [id] = await addRoles('a');
    await ask('PATCH', `role/${id}`, { description: 'kept' });
    expect(await ask(verb, `role/${id}`, { is_active: true })).toMatchObject({ status: 200, body: { id } });
    expect((await ask('GET', `role/${id}`)).body).toMatchObject({
      name: 'a',
      description: 'kept',
      is_active: true,
      last_modified_by_id: 1,
    });
  });

  test('takes the one record wrapped too, but not two', async () => {
    const [id] = await addRoles('a');
    await ask('PATCH', `role/${id}`, { resource: [{ name: 'b' }] });
    expect((await ask('GET', `role/${id}`)).body.name).toBe('b');
    expect((await ask('PATCH', `role/${id}`, { resource: [{}, {}] })).status).toBe(400);
  });

  test('touches nothing when nothing is given', async () => {
    const [id] = await addRoles('a');
    const before = (await ask('GET', `role/${id}`)).body;
    expect((await ask('PATCH', `role/${id}`, undefined)).body).toEqual({ id });
    expect((await ask('PATCH', `role/${id}`, { created_date: 'x', id: 9 })).body).toEqual({ id });
    expect((await ask('GET', `role/${id}`)).body).toEqual(before);
    expect(await version('role', id as number)).toBe(1);
  });

  test('does not take fields of a record for parameters', async () => {
    const [id] = await addRoles('a');
    const { body } = await ask('PATCH', `role/${id}`, { description: 'x', fields: '*', related: 'nope', limit: 1 });
    expect(body).toEqual({ id });
  });

  test('several by their own ids, or all alike by ids=', async () => {
    await addRoles('a', 'b', 'c');
    const updated = await ask('PATCH', 'role?fields=id,name', {
      resource: [
        { id: 2, name: 'bb' },
        { id: 1, name: 'aa' },
      ],
    });
    expect(updated.body).toEqual({
      resource: [
        { id: 2, name: 'bb' },
        { id: 1, name: 'aa' },
      ],
    });
    await ask('PUT', 'role?ids=1,3', { resource: [{ description: 'same' }] });
    const { body } = await ask('GET', 'role?filter=description = same&fields=id');
    expect(body).toEqual({ resource: [{ id: 1 }, { id: 3 }] });
  });

  test('a record without id is its own failure', async () => {
    const { status, body } = await ask('PATCH', 'role', { resource: [{ name: 'x' }] });
    expect([status, body.error.code]).toEqual([400, 1000]);
    expect(body.error.context.resource[0].message).toBe(
      'Identifying field "id" can not be empty for update request . ',
    );
  });

  test('answers 404 for one that is not there', async () => {
    expect((await ask('PATCH', 'role/77', { name: 'x' })).status).toBe(404);
    expect((await ask('PATCH', 'role/abc', { name: 'x' })).body.error.message).toBe(
      "Record with identifier 'abc' not found.",
    );
  });
});

describe('batches', () => {
  const three = { resource: [{ name: 'a' }, { name: '' }, { name: 'c' }] };
  const storedNames = async () => names((await ask('GET', 'role')).body);

  test('stop at the first failure and keep what was done', async () => {
    const { status, body } = await ask('POST', 'role', three);
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: 1000,
      message: 'Batch Error: Not all requested records could be created.',
      status_code: 400,
      context: {
        error: [1],
        resource: [
          { id: 1 },
          {
            code: 400,
            context: { name: ['The name field is required.'] },
            message: 'Invalid data supplied. The name field is required.',
            status_code: 400,
          },
        ],
      },
    });
    expect(await storedNames()).toEqual(['a']);
  });

  test('go on with continue=true', async () => {
    const { body } = await ask('POST', 'role?continue=true', three);
    expect(body.error.context).toMatchObject({ error: [1], resource: [{ id: 1 }, { code: 400 }, { id: 2 }] });
    expect(await storedNames()).toEqual(['a', 'c']);
  });

  test('undo everything with rollback=true', async () => {
    system.takeChanges();
    const { body } = await ask('POST', 'role?rollback=true&fields=name', three);
    expect(body.error.message).toBe(
      'Batch Error: Not all requested records could be created. All changes rolled back.',
    );
    expect(body.error.context).toMatchObject({ error: [1], resource: [{ name: 'a' }, { code: 400 }] });
    expect(await storedNames()).toEqual([]);
    expect(system.takeChanges()).toEqual([]);
  });

  test('of one record fail as a batch too', async () => {
    const { body } = await ask('POST', 'role', { resource: [{}] });
    expect(body.error.code).toBe(1000);
  });

  test('let other calls in between', async () => {
    let turns = 0;
    const clock = setInterval(() => {
      turns += 1;
    }, 0);
    const many = { resource: Array.from({ length: 300 }, (_, index) => ({ name: `r${index}` })) };
    expect((await ask('POST', 'role?rollback=true', many)).status).toBe(201);
    clearInterval(clock);
    expect(turns).toBeGreaterThan(3);
  });

  test('hold no more than 10,000 records, and only objects', async () => {
    const many = await ask('POST', 'role', { resource: Array.from({ length: 10_001 }, () => ({})) });
    expect([many.status, many.body.error.code]).toEqual([400, 400]);
    expect((await ask('POST', 'role', { resource: [1] })).body.error.message).toBe('Record 0 is not an object.');
    const ids = Array.from({ length: 10_001 }, (_, index) => index).join(',');
    expect((await ask('DELETE', `role?ids=${ids}`)).status).toBe(400);
  });

  test('name what the database refuses in its own words', async () => {
    const { body } = await ask('POST', 'role', {
      resource: [{ name: 'a', lookup_by_role_id: [{ name: 'x', description: 'ok', private: 'maybe' }] }],
    });
    expect(body.error.context.resource[0].message).toBe(
      'Invalid data supplied. The private field must be true or false.',
    );
    expect(await storedNames()).toEqual([]);
  });

  test('tell every cache of what was committed before they answer', async () => {
    system.takeChanges();
    await ask('POST', 'role', three);
    expect(system.takeChanges()).toEqual([{ table: 'role', ids: [1] }]);
    await ask('DELETE', 'role/1');
    const notices = system.takeChanges();
    expect(notices).toContainEqual({ table: 'role', ids: [1] });
    expect(notices.map((change) => change.table).sort()).toEqual([
      'app',
      'limit',
      'lookup',
      'role',
      'role_adldap',
      'role_service_access',
      'user_to_app_to_role',
    ]);
  });
});

describe('deleting', () => {
  beforeEach(() => addRoles('a', 'b', 'c'));

  test.each([
    ['role/2', undefined, { id: 2 }],
    ['role/2?fields=name', undefined, { name: 'b' }],
    ['role/2?related=lookup_by_role_id', undefined, { id: 2, lookup_by_role_id: [] }],
    ['role?ids=3,1', undefined, { resource: [{ id: 3 }, { id: 1 }] }],
    ['role', { resource: [{ id: 2 }, { id: 1 }] }, { resource: [{ id: 2 }, { id: 1 }] }],
    ['role?force=true', undefined, { resource: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
  ])('DELETE %s', async (path, payload, expected) => {
    expect(await ask('DELETE', path, payload)).toEqual({ status: 200, body: expected });
    const remaining = (await ask('GET', 'role?as_list=true')).body.resource;
    const deleted = [expected]
      .flatMap((body) => ('resource' in body ? body.resource : body))
      .flatMap((record) => ('id' in record ? record.id : 2));
    expect(remaining).toEqual([1, 2, 3].filter((id) => !deleted.includes(id)));
  });

  test.each([
    ['role', 400, 'No filter or records given for delete request.'],
    ['role?force=false', 400, 'No filter or records given for delete request.'],
    ['role?filter=id>0', 400, 'Records of this resource can not be deleted by filter.'],
    ['role?filter=id>0&force=true', 400, 'Records of this resource can not be deleted by filter.'],
    ['role/77', 404, "Record with identifier '77' not found."],
    ['role/2?related=nope', 400, 'Unknown relationship: nope'],
  ])('refuses DELETE %s', async (path, status, message) => {
    const response = await ask('DELETE', path);
    expect([response.status, response.body.error.message]).toEqual([status, message]);
    expect((await ask('GET', 'role?as_list=true')).body.resource).toEqual([1, 2, 3]);
  });

  test('stops at a missing one', async () => {
    const { body } = await ask('DELETE', 'role?ids=1,77,2');
    expect(body.error).toMatchObject({
      message: 'Batch Error: Not all requested records could be deleted.',
      context: { error: [1], resource: [{ id: 1 }, { code: 404 }] },
    });
    expect((await ask('GET', 'role?as_list=true')).body.resource).toEqual([2, 3]);
  });
});

describe('relations', () => {
  const nested = {
    name: 'reader',
    role_service_access_by_role_id: [
      { service_id: 5, component: '_table/*', verb_mask: 1, filters: [{ name: 'a', operator: '=', value: '1' }] },
      { component: '*', verb_mask: 31, requestor_mask: 3, filter_op: 'OR' },
    ],
    lookup_by_role_id: [{ name: 'region', value: 'eu' }],
  };
  const related = 'related=role_service_access_by_role_id,lookup_by_role_id';
  const create = async () => (await ask('POST', `role?fields=*&${related}`, { resource: [nested] })).body.resource[0];

  test('are written with their owner and read back', async () => {
    const role = await create();
    expect(role.role_service_access_by_role_id).toMatchObject([
      {
        id: 1,
        role_id: 1,
        service_id: 5,
        component: '_table/*',
        verb_mask: 1,
        requestor_mask: 1,
        filters: [{ name: 'a', operator: '=', value: '1' }],
        filter_op: 'and',
        created_by_id: 1,
      },
      { id: 2, role_id: 1, service_id: null, verb_mask: 31, requestor_mask: 3, filters: null, filter_op: 'OR' },
    ]);
    expect(Object.keys(role.lookup_by_role_id[0])).toEqual([
      'id',
      'role_id',
      'name',
      'value',
      'private',
      'description',
      'created_date',
      'last_modified_date',
      'created_by_id',
      'last_modified_by_id',
    ]);
    expect((await ask('GET', `role?${related}`)).body.resource).toEqual([role]);
  });

  test('update, create, and delete by a null owner; rows not mentioned stay', async () => {
    const { lookup_by_role_id: lookups } = await create();
    const { status, body } = await ask('PUT', `role/1?${related}`, {
      role_service_access_by_role_id: [
        { id: 1, verb_mask: 3 },
        { id: 2, role_id: null },
        { component: '_schema/*', verb_mask: 1 },
      ],
    });
    expect(status).toBe(200);
    expect(body.role_service_access_by_role_id).toMatchObject([
      { id: 1, component: '_table/*', verb_mask: 3, last_modified_by_id: 1 },
      { id: 3, role_id: 1, component: '_schema/*' },
    ]);
    expect(body.lookup_by_role_id).toEqual(lookups);
    expect(await version('role', 1)).toBe(2);
  });

  test('move a row to another existing owner, whose version rises too', async () => {
    await create();
    await addRoles('other');
    await ask('PATCH', 'role/1', { role_service_access_by_role_id: [{ id: 1, role_id: 2, verb_mask: 7 }] });
    expect((await ask('GET', `role/2?${related}`)).body.role_service_access_by_role_id).toMatchObject([
      { id: 1, role_id: 2, verb_mask: 7 },
    ]);
    expect(await version('role', 2)).toBe(2);
    await ask('PATCH', 'role/1', { role_service_access_by_role_id: [{ id: 2, role_id: 77, verb_mask: 9 }] });
    expect((await ask('GET', `role/1?${related}`)).body.role_service_access_by_role_id).toMatchObject([
      { id: 2, role_id: 1, verb_mask: 9 },
    ]);
  });

  test('find lookups by name when they come without id', async () => {
    await create();
    await ask('PATCH', 'role/1', { lookup_by_role_id: [{ name: 'region', value: 'us' }] });
    expect((await ask('GET', `role/1?${related}`)).body.lookup_by_role_id).toMatchObject([{ id: 1, value: 'us' }]);
    await ask('PATCH', 'role/1', { lookup_by_role_id: [{ name: 'region', role_id: null }] });
    expect((await ask('GET', `role/1?${related}`)).body.lookup_by_role_id).toEqual([]);
  });

  test("do not reach another owner's rows: an id that is not ours makes a new row", async () => {
    await create();
    await addRoles('other');
    await ask('PATCH', 'role/2', { role_service_access_by_role_id: [{ id: 1, verb_mask: 0 }] });
    await ask('PATCH', 'role/2', { role_service_access_by_role_id: [{ id: 1, role_id: null }] });
    expect((await ask('GET', `role/1?${related}`)).body.role_service_access_by_role_id).toMatchObject([
      { id: 1, verb_mask: 1 },
      { id: 2 },
    ]);
  });

  test('are all or nothing with their record', async () => {
    await create();
    const before = (await ask('GET', `role/1?${related}`)).body;
    const { status, body } = await ask('PATCH', 'role/1', {
      description: 'new',
      role_service_access_by_role_id: [{ id: 1, verb_mask: 3 }, { service_id: 777 }],
    });
    expect([status, body.error.context]).toEqual([400, { service_id: ['The selected service id is invalid.'] }]);
    expect((await ask('GET', `role/1?${related}`)).body).toEqual(before);
    expect(await version('role', 1)).toBe(1);
  });

  test.each([
    [
      { lookup_by_role_id: { name: 'x' } },
      400,
      'Bad data supplied for lookup_by_role_id. Related data must be supplied as array.',
    ],
    [
      { lookup_by_role_id: ['x'] },
      400,
      'Bad data supplied for lookup_by_role_id. Related data must be supplied as array.',
    ],
    [
      { app_by_user_to_app_to_role: [{ id: 1 }] },
      501,
      'Creating related record of relation type "many_many" is not supported.',
    ],
    [
      { user_by_created_by_id: { id: 1 } },
      501,
      'Creating related record of relation type "belongs_to" is not supported.',
    ],
  ])('refuse %j on create', async (extra, status, message) => {
    const { body } = await ask('POST', 'role', { resource: [{ name: 'x', ...extra }] });
    expect(body.error.context.resource[0]).toMatchObject({ status_code: status, message });
    expect((await ask('GET', 'role')).body.resource).toEqual([]);
  });

  test.each([{ lookup_by_role_id: null }, { lookup_by_role_id: [] }, { user_by_created_by_id: null }])(
    'take %j on create as nothing',
    async (extra) => {
      expect((await ask('POST', 'role', { resource: [{ name: 'x', ...extra }] })).status).toBe(201);
    },
  );

  test('belongs-to is read, and ignored in updates', async () => {
    await create();
    await ask('POST', 'app', { resource: [{ name: 'shop', role_id: 1 }] });
    const app = await ask('GET', 'app/4?fields=id&related=role_by_role_id,user_by_created_by_id');
    expect(app.body).toMatchObject({ id: 4, role_by_role_id: { name: 'reader' }, user_by_created_by_id: { id: 1 } });
    expect((await ask('PATCH', 'app/4', { role_by_role_id: { name: 'changed' } })).status).toBe(200);
    expect((await ask('GET', 'role/1')).body.name).toBe('reader');
    expect((await ask('GET', 'app/1?related=role_by_role_id')).body.role_by_role_id).toBeNull();
  });

  test('many-many is read through its rows, each record once', async () => {
    await create();
    await ask('PATCH', 'role/1', { role_service_access_by_role_id: [{ service_id: 5, component: 'x' }] });
    const { body } = await ask('GET', 'role/1?fields=id&related=service_by_role_service_access');
    expect(body.service_by_role_service_access).toMatchObject([{ id: 5, name: 'db' }]);
    expect(body.service_by_role_service_access).toHaveLength(1);
  });

  test('records of their own can be adopted by an owner that is named', async () => {
    await addRoles('a', 'b');
    await ask('POST', 'app', { resource: [{ name: 'shop', role_id: 1 }] });
    await ask('PATCH', 'role/2', { app_by_role_id: [{ id: 4, role_id: 2, description: 'moved' }] });
    expect((await ask('GET', 'app/4')).body).toMatchObject({ name: 'shop', role_id: 2, description: 'moved' });
    expect(await version('role', 1)).toBe(2);
  });

  test('deleting the owner takes its rows along, and empties what pointed to it', async () => {
    await create();
    await ask('POST', 'app', { resource: [{ name: 'shop', role_id: 1 }] });
    await ask('DELETE', 'role/1');
    expect((await ask('GET', 'app/4')).body.role_id).toBeNull();
    expect(await system.store.db.selectFrom('lookup').selectAll().execute()).toEqual([]);
    expect(await system.store.db.selectFrom('role_service_access').selectAll().execute()).toEqual([]);
  });
});

describe('callers who are no administrators', () => {
  const reader = { caller: aCallerWith([{ component: 'role/*', verbMask: 15 }]) };

  beforeEach(() => addRoles('a'));

  test('need the verb on what a relation leads to, when that has an address of its own', async () => {
    const { status, body } = await ask('GET', 'role?related=app_by_role_id', undefined, reader);
    expect([status, body.error.message]).toEqual([
      403,
      "GET access to component 'app' of service 'system' is not allowed by this user's role.",
    ]);
    expect((await ask('GET', 'role?related=lookup_by_role_id', undefined, reader)).status).toBe(200);
    const writing = await ask('PATCH', 'role/1', { app_by_role_id: [{ name: 'x' }] }, reader);
    expect(writing.status).toBe(403);
    expect((await ask('GET', 'app?filter=name = x')).body.resource).toEqual([]);
  });

  test('stamp nothing when nobody is signed in', async () => {
    await ask('POST', 'role', { resource: [{ name: 'x' }] }, { caller: nobody });
    expect((await ask('GET', 'role/2')).body.created_by_id).toBeNull();
  });
});

describe('a role is assigned by people who may change roles (contract/role-access.md §6)', () => {
  const row = { role_id: 1, component: 'role/*', verb_mask: 0 };
  const grants: [string, string, unknown][] = [
    ['service/*', 'service/1', { role_service_access_by_service_id: [row] }],
    ['app/*', 'app/1', { user_to_app_to_role_by_app_id: [{ user_id: 1, role_id: 1 }] }],
    ['app/*', 'app/1', { role_id: 1 }],
  ];
  test.each(grants)('not by %s alone: %s %o', async (component, path, body) => {
    await addRoles('writer');
    const caller = aCallerWith([{ component }]);
    const refused = await ask('PATCH', path, body, { caller });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      "PATCH access to component 'role' of service 'system' is not allowed by this user's role.",
    ]);
    const both = aCallerWith([{ component }, { component: 'role/*', verbMask: 8 }]);
    expect((await ask('PATCH', path, body, { caller: both })).status).toBe(200);
    // What an app already has may be sent back.
    expect((await ask('PATCH', path, { ...(body as object), description: 'x' }, { caller })).status).toBe(
      path === 'app/1' && 'role_id' in (body as object) ? 200 : 403,
    );
  });

  test('and its rows are read by people who may read roles', async () => {
    const caller = aCallerWith([{ component: 'service/*' }]);
    expect((await ask('GET', 'service?related=role_service_access_by_service_id', undefined, { caller })).status).toBe(
      403,
    );
  });
});
