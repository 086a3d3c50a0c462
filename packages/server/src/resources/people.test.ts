import { aCallerWith, aPerson, nobody } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const person = { email: 'jo@example.com', first_name: 'Jo', last_name: 'Doe', password: 'secret' };
const addUser = async (set: object = {}) =>
  (await ask('POST', 'user?fields=*', { resource: [{ ...person, ...set }] })).body.resource[0];
const storedRow = (id: number) =>
  system.store.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const message = ({ body }: { body: { error: { message: string; context?: { resource?: { message: string }[] } } } }) =>
  body.error.context?.resource?.at(-1)?.message ?? body.error.message;

describe('creating people', () => {
  test('answers every visible field, and never what is hidden', async () => {
    const user = await addUser();
    expect(user).toEqual({
      id: 2,
      name: 'Jo Doe',
      username: 'jo@example.com',
      ldap_username: null,
      first_name: 'Jo',
      last_name: 'Doe',
      last_login_date: null,
      email: 'jo@example.com',
      is_active: true,
      phone: null,
      security_question: null,
      default_app_id: null,
      adldap: null,
      oauth_provider: null,
      saml: null,
      user_source: 0,
      user_data: null,
      created_date: expect.any(String),
      last_modified_date: user.created_date,
      created_by_id: 1,
      last_modified_by_id: null,
      confirmed: true,
      expired: false,
    });
  });

  test.each([
    [{}, 'Jo Doe', 'jo@example.com'],
    [{ last_name: '' }, 'Jo', 'jo@example.com'],
    [{ first_name: null, last_name: undefined }, 'jo', 'jo@example.com'],
    [{ name: 'Boss', username: 'theboss' }, 'Boss', 'theboss'],
    [{ name: '', username: '' }, 'Jo Doe', 'jo@example.com'],
  ])('%j is called %s, %s', async (set, name, username) => {
    expect(await addUser(set)).toMatchObject({ name, username });
  });

  test('asks for the username where people sign in with it', async () => {
    const other = await startSystem({ loginAttribute: 'username' });
    const response = await other.ask('POST', 'user', { resource: [person] });
    expect(message(response)).toBe('Invalid data supplied. The username field is required.');
    await other.close();
  });

  test('stores a hash of the password and of the answer, never the texts', async () => {
    const { id } = await addUser({ security_question: 'Pet?', security_answer: 'Rex' });
    expect(await storedRow(id)).toMatchObject({ password: 'hash of secret', security_answer: 'hash of Rex' });
    const empty = await addUser({ email: 'no@example.com', password: '', security_answer: '' });
    expect(await storedRow(empty.id)).toMatchObject({ password: null, security_answer: null });
  });

  test.each([
    [{ password: '1234' }, 'The password must be at least 5 characters.'],
    [{ password: 1234 }, 'The password must be at least 5 characters.'],
    [{ password: 'x'.repeat(2000) }, 'The password may not be greater than 1024 characters.'],
    [{ password: { $ne: null } }, 'The password must be a string.'],
    [{ security_answer: 'x'.repeat(2000) }, 'The security answer may not be greater than 1024 characters.'],
    [{ default_app_id: 77 }, 'The selected default app id is invalid.'],
    [{ email: '' }, 'The email field is required.'],
  ])('refuses %j', async (set, text) => {
    const response = await ask('POST', 'user', { resource: [{ ...person, ...set }] });
    expect(response.status).toBe(400);
    expect(message(response)).toContain(text);
    expect((await ask('GET', 'user')).body.resource).toEqual([]);
  });

  test('honours SLUICE_PASSWORD_MIN', async () => {
    const strict = await startSystem({ passwordMin: 12 });
    expect(message(await strict.ask('POST', 'user', { resource: [person] }))).toBe(
      'Invalid data supplied. The password must be at least 12 characters.',
    );
    await strict.close();
  });

  test('honours an explicit is_active:false', async () => {
    expect(await addUser({ is_active: false })).toMatchObject({ is_active: false });
  });

  test.each(['user', 'admin'])('refuses an e-mail that anyone of either kind has (%s)', async (path) => {
    await addUser();
    for (const email of ['JO@example.com', 'ada@example.com']) {
      const response = await ask('POST', path, { resource: [{ email }] });
      expect(response.status).toBe(400);
      expect(message(response)).toContain('The email has already been taken.');
    }
  });

  test.each([
    { is_sys_admin: true },
    { is_sys_admin: 1, version: 9 },
    { confirm_code: 'y' },
    { tokens_valid_from: 9e9 },
  ])('lets no one set %j', async (set) => {
    const { id } = await addUser(set);
    await ask('PATCH', `user/${id}`, set);
    expect(await storedRow(id)).toMatchObject({
      is_sys_admin: 0,
      version: 1,
      confirm_code: null,
      tokens_valid_from: 0,
    });
  });

  test('refuses invitations while there is no mail, and creates nobody', async () => {
    const invited = await ask('POST', 'user?send_invite=true', { resource: [{ email: 'new@example.com' }] });
    expect(invited).toMatchObject({
      status: 500,
      body: { error: { message: 'Error processing user invite. No email service configured for user invite.' } },
    });
    expect((await ask('GET', 'user')).body.resource).toEqual([]);
    await system.store.db.updateTable('user').set({ confirm_code: 'y' }).where('id', '=', 1).execute();
    expect((await ask('PATCH', 'admin/1?send_invite=true', {})).body.error).toMatchObject({
      code: 400,
      message: 'User with this identifier has already confirmed this account.',
    });
  });
});

