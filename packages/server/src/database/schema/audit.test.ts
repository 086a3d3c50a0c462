// What a change of the schema leaves in the audit and in roles, over HTTP.
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  let service: { id: number };
  let lastEntry = 0;

  beforeAll(async () => {
    db = await fixture(engine);
    platform = await startPlatform();
    service = await platform.create('service', serviceOver(db, 'yard'));
    await entries();
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });
  afterEach(async () => {
    for (const table of ['crate', 'box']) await platform.ask('DELETE', `yard/_schema/${table}`);
    await entries();
  });

  const send = (verb: string, path: string, body?: unknown) =>
    platform.ask(verb, `yard/_schema${path}`, { body, headers: { 'user-agent': 'the tests/1.0' } });
  const ok = async (verb: string, path: string, body?: unknown) => {
    const answer = await send(verb, path, body);
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
    return answer;
  };
  /** Those since the last time they were asked for. */
  // biome-ignore lint/suspicious/noExplicitAny: entries are of every shape
  const entries = async (): Promise<Record<string, any>[]> => {
    const { body } = await platform.ask('GET', `system/audit?filter=id%3E${lastEntry}&order=id`);
    lastEntry = body.resource.at(-1)?.id ?? lastEntry;
    return body.resource;
  };
  const crate = {
    name: 'crate',
    label: 'A crate',
    field: [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 20, label: 'What is in it', picklist: ['a', 'b'] },
      { name: 'n', type: 'integer', allow_null: true },
    ],
  };

  it('has one entry for each change: who, where, what was, what is, and the steps', async () => {
    const { headers } = await ok('POST', '', { resource: [crate] });
    const [made, ...others] = await entries();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      action: 'update',
      resource: 'service',
      record_id: String(service.id),
      record_name: 'yard/_schema/crate',
      user_email: administrator.email,
      ip_address: '127.0.0.1',
      user_agent: 'the tests/1.0',
      request_id: headers['x-request-id'],
      before: null,
    });
    expect(made!.after.steps.join(' ')).toMatch(/create table/i);
    expect(Object.keys(made!.after.field)).toEqual(['id', 'name', 'n']);

    await ok('PATCH', '/crate/_field/n', { type: 'string', length: 9, label: 'A number' });
    expect(await entries()).toMatchObject([
      {
        record_name: 'yard/_schema/crate',
        before: { field: { n: { type: 'integer' } } },
        after: { field: { n: { type: 'string', length: 9 } }, steps: expect.any(Array) },
      },
    ]);

    await ok('DELETE', '/crate/_field/n');
    const [dropped, ...more] = await entries();
    expect(more).toEqual([]);
    expect(dropped!.before.field).toMatchObject({ n: { type: 'string' } });
    expect(dropped!.after).not.toHaveProperty('field');
    expect(dropped!.after.steps.length).toBeGreaterThan(0);

    await ok('DELETE', '/crate');
    expect(await entries()).toMatchObject([
      { record_name: 'yard/_schema/crate', before: { name: 'crate' }, after: { steps: expect.any(Array) } },
    ]);
  });

  it('tells of each property of a field that changes what it was and is', async () => {
    await ok('POST', '', { resource: [crate] });
    const [made] = await entries();
    expect(made!.after.field).toMatchObject({ name: { required: true }, n: { allow_null: true } });
    expect(made!.after.field.n).not.toHaveProperty('required');
    const changeOf = async (path: string, body: unknown) => {
      await ok('PATCH', path, body);
      const [entry, ...others] = await entries();
      expect(others).toEqual([]);
      return [entry!.before.field, entry!.after.field];
    };
    const [common, unique] = await changeOf('/crate/_field/n', { is_unique: true });
    expect(common.n).not.toHaveProperty('is_unique');
    expect(unique).toMatchObject({ n: { name: 'n', allow_null: true, is_unique: true } });
    const [bare, given] = await changeOf('/crate/_field/name', { length: 21, default: 'a box' });
    expect(bare.name).toMatchObject({ required: true, length: 20 });
    expect(given.name).toMatchObject({ default: 'a box', length: 21 });
    for (const name of [bare.name, given.name]) expect(name).not.toHaveProperty('allow_null');
    expect(given.name).not.toHaveProperty('required');
    const [with0, without] = await changeOf('/crate/_field/name', { default: null, is_index: true });
    expect(with0.name).toMatchObject({ default: 'a box' });
    expect(without.name).toMatchObject({ required: true, is_index: true });
    expect(without.name).not.toHaveProperty('default');
    const [empty, needed] = await changeOf('/crate/_field/n', { allow_null: false });
    expect(empty.n).toMatchObject({ allow_null: true, is_unique: true });
    expect(needed.n).toMatchObject({ required: true, is_unique: true });
    // Nothing else was said to differ: the next change begins where this one ended.
    const [last] = await changeOf('/crate/_field/n', { type: 'bigint' });
    expect(Object.keys(last)).toEqual(['n']);
    expect(last.n).toEqual(needed.n);
  });

  it('has the extras of a change in its entry, and those that come alone in their own', async () => {
    await ok('POST', '', { resource: [crate] });
    const [made, ...later] = await entries();
    expect(later).toEqual([]);
    expect(made!.after).toMatchObject({
      label: 'A crate',
      field: { name: { label: 'What is in it', picklist: ['a', 'b'] } },
    });

    const total = { name: 'total', type: 'integer', is_virtual: true };
    const sum = [{ use: ['SELECT'], function: 'n + 1', function_type: 'database' }];
    const kin = { is_virtual: true, type: 'has_many', field: 'id', ref_table: 'crate', ref_field: 'n' };
    const change = {
      alias: 'crates',
      field: [
        { name: 'm', type: 'integer' },
        { ...total, db_function: sum },
      ],
    };
    await ok('PATCH', '/crate', { ...change, related: [kin] });
    const [mixed, ...rest] = await entries();
    expect(rest).toEqual([]);
    expect(mixed!.before).toEqual({});
    expect(mixed!.after).toMatchObject({ alias: 'crates', steps: expect.any(Array) });
    expect(Object.keys(mixed!.after.field)).toEqual(['m', 'total']);
    expect(mixed!.after.field.total).toMatchObject({ type: 'integer', is_virtual: true, db_function: sum });
    expect(Object.values(mixed!.after.related)).toMatchObject([{ type: 'has_many', ref_table: 'crate' }]);

    await ok('PUT', '/crate', { field: crate.field });
    const [fewer] = await entries();
    expect(Object.keys(fewer!.before.field)).toEqual(['m', 'total']);
    expect(fewer!.after).not.toHaveProperty('field');

    await ok('PATCH', '/crate/_field/n', { label: 'A number' });
    const [alone, ...others] = await entries();
    expect(others).toEqual([]);
    expect(alone!.after).not.toHaveProperty('steps');
    expect(alone!.after).toMatchObject({ label: 'A number' });
  });

  it('has none for what is refused, planned, or changes nothing', async () => {
    await ok('POST', '', { resource: [crate] });
    await platform.ask('POST', 'yard/_table/crate', { body: { resource: [{ name: 'a' }, { name: 'a' }] } });
    await entries();
    for (const [verb, path, body] of [
      ['PATCH', '/crate/_field/name', { is_unique: true, label: 'Only one' }],
      ['PATCH', '/crate/_field/n', { allow_null: false, label: 'Needed' }],
      ['POST', '/crate/_field', { resource: [{ name: 'bad', type: 'reference', label: 'No table' }] }],
      ['DELETE', '/nothing', undefined],
    ] as const) {
      const { status } = await send(verb, path, body);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
    const field = await platform.ask('GET', 'yard/_schema/crate/_field/n');
    expect(field.body.label).toBe('N');
    await platform.ask('POST', 'yard/_plan', { body: { verb: 'DELETE', path: '_schema/crate' } });
    await ok('PATCH', '', { resource: [crate] });
    expect(await entries()).toEqual([]);
  });

  it('a rename moves the access of roles and their record filters, in the entry of none but the role', async () => {
    await ok('POST', '', { resource: [crate] });
    const role = await platform.create(
      'role',
      {
        name: `readers-${engine}`,
        is_active: true,
        role_service_access_by_role_id: [
          {
            service_id: service.id,
            component: '_table/crate/*',
            verb_mask: 1,
            requestor_mask: 1,
            filters: [{ name: 'n', operator: '>', value: '1' }],
            filter_op: 'AND',
          },
        ],
      },
      'role_service_access_by_role_id',
    );
    const access = async () => {
      const { body } = await platform.ask('GET', `system/role/${role.id}?related=role_service_access_by_role_id`);
      const [row] = body.role_service_access_by_role_id;
      return [row.component, row.filters[0].name];
    };
    await entries();
    await ok('PATCH', '/crate/_field/n', { new_name: 'm' });
    expect(await access()).toEqual(['_table/crate/*', 'm']);
    await ok('PATCH', '/crate', { new_name: 'box' });
    expect(await access()).toEqual(['_table/box/*', 'm']);
    const left = await entries();
    expect(left.filter(({ resource }) => resource === 'service')).toMatchObject([
      { record_name: 'yard/_schema/crate', after: { field: { m: {} } } },
      { record_name: 'yard/_schema/crate', before: { name: 'crate' }, after: { name: 'box' } },
    ]);
    // A rename that is refused moves nothing.
    expect((await send('PATCH', '/box/_field/m', { new_name: 'name' })).status).toBe(400);
    expect((await send('PATCH', '/box', { new_name: 'team' })).status).toBe(400);
    expect(await access()).toEqual(['_table/box/*', 'm']);
    expect(await entries()).toEqual([]);
  });
});
