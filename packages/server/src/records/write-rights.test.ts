// Rights to write are no rights to read (docs/design.md, difference 16), and only those who may write an app see its
// key (difference 8): over the wire, with the platform's own records.
import { verbMask } from '@sluice/contract';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { GET, POST, PUT, PATCH, DELETE } = verbMask;
const mask = '**********';

let platform: TestPlatform;
let system: number;
let ids: { role: number; big: number; app: number; rich: number; user: number; service: number; template: number };
let key: string;

beforeAll(async () => {
  platform = await startPlatform();
  const { ask, create } = platform;
  const services: { id: number; name: string }[] = (await ask('GET', 'system/service')).body.resource;
  system = services.find(({ name }) => name === 'system')!.id;
  const big = (
    await create('role', {
      name: 'big',
      is_active: true,
      role_service_access_by_role_id: [{ component: '*', verb_mask: 31 }],
    })
  ).id;
  const lookups = [{ name: 'inner', value: 'a secret of the role' }];
  const role = (
    await create('role', { name: 'plain', description: 'words', is_active: true, lookup_by_role_id: lookups })
  ).id;
  const app = await create('app', { name: 'shop', description: 'sells', is_active: true, role_id: role });
  const rich = (await create('app', { name: 'rich', is_active: true, role_id: big })).id;
  const user = (await create('user', { email: 'ann@example.com', first_name: 'Ann', phone: '12' })).id;
  const service = (
    await create('service', { name: 'store', type: 'pgsql', config: { host: 'inner.example', database: 'd' } })
  ).id;
  const template = (await create('email_template', { name: 'hello', subject: 'Hi', to: 'a@example.com' })).id;
  key = String(app.api_key);
  ids = { role, big, app: app.id, rich, user, service, template };
});
afterAll(() => platform.stop());

let count = 0;
/** Calls by key alone, of an app whose role gives these verbs on these resources. */
async function startCaller(verbs: Record<string, number>) {
  count += 1;
  const rows = Object.entries(verbs).map(([name, verb_mask]) => ({
    service_id: system,
    component: `${name}/*`,
    verb_mask,
  }));
  const role = await platform.create('role', {
    name: `r${count}`,
    is_active: true,
    role_service_access_by_role_id: rows,
  });
  const app = await platform.create('app', { name: `a${count}`, is_active: true, role_id: role.id });
  const credentials = { key: String(app.api_key), token: null };
  return async (verb: string, path: string, body?: unknown) =>
    (await platform.ask(verb, path, { ...credentials, body })).body;
}

describe('abuse: without GET a write tells the identifier and what was sent', () => {
  const writes = POST | PUT | PATCH | DELETE;
  it.each([
    ['app', 'app', { unknown: 1 }, {}],
    ['app', 'app', { description: 'sells much', api_key: mask, launch_url: 'x' }, { description: 'sells much' }],
    ['user', 'user', { unknown: 1, confirmed: true }, {}],
    ['user', 'user', { phone: '13' }, { phone: '13' }],
    ['role', 'role', { unknown: 1 }, {}],
    ['service', 'service', { label: 'Shop' }, { label: 'Shop' }],
    ['service', 'service', { config: { port: 5433 } }, {}],
    ['email_template', 'template', { subject: 'Hello' }, { subject: 'Hello' }],
  ] as const)('PATCH %s', async (name, which, input, answer) => {
    const ask = await startCaller({ [name]: writes, role_service_access: writes });
    const id = ids[which];
    expect(await ask('PATCH', `system/${name}/${id}?fields=*&related=*`, input)).toEqual({ id, ...answer });
    const list = { resource: [{ id, ...input }] };
    expect(await ask('PUT', `system/${name}?fields=*`, list)).toEqual({ resource: [{ id, ...answer }] });
    expect(await ask('PATCH', `system/${name}?ids=${id}&fields=*&rollback=true`, { resource: [input] })).toEqual({
      resource: [{ id, ...answer }],
    });
  });

  it('rows of a role and its lookups do not come along', async () => {
    const ask = await startCaller({ role: PATCH, lookup: GET });
    const related = 'lookup_by_role_id,role_service_access_by_role_id,user_by_created_by_id';
    expect(await ask('PATCH', `system/role/${ids.role}?related=${related}`, { is_active: true })).toEqual({
      id: ids.role,
    });
  });

  it('a null that leaves a field as it is tells nothing of it', async () => {
    const ask = await startCaller({ app: PATCH });
    const { body } = await platform.ask('GET', `system/app/${ids.app}`);
    const answer = await ask('PATCH', `system/app/${ids.app}?fields=*`, { is_active: null, toggle_location: null });
    expect(body.is_active).toBe(true);
    expect(answer).toEqual({ id: ids.app });
  });

  it('a new record, and one that goes', async () => {
    const ask = await startCaller({ app: POST | DELETE, user: POST });
    const { resource } = await ask('POST', 'system/app?fields=*', { resource: [{ name: 'made', type: 0 }] });
    expect(resource).toEqual([{ id: expect.any(Number), name: 'made', type: 0 }]);
    const id = resource[0].id;
    expect(await ask('DELETE', `system/app/${id}?fields=*&related=role_by_role_id`)).toEqual({ id });
    const created = await ask('POST', 'system/user?fields=*', { resource: [{ email: 'new@example.com' }] });
    expect(created.resource).toEqual([{ id: expect.any(Number), email: 'new@example.com' }]);
  });
});