describe('hidden columns', () => {
  const hidden = ['password', 'security_answer', 'confirm_code', 'tokens_valid_from', 'version', 'is_sys_admin'];

  test.each(hidden)('%s cannot be filtered, sorted, grouped or fetched', async (column) => {
    await addUser();
    for (const query of [
      `filter=${column} is not null`,
      `filter=(${column} like "%25a%25")`,
      `order=${column}`,
      `group=${column}`,
    ])
      expect((await ask('GET', `user?${query}`)).status).toBe(400);
    expect((await ask('GET', `user/2?fields=${column}`)).body).toEqual({ confirmed: true, expired: false });
    expect((await ask('GET', 'user/2?fields=*')).body).not.toHaveProperty(column);
    const { body } = await ask('GET', 'user?include_schema=true');
    expect(JSON.stringify(body)).not.toContain(`"${column}"`);
  });

  test('do not show through relations either', async () => {
    await addUser();
    await ask('POST', 'role', { resource: [{ name: 'r' }] });
    const { body } = await ask('GET', 'role/1?related=user_by_created_by_id');
    for (const column of hidden) expect(body.user_by_created_by_id).not.toHaveProperty(column);
  });
});

describe('computed fields', () => {
  test('come with every fetched record, worked out from the whole row', async () => {
    const { id } = await addUser();
    const set = (confirm_code: string | null, last_modified_date: string) =>
      system.store.db.updateTable('user').set({ confirm_code, last_modified_date }).where('id', '=', id).execute();
    await set('pending', '2001-01-01T00:00:00.000Z');
    expect((await ask('GET', `user/${id}?fields=id`)).body).toEqual({ id, confirmed: false, expired: true });
    await set('pending', new Date().toISOString());
    expect((await ask('GET', `user/${id}?fields=id`)).body).toEqual({ id, confirmed: false, expired: false });
    await set('y', '2001-01-01T00:00:00.000Z');
    expect((await ask('PATCH', `user/${id}?fields=id,is_active`, { phone: '1' })).body).toEqual({
      id,
      is_active: true,
      confirmed: true,
      expired: false,
    });
    expect((await ask('PATCH', `user/${id}`, { phone: '2' })).body).toEqual({ id });
  });
});

