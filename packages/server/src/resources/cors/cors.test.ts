import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compilePattern, PatternError } from './pattern.ts';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const add = async (set: object) =>
  (await ask('POST', 'cors?fields=*', { resource: [{ path: 'api/*', origin: '*', ...set }] })).body;

test('a rule is on unless it says otherwise, and has the defaults of the contract', async () => {
  expect((await add({})).resource[0]).toMatchObject({
    ...{ id: 1, path: 'api/*', description: null, origin: '*', header: null, exposed_header: null },
    ...{ method: [], max_age: 0, supports_credentials: false, enabled: true },
  });
});

test.each([
  ['a list in any order', ['DELETE', 'get', 'PATCH', 'POST'], ['GET', 'POST', 'PATCH', 'DELETE']],
  ['a mask', 31, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']],
  ['a mask with more than roles know', 97, ['GET', 'OPTIONS', 'HEAD']],
  ['nothing', null, []],
])('methods are sent as %s and answered as a list in one order', async (_, method, answered) => {
  expect((await add({ method })).resource[0].method).toEqual(answered);
  expect((await ask('GET', 'cors/1')).body.method).toEqual(answered);
});

test.each([
  ['path', null, 'The path is required.'],
  ['path', '', 'The path is required.'],
  ['origin', '', 'The origin is required.'],
  ['path', '^/api/(v2', 'The path format is invalid.'],
  ['header', 'x-a\r\nx-b: 1', 'The header format is invalid.'],
  ['exposed_header', 'ä', 'The exposed header format is invalid.'],
  ['method', ['FLY'], 'The selected method is invalid.'],
  ['method', 128, 'The selected method is invalid.'],
  ['max_age', -1, 'The selected max age is invalid.'],
])('%s %j is refused in place', async (field, value, text) => {
  const { error } = await add({ [field]: value });
  expect(error.context.resource[0]).toMatchObject({
    message: `Invalid data supplied. ${text}`,
    context: { [field]: [text] },
  });
});

test('path and origin are required on create, and stay when an update does not name them', async () => {
  const { error } = (await ask('POST', 'cors', { resource: [{ description: 'x' }] })).body;
  expect(error.context.resource[0].context).toEqual({
    path: ['The path is required.'],
    origin: ['The origin is required.'],
  });
  await add({});
  expect((await ask('PATCH', 'cors/1?fields=*', { enabled: false })).body).toMatchObject({
    path: 'api/*',
    enabled: false,
  });
  expect((await ask('PATCH', 'cors/1', { origin: '' })).body.error.message).toContain('The origin is required.');
});

test('a path that there is already is an error of its record', async () => {
  await add({});
  const { status, body } = await ask('POST', 'cors', { resource: [{ path: 'api/*', origin: 'https://a.example' }] });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 1000 });
  expect(body.error.context.resource[0].context).toEqual({ path: ['The path has already been taken.'] });
});

test('there are so many rules at most', async () => {
  const resource = Array.from({ length: 100 }, (_, index) => ({ path: `api/${index}`, origin: '*' }));
  expect((await ask('POST', 'cors', { resource })).status).toBe(201);
  expect((await add({})).error.context.resource[0].message).toContain('There may be 100 CORS entries at most.');
});

describe('patterns', () => {
  test.each([
    ['*', '', true],
    ['api/*', 'api/v2/db', true],
    ['api/*', 'api', false],
    ['api/v2/db/*', 'api/v2/db', false],
    ['api/v2/db', 'API/V2/DB', true],
    ['a.c', 'abc', false],
    ['a*c*e', 'abcde', true],
    ['^/api', 'api/v2', true],
    ['^/api/v[12]/(db|files)$', 'api/v2/files', true],
    ['^/api/v[12]/(db|files)$', 'api/v3/files', false],
    ['^/a{2,3}$', 'aaa', true],
    ['^/a{2,3}$', 'aaaa', false],
    ['^/a{2,}b?$', 'aaaa', true],
    ['^/[^/]+/\\d+\\.txt$', 'docs/12.txt', true],
    ['^/[^/]+/\\d+\\.txt$', 'docs/x/12.txt', false],
    ['^/a|b$', 'xxb', true],
    ['^/(?:a.?)*$', 'abab', true],
    ['^/(?<n>a)\\b', 'a/b', true],
    ['a+(b)', 'A+(B)', true],
    ['a+(b)', 'aa(b)', false],
    ['ä*', 'Äß', true],
    ['*', 'a\nb', true],
  ])('%s on %j: %j', (pattern, path, expected) => {
    expect(compilePattern(pattern)(path)).toBe(expected);
    if (pattern.startsWith('^')) expect(new RegExp(pattern, 'i').test(`/${path}`)).toBe(expected);
  });

  test.each([
    ...['^(', '^/[a', '^/(?=a)', '^/(?!a)', '^/(?<=a)b', '^/(?<!a)b', '^/(a)\\1', '^/(?<n>a)\\k<n>'],
    ...['^/(a{99}){99}', '^(){999999999}', '^/a{401}', `${'a'.repeat(401)}`],
  ])('%s is refused', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
  });

  test.each([
    '^/(a+)+$',
    '^/(a|a)*$',
    '^/(a|aa)+b$',
    '^(.*)(.*)(.*)(.*)(.*)(.*)(.*)x$',
    '*a*a*a*a*a*a*a*a*a*b',
    '^/(.*a){60}$',
  ])('abuse: %s takes no time on a path that almost has it', (pattern) => {
    const matches = compilePattern(pattern);
    matches(`${'a'.repeat(1_020)}!`);
  });
});