describe('abuse: an API key is shown to those who may write its app', () => {
  const keyOf = async (ask: Awaited<ReturnType<typeof startCaller>>, id: number) =>
    (await ask('GET', `system/app/${id}`)).api_key;

  it('others get the mask, through relations too', async () => {
    const reader = await startCaller({ app: GET, role: GET });
    expect(await keyOf(reader, ids.app)).toBe(mask);
    expect((await reader('GET', 'system/app')).resource.map((app: { api_key: string }) => app.api_key)).toContain(mask);
    const role = await reader('GET', `system/role/${ids.role}?related=app_by_role_id`);
    expect(role.app_by_role_id).toEqual([expect.objectContaining({ id: ids.app, api_key: mask })]);
    expect(JSON.stringify(await reader('GET', 'system/app?as_list=true&id_field=api_key'))).not.toContain(key);
  });

  it('and may not name it in a filter, an order or a group', async () => {
    const [reader, writer] = [await startCaller({ app: GET }), await startCaller({ app: GET | PATCH })];
    for (const query of [
      "filter=api_key like 'a%'",
      'order=api_key',
      'group=api_key',
      'filter=id>0&order=name,api_key desc',
    ])
      for (const ask of [reader, writer])
        expect((await ask('GET', encodeURI(`system/app?${query}`))).error).toMatchObject({ status_code: 400 });
    expect((await platform.ask('GET', `system/app?filter=api_key='${key}'`)).body.resource).toHaveLength(1);
  });

  it('a caller who may write the app and holds its role sees it; the mask sent back keeps it', async () => {
    const writer = await startCaller({ app: GET | PATCH });
    expect(await keyOf(writer, ids.rich)).toBe(mask);
    expect(await keyOf(writer, 1)).toMatch(/^\w{64,}$/);
    expect(
      await writer('PATCH', `system/app/${ids.rich}?fields=api_key,description`, { api_key: mask, description: 'x' }),
    ).toMatchObject({ api_key: mask, description: 'x' });
    expect((await platform.ask('GET', `system/app/${ids.rich}`)).body.api_key).toMatch(/^\w{64,}$/);
  });

  it('it is not uncovered by taking the role from its app', async () => {
    const writer = await startCaller({ app: GET | PATCH, role: GET | PATCH | DELETE });
    const { role_service_access_by_role_id: rows } = (
      await platform.ask('GET', `system/role/${ids.big}?related=role_service_access_by_role_id`)
    ).body;
    const removals = rows.map(({ id }: { id: number }) => ({ id, role_id: null }));
    for (const [verb, path, body] of [
      ['PATCH', `app/${ids.rich}`, { role_id: null }],
      ['PATCH', `app/${ids.rich}`, { role_id: ids.role }],
      ['PATCH', `role/${ids.role}`, { app_by_role_id: [{ id: ids.rich, role_id: ids.role }] }],
      ['PATCH', `role/${ids.big}`, { role_service_access_by_role_id: removals }],
      ['DELETE', `role/${ids.big}`, undefined],
    ] as const)
      expect((await writer(verb, `system/${path}`, body)).error?.message, path).toMatch(
        /^The role gives more than yours/,
      );
    expect(await keyOf(writer, ids.rich)).toBe(mask);
  });

  it('the version of a record is for those who may read it', async () => {
    const role = await platform.create('role', {
      name: 'blind',
      is_active: true,
      role_service_access_by_role_id: [{ service_id: system, component: 'user/*', verb_mask: PATCH }],
    });
    const app = await platform.create('app', { name: 'blind', is_active: true, role_id: role.id });
    const etagFor = async (credentials: object) =>
      (await platform.ask('PATCH', `system/user/${ids.user}`, { ...credentials, body: { unknown: 1 } })).headers.etag;
    expect(await etagFor({ key: String(app.api_key), token: null })).toBeUndefined();
    expect(await etagFor({})).toMatch(/^"/);
  });
});