describe('changing people', () => {
  test('a new password or a deactivation ends every token issued so far', async () => {
    const { id } = await addUser();
    const validFrom = async () => Number((await storedRow(id)).tokens_valid_from);
    await ask('PATCH', `user/${id}`, { phone: '1', is_active: true, password: '' });
    expect(await validFrom()).toBe(0);
    await ask('PATCH', `user/${id}`, { password: 'another' });
    const first = await validFrom();
    expect(first).toBeGreaterThan(Date.now() / 1000 - 5);
    expect(await storedRow(id)).toMatchObject({ password: 'hash of another' });
    await ask('PATCH', `user/${id}`, { is_active: false });
    expect(await validFrom()).toBeGreaterThan(first);
    const last = await validFrom();
    await ask('PATCH', `user/${id}`, { is_active: false });
    expect(await validFrom()).toBe(last);
  });

  test('a short new password changes nothing', async () => {
    const { id } = await addUser();
    const refused = await ask('PATCH', `user/${id}`, { password: '1234', phone: '5' });
    expect([refused.status, message(refused)]).toEqual([
      400,
      'Invalid data supplied. The password must be at least 5 characters.',
    ]);
    expect(await storedRow(id)).toMatchObject({ password: 'hash of secret', phone: null, tokens_valid_from: 0 });
  });

  test('a password set by an administrator drops a pending code', async () => {
    const { id } = await addUser();
    await system.store.db.updateTable('user').set({ confirm_code: 'pending' }).where('id', '=', id).execute();
    await ask('PATCH', `user/${id}`, { password: 'another' });
    expect((await storedRow(id)).confirm_code).toBeNull();
  });

  test('a name or username that is emptied falls back', async () => {
    const { id } = await addUser();
    await ask('PATCH', `user/${id}`, { name: '', username: null });
    expect(await storedRow(id)).toMatchObject({ name: 'Jo Doe', username: 'jo@example.com' });
    expect((await ask('PATCH', `user/${id}`, { username: 'abc' })).body.error.message).toBe(
      'Invalid data supplied. The username must be at least 6 characters.',
    );
  });
});

describe('the two kinds', () => {
  test.each([
    ['PATCH', 'user/1', { phone: '1' }, 403, 'Not allowed to change an admin user.'],
    ['PUT', 'user/1', { phone: '1' }, 403, 'Not allowed to change an admin user.'],
    ['PATCH', 'admin/2', { phone: '1' }, 400, 'Cannot update a non-admin user.'],
    ['DELETE', 'user/1', undefined, 403, 'Not allowed to delete an admin user.'],
    ['DELETE', 'admin/2', undefined, 400, 'Cannot delete a non-admin user.'],
    ['DELETE', 'admin/1', undefined, 403, 'Cannot delete your account.'],
    ['GET', 'user/1', undefined, 404, "Record with identifier '1' not found."],
    ['GET', 'admin/2', undefined, 404, "Record with identifier '2' not found."],
    ['GET', 'admin/abc', undefined, 404, "Resource 'abc' not found for service 'admin'."],
    ['GET', 'user/abc', undefined, 404, "Record with identifier 'abc' not found."],
  ] as const)('%s %s → %i %s', async (verb, path, payload, status, text) => {
    await addUser();
    const response = await ask(verb, path, payload);
    expect([response.status, response.body.error.message]).toEqual([status, text]);
    expect(await system.store.db.selectFrom('user').select(['id', 'phone']).orderBy('id').execute()).toEqual([
      { id: 1, phone: null },
      { id: 2, phone: null },
    ]);
  });

  test('are refused inside batches as well', async () => {
    await addUser();
    for (const [verb, path] of [
      ['GET', 'user?ids=2,1'],
      ['DELETE', 'user?ids=1'],
      ['DELETE', 'admin?force=true'],
    ] as const) {
      const response = await ask(verb, path);
      expect([response.status, response.body.error.code]).toEqual([400, 1000]);
    }
    expect((await ask('PATCH', 'user?ids=2,1', { resource: [{ phone: '9' }] })).body.error.context).toMatchObject({
      error: [1],
      resource: [{ id: 2 }, { status_code: 403, message: 'Not allowed to change an admin user.' }],
    });
  });

  test('are listed and counted apart', async () => {
    await addUser();
    expect((await ask('GET', 'user?fields=id&include_count=true')).body).toMatchObject({
      resource: [{ id: 2 }],
      meta: { count: 1 },
    });
    expect((await ask('GET', 'admin?fields=id&include_count=true')).body).toMatchObject({
      resource: [{ id: 1 }],
      meta: { count: 1 },
    });
    expect((await ask('GET', 'user?filter=(id = 1) or (id > 0)&as_list=1')).body.resource).toEqual([2]);
  });

  test('emptying users leaves administrators', async () => {
    await addUser();
    expect((await ask('DELETE', 'user?force=true')).status).toBe(200);
    expect((await ask('GET', 'admin?as_list=true')).body.resource).toEqual([1]);
  });

  test("a user's nested rows cannot be moved to an administrator", async () => {
    const { id } = await addUser({ lookup_by_user_id: [{ name: 'region', value: 'eu' }] });
    await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, user_id: 1, value: 'x' }] });
    expect(await system.store.db.selectFrom('lookup').select(['user_id', 'value']).execute()).toEqual([
      { user_id: id, value: 'x' },
    ]);
  });
});

