// Definitions of Swagger 2.0, which users of older servers keep with their services: read, filtered and served in our forms.
import { startPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { upgradeSwagger2 } from './swagger-2.ts';
import { type Document, expectValid, forms } from './valid.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());
let key: string;

const definition = `
swagger: '2.0'
info: {title: 'Pets of {service.label}', version: 1.0.0}
host: elsewhere.example
basePath: /api/v2/{service.name}
schemes: [http]
consumes: [application/json]
produces: [application/json, application/xml]
securityDefinitions: {theirs: {type: apiKey, name: k, in: header}}
security: [{theirs: []}]
parameters:
  page: {name: page, in: query, type: integer, minimum: 0, exclusiveMinimum: true}
  pet: {name: body, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}
  outside: {$ref: 'file:///etc/passwd'}
responses:
  Missing: {description: There is none}
paths:
  /{service.name}/pets:
    parameters: [{$ref: '#/parameters/page'}, {$ref: '#/parameters/nothing'}, {$ref: 'http://elsewhere.example/p'}]
    get:
      operationId: listPets
      schemes: [https]
      parameters:
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ids, in: query, type: array, items: {type: integer}}
        - {name: state, in: query, type: string, enum: [good, bad], default: good}
      responses:
        200:
          description: Pets
          schema: {type: array, items: {$ref: '#/definitions/Pet'}}
          headers: {X-Count: {type: integer, description: How many}}
          examples: {application/json: [{name: Rex}]}
        404: {$ref: '#/responses/Missing'}
    post:
      parameters: [{$ref: '#/parameters/pet'}]
      responses: {201: {description: Made}}
  /{service.name}/pets/{id}/picture:
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: id, in: path, type: string}
        - {name: file, in: formData, type: file, required: true, description: A picture}
        - {name: note, in: formData, type: string}
      responses: {default: {description: Whatever, schema: {type: file}}}
  /{service.name}/pets/{id}:
    put:
      parameters:
        - {name: id, in: path, required: true, type: integer}
        - {name: note, in: formData, type: string}
      responses: {200: {}}
definitions:
  Pet:
    type: object
    discriminator: kind
    required: [name, kind]
    properties:
      name: {type: string, x-nullable: true}
      kind: {type: string}
      weight: {type: number, minimum: 0, exclusiveMinimum: true}
      parent: {$ref: '#/definitions/Pet'}
  Cat: {allOf: [{$ref: '#/definitions/Pet'}, {type: object, properties: {lives: {type: integer}}}]}
`;

beforeAll(async () => {
  await platform.create('service', {
    ...{ name: 'pets', label: 'Pets', type: 'local_file', is_active: true, config: { container: 'pets' } },
    service_doc_by_service_id: { format: 1, content: definition },
  });
  const { body } = await platform.ask('GET', 'system/service?filter=name=pets');
  const row = { service_id: body.resource[0].id, component: 'pets', verb_mask: 1, requestor_mask: 1 };
  const role = await platform.create(
    'role',
    { name: 'r', is_active: true, role_service_access_by_role_id: [row] },
    'role_service_access_by_role_id',
  );
  key = String((await platform.create('app', { name: 'r', is_active: true, role_id: role.id })).api_key);
});

it.each(forms)('one is valid in form %s, and says what it said', async (form) => {
  const { body }: { body: Document } = await platform.ask('GET', `api_docs/pets?openapi=${form}`);
  await expectValid(body, form);
  expect([body.openapi.slice(0, 3), body.info.title, body.servers[0].url]).toEqual([
    form,
    'Pets of Pets',
    '/api/v2/pets',
  ]);
  expect(JSON.stringify(body)).not.toMatch(/swagger|definitions|elsewhere|theirs|passwd|collectionFormat|basePath/);
  const { get, post, parameters } = body.paths['/pets'];
  expect(parameters).toEqual([{ $ref: '#/components/parameters/page' }]);
  expect(body.components.parameters.page.schema).toEqual(
    form === '3.0' ? { type: 'integer', minimum: 0, exclusiveMinimum: true } : { type: 'integer', exclusiveMinimum: 0 },
  );
  expect(get.parameters).toEqual([
    { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } }, style: 'form', explode: true },
    { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'integer' } }, style: 'form', explode: false },
    { name: 'state', in: 'query', schema: { type: 'string', enum: ['good', 'bad'], default: 'good' } },
  ]);
  const pets = { type: 'array', items: { $ref: '#/components/schemas/Pet' } };
  expect(get.responses[200]).toEqual({
    description: 'Pets',
    headers: { 'X-Count': { description: 'How many', schema: { type: 'integer' } } },
    content: { 'application/json': { schema: pets, example: [{ name: 'Rex' }] }, 'application/xml': { schema: pets } },
  });
  expect(get.responses[404]).toEqual({ $ref: '#/components/responses/Missing' });
  expect(post.requestBody).toEqual({
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
  });
  const picture = body.paths['/pets/{id}/picture'].post;
  expect(picture.parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]);
  expect(picture.requestBody).toEqual({
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: { type: 'string', format: 'binary', description: 'A picture' },
            note: { type: 'string' },
          },
          required: ['file'],
        },
      },
    },
  });
  expect(Object.keys(body.paths['/pets/{id}'].put.requestBody.content)).toEqual(['application/x-www-form-urlencoded']);
  const { Pet, Cat } = body.components.schemas;
  expect(Cat).toBeUndefined();
  expect(Pet.discriminator).toEqual({ propertyName: 'kind' });
  expect(Pet.properties.name).toEqual(
    form === '3.0' ? { type: 'string', nullable: true } : { type: ['string', 'null'] },
  );
});

it('one is filtered as any', async () => {
  const own = (await platform.ask('GET', 'api_docs/pets', { key, token: null })).body;
  expect(Object.entries<Document>(own.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
    ['/pets', ['parameters', 'get']],
  ]);
  expect(Object.keys(own.components.schemas)).toEqual(expect.arrayContaining(['Pet']));
});

it('one of no known shape is read all the same', () => {
  for (const odd of [null, 5, 'x', [], {}, [null], { a: null }, { a: [5] }])
    for (const name of ['paths', 'definitions', 'parameters', 'responses', 'consumes', 'info'])
      expect(upgradeSwagger2({ swagger: '2.0', [name]: odd }).openapi).toBe('3.0.3');
  const odd = { get: { parameters: [null, 5, {}], responses: { 200: null } }, post: 5, parameters: 'x' };
  expect(upgradeSwagger2({ swagger: '2.0', paths: { '/a': odd, '/b': null } }).paths).toMatchObject({ '/b': null });
});
