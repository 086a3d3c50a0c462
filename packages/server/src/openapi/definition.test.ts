import { Failure } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { readDefinition } from './definition.ts';

const service = { name: 'my_shop', label: 'The "best" shop', description: 'a: b\n- c' };
const read = (content: string, format = 1, named = service) => readDefinition({ content, format }, named);
const failureOf = (content: string, format = 1): [string, string] => {
  try {
    read(content, format);
  } catch (error) {
    if (error instanceof Failure) return [error.key, error.message];
    throw error;
  }
  throw new Error('it was read');
};
const problem = (content: string, format?: number) => {
  const [key, message] = failureOf(content, format);
  expect(key).toBe('definition.unreadable');
  return message.replace("The definition of service 'my_shop' can not be read: ", '');
};

const paths = {
  '/': { get: {} },
  '/customers': { get: { operationId: 'list' }, post: {}, summary: 'x', options: {}, trace: {} },
  '/customers/{id}': {
    parameters: [
      { name: 'id', in: 'path', schema: { enum: ['a', 7, true, null] } },
      { $ref: '#/components/parameters/q' },
    ],
    get: {
      parameters: [
        { name: 'q', in: 'query', enum: ['y'] },
        { name: 'id', in: 'header', options: ['z'] },
      ],
    },
    delete: {},
  },
};
const document = { openapi: '3.0.0', paths, components: { parameters: { q: { name: 'q', in: 'query' } } } };

describe('a definition', () => {
  it('in JSON and in YAML has the same operations, in their order', () => {
    const yaml = `
openapi: 3.0.0
paths:
  /: {get: {}}
  /customers:
    get: {operationId: list}
    post: {}
    summary: x
    options: {}
    trace: {}
  /customers/{id}:
    parameters:
      - {name: id, in: path, schema: {enum: [a, 7, true, null]}}
      - $ref: '#/components/parameters/q'
    get:
      parameters: [{name: q, in: query, enum: ["y"]}, {name: id, in: header, options: [z]}]
    delete: {}
components: {parameters: {q: {name: q, in: query}}}
`;
    const fromYaml = read(yaml);
    expect(fromYaml).toEqual(read(JSON.stringify(document), 0));
    expect(fromYaml?.document).toEqual(document);
    const id = { name: 'id', in: 'path', values: ['a', '7', 'true'] };
    expect(fromYaml?.operations).toEqual([
      { path: '', verb: 'GET', parameters: [] },
      { path: 'customers', verb: 'GET', operationId: 'list', parameters: [] },
      { path: 'customers', verb: 'POST', parameters: [] },
      {
        ...{ path: 'customers/{id}', verb: 'GET' },
        parameters: [id, { name: 'q', in: 'query', values: ['y'] }, { name: 'id', in: 'header', values: ['z'] }],
      },
      { path: 'customers/{id}', verb: 'DELETE', parameters: [id, { name: 'q', in: 'query' }] },
    ]);
  });

  it.each(['', ' \n', null])('%j is none', (content) => {
    expect(readDefinition({ content, format: 0 }, service)).toBeUndefined();
  });

  it('may have the name of its service before all paths, not before some', () => {
    const pathsOf = (...names: string[]) =>
      read(JSON.stringify({ paths: Object.fromEntries(names.map((name) => [name, { get: {} }])) }), 0)?.operations.map(
        ({ path }) => path,
      );
    expect(pathsOf('/my_shop', '/My_Shop/a/', '/{service.name}/{id}')).toEqual(['', 'a', '{id}']);
    expect(pathsOf('/my_shop/a', '/b')).toEqual(['my_shop/a', 'b']);
    expect(pathsOf('/my_shopping/a')).toEqual(['my_shopping/a']);
  });

  it('has its placeholders filled, and what fills them changes nothing around', () => {
    const texts = [
      '{service.name} {service.names} {service.Name} {service.Names}',
      '{service.label}',
      '{service.other}',
    ];
    const filled = ['my_shop my_shops MyShop MyShops', 'The "best" shop', '{service.other}'];
    expect(read(JSON.stringify({ 'x-{service.name}': texts }), 0)?.document).toEqual({ 'x-my_shop': filled });
    const yaml = 'title: {service.label}\ndescription: {service.description}\nother: "{service.description}"';
    expect(read(yaml)?.document).toEqual({ title: service.label, description: 'a: b\n- c', other: 'a: b\n- c' });
    expect(read('a: "{service.names}"', 1, { ...service, name: 'Category' })?.document).toEqual({ a: 'categories' });
    expect(read('a: "{service.Names}"', 1, { ...service, name: 'box' })?.document).toEqual({ a: 'Boxes' });
  });

  it.each([2, -1, 1.5])('format %d is none there is', (format) => {
    expect(failureOf('{}', format)).toEqual(['definition.badFormat', `Invalid API Doc Format '${format}'.`]);
  });

  it('says where it is not well formed', () => {
    expect(problem('a: [1')).toBe('unexpected end of the stream within a flow collection, line 1, column 6');
    expect(problem('a: 1\na: 2')).toBe('duplicated mapping key, line 2, column 1');
    expect(problem('--- 1\n--- 2')).toMatch(/single document/);
    expect(problem('just a text')).toBe('it is no object');
    expect(problem('{"a":', 0)).toMatch(/JSON/);
    expect(problem('[1]', 0)).toBe('it is no object');
  });
});

