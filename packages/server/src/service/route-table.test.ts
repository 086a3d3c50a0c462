import { Failure, fail, type Verb } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { answer, type Call } from '../call/call.ts';
import { type Offer, type Operation, routesOf } from './operation.ts';
import { createRouteTable } from './route-table.ts';

const route = routesOf<string>();

/** An operation that answers its name, the values of its address, and the service it was called on. */
const says = (name: string): Operation<string> => ({
  summary: name,
  answer: 'object',
  handle: (_call, values, service) => answer([name, { ...values }, service]),
});

const offer: Offer<string> = {
  resources: [
    {
      entry: { name: 'note' },
      routes: [
        route('', { GET: says('notes'), POST: says('new') }, { public: ['GET', 'DELETE'] }),
        route('_test', { POST: says('try') }),
        route('{id}', { GET: says('note'), DELETE: says('drop') }),
        route('{id}/parts/{part}', { GET: says('part') }),
      ],
    },
    { entry: { name: 'note/all' }, routes: [route('', { PUT: says('all') })] },
    { entry: { name: 'secret' }, isHidden: true, routes: [route('', { POST: says('secret') }, { public: ['POST'] })] },
  ],
  routes: [
    route('files/{+path}', { GET: says('file') }, { keepsSlash: true }),
    route('keys/{+key}', { GET: says('key') }, { refusal: () => fail('record.createById') }),
    route('keys', { GET: says('keys') }),
  ],
};
const table = createRouteTable(offer);

/** `[name, values]` of the operation that answers, or status, message and `Allow`. */
function call(verb: Verb, path: string): unknown {
  try {
    const reply = table.handle({ verb, path, service: 'svc' } as Call, 'open');
    const [name, values, service] = (reply as { body: { value: unknown[] } }).body.value;
    expect(service).toBe('open');
    return [name, values];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.status, error.message, ...(error.allow ? [error.allow.join(', ')] : [])];
  }
}

describe('an address is matched', () => {
  it.each<[string, unknown]>([
    ['GET note', ['notes', {}]],
    ['GET note/', ['notes', {}]],
    ['GET NOTE', ['notes', {}]],
    ['GET note/7', ['note', { id: '7' }]],
    ['GET note/A%b', ['note', { id: 'A%b' }]],
    ['GET note/__proto__', ['note', { id: '__proto__' }]],
    ['GET note/7/', ['note', { id: '7' }]],
    ['GET note//', ['note', { id: '' }]],
    ['GET note/7/Parts/x', ['part', { id: '7', part: 'x' }]],
    ['POST note/_test', ['try', {}]],
    ['PUT note/all', ['all', {}]],
    ['GET keys', ['keys', {}]],
    ['GET keys/a/b', ['key', { key: 'a/b' }]],
    ['GET keys/a/b/', ['key', { key: 'a/b' }]],
    ['GET files/a/b/', ['file', { path: 'a/b/' }]],
    ['GET files/A//b', ['file', { path: 'A//b' }]],
    ['GET files/a', ['file', { path: 'a' }]],
    ['POST secret', ['secret', {}]],
  ])('%s', (line, expected) => {
    const [verb, path] = line.split(' ') as [Verb, string];
    expect(call(verb, path)).toEqual(expected);
  });
});

describe('what nothing answers', () => {
  it.each<[string, number, string, string?]>([
    ['GET other', 404, "Resource 'other' not found for service 'svc'."],
    ['GET other/x', 404, "Resource 'other' not found for service 'svc'."],
    ['GET constructor', 404, "Resource 'constructor' not found for service 'svc'."],
    ['GET /note', 404, "Resource '' not found for service 'svc'."],
    ['GET note/7/x', 404, "Resource 'x' not found for service 'note'."],
    ['GET note/7/parts', 404, "Resource 'parts' not found for service 'note'."],
    ['GET note/all/x/y', 404, "Resource 'x/y' not found for service 'all'."],
    [
      'PATCH note',
      405,
      "PATCH requests without a resource are not currently supported by the 'note' service.",
      'GET, HEAD, POST',
    ],
    [
      'PUT note/7',
      405,
      "PUT requests for resource '7' are not currently supported by the 'note' service.",
      'GET, HEAD, DELETE',
    ],
    ['GET note/all', 405, "GET requests without a resource are not currently supported by the 'all' service.", 'PUT'],
    [
      'POST files/a/',
      405,
      "POST requests for resource 'files/a' are not currently supported by the 'svc' service.",
      'GET, HEAD',
    ],
    ['POST keys/a', 400, 'Create record by identifier not currently supported.'],
  ])('%s', (line, ...expected) => {
    const [verb, path] = line.split(' ') as [Verb, string];
    expect(call(verb, path)).toEqual(expected);
  });
});

it('public are the verbs of a route, also such as nothing handles', () => {
  const lines = ['GET note', 'POST note', 'DELETE note', 'GET note/7', 'POST secret', 'GET secret', 'GET nothing'];
  const isPublic = lines.filter((line) => {
    const [verb, component] = line.split(' ') as [Verb, string];
    return table.isPublic(component, verb);
  });
  expect(isPublic).toEqual(['GET note', 'DELETE note', 'POST secret']);
});

it('lists what is not hidden, with the names of its events', () => {
  expect(table.operations.map(({ verb, path, event }) => `${verb} ${path} ${event}`)).toEqual([
    'GET  ',
    'GET note note',
    'POST note note',
    'POST note/_test note._test',
    'GET note/{id} note.{id}',
    'DELETE note/{id} note.{id}',
    'GET note/{id}/parts/{part} note.{id}.parts.{part}',
    'PUT note/all note.all',
    'GET files/{path} files.{path}',
    'GET keys/{key} keys.{key}',
    'GET keys keys',
  ]);
  expect(table.operations[1]).toEqual({
    verb: 'GET',
    path: 'note',
    event: 'note',
    summary: 'notes',
    answer: 'object',
    isPublic: true,
    takesSlashes: false,
    endsInSlash: false,
    items: undefined,
  });
});

it.each<[string, string[]]>([
  ['is there twice', ['a/{b}', 'A/{c}']],
  ['is not well formed', ['a/{+b}/c']],
  ['stands for a whole part', ['a/x{b}']],
  ['has a placeholder twice', ['{a}/{a}']],
])('a template that %s is refused when the type is declared', (problem, paths) => {
  const routes = paths.map((path) => route(path, { GET: says(path) }));
  expect(() => createRouteTable({ routes })).toThrow(problem);
});

it('a slash is kept by a value alone', () => {
  const routes = [route('a/{b}', { GET: says('a') }, { keepsSlash: true })];
  expect(() => createRouteTable({ routes })).toThrow('nothing to keep a slash in');
});

it('a route at the root stands in the place of the list', () => {
  const table = createRouteTable({ routes: [route('', { POST: says('root') })] });
  expect(table.operations.map(({ verb, path }) => [verb, path])).toEqual([['POST', '']]);
});
