// `api_docs` over the wire (contract/services-other.md §9).
import { startPlatform } from '@sluice/testkit';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const platform = await startPlatform();
afterAll(() => platform.stop());
const docs = (path: string, options = {}) => platform.ask('GET', `api_docs${path}`, options);
let key: string;

beforeAll(async () => {
  await platform.ask('POST', 'db/_schema', {
    body: {
      resource: [
        { name: 'team', field: [{ name: 'id', type: 'id' }] },
        {
          name: 'person',
          field: [
            { name: 'id', type: 'id' },
            { name: 'name', type: 'string', length: 40, required: true, allow_null: false },
            { name: 'mood', type: 'string', picklist: ['good', 'bad'], allow_null: true },
            { name: 'team_id', type: 'reference', ref_table: 'team', ref_field: 'id', allow_null: true },
          ],
        },
      ],
    },
  });
  const row = { service_id: 5, component: '_table/person/*', verb_mask: 1, requestor_mask: 1 };
  const role = await platform.create(
    'role',
    { name: 'reader', is_active: true, role_service_access_by_role_id: [row] },
    'role_service_access_by_role_id',
  );
  key = String((await platform.create('app', { name: 'reader', is_active: true, role_id: role.id })).api_key);
});

describe('the form of older servers', () => {
  it('DOC-002: a document of a service is OpenAPI 3.0.0 without a parameter', async () => {
    const { status, headers, body } = await docs('/db');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toMatchObject({
      openapi: '3.0.0',
      servers: [{ url: '/api/v2/db', description: 'Service for accessing local SQLite database.' }],
      info: { title: 'Local SQL Database', version: '2.0' },
      tags: [],
      components: {
        securitySchemes: {
          BasicAuth: { type: 'http', scheme: 'basic' },
          BearerAuth: { type: 'http', scheme: 'bearer' },
          ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
          ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-DreamFactory-API-Key' },
          SessionTokenQuery: { type: 'apiKey', in: 'query', name: 'session_token' },
          SessionTokenHeader: { type: 'apiKey', in: 'header', name: 'X-DreamFactory-Session-Token' },
        },
        requestBodies: {},
        responses: { Success: {}, Error: {}, ResourceList: {} },
      },
    });
    expect(body.security).toEqual(Object.keys(body.components.securitySchemes).map((name) => ({ [name]: [] })));
    const paths = ['/', '/_schema', '/_schema/{table_name}', '/_schema/{table_name}/_field'];
    paths.push(
      '/_schema/{table_name}/_field/{field_name}',
      '/_table',
      '/_table/{table_name}',
      '/_table/{table_name}/{id}',
    );
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(paths));
    expect(body.paths['/_table/{table_name}'].get).toMatchObject({
      tags: ['db'],
      responses: { default: { $ref: '#/components/responses/Error' } },
    });
  });

  it('has the paths of files as other servers have them', async () => {
    const { body } = await docs('/files');
    expect(Object.keys(body.paths)).toEqual(['/', '/{file_path}', '/{folder_path}/']);
  });

  it('the document of all has the server of all, and a tag for each service, whose paths begin with its name', async () => {
    const { body } = await docs('');
    expect([body.servers[0].url, body.info.title]).toEqual(['/api/v2', 'Live API Docs']);
    expect(body.tags.map(({ name }: { name: string }) => name)).toEqual([
      'system',
      'api_docs',
      'files',
      'logs',
      'db',
      'email',
      'user',
    ]);
    expect(body.paths['/db/_table/{table_name}'].get.tags).toEqual(['db']);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/db', '/system/role/{id}', '/files/{folder_path}/']),
    );
  });
});

