// The calls on schemas as clients and the console make them, over real connections (docs/calls.md, C-SCH-*).
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  let service: number;
  beforeAll(async () => {
    db = await fixture(engine);
    platform = await startPlatform();
    const { type, config } = db;
    service = (await platform.create('service', { name: 'shop', label: 'Shop', type, is_active: true, config })).id;
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  const ok = async (verb: string, path: string, body?: unknown) => {
    const answer = await platform.ask(verb, `shop/${path}`, { body });
    expect([verb, path, answer.status, answer.body]).toEqual([verb, path, 200, answer.body]);
    return answer.body;
  };
  const names = (list: { name: string }[]) => list.map(({ name }) => name);

  it('SRV-047 tables, fields and relations are listed, made, described, changed and dropped', async () => {
    // A table, new.
    const table = {
      name: 'todo',
      label: 'To do',
      field: [
        { name: 'id', type: 'id' },
        { name: 'team_id', type: 'reference', ref_table: 'team', ref_field: 'id', allow_null: true },
      ],
    };
    const { resource } = await ok('POST', '_schema?fields=*', { resource: [table] });
    expect(resource[0]).toMatchObject({ name: 'todo', label: 'To do', access: 31 });
    expect(names(resource[0].field)).toEqual(['id', 'team_id']);
    const list = await ok('GET', '_schema?refresh=true&fields=name,label');
    expect(list.resource).toContainEqual({ name: 'todo', label: 'To do' });
    expect(names((await ok('GET', '_schema/')).resource)).toContain('todo');
    expect(await ok('GET', '_schema/todo?refresh=true')).toEqual(resource[0]);

    // An existing one, whole as it was read.
    expect(await ok('PATCH', '_schema/todo', { ...resource[0], label: 'Things to do' })).toEqual({ name: 'todo' });

    // Fields: a new one, the same changed, and gone.
    const field = { name: 'title', type: 'string', length: 40, allow_null: false, default: '-' };
    expect(await ok('POST', '_schema/todo/_field', { resource: [field] })).toEqual([[]]);
    await ok('POST', '_table/todo', { resource: [{ title: 'one', team_id: 1 }, { title: 'two' }] });
    const [, , made] = (await ok('GET', '_schema/todo/_field/')).resource;
    expect(made).toMatchObject({ name: 'title', type: 'string', length: 40, allow_null: false, default: '-' });
    expect(await ok('PATCH', '_schema/todo/_field', { resource: [{ ...made, length: 80, label: 'What' }] })).toEqual([
      [],
    ]);
    expect(await ok('GET', '_schema/todo/_field/title')).toMatchObject({ length: 80, label: 'What', default: '-' });
    expect(await ok('DELETE', '_schema/todo/_field/title')).toEqual({ success: true });
    expect((await platform.ask('GET', 'shop/_schema/todo/_field/title')).status).toBe(404);
    expect((await ok('GET', '_table/todo')).resource).toEqual([
      { id: 1, team_id: 1 },
      { id: 2, team_id: null },
    ]);

    // Relations: those of foreign keys, and a virtual one.
    const relation = { type: 'has_many', is_virtual: true, field: 'id', ref_table: 'contact', ref_field: 'age' };
    expect(await ok('POST', '_schema/todo/_related', { resource: [relation] })).toEqual([[]]);
    expect((await ok('GET', '_schema/todo/_related')).resource).toMatchObject([
      { name: 'team_by_team_id', is_virtual: false },
      { name: 'contact_by_age', is_virtual: true },
    ]);
    const changed = { ...relation, name: 'contact_by_age', alias: 'of_age' };
    expect(await ok('PATCH', '_schema/todo/_related', { resource: [changed] })).toEqual([[]]);
    expect((await ok('GET', '_table/todo?related=of_age,team_by_team_id&ids=1')).resource[0]).toMatchObject({
      of_age: [],
      team_by_team_id: { name: 'red' },
    });
    expect(await ok('DELETE', '_schema/todo/_related/contact_by_age')).toEqual({ success: true });

    // Dropped.
    expect(await ok('DELETE', '_schema/todo')).toEqual({ success: true });
    expect(names((await ok('GET', '_schema?refresh=true&fields=name,label')).resource)).not.toContain('todo');
    expect((await platform.ask('GET', 'shop/_table/todo')).status).toBe(404);
  });

  it('tables of an upload are made in the order their references need', async () => {
    const reference = { type: 'reference', ref_field: 'id', allow_null: true };
    const resource = [
      {
        name: 'line',
        field: [
          { name: 'id', type: 'id' },
          { name: 'bill_id', ref_table: 'bill', ...reference },
        ],
      },
      {
        name: 'bill',
        field: [
          { name: 'id', type: 'id' },
          { name: 'client_id', ref_table: 'client', ...reference },
        ],
      },
      { name: 'client', field: [{ name: 'id', type: 'id' }] },
    ];
    expect(await ok('POST', '_schema?include_schema=true', { resource })).toEqual({
      resource: [{ name: 'line' }, { name: 'bill' }, { name: 'client' }],
    });
    expect(names((await ok('GET', '_schema/bill/_related')).resource).sort()).toEqual([
      'client_by_client_id',
      'line_by_bill_id',
    ]);
    expect(await ok('DELETE', '_schema?ids=client,bill,line')).toEqual({
      resource: [{ name: 'client' }, { name: 'bill' }, { name: 'line' }],
    });
  });

  it('a plan tells what a write would do to a caller who might do it', async () => {
    const write = { verb: 'DELETE', path: '_schema/team/_field/name' };
    expect((await ok('POST', '_plan', write)).resource).toMatchObject([
      { name: 'team', losses: [{ field: 'name', records: 2 }], misfits: [] },
    ]);
    expect((await platform.ask('POST', 'shop/_plan', { body: write, token: null })).status).toBe(400);
    expect((await platform.ask('GET', 'shop/_plan')).status).toBe(405);
    expect(names((await ok('GET', '')).resource)).not.toContain('_plan');
    expect((await ok('GET', '?as_access_list=true')).resource.join()).not.toContain('_plan');
  });

  it('a plan names roles to administrators alone', async () => {
    const row = { service_id: service, component: '_schema/loose', verb_mask: 31, requestor_mask: 1 };
    const role = await platform.create('role', {
      name: 'keeper of the loose',
      is_active: true,
      role_service_access_by_role_id: [row],
    });
    const app = await platform.create('app', { name: 'loose', is_active: true });
    const key = String(app.api_key);
    const login = { email: 'keeper@example.com', password: 'pass word' };
    await platform.create('user', { ...login, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] });
    const { body } = await platform.ask('POST', 'user/session', { body: login, token: null, key });
    const plan = { verb: 'DELETE', path: '_schema/loose' };
    const [planned] = (await ok('POST', '_plan', plan)).resource;
    expect(planned.used_by).toMatchObject([{ kind: 'role', name: 'keeper of the loose' }]);
    const byUser = await platform.ask('POST', 'shop/_plan', { body: plan, token: String(body.session_token), key });
    expect(byUser.body.resource).toEqual([{ ...planned, used_by: [] }]);
  });
});
