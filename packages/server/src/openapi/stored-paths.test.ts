// A definition that is kept with a service replaces the generated document, over the wire.
import { startPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Document, expectValid, forms } from './valid.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());
let key: string;

const definition = {
  openapi: '3.0.3',
  info: { title: 'Customers of {service.label}', version: '1' },
  servers: [{ url: 'https://elsewhere.example' }],
  paths: {
    '/crm/customers': {
      parameters: [{ $ref: '#/components/parameters/page' }, { $ref: 'https://elsewhere.example/p.json' }],
      get: {
        operationId: 'listCustomers',
        security: [{ theirs: [] }],
        servers: [{ url: 'https://elsewhere.example' }],
        responses: {
          200: {
            description: 'Customers',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/customer' } } },
          },
        },
      },
      post: {
        responses: {
          200: { description: 'Made', content: { 'application/json': { schema: { $ref: 'file:///etc/passwd' } } } },
        },
      },
    },
    '/crm/customers/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      delete: { responses: { 200: { description: 'Gone' } } },
    },
  },
  components: {
    parameters: { page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
    schemas: {
      customer: {
        type: 'object',
        properties: { name: { type: 'string', nullable: true }, parent: { $ref: '#/components/schemas/customer' } },
      },
      unused: { type: 'object' },
    },
  },
};

beforeAll(async () => {
  await platform.create('service', {
    ...{ name: 'crm', label: 'CRM', type: 'local_file', is_active: true, config: { container: 'crm' } },
    service_doc_by_service_id: { format: 0, content: JSON.stringify(definition) },
  });
  const row = { service_id: 8, component: 'customers', verb_mask: 1, requestor_mask: 1 };
  const role = await platform.create(
    'role',
    { name: 'r', is_active: true, role_service_access_by_role_id: [row] },
    'role_service_access_by_role_id',
  );
  key = String((await platform.create('app', { name: 'r', is_active: true, role_id: role.id })).api_key);
});

it.each(forms)('it is filtered, its placeholders are filled, and it is valid in form %s', async (form) => {
  const { body }: { body: Document } = await platform.ask('GET', `api_docs/crm?openapi=${form}`);
  await expectValid(body, form);
  expect([body.openapi.slice(0, 3), body.info.title, body.servers[0].url]).toEqual([
    form,
    'Customers of CRM',
    '/api/v2/crm',
  ]);
  expect(Object.keys(body.paths)).toEqual(['/customers', '/customers/{id}']);
  expect(body.paths['/customers'].get).toMatchObject({
    ...{ operationId: 'listCustomers', tags: ['crm'] },
    responses: { default: { $ref: '#/components/responses/Error' } },
  });
  expect(JSON.stringify(body)).not.toMatch(/elsewhere|theirs|passwd|unused/);
  const name = form === '3.0' ? { type: 'string', nullable: true } : { type: ['string', 'null'] };
  expect(body.components.schemas.customer.properties.name).toEqual(name);
  const own = (await platform.ask('GET', `api_docs/crm?openapi=${form}`, { key, token: null })).body;
  expect(Object.entries<Document>(own.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
    ['/customers', ['parameters', 'get']],
  ]);
});

it('in the document of all it stands below the name of its service, its components too', async () => {
  const { body } = await platform.ask('GET', 'api_docs?openapi=3.1');
  await expectValid(body, 'all');
  expect(body.paths['/crm/customers'].get.operationId).toBe('crm.listCustomers');
  expect(body.components.schemas['crm.customer']).toBeDefined();
});

it('one that cannot be read fails alone', async () => {
  await platform.ask('PATCH', 'system/service/8', {
    body: { service_doc_by_service_id: { format: 1, content: 'a: [' } },
  });
  expect((await platform.ask('GET', 'api_docs/crm')).status).toBeGreaterThanOrEqual(400);
  expect((await platform.ask('GET', 'api_docs')).body.paths['/db']).toBeDefined();
});