describe('roles per app', () => {
  const secondRole =
    'Multiple user-to-app-to-role assignment. You can only have a single user-to-app-to-role assignment.';

  beforeEach(async () => {
    await ask('POST', 'role', { resource: [{ name: 'r1' }, { name: 'r2' }] });
    await ask('POST', 'app', { resource: [{ name: 'shop' }] });
  });

  test('are written with the person, one for each app', async () => {
    const rows = [
      { app_id: 1, role_id: 1 },
      { app_id: 4, role_id: 2 },
    ];
    const path = 'user?fields=id&related=user_to_app_to_role_by_user_id,role_by_user_to_app_to_role';
    const { body } = await ask('POST', path, { resource: [{ ...person, user_to_app_to_role_by_user_id: rows }] });
    expect(body.resource[0]).toMatchObject({
      id: 2,
      user_to_app_to_role_by_user_id: [
        { id: 1, user_id: 2, app_id: 1, role_id: 1 },
        { id: 2, user_id: 2, app_id: 4, role_id: 2 },
      ],
      role_by_user_to_app_to_role: [{ name: 'r1' }, { name: 'r2' }],
    });
    const second = await ask('PATCH', 'user/2', { user_to_app_to_role_by_user_id: [{ app_id: 4, role_id: 1 }] });
    expect([second.status, message(second)]).toEqual([400, secondRole]);
    const moved = await ask('PATCH', 'user/2', { user_to_app_to_role_by_user_id: [{ id: 1, app_id: 4 }] });
    expect(message(moved)).toBe(secondRole);
    const changed = await ask('PATCH', 'user/2?related=user_to_app_to_role_by_user_id', {
      user_to_app_to_role_by_user_id: [
        { id: 1, user_id: null },
        { id: 2, app_id: 4, role_id: 1 },
      ],
    });
    expect(changed.body.user_to_app_to_role_by_user_id).toEqual([{ id: 2, user_id: 2, app_id: 4, role_id: 1 }]);
  });

  test.each([
    [
      [
        { app_id: 1, role_id: 1 },
        { app_id: 1, role_id: 2 },
      ],
      secondRole,
    ],
    [[{ app_id: 1 }], 'The role id field is required.'],
    [[{ app_id: 77, role_id: 1 }], 'The selected app id is invalid.'],
    [[{ app_id: 1, role_id: 77 }], 'The selected role id is invalid.'],
  ])('%j is refused, and the person with it', async (rows, text) => {
    const response = await ask('POST', 'user', { resource: [{ ...person, user_to_app_to_role_by_user_id: rows }] });
    expect(response.status).toBe(400);
    expect(message(response)).toContain(text);
    expect((await ask('GET', 'user')).body.resource).toEqual([]);
  });
});

