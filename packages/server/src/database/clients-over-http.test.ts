// A database over HTTP, as clients and the console call it: what there is, records with every parameter, and what a role lets
// someone do.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const get = (path: string) => platform.ask('GET', path);

/** A database service with two tables: four people in two teams. */
async function makeTeams(name: string): Promise<number> {
  const file = join(platform.folder, 'db', `${name}.sqlite`);
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`
    create table team (id integer primary key autoincrement, name varchar(20) not null);
    create table person (id integer primary key autoincrement, name varchar(20), age integer,
      team_id integer references team (id));
    insert into team (name) values ('red'), ('blue');
    insert into person (name, age, team_id) values ('Ann', 30, 1), ('Bob', 17, 2), ('Eve', 44, 1), ('Dee', null, 2);`);
  database.close();
  const config = { database: `${name}.sqlite` };
  return (await platform.create('service', { name, label: name, type: 'sqlite', is_active: true, config })).id;
}

it('DAT-007 DAT-008 SRV-048 a service tells its resources, its tables and the components a role may name', async () => {
  await makeTeams('told');
  expect((await get('told')).body).toEqual({ resource: [{ name: '_schema' }, { name: '_table' }] });
  const tables = [
    { name: 'person', label: 'Person' },
    { name: 'team', label: 'Team' },
  ];
  for (const part of ['_table', '_schema'])
    expect((await get(`told/${part}/?fields=name,label`)).body).toEqual({ resource: tables });
  expect((await get('told/?as_access_list=true')).body.resource).toEqual([
    '',
    '*',
    ...['_schema', '_table'].flatMap((part) => [
      `${part}/`,
      `${part}/*`,
      ...['person', 'team'].flatMap((table) => [`${part}/${table}/`, `${part}/${table}/*`]),
    ]),
  ]);
});

it('SRV-045 records are read with every parameter of a list, made, changed and deleted', async () => {
  await makeTeams('whole');
  const read = async (query: Record<string, string>) =>
    (await get(`whole/_table/person?${new URLSearchParams(query)}`)).body;
  expect((await get('whole/_table')).body.resource).toEqual([{ name: 'person' }, { name: 'team' }]);
  expect(await read({ fields: 'name', filter: 'age > 20', order: 'age desc' })).toEqual({
    resource: [{ name: 'Eve' }, { name: 'Ann' }],
  });
  expect(await read({ fields: 'id', limit: '2', offset: '1', include_count: 'true' })).toEqual({
    resource: [{ id: 2 }, { id: 3 }],
    meta: expect.objectContaining({ count: 4 }),
  });
  const described = await read({ fields: 'id', include_schema: 'true' });
  expect(described.meta.schema.field.map(({ name }: { name: string }) => name)).toEqual([
    'id',
    'name',
    'age',
    'team_id',
  ]);
  expect(await read({ fields: 'name', filter: 'id = 1', related: 'team_by_team_id' })).toEqual({
    resource: [{ name: 'Ann', team_id: 1, team_by_team_id: { id: 1, name: 'red' } }],
  });
  const write = async (verb: string, resource: object[]) =>
    (await platform.ask(verb, 'whole/_table/team', { body: { resource } })).body;
  expect(await write('POST', [{ name: 'green' }])).toEqual({ resource: [{ id: 3 }] });
  expect(await write('PATCH', [{ id: 3, name: 'grey' }])).toEqual({ resource: [{ id: 3 }] });
  expect((await get('whole/_table/team/3')).body).toEqual({ id: 3, name: 'grey' });
  expect(await write('DELETE', [{ id: 3 }])).toEqual({ resource: [{ id: 3 }] });
  expect((await get('whole/_table/team/3')).status).toBe(404);
});

/** A person whose role has one row of service access; `set` changes the row. */
async function makeCaller(service_id: number) {
  const name = `caller${service_id}`;
  const row = { service_id, component: '_table/person', verb_mask: 1, requestor_mask: 1 };
  const rows = 'role_service_access_by_role_id';
  const role = await platform.create('role', { name, is_active: true, [rows]: [row] }, rows);
  const [{ id }] = role[rows] as unknown as [{ id: number }];
  const app = await platform.create('app', { name, is_active: true });
  const person = { email: `${name}@example.com`, password: 'pass word' };
  await platform.create('user', {
    ...person,
    user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
  });
  const key = String(app.api_key);
  const token = (await platform.ask('POST', 'user/session', { body: person, token: null, key })).body.session_token;
  return {
    key,
    ask: (verb: string, path: string, body?: object) => platform.ask(verb, path, { token, key, body }),
    async set(changes: object) {
      const body = { [rows]: [{ id, ...row, ...changes }] };
      expect((await platform.ask('PATCH', `system/role/${role.id}`, { body })).status).toBe(200);
    },
  };
}

it('SRV-050 service, component, verb mask, requestor mask and filters of a role are enforced', async () => {
  const [ownTeams, other] = [await makeTeams('own'), await makeTeams('other')];
  const { ask, set, key } = await makeCaller(ownTeams);
  const status = async (verb: string, path: string, body?: object) => (await ask(verb, path, body)).status;
  const person = { resource: [{ name: 'Fay', age: 5 }] };
  expect(await status('GET', 'own/_table/person')).toBe(200);
  expect(await status('GET', 'other/_table/person')).toBe(403);
  expect(await status('GET', 'own/_table/team')).toBe(403);
  expect(await status('POST', 'own/_table/person', person)).toBe(403);
  expect((await platform.ask('GET', 'own/_table/person', { token: null, key })).status).toBe(400);
  await set({ verb_mask: 3 });
  expect(await status('POST', 'own/_table/person', person)).toBe(200);
  await set({ requestor_mask: 2 });
  expect(await status('GET', 'own/_table/person')).toBe(403);
  await set({ service_id: other });
  expect(await status('GET', 'own/_table/person')).toBe(403);
  await set({ filters: [{ name: 'age', operator: '>', value: '20' }] });
  expect((await ask('GET', 'own/_table/person?fields=name')).body.resource).toEqual([{ name: 'Ann' }, { name: 'Eve' }]);
});

it('ROL-016 ROL-017 filters have thirteen operators, and are combined by AND or OR', async () => {
  const { ask, set } = await makeCaller(await makeTeams('filtered'));
  const readTeams = async () =>
    (await ask('GET', 'filtered/_table/person?fields=id')).body.resource.map(({ id }: { id: number }) => id);
  for (const [name, operator, value, ids] of [
    ['age', '=', '17', [2]],
    ['age', '!=', '17', [1, 3]],
    ['age', '>', '30', [3]],
    ['age', '<', '30', [2]],
    ['age', '>=', '30', [1, 3]],
    ['age', '<=', '30', [1, 2]],
    ['age', 'in', '(17,30)', [1, 2]],
    ['age', 'not in', '(17,30)', [3]],
    ['name', 'starts with', 'A', [1]],
    ['name', 'ends with', 'e', [3, 4]],
    ['name', 'contains', 'o', [2]],
    ['age', 'is null', '', [4]],
    ['age', 'is not null', '', [1, 2, 3]],
  ] as const) {
    await set({ filters: [{ name, operator, value }] });
    expect([operator, await readTeams()]).toEqual([operator, ids]);
  }
  const filters = [
    { name: 'age', operator: '>', value: '20' },
    { name: 'name', operator: 'contains', value: 'e' },
  ];
  for (const [filter_op, ids] of [
    ['AND', [3]],
    ['OR', [1, 3, 4]],
  ] as const) {
    await set({ filters, filter_op });
    expect([filter_op, await readTeams()]).toEqual([filter_op, ids]);
  }
});
