// `system/event` of services with a definition of their own (contract/event-scripts-and-script-services.md §2).
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';

let platform: TestPlatform;
let id: number;
beforeAll(async () => {
  platform = await startPlatform();
  const made = { name: 'crm', label: 'CRM', type: 'sqlite', is_active: true, config: { database: 'crm.sqlite' } };
  id = (await platform.create('service', made)).id;
});
afterAll(() => platform.stop());

const define = async (content: string, format = 1) => {
  const body = { service_doc_by_service_id: { service_id: id, content, format } };
  const { status, text } = await platform.ask('PUT', `system/service/${id}?related=service_doc_by_service_id`, {
    body,
  });
  expect(status, text).toBe(200);
};
const events = async (query = '', options = {}) =>
  (await platform.ask('GET', `system/event?service=crm${query}`, options)).body;

const definition = `
openapi: 3.0.0
paths:
  /:
    get: {}
  /{service.name}/{region}/item10:
    get:
      parameters: [{name: region, in: path, schema: {enum: [north, south]}}]
  /{service.name}/{region}/item9:
    get: {}
    delete: {}
`;

it('SRV-042: they are those of the definition, with the values it lists for the first placeholder, naturally sorted', async () => {
  expect(Object.keys((await events()).crm)).toContain('crm._table.{table_name}');
  await define(definition.replaceAll('/{service.name}/', '/'));
  expect(await events()).toEqual({
    crm: {
      crm: { type: 'api', endpoints: ['crm.get'], parameter: null },
      'crm.{region}.item9': {
        ...{ type: 'api', endpoints: ['crm.{region}.item9.get', 'crm.{region}.item9.delete'], parameter: null },
      },
      'crm.{region}.item10': {
        ...{ type: 'api', endpoints: ['crm.{region}.item10.get'], parameter: { region: ['north', 'south'] } },
      },
    },
  });
  const { resource } = await events('&as_list=true&scriptable=true');
  expect(resource).toContain('crm.{region}.item9.delete.pre_process');
  expect(resource).not.toContain('crm._table.get');
});

it('a caller sees those their role has verbs for', async () => {
  await define(definition.replaceAll('/{service.name}/', '/sales/'));
  const rows = [
    { service_id: 1, component: 'event', verb_mask: 1, requestor_mask: 1 },
    { service_id: id, component: 'sales/*', verb_mask: 1, requestor_mask: 1 },
  ];
  const role = await platform.create('role', { name: 'sales', is_active: true, role_service_access_by_role_id: rows });
  const { api_key: key } = (await platform.create('app', {
    ...{ name: 'sales', type: 0, is_active: true, role_id: role.id },
  })) as unknown as { api_key: string };
  const names = Object.values((await events('', { token: null, key })).crm).flatMap(
    (entry) => (entry as { endpoints: string[] }).endpoints,
  );
  expect(names).toEqual(['crm.sales.{region}.item9.get', 'crm.sales.{region}.item10.get']);
});

it('one that is not well formed counts as none, and a change is seen at once', async () => {
  await define('paths: [');
  expect(Object.keys((await events()).crm)).toContain('crm._table.{table_name}');
  await define('{"paths":{"/only":{"get":{}}}}', 0);
  expect(Object.keys((await events()).crm)).toEqual(['crm.only']);
  await define('');
  expect(Object.keys((await events()).crm)).toContain('crm._table.{table_name}');
});
