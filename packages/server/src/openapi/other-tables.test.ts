// Relations that lead to tables of another service: described as far as their caller may read them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Document, expectValid, forms } from './valid.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());
const keys: Record<string, string> = {};

const table = (name: string) => ({
  name,
  field: [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
    { name: 'other_id', type: 'integer' },
  ],
});

beforeAll(async () => {
  const ids: Record<string, number> = {};
  for (const name of ['shop', 'people', 'third']) {
    const config = { database: `${name}.sqlite` };
    ids[name] = (await platform.create('service', { name, label: name, type: 'sqlite', is_active: true, config })).id;
    await platform.ask('POST', `${name}/_schema`, { body: { resource: [table('thing'), table('secret')] } });
  }
  const relation = (ref_service_id: number | undefined) => ({
    ...{ name: 'owner', alias: 'owner', is_virtual: true, type: 'belongs_to', field: 'other_id' },
    ...{ ref_service_id, ref_table: 'thing', ref_field: 'id' },
  });
  for (const [from, to] of [
    ['shop', 'people'],
    ['people', 'third'],
  ] as const) {
    const { status, text } = await platform.ask('POST', `${from}/_schema/thing/_related`, {
      body: { resource: [relation(ids[to])] },
    });
    expect(status, text).toBe(200);
  }
  const row = (service: string, component: string) => ({
    ...{ service_id: ids[service], component, verb_mask: 1, requestor_mask: 1 },
  });
  const roles = { own: [row('shop', '*')], both: [row('shop', '*'), row('people', '_table/thing/*')] };
  for (const [name, rows] of Object.entries(roles)) {
    const role = await platform.create(
      'role',
      { name, is_active: true, role_service_access_by_role_id: rows },
      'role_service_access_by_role_id',
    );
    keys[name] = String((await platform.create('app', { name, is_active: true, role_id: role.id })).api_key);
  }
});

describe.each(forms)('in form %s', (form) => {
  const document = async (path: string, key?: string): Promise<Document> => {
    const options = key === undefined ? {} : { key: keys[key] as string, token: null };
    const { body } = await platform.ask('GET', `api_docs${path}?openapi=${form}`, options);
    await expectValid(body, path);
    return body;
  };
  const ownerIn = ({ components }: Document, name: string): string =>
    JSON.stringify(components.schemas[name].properties.owner ?? null);

  it('the document of all refers to the schema that the other table has in it', async () => {
    const whole = await document('');
    expect(ownerIn(whole, 'shop.thing.part')).toContain('"#/components/schemas/people.thing.part"');
    expect(ownerIn(whole, 'shop.thing.change')).toBe('null');
    expect(ownerIn(whole, 'people.thing.part')).toContain('"#/components/schemas/third.thing.part"');
    const own = await document('', 'both');
    expect(ownerIn(own, 'shop.thing.part')).toContain('"#/components/schemas/people.thing.part"');
    // What may not be read of the third is not in it.
    expect(ownerIn(own, 'people.thing.part')).toBe('null');
    expect(ownerIn(await document('', 'own'), 'shop.thing.part')).toBe('null');
  });

  it('the document of one service has what the other table holds, and follows no further', async () => {
    const one = await document('/shop');
    expect(ownerIn(one, 'thing.part')).toContain('"#/components/schemas/people.thing.part"');
    const { properties } = one.components.schemas['people.thing.part'];
    expect(Object.keys(properties)).toEqual(['id', 'name', 'other_id']);
    const others = Object.keys(one.components.schemas).filter((name) => /^(people|third)\./.test(name));
    expect(others).toEqual(['people.thing.part']);
    expect(ownerIn(await document('/shop', 'own'), 'thing.part')).toBe('null');
  });
});

it('a service that does not open is described as any object', async () => {
  const { body } = await platform.ask('GET', 'system/service?filter=name=people');
  const { id } = body.resource[0];
  const gone = await platform.ask('PATCH', `system/service/${id}`, { body: { config: { database: 'gone.sqlite' } } });
  expect(gone.status).toBe(200);
  await rm(join(platform.folder, 'db', 'gone.sqlite'), { force: true });
  const { body: one } = await platform.ask('GET', 'api_docs/shop?openapi=3.1');
  expect(one.components.schemas['people.thing.part']).toEqual({ type: 'object' });
});