it('tables have schemas with types, nulls, lengths, picklists and relations, for reading and for writing', async () => {
  const [old, current] = [(await docs('/db')).body, (await docs('/db?openapi=3.1')).body];
  expect([old.openapi, current.openapi]).toEqual(['3.0.0', '3.1.0']);
  const read = (document: typeof old) => document.components.schemas['person.part'].properties;
  expect(read(old)).toMatchObject({
    id: { type: 'integer' },
    name: { type: 'string', maxLength: 40 },
    mood: { type: 'string', nullable: true, enum: ['good', 'bad', null] },
    team_id: { type: 'integer', nullable: true, 'x-foreign-key': { table: 'team', field: 'id' } },
    team_by_team_id: { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/team.part' }] },
  });
  expect(read(current)).toMatchObject({
    mood: { type: ['string', 'null'], enum: ['good', 'bad', null] },
    team_by_team_id: { anyOf: [{ $ref: '#/components/schemas/team.part' }, { type: 'null' }] },
  });
  const schemas = current.components.schemas;
  expect(schemas.person.required).toEqual(['id', 'name', 'mood', 'team_id']);
  expect(schemas['person.new']).toEqual({
    allOf: [{ $ref: '#/components/schemas/person.change' }],
    required: ['name'],
  });
  expect(schemas['person.part']['x-primary-key']).toEqual(['id']);
});

it('a key alone gets what its role may do, without the tables it cannot reach and what refers to them', async () => {
  const { status, body, text } = await docs('/db', { key, token: null });
  expect(status).toBe(200);
  expect(Object.keys(body.paths)).toEqual([
    '/_table/{table_name}',
    '/_table/{table_name}/{id}',
    '/_table/person',
    '/_table/person/{id}',
  ]);
  expect(Object.values(body.paths).map((item) => Object.keys(item as object))).toEqual([
    ['get'],
    ['get'],
    ['get'],
    ['get'],
  ]);
  expect(Object.keys(body.components.schemas).sort()).toEqual([
    'Error',
    'ResourceList',
    'Success',
    'person',
    'person.part',
  ]);
  expect(text).not.toContain('"team"');
  expect(text).not.toContain('team_by_team_id');
});

it('parameters have examples that work', async () => {
  const { body } = await docs('/db?openapi=3.1');
  const query = body.paths['/_table/person'].get.parameters
    .map((parameter: { $ref?: string }) =>
      parameter.$ref ? body.components.parameters[parameter.$ref.split('/')[3] as string] : parameter,
    )
    .filter(({ example }: { example?: unknown }) => example !== undefined);
  expect(query.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['fields', 'related', 'filter', 'order', 'limit']),
  );
  for (const { name, example } of query) {
    const { status, text } = await platform.ask('GET', `db/_table/person?${name}=${encodeURIComponent(example)}`);
    expect([name, status, text.slice(0, 100)]).toEqual([name, 200, text.slice(0, 100)]);
  }
});

it('a change of the schema is in the next document', async () => {
  await platform.ask('POST', 'db/_schema', {
    body: { resource: [{ name: 'later', field: [{ name: 'id', type: 'id' }] }] },
  });
  expect((await docs('/db')).body.paths['/_table/later']).toBeDefined();
  await platform.ask('POST', 'db/_schema/later/_field', { body: { resource: [{ name: 'added', type: 'text' }] } });
  expect((await docs('/db')).body.components.schemas['later.part'].properties.added).toBeDefined();
  await platform.ask('DELETE', 'db/_schema/later');
  expect((await docs('/db?refresh=true')).body.paths['/_table/later']).toBeUndefined();
});

it('lists the services that have a document, and what roles may name', async () => {
  expect((await docs('?as_list=true')).body.resource).toEqual([
    'system',
    'api_docs',
    'files',
    'logs',
    'db',
    'email',
    'user',
  ]);
  expect((await docs('?as_list=true', { key, token: null })).body.resource).toEqual(['db']);
  expect((await docs('?as_access_list=true')).body.resource.slice(0, 4)).toEqual(['', '*', 'system', 'api_docs']);
  expect((await docs('?as_list=true', { token: null })).body).toEqual({ resource: [] });
});

it('comes as YAML with the same content, and as a download', async () => {
  const { body } = await docs('?openapi=3.1');
  const yaml = await docs('?openapi=3.1', { headers: { accept: 'application/yaml' } });
  expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
  expect(load(yaml.text)).toEqual(body);
  const file = await docs('/db?file=shop.yaml');
  expect(file.headers['content-disposition']).toContain('filename="shop.yaml"');
  expect(load(file.text)).toEqual((await docs('/db')).body);
  const named = await docs('/db?file=shop.json', { headers: { accept: 'application/yaml' } });
  expect(JSON.parse(named.text).openapi).toBe('3.0.0');
});

it('refuses what has no document, in the words of older servers', async () => {
  const said = async (path: string, options = {}) => {
    const { status, body } = await docs(path, options);
    return [status, body.error?.message];
  };
  expect(await said('/nothing')).toEqual([404, 'Could not find a service for nothing']);
  const noAccess = 'You do not have access to API Docs for the requested service db.';
  expect(await said('/db', { token: null })).toEqual([403, noAccess]);
  expect(await said('/db?openapi=2.0')).toEqual([400, "There are no API Docs in version '2.0' of OpenAPI."]);
  await platform.store.db.updateTable('service').set({ type: 'gone' }).where('id', '=', 4).execute();
  await platform.ask('PATCH', 'system/service/3', { body: { label: 'Files' } });
  expect(await said('/logs')).toEqual([503, 'There are no defined API Docs for the requested service logs.']);
  expect((await docs('', { token: null })).body.paths).toEqual({});
});
