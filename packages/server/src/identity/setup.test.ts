import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { skeletonOf } from '../store/index.ts';
import { type CallOptions, openTestInstance, type TestInstance } from './instance.fixture.ts';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openTestInstance();
});
afterEach(() => instance.close());

const admin = { email: 'ada@example.com', password: 'correct horse', first_name: 'Ada', last_name: 'Doe' };
const setUp = (body: object, options: CallOptions = {}) =>
  instance.ask('setup', { verb: 'POST', kind: 'admin', body, ...options });

it('makes the first administrator for the code, signs them in, and closes', async () => {
  const code = await instance.identity.setupCode();
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  expect(await instance.identity.isSetUp()).toBe(false);
  const { status, body } = await setUp({ ...admin, code: code?.toLowerCase().replaceAll('-', ' ') });
  expect(status).toBe(201);
  expect(body).toMatchObject({ email: admin.email, name: 'Ada Doe', is_sys_admin: true });
  expect(await instance.ask('session', { kind: 'admin', token: String(body.session_token) })).toMatchObject({
    status: 200,
  });
  expect(await instance.identity.isSetUp()).toBe(true);
  expect(await instance.identity.setupCode()).toBeUndefined();
  expect(await setUp({ ...admin, email: 'eve@example.com', code })).toMatchObject({ status: 404 });
});

it.each([
  ['no code', { ...admin }, 'The set-up code is not right. It is printed where the server was started.'],
  [
    'a wrong code',
    { ...admin, code: 'AAAA-BBBB-CCCC' },
    'The set-up code is not right. It is printed where the server was started.',
  ],
  [
    'an object for a code',
    { ...admin, code: { $ne: '' } },
    'The set-up code is not right. It is printed where the server was started.',
  ],
])('refuses %s', async (_name, body, message) => {
  expect(await setUp(body)).toMatchObject({ status: 400, message });
  expect(await instance.identity.isSetUp()).toBe(false);
});

it.each([
  ['no e-mail', { email: '' }, ['The email field is required.']],
  ['a bad e-mail', { email: 'ada' }, ['The email must be a valid email address.']],
  ['a short password', { password: 'four' }, ['The password must be at least 5 characters.']],
])('answers what is wrong with %s and keeps the code', async (_name, change, messages) => {
  const code = await instance.identity.setupCode();
  const { status, context } = await setUp({ ...admin, ...change, code });
  expect(status).toBe(400);
  expect(Object.values(context as Record<string, string[]>).flat()).toEqual(messages);
  expect(await setUp({ ...admin, code })).toMatchObject({ status: 201 });
});

it('makes one administrator of two requests at once', async () => {
  const code = await instance.identity.setupCode();
  const answers = await Promise.all([setUp({ ...admin, code }), setUp({ ...admin, email: 'eve@example.com', code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
});

describe('in several processes on one store', () => {
  const storedCodes = () =>
    instance.store.db.selectFrom('instance').select('value').where('name', '=', 'setup_code').execute();

  it('the code is the same in all and after a restart, stored encrypted, and gone after set-up', async () => {
    const first = instance.identity;
    const code = await first.setupCode();
    await instance.restart();
    expect(await instance.identity.setupCode()).toBe(code);
    const [row] = await storedCodes();
    expect(row?.value).toMatch(/^enc:v1:/);
    expect(row?.value).not.toContain(code?.replaceAll('-', ''));
    expect(await setUp({ ...admin, code })).toMatchObject({ status: 201 });
    expect(await storedCodes()).toEqual([]);
    expect(await first.setupCode()).toBeUndefined();
  });

  it('one that has not been told of the administrator yet only answers that there is one', async () => {
    const code = await instance.identity.setupCode();
    expect(await instance.identity.isSetUp()).toBe(false);
    // As in another process whose notice is still on its way.
    await instance.store.transaction(async (db) => {
      await db.deleteFrom('instance').where('name', '=', 'setup_code').execute();
      const row = { name: 'Eve', username: 'eve', email: 'eve@example.com', is_active: 1, is_sys_admin: 1 };
      await instance.store.insert(db, 'user', row as never);
    });
    for (const attempt of [code, 'AAAA-BBBB-CCCC'])
      expect(await setUp({ ...admin, code: attempt })).toMatchObject({ status: 404 });
  });

  it('those that start at once with an administrator in the settings make one', async () => {
    const changes = { adminEmail: 'root@example.com', adminPassword: 'correct horse' };
    await Promise.all([1, 2, 3].map(() => instance.restart(changes)));
    const { db } = instance.store;
    expect(await db.selectFrom('user').select('email').execute()).toEqual([{ email: 'root@example.com' }]);
    expect(await storedCodes()).toEqual([]);
  });
});

it('makes the administrator of the settings, once', async () => {
  await instance.restart({ adminEmail: 'root@example.com', adminPassword: 'correct horse' });
  const signIn = () =>
    instance.ask('session', {
      verb: 'POST',
      kind: 'admin',
      body: { email: 'root@example.com', password: 'correct horse' },
    });
  expect(await signIn()).toMatchObject({ status: 200, body: { name: 'root' } });
  await instance.restart({ adminPassword: 'another one' });
  expect(await signIn()).toMatchObject({ status: 200 });
  expect(await instance.identity.setupCode()).toBeUndefined();
});

it.each([
  [{ adminEmail: 'root@example.com' }, /SLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD go together/],
  [{ adminEmail: 'root', adminPassword: 'correct horse' }, /can't be made: .*must be a valid email address/],
  [{ adminEmail: 'root@example.com', adminPassword: 'x' }, /can't be made: .*at least 5 characters/],
])('refuses to start with %o', async (settings, message) => {
  await expect(instance.restart(settings)).rejects.toThrow(message);
});

it('abuse: makes no administrator whose address looks like that of somebody else', async () => {
  const code = await instance.identity.setupCode();
  const row = { name: 'Ada', username: 'a', email: 'ada@example.com', email_skeleton: skeletonOf('ada@example.com') };
  await instance.store.insert(instance.store.db, 'user', { ...row, is_active: 1, is_sys_admin: 0 } as never);
  expect(await setUp({ ...admin, email: 'аda@example.com', code })).toMatchObject({
    status: 400,
    message: 'Invalid data supplied. The email looks like the address of another person.',
  });
  const created = await setUp({ ...admin, email: 'ｅve@example.com', code });
  expect(created).toMatchObject({ status: 201, body: { email: 'eve@example.com' } });
});

it('abuse: of many wrong codes at once few are compared', async () => {
  const controller = new AbortController();
  const answers: number[] = [];
  for (let index = 0; index < 30; index++)
    setUp({ ...admin, code: `AAAA-BBBB-CC${index}` }, { signal: controller.signal }).then(({ status }) =>
      answers.push(status),
    );
  await vi.waitFor(() => expect(answers).toHaveLength(28));
  expect(answers.filter((status) => status === 400)).toHaveLength(5);
  expect(answers.filter((status) => status === 429)).toHaveLength(23);
  controller.abort();
  await vi.waitFor(() => expect(answers.filter((status) => status === 503)).toHaveLength(2));
});
