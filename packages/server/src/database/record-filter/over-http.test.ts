// Record filters of stored roles with stored lookup keys, over HTTP: who sees what, and that a change of a filter, a
// lookup key or a role acts on the very next call.
import { type Answer, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, fixture, serviceOver } from '../fixture/index.ts';

let db: Fixture;
let platform: TestPlatform;
let key: string;
let ids: { role: number; app: number; ann: number; row: number };
let tokens: { ann: string; bob: string };
let serviceId: number;
let count = 0;

beforeAll(async () => {
  db = await fixture('sqlite');
  platform = await startPlatform();
  serviceId = (await platform.create('service', serviceOver(db, 'shop'))).id;
});
afterAll(async () => {
  await platform?.stop();
  await db?.stop();
});

const condition = (value: string) => ({ name: 'name', operator: '=', value });

/** Ann and Bob have one role; it shows each the contact of the name their key `me` holds. */
beforeEach(async () => {
  await db.reset();
  count += 1;
  const role = await platform.create('role', {
    name: `own${count}`,
    is_active: true,
    role_service_access_by_role_id: [
      { service_id: serviceId, component: '_table/*', verb_mask: 31, requestor_mask: 1, filters: [condition('{me}')] },
    ],
    lookup_by_role_id: [{ name: 'me', value: 'nobody' }],
  });
  const app = await platform.create('app', { name: `app${count}`, is_active: true });
  key = String(app.api_key);
  const person = async (name: string) => {
    const login = { email: `${name}${count}@example.com`, password: 'pass word' };
    const { id } = await platform.create('user', {
      ...login,
      user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
      lookup_by_user_id: [{ name: 'me', value: name }],
    });
    const { body } = await platform.ask('POST', 'user/session', { body: login, token: null, key });
    return { id, token: String(body.session_token) };
  };
  const [ann, bob] = [await person('Ann'), await person('Bob')];
  tokens = { ann: ann.token, bob: bob.token };
  const { body } = await platform.ask('GET', `system/role/${role.id}?related=role_service_access_by_role_id`);
  ids = { role: role.id, app: app.id, ann: ann.id, row: body.role_service_access_by_role_id[0].id };
});

const send = (person: 'ann' | 'bob', verb: string, path: string, more: object = {}): Promise<Answer> =>
  platform.ask(verb, path, { token: tokens[person], key, ...more });
const readNames = async (person: 'ann' | 'bob') => {
  const { status, body } = await send(person, 'GET', 'shop/_table/contact?fields=name');
  return status === 200 ? body.resource.map((record: { name: string }) => record.name) : body.error.message;
};

