// What stands in a generated client, whatever the document says.
import { clientMark, generateClient, type OpenApiDocument } from '@sluice/client';
import * as filters from '@sluice/client/runtime/filter';
import { parseFilter } from '@sluice/sql';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soakRounds } from '../soak.ts';
import { compile, importClient } from './compile.fixture.ts';

const address = 'http://127.0.0.1:9';

/** Names that end literals, are words of the language, or members that every object has. */
const nastyNames = [
  ...['__proto__', 'constructor', 'prototype', 'then', 'toString', 'hasOwnProperty', 'list', 'request', 'signIn'],
  ...[
    "it's",
    '"quoted"',
    '`tick`',
    ['$', '{globalThis.hit=1}'].join(''),
    '"];globalThis.hit=1;//',
    '\\',
    '\\"',
    '*/ globalThis.hit=1 /*',
  ],
  ...[
    'a\nb',
    'a\r\nb',
    '\u2028',
    '\u2029',
    '</script>',
    '<!--',
    'a b',
    'a/b',
    'ä 日本 😀',
    '\ud800',
    '1',
    '-1',
    ' ',
    'a{b}',
  ],
];

const field = (name: string) => [name, { type: ['string', 'null'], description: name, 'x-type': 'string' }] as const;

/** A document of tables with these names, whose fields and relations have them, too. */
function documentOf(names: readonly string[], service = 'db'): OpenApiDocument {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const list = (schema: unknown) =>
    json({ type: 'object', required: ['resource'], properties: { resource: { type: 'array', items: schema } } });
  const tables = names.map((name, index) => ({ name, path: `/_table/${escaped(name)}`, id: `t${index}` }));
  const properties = Object.fromEntries([['id', { type: 'integer', 'x-type': 'id' }] as const, ...names.map(field)]);
  const schemas = tables.flatMap(({ id, name }, index) => {
    const next = `t${(index + 1) % tables.length}.part`;
    const related = {
      [`${name} one`]: { anyOf: [ref(next), { type: 'null' }] },
      [`${name} many`]: { type: 'array', items: ref(next) },
    };
    return [
      [`${id}.part`, { type: 'object', properties: { ...properties, ...related }, 'x-primary-key': ['id'] }],
      [id, { allOf: [ref(`${id}.part`)], required: ['id', ...names] }],
      [`${id}.change`, { type: 'object', description: name, properties }],
      [`${id}.new`, { allOf: [ref(`${id}.change`)], required: [name] }],
    ] as const;
  });
  const paths = tables.flatMap(
    ({ path, id, name }) =>
      [
        [
          path,
          {
            get: {
              summary: name,
              parameters: [{ name, in: 'query', schema: { enum: names } }],
              responses: { 200: list(ref(id)) },
            },
            post: {
              requestBody: { required: true, ...list(ref(`${id}.new`)) },
              responses: { 200: list(ref(`${id}.part`)) },
            },
            patch: {
              requestBody: { required: true, ...list(ref(`${id}.change`)) },
              responses: { 200: list(ref(`${id}.part`)) },
            },
          },
        ],
        [
          `${path}/{id}`,
          { get: { responses: { 200: json(ref(id)) } }, delete: { responses: { 200: json(ref(`${id}.part`)) } } },
        ],
      ] as const,
  );
  return {
    openapi: '3.1.0',
    servers: [{ url: `/api/v2/${escaped(service)}`, description: service }],
    info: { title: service },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

const escaped = (name: string): string => encodeURIComponent(name.replaceAll('\ud800', '\ufffd'));

/** What only a hand-written definition has. */
const oddSchemas = {
  itself: { $ref: '#/components/schemas/itself' },
  left: { allOf: [{ $ref: '#/components/schemas/right' }], required: ['a'] },
  right: { anyOf: [{ $ref: '#/components/schemas/left' }, { type: 'null' }] },
  lists: { type: 'array', items: { $ref: '#/components/schemas/lists' } },
  tree: { type: 'object', properties: { below: { type: 'array', items: { $ref: '#/components/schemas/tree' } } } },
  lost: {
    properties: {
      a: { $ref: '#/components/schemas/nowhere' },
      b: { $ref: 'https://example.com/x.json' },
      c: 7,
      d: null,
    },
  },
  deep: Array.from({ length: 200 }).reduce((inner) => ({ type: 'array', items: inner }), { type: 'string' }),
  values: { enum: ['a', 1, null, true, { b: 1 }] },
  one: { const: '</script>' },
  map: { type: 'object', additionalProperties: { type: 'integer' } },
  required: {
    allOf: [{ $ref: '#/components/schemas/tree' }, { type: 'object', properties: { x: { type: 'boolean' } } }],
    required: ['x', 'nope'],
  },
};

describe('the text', () => {
  const document = documentOf(nastyNames, nastyNames.join(''));
  const text = generateClient(document, { address });

  it('is the same for the same document', () => {
    expect(generateClient(structuredClone(document), { address })).toBe(text);
    expect(text.startsWith(clientMark)).toBe(true);
  });

  it('has names as escaped literals alone, and compiles', async () => {
    const own = text.slice(text.indexOf('// ---- What this instance offers'));
    // Without its literals nothing of the document is left.
    const rest = own.replace(/"(?:[^"\\\n]|\\.)*"/g, '');
    expect(rest).toMatch(/^[\x20-\x7e\n]*$/);
    expect(rest).not.toMatch(/hit|proto|script|'|`|\\|\$/);
    expect(own).not.toMatch(/[\u2028\u2029<]\/?script/);
    const odd = { openapi: '3.1.0', paths: {}, components: { schemas: oddSchemas } } as OpenApiDocument;
    odd.paths = Object.fromEntries(
      Object.keys(oddSchemas).map((name) => [
        `/odd/${name}`,
        {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
          },
        },
      ]),
    );
    const files = {
      'nasty.ts': text,
      'odd.ts': generateClient(odd, { address: '"; globalThis.hit = 1; "' }),
      'empty.ts': generateClient({}, { address }),
      'use.ts': `
import { createClient } from './odd.ts';
const { request } = createClient();
await request('post', '/odd/tree', { body: { below: [{ below: [] }] } });
await request('post', '/odd/values', { body: 'a' });
await request('post', '/odd/required', { body: { x: true } });
await request('post', '/odd/map', { body: { any: 1 } });
// @ts-expect-error
await request('post', '/odd/required', { body: {} });
// @ts-expect-error
await request('get', '/odd/tree');
// @ts-expect-error
await request('post', '/odd/nope');
`,
    };
    expect(await compile(files)).toBe('');
  });

  it('runs no code of the document, and its objects have the names alone', async () => {
    const { createClient } = await importClient(text);
    const { databases } = createClient();
    const tables = databases[nastyNames.join('').replaceAll('\ud800', '\ufffd')];
    expect(Object.keys(tables).toSorted()).toEqual(
      nastyNames.map((name) => name.replaceAll('\ud800', '\ufffd')).toSorted(),
    );
    for (const name of Object.keys(tables)) expect(tables[name].list, name).toBeTypeOf('function');
    expect(tables.valueOf).toBeUndefined();
    expect(Object.getPrototypeOf(tables)).toBeNull();
    // A table called then makes no promise of it.
    expect(await tables).toBe(tables);
    expect('hit' in globalThis).toBe(false);
  });

  it('leaves out addresses that lead elsewhere', () => {
    const get = { responses: {} };
    const paths = { '/a/../../b': { get }, '/a/%2e%2E/b': { get }, '/a?b': { get }, '/a/..b': { get }, a: { get } };
    expect(generateClient({ paths }, { address })).toMatch(
      /interface Paths \{\n {2}"\/a\/\.\.b": \{\n[^\n]*\n {2}\};\n\}/,
    );
  });

  it.each([
    [[]],
    [{ paths: [1], components: 3 }],
    [{ paths: { '/a': null, '/b': { get: 1, post: { parameters: {}, requestBody: [], responses: [] } } } }],
  ])('makes a client of whatever it is given: %j', (document) => {
    expect(generateClient(document as never, { address })).toContain('createClient');
  });

  it('abuse: a document of a thousand tables is written whole', async () => {
    const large = documentOf(Array.from({ length: 1_000 }, (_, index) => `table_${index}`).slice(0, 20));
    const { paths, components } = large as {
      paths: Record<string, unknown>;
      components: { schemas: Record<string, unknown> };
    };
    const [schemas, items] = [Object.entries(components.schemas), Object.entries(paths)];
    const all = {
      ...large,
      paths: {} as Record<string, unknown>,
      components: { schemas: {} as Record<string, unknown> },
    };
    for (let copy = 0; copy < 50; copy += 1) {
      const renamed = (value: unknown) =>
        JSON.parse(JSON.stringify(value).replaceAll('/schemas/t', `/schemas/c${copy}.t`));
      for (const [name, schema] of schemas) all.components.schemas[`c${copy}.${name}`] = renamed(schema);
      for (const [path, item] of items) all.paths[path.replace('table_', `table_${copy}_`)] = renamed(item);
    }
    const text = generateClient(all, { address });
    expect(text.match(/Pick<Table</g)).toHaveLength(1_000);
  });
});

describe('filters', () => {
  type Fields = { a: string | null; n: number };
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom("'", "''", '"', "a' or 'b", '(', '{user.id}', ':p', 'null', '%', '\\'),
  );

  it('mean what they say, whatever name and value', () => {
    const { eq, and, or, not, isIn, between, like } = filters;
    fc.assert(
      fc.property(name, value, value, (field, first, second) => {
        const of = field as 'a';
        const quoted = `"${field.replaceAll('"', '""')}"`;
        const text = (text: string) => ({ kind: 'text', text, quoted: true });
        const equal = { kind: 'compare', field: quoted, operator: '=', negated: false, value: text(first) };
        const read = (filter: filters.Filter<Fields>) => parseFilter(filter.text);
        expect(read(eq(of, first))).toEqual(equal);
        expect(read(not(eq(of, first)))).toEqual({ kind: 'not', node: equal });
        expect(read(isIn(of, [first, second]))).toEqual({
          kind: 'in',
          field: quoted,
          negated: false,
          values: [text(first), text(second)],
        });
        expect(read(between(of, first, second))).toEqual({
          kind: 'between',
          field: quoted,
          negated: false,
          low: text(first),
          high: text(second),
        });
        const liked = { ...equal, operator: 'like', value: text(second) };
        expect(read(and(eq(of, first), or(like(of, second), eq(of, first))))).toEqual({
          kind: 'and',
          left: equal,
          right: { kind: 'or', left: liked, right: equal },
        });
      }),
      { numRuns: soakRounds(300, 20_000) },
    );
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [{}], [[]], [undefined], [Symbol('x')]])(
    'refuse the value %s',
    (value) => {
      expect(() => filters.eq<Fields, 'n'>('n', value as never)).toThrow(/filter/);
    },
  );
});