describe('lookup keys', () => {
  const related = 'related=lookup_by_user_id';
  const lookups = async (id: number) => (await ask('GET', `user/${id}?${related}`)).body.lookup_by_user_id;
  const row = () => system.store.db.selectFrom('lookup').selectAll().executeTakeFirstOrThrow();

  test('private ones are encrypted, masked, and kept when the mask comes back', async () => {
    const { id } = await addUser({ lookup_by_user_id: [{ name: 'token', value: 's3cret', private: true }] });
    expect(await lookups(id)).toMatchObject([{ id: 1, name: 'token', value: '**********', private: true }]);
    expect((await row()).value).not.toContain('s3cret');
    await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, value: '**********', description: 'd' }] });
    expect(system.secrets.decrypt((await row()).value as string)).toBe('s3cret');
    await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, value: 'new' }] });
    expect(system.secrets.decrypt((await row()).value as string)).toBe('new');
  });

  test('made private later are encrypted then; made public again they need a new value', async () => {
    const { id } = await addUser({ lookup_by_user_id: [{ name: 'token', value: 's3cret' }] });
    await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, private: true }] });
    expect(system.secrets.decrypt((await row()).value as string)).toBe('s3cret');
    for (const value of ['**********', undefined]) {
      const opened = await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, private: false, value }] });
      expect(message(opened)).toBe('Invalid data supplied. The value field is required.');
    }
    await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, private: false, value: 'open' }] });
    expect(await lookups(id)).toMatchObject([{ value: 'open', private: false }]);
  });

  test('have a name of their own for each owner', async () => {
    const { id } = await addUser({ lookup_by_user_id: [{ name: 'a' }, { name: 'b' }] });
    const taken = 'Lookup name can not be modified to one that already exists.';
    expect(message(await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ id: 1, name: 'b' }] }))).toBe(taken);
    expect((await ask('PATCH', 'admin/1', { lookup_by_user_id: [{ name: 'a' }] })).status).toBe(200);
    const twice = await ask('POST', 'role', {
      resource: [{ name: 'r', lookup_by_role_id: [{ name: 'x' }, { name: 'x' }] }],
    });
    expect(message(twice)).toBe(taken);
    const nameless = await ask('PATCH', `user/${id}`, { lookup_by_user_id: [{ value: 'x' }] });
    expect(message(nameless)).toBe('Invalid data supplied. The name field is required.');
  });
});

test('nobody deletes their own account, an ordinary user neither', async () => {
  const { id } = await addUser();
  const self = { caller: aCallerWith([{}], { id }) };
  expect((await ask('DELETE', `user/${id}`, undefined, self)).body.error.message).toBe('Cannot delete your account.');
  expect((await ask('DELETE', `user/${id}`, undefined, { caller: { user: aPerson() } })).status).toBe(200);
  expect((await ask('GET', `user/${id}`, undefined, { caller: nobody })).status).toBe(404);
});

