// The fields of people that the documents list, through HTTP.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const person = (email: string) => ({
  ...{ name: 'Jo Doe', first_name: 'Jo', last_name: 'Doe', email, phone: '0123', is_active: true },
  ...{ user_source: 3, user_data: [{ badge: 7 }, 'night shift'], password: 'jo pass word' },
  lookup_by_user_id: [{ name: 'region', value: 'eu' }],
});
const shown = (email: string) => {
  const { password: _password, lookup_by_user_id: _keys, ...fields } = person(email);
  const lookup = expect.objectContaining({ name: 'region', value: 'eu' });
  return { ...fields, id: expect.any(Number), confirmed: true, expired: false, lookup_by_user_id: [lookup] };
};

it('PPL-024 an administrator has every field the documents list, written, read and changed', async () => {
  const email = 'jo@example.com';
  const related = 'lookup_by_user_id';
  const { id } = await platform.create('admin', person(email), related);
  const read = async () => (await platform.ask('GET', `system/admin/${id}?related=${related}`)).body;
  expect(await read()).toMatchObject(shown(email));
  expect(await read()).not.toHaveProperty('password');
  const signIn = { email, password: 'jo pass word' };
  expect((await platform.ask('POST', 'system/admin/session', { body: signIn, token: null })).status).toBe(200);
  // What was read can be written back, and each field changed.
  expect((await platform.ask('PUT', `system/admin/${id}`, { body: await read() })).status).toBe(200);
  expect(await read()).toMatchObject(shown(email));
  const changes = { user_source: 0, user_data: [], phone: '4567' };
  expect((await platform.ask('PATCH', `system/admin/${id}`, { body: changes })).status).toBe(200);
  expect(await read()).toMatchObject({ ...shown(email), ...changes });
});

it('PPL-029 a user has them too, with a default app and a role per app', async () => {
  const email = 'sam@example.com';
  const related = 'lookup_by_user_id,user_to_app_to_role_by_user_id';
  const { id: role_id } = await platform.create('role', { name: 'reader', is_active: true });
  const record = { ...person(email), default_app_id: 1, user_to_app_to_role_by_user_id: [{ app_id: 1, role_id }] };
  const { id } = await platform.create('user', record, related);
  const { body } = await platform.ask('GET', `system/user/${id}?related=${related}`);
  expect(body).toMatchObject({
    ...shown(email),
    default_app_id: 1,
    user_to_app_to_role_by_user_id: [{ app_id: 1, role_id, user_id: id }],
  });
});

it('they are 0 and nothing where nobody said more', async () => {
  const { id } = await platform.create('user', { email: 'plain@example.com' });
  const { body } = await platform.ask('GET', `system/user/${id}`);
  expect([body.user_source, body.user_data]).toEqual([0, null]);
});
