// The rules of delegation.ts over the wire: a person signed in by password, with a role that may administer.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';

let platform: TestPlatform;
let mine: { token: string; key: string };
let ids: { own: number; big: number; small: number; app: number; db: number; users: number; me: number };

beforeAll(async () => {
  platform = await startPlatform();
  const { ask, create } = platform;
  const services: { id: number; name: string }[] = (await ask('GET', 'system/service')).body.resource;
  const idOf = (name: string) => services.find((service) => service.name === name)!.id;
  const [system, db, users] = [idOf('system'), idOf('db'), idOf('user')];
  const role = async (name: string, rows: object[]) =>
    (await create('role', { name, is_active: true, role_service_access_by_role_id: rows })).id;
  const own = await role('own', [
    ...['user', 'role', 'app', 'admin', 'service'].map((name) => ({
      service_id: system,
      component: `${name}/*`,
      verb_mask: 31,
    })),
    { service_id: db, component: '_table/*', verb_mask: 1 },
  ]);
  const big = await role('big', [{ service_id: db, component: '*', verb_mask: 31 }]);
  const small = await role('small', [{ service_id: db, component: '_table/contact', verb_mask: 1 }]);
  const app = await create('app', { name: 'shop', is_active: true });
  const person = { email: 'me@example.com', password: 'pass word' };
  const assignments = [{ app_id: app.id, role_id: own }];
  const me = await create('user', { ...person, user_to_app_to_role_by_user_id: assignments });
  const session = await ask('POST', 'user/session', { body: person, token: null });
  mine = { token: session.body.session_token, key: String(app.api_key) };
  ids = { own, big, small, app: app.id, db, users, me: me.id };
});
afterAll(() => platform.stop());

const askAsMe = async (verb: string, path: string, body: unknown) => {
  const { status, body: answer } = await platform.ask(verb, path, { ...mine, body });
  return [status, answer.error?.message];
};

test('what a role does not give is not given away with it', async () => {
  const row = { service_id: ids.db, component: '_table/contact', verb_mask: 3 };
  const exceeds = `Nobody can give more than their own role gives: POST on component '_table/contact' of service 'db' is missing in yours.`;
  expect(await askAsMe('PATCH', `system/role/${ids.small}`, { role_service_access_by_role_id: [row] })).toEqual([
    403,
    exceeds,
  ]);
  expect((await platform.ask('POST', 'db/_table/contact', { ...mine, body: { resource: [{}] } })).status).toBe(403);
  expect(
    await askAsMe('PATCH', `system/role/${ids.small}`, { role_service_access_by_role_id: [{ ...row, verb_mask: 1 }] }),
  ).toEqual([200, undefined]);
});

test('people who register get no role that gives more', async () => {
  const changeConfig = (config: object) => askAsMe('PATCH', `system/service/${ids.users}`, { config });
  const refusal = [403, expect.stringMatching(/^Nobody can give more/)];
  expect(await changeConfig({ open_reg_role_id: ids.big })).toEqual(refusal);
  expect(await changeConfig({ app_role_map: [{ app_id: ids.app, role_id: ids.big }] })).toEqual(refusal);
  expect(await changeConfig({ open_reg_role_id: ids.small })).toEqual([200, undefined]);
});

test('what only administrators may do is refused with a message of its own', async () => {
  expect(await askAsMe('POST', 'system/admin', { resource: [{ email: 'new@example.com' }] })).toEqual([
    400,
    'Batch Error: Not all requested records could be created.',
  ]);
  expect(await askAsMe('PATCH', 'system/admin/1', { email: 'x@example.com', is_sys_admin: false })).toEqual([
    403,
    'Only administrators may create, change or delete administrators.',
  ]);
  expect((await askAsMe('PATCH', `system/user/${ids.me}`, { password: 'other word', is_sys_admin: true }))[0]).toBe(
    403,
  );
  expect((await platform.ask('GET', 'system/admin?fields=id')).body.resource).toHaveLength(1);
});