describe('a definition that means harm', () => {
  const bomb = (levels: number) =>
    `a0: &a0 [x, x]\n${Array.from({ length: levels }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`)}]`).join('\n')}`;

  it.each([
    ['grows through its aliases', bomb(12), 'it holds more than 200000 values'],
    ['has too many aliases', `a: &a x\nb:\n${'  - *a\n'.repeat(1_001)}`, /alias/],
    ['holds itself', 'a: &a {b: *a}', 'it is nested more than 100 deep'],
    [
      'holds itself many times',
      'a: &a [*a, *a, *a]',
      /it (is nested more than 100 deep|holds more than 200000 values)/,
    ],
    ['is deep', `a: ${'['.repeat(50_000)}`, /nesting/],
    ['is deep by indentation', Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), /nesting/],
    ['has many keys', Array.from({ length: 210_000 }, (_, at) => `k${at}: 1`).join('\n'), /values/],
  ])('and %s is refused, soon', (_title, content, message) => {
    if (message instanceof RegExp) expect(problem(content)).toMatch(message);
    else expect(problem(content)).toBe(message);
  });

  it('is refused in JSON, too', () => {
    expect(problem('['.repeat(1_000) + ']'.repeat(1_000), 0)).toMatch(/100/);
    expect(problem(`[${'1,'.repeat(200_001)}1]`, 0)).toMatch(/200000/);
    const operations = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`/a${at}`, { get: {} }]));
    expect(problem(JSON.stringify({ paths: operations }), 0)).toBe('it has more than 2000 operations');
  });

  it('reaches no prototype, and nothing outside itself', () => {
    const yaml = `
__proto__: {polluted: yes}
paths:
  /a:
    get:
      parameters:
        - $ref: 'file:///etc/passwd'
        - $ref: 'http://127.0.0.1/p.json'
        - $ref: '#/constructor/prototype'
        - $ref: '#/loop'
        - {name: ok, in: path}
loop: {$ref: '#/loop'}
`;
    const definition = read(yaml);
    expect(definition?.operations[0]?.parameters).toEqual([{ name: 'ok', in: 'path' }]);
    expect(Object.getPrototypeOf(definition?.document)).toBe(Object.prototype);
    expect(definition?.document).not.toHaveProperty('polluted');
  });

  it('runs no tags of YAML and makes no dates', () => {
    expect(read('a: 2020-01-01\nb: yes\nc: {<<: {d: 1}}')?.document).toEqual({
      ...{ a: '2020-01-01', b: 'yes', c: { '<<': { d: 1 } } },
    });
    expect(problem('a: !!js/function "function () {}"')).toMatch(/tag/);
    expect(problem('a: !!binary aGk=')).toMatch(/tag/);
  });
});
