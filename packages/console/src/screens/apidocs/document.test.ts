import { describe, expect, it } from 'vitest';
import { firstValues, isBody, missingOf, pathOf, queryOf } from './call.ts';
import { completeNames } from './completion.ts';
import {
  type ApiOperation,
  byPath,
  findOperations,
  namesIn,
  readOperations,
  sampleOf,
  schemaRows,
} from './document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document = {
  paths: {
    '/_table/person': {
      parameters: [{ $ref: '#/components/parameters/fields' }, { $ref: 'https://elsewhere.example/x.json' }],
      get: { operationId: 'getPerson', summary: 'Retrieve records', responses: { 200: { description: 'ok' } } },
      post: {
        operationId: 'postPerson',
        summary: 'Create records',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['resource'],
                properties: { resource: { type: 'array', items: ref('person.new') } },
              },
            },
          },
        },
      },
    },
    '/{file_path}': {
      get: {
        summary: 'Read a file',
        parameters: [{ name: 'file_path', in: 'path', required: true, example: 'a b/c.txt' }],
      },
    },
  },
  components: {
    parameters: { fields: { name: 'fields', in: 'query', example: '*', schema: { type: 'string' } } },
    schemas: {
      'person.new': { allOf: [ref('person.change')], required: ['name'] },
      'person.change': {
        type: 'object',
        'x-primary-key': ['id'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string', maxLength: 40 },
          mood: { type: ['string', 'null'], enum: ['good', null] },
          team_id: { type: ['integer', 'null'], 'x-foreign-key': { table: 'team', field: 'id' } },
          parent: { anyOf: [ref('person.change'), { type: 'null' }] },
        },
      },
    },
  },
};
const operations = readOperations(document);
const [read, create, file] = operations as [ApiOperation, ApiOperation, ApiOperation];

describe('a document', () => {
  it('is read into operations, references outside of it left out', () => {
    expect(operations.map(({ id, verb, path }) => `${id}: ${verb} ${path}`)).toEqual([
      'getPerson: GET /_table/person',
      'postPerson: POST /_table/person',
      'get /{file_path}: GET /{file_path}',
    ]);
    expect(read.parameters.map(({ name, example }) => [name, example])).toEqual([['fields', '*']]);
    expect(byPath(operations).map(([path, list]) => [path, list.length])).toEqual([
      ['/_table/person', 2],
      ['/{file_path}', 1],
    ]);
  });

  it('is searched by every word', () => {
    expect(findOperations(operations, 'PERSON create')).toEqual([create]);
    expect(findOperations(operations, 'nothing')).toEqual([]);
  });

  it('gives a body to begin with, the names that it may hold, and rows of its fields', () => {
    expect(sampleOf(document, create.body)).toEqual({ resource: [{ name: 'text' }] });
    expect([...namesIn(document, create.body).keys()]).toEqual(
      expect.arrayContaining(['resource', 'name', 'mood', 'parent']),
    );
    const rows = schemaRows(document, ref('person.new'));
    expect(rows.map(({ name, type, isKey, isRequired }) => [name, type, isKey, isRequired])).toEqual([
      ['id', 'integer', true, false],
      ['name', 'string (40)', false, true],
      ['mood', 'string | null', false, false],
      ['team_id', 'integer | null', false, false],
      ['parent', 'person.change | null', false, false],
    ]);
    expect([rows[2]?.values, rows[3]?.leadsTo]).toEqual([['good'], 'team.id']);
  });
});

describe('a call', () => {
  it('has the values of its form in its address, and nothing empty in its query', () => {
    expect(pathOf('my files', file, firstValues(file))).toBe('my%20files/a%20b/c.txt');
    expect(missingOf(file, {})).toEqual(['file_path']);
    expect(queryOf(read, { 'query fields': 'id,name' })).toEqual({ fields: 'id,name' });
    expect(queryOf(read, { 'query fields': '' })).toEqual({});
    expect([isBody(''), isBody('{"a":1}'), isBody('{')]).toEqual([true, true, false]);
  });

  it('offers names where a name begins', () => {
    const names = new Map([['name', 'string']]);
    expect(completeNames('{\n  "na', names)?.options.map(({ label }) => label)).toEqual(['name']);
    expect(completeNames('{ "name": "na', names)).toBeNull();
  });
});