describe('a role whose filter asks for a lookup key', () => {
  it('shows each their own records (SRV-050)', async () => {
    expect([await readNames('ann'), await readNames('bob')]).toEqual([['Ann'], ['Bob']]);
    expect((await send('ann', 'GET', 'shop/_table/contact/2')).status).toBe(404);
    expect((await send('bob', 'GET', 'shop/_table/contact/2?fields=name')).body).toEqual({ name: 'Bob' });
    expect((await platform.ask('GET', 'shop/_table/contact?count_only=true')).body).toBe(5);
  });

  it('follows a change on the next call', async () => {
    expect(await readNames('ann')).toEqual(['Ann']);
    const change = async (path: string, body: object) => {
      const { status, text } = await platform.ask('PATCH', path, { body });
      expect(status, text).toBe(200);
    };
    await db.sql("UPDATE contact SET name = 'nobody' WHERE id = 4");
    const { body } = await platform.ask('GET', `system/user/${ids.ann}?related=lookup_by_user_id`);
    const [{ id }] = body.lookup_by_user_id;
    await change(`system/user/${ids.ann}`, { lookup_by_user_id: [{ id, value: 'Cyd' }] });
    expect(await readNames('ann')).toEqual(['Cyd']);
    // Filters do not see a private lookup: that of the role counts again.
    await change(`system/user/${ids.ann}`, { lookup_by_user_id: [{ id, value: 'Cyd', private: true }] });
    expect(await readNames('ann')).toEqual(['nobody']);
    expect(await readNames('bob')).toEqual(['Bob']);

    const row = (filters: unknown[]) => ({ role_service_access_by_role_id: [{ id: ids.row, filters }] });
    await change(`system/role/${ids.role}`, row([{ name: 'id', operator: '<', value: '3' }]));
    expect([await readNames('ann'), await readNames('bob')]).toEqual([
      ['Ann', 'Bob'],
      ['Ann', 'Bob'],
    ]);
    await change(`system/role/${ids.role}`, row([{ name: 'id', value: '3' }]));
    expect(await readNames('ann')).toBe('Invalid server-side filter configuration detected.');
    await change(`system/role/${ids.role}`, row([]));
    expect(await readNames('ann')).toHaveLength(5);
  });

  it('is chosen by the verb that a tunnelled call means', async () => {
    const table = { service_id: serviceId, component: '_table/contact', requestor_mask: 1 };
    const row = (verb_mask: number, id: number) => ({
      ...table,
      verb_mask,
      filters: [{ name: 'id', operator: '=', value: id }],
    });
    const rows = [row(1, 1), row(2, 2), row(16, 3)];
    const body = { role_service_access_by_role_id: rows };
    expect((await platform.ask('PATCH', `system/role/${ids.role}`, { body })).status).toBe(200);
    const tunnelled = (verb: string, path = 'shop/_table/contact?fields=id', body?: object) =>
      send('ann', 'POST', path, { headers: { 'x-http-method': verb }, body });
    expect((await tunnelled('GET', undefined, { filter: 'id > 0' })).body).toEqual({ resource: [{ id: 1 }] });
    expect((await send('ann', 'POST', 'shop/_table/contact?method=GET&fields=id')).body).toEqual({
      resource: [{ id: 1 }],
    });
    // By a filter nothing is found that GET does not show.
    expect((await tunnelled('DELETE', 'shop/_table/contact?filter=id%3E0')).body).toEqual({ resource: [] });
    expect((await tunnelled('DELETE', 'shop/_table/contact?ids=3')).body).toEqual({ resource: [{ id: 3 }] });
    expect(await db.sql('SELECT id FROM contact ORDER BY id')).toEqual(['1', '2', '4', '5']);
  });

  it('has the same answer for a record that is hidden and one that is not there', async () => {
    const change = async (verb: string, id: number, body?: object) => {
      const { status, text } = await send('ann', verb, `shop/_table/contact/${id}`, { body });
      return [status, text.replaceAll(String(id), '?').replace(/"request_id":"[^"]*"/, '')];
    };
    for (const [verb, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'Bob' }], ['PATCH', { age: 1 }]] as const)
      expect(await change(verb, 2, body), verb).toEqual(await change(verb, 7, body));
    expect(await db.sql('SELECT name FROM contact WHERE id = 2')).toEqual(['Bob']);
  });

  it('lets each create what is their own alone', async () => {
    const create = (name: string) => send('ann', 'POST', 'shop/_table/contact', { body: { resource: [{ name }] } });
    expect((await create('{me}')).body).toEqual({ resource: [{ id: 6 }] });
    expect((await create('Bob')).body.error.context.resource[0]).toMatchObject({
      status_code: 403,
      message: 'Denied access to some of the requested fields.',
    });
    expect(await readNames('ann')).toEqual(['Ann', 'Ann']);
    expect(await readNames('bob')).toEqual(['Bob']);
  });

  it('is nothing to a service that is no database (ROL-018)', async () => {
    const filters = [condition('{me}')];
    const rows = [{ service_id: 1, component: '*', verb_mask: 1, requestor_mask: 1, filters }];
    const body = { role_service_access_by_role_id: rows };
    expect((await platform.ask('PATCH', `system/role/${ids.role}`, { body })).status).toBe(200);
    expect((await send('ann', 'GET', 'system/role?fields=id')).body.resource.length).toBeGreaterThan(0);
  });
});