describe('addresses', () => {
  const email = (address: string) => ({ ...person, email: address });
  const invalidAddress =
    /^Invalid data supplied\. (The username format is invalid\. )?The email must be a valid email address\.$/;

  // Each of these cannot be told from the address of somebody else, or from none.
  test.each([
    ['zero width space', 'jo\u200b@example.com'],
    ['zero width joiner', 'jo\u200d@example.com'],
    ['soft hyphen', 'jo@exam\u00adple.com'],
    ['turned direction', '\u202eoj@example.com'],
    ['isolate', '\u2067jo\u2069@example.com'],
    ['Hangul filler', 'jo\u3164@example.com'],
    ['empty braille', 'jo\u2800@example.com'],
    ['variation selector', 'jo\ufe0f@example.com'],
    ['tag', 'jo\u{e0041}@example.com'],
    ['control', 'jo\u0007@example.com'],
    ['second control', 'jo\u0085@example.com'],
    ['private character', 'jo\ue000@example.com'],
    ['half a character', 'jo\ud800@example.com'],
    ['second at sign', 'jo＠x@example.com'],
  ])('abuse: with a %s are refused', async (_name, address) => {
    for (const [verb, path] of [
      ['POST', 'user'],
      ['POST', 'admin'],
      ['PATCH', 'admin/1'],
    ] as const) {
      const body = verb === 'POST' ? { resource: [email(address)] } : { email: address };
      expect(message(await ask(verb, path, body))).toMatch(invalidAddress);
    }
  });

  test('abuse: are stored in one form, the username too', async () => {
    expect(await addUser(email('Ｊｏ@ｅxample.com'))).toMatchObject({
      email: 'Jo@example.com',
      username: 'Jo@example.com',
    });
    expect(message(await ask('POST', 'user', { resource: [email('jo＠example.com')] }))).toMatch(
      'The email has already been taken.',
    );
    expect(await addUser(email('ame\u0301lie@example.com'))).toMatchObject({ email: 'amélie@example.com' });
  });

  test('stay as they are stored when they are sent as they are', async () => {
    const old = 'o\u200bld＠x@example.com';
    await ask('POST', 'user', { resource: [email('old@example.com')] });
    await system.store.db.updateTable('user').set({ email: old }).where('id', '=', 2).execute();
    const unchanged = await ask('PUT', 'user/2?fields=*', { email: old, phone: '1' });
    expect(unchanged).toMatchObject({ status: 200, body: { email: old, phone: '1' } });
    expect(message(await ask('PUT', 'user/2', { email: `${old}m` }))).toMatch(invalidAddress);
  });

  // The first has a Cyrillic a, which looks the same.
  const lookAlikes = ['аda@example.com', 'ada@ехample.com', 'АDA@example.com', 'ada@exarnple.com'];

  test.each(lookAlikes)('abuse: like %s are refused for new administrators', async (address) => {
    const refused = await ask('POST', 'admin', { resource: [email(address)] });
    expect(refused.status).toBe(400);
    expect(message(refused)).toBe('Invalid data supplied. The email looks like the address of another person.');
    expect(JSON.stringify(refused.body)).not.toContain('ada@example.com');
    const { body } = await ask('POST', 'admin', { resource: [email('eve@example.com')] });
    const { id } = body.resource[0];
    expect(message(await ask('PATCH', `admin/${id}`, { email: address }))).toMatch('looks like the address of another');
    expect((await ask('PATCH', `admin/${id}`, { email: 'Eve@example.com' })).status).toBe(200);
  });

  test('abuse: like those of others are marked among users and in the audit, an administrator’s for administrators only', async () => {
    const { id, ...seen } = await addUser(email('аda@example.com'));
    expect(seen.resembles).toBe('ada@example.com');
    const other = await addUser(email('jo@example.com'));
    expect(other).not.toHaveProperty('resembles');
    const like = await addUser(email('jo@еxample.com'));
    const resemblances = async (call = {}) =>
      (await ask('GET', 'user?fields=id', undefined, call)).body.resource.map(
        (row: { id: number; resembles?: string }) => [row.id, row.resembles],
      );
    expect(await resemblances()).toEqual([
      [id, 'ada@example.com'],
      [other.id, 'jo@еxample.com'],
      [like.id, 'jo@example.com'],
    ]);
    const reader = {
      caller: aCallerWith([
        { component: 'user/*', verbMask: 1 },
        { component: 'user', verbMask: 1 },
      ]),
    };
    expect(await resemblances(reader)).toEqual([
      [id, null],
      [other.id, 'jo@еxample.com'],
      [like.id, 'jo@example.com'],
    ]);
    const writer = { caller: aCallerWith([{ component: 'user', verbMask: 2 }]) };
    const { body } = await ask('POST', 'user?fields=*', { resource: [email('jо@example.com')] }, writer);
    expect(body.resource[0]).not.toHaveProperty('resembles');
    await ask('PATCH', `user/${other.id}`, { email: 'аdа@example.com' });
    const audit = await system.store.db.selectFrom('audit').select(['action', 'after']).orderBy('id').execute();
    expect(audit.map(({ action, after }) => [action, JSON.parse(String(after)).resembles])).toEqual([
      ['create', 'ada@example.com'],
      ['create', undefined],
      ['create', 'jo@example.com'],
      ['create', 'jo@example.com'],
      ['update', 'ada@example.com'],
    ]);
  });

  test('that are endless are refused without being normalized', async () => {
    expect((await ask('POST', 'user', { resource: [email(`${'ﷺ'.repeat(200_000)}@example.com`)] })).status).toBe(400);
  });
});
