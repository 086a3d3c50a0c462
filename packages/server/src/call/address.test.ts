import { Failure } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { credentialsOf, credentialsOfBody } from '../http/credentials.ts';
import { verbOf } from '../http/verb.ts';
import { parseAddress } from './address.ts';

const nothing = parseAddress('/api').query;

describe('parseAddress (contract/http-basics.md §1)', () => {
  it.each([
    ['/api', '', ''],
    ['/api/v2', '', ''],
    ['/api/v2/', '', ''],
    ['/api/v2/DB/_table/Contact', 'db', '_table/Contact'],
    ['/api/v2.0/db', 'db', ''],
    ['/api/db/_table/a%20b/', 'db', '_table/a b/'],
    ['/api/v2/db/_table/%C3%A9?x=1', 'db', '_table/é'],
    ['http://any.host:80/api/v2/db/x?y=http://z', 'db', 'x'],
    ['/api/v2//db/x', '', 'db/x'],
  ])('%s', (target, service, path) => {
    expect(parseAddress(target)).toMatchObject({ service, path });
  });

  it('takes the first value of a repeated parameter', () => {
    const { query } = parseAddress('/api/v2/db?a=1&a=2&b&c=x+y%26z&&=q');
    expect([query.get('a'), query.get('b'), query.get('c'), query.get('d')]).toEqual(['1', '', 'x y&z', undefined]);
  });

  it.each(['/api/v2/db/%ff', '/api/v2/db?x=%c3%28', '/api/v2/db/%', '/api/v2/db/a%00b'])('refuses %s', (target) => {
    expect(() => parseAddress(target)).toThrow(Failure);
  });

  it.each([
    ['x=name like %27%Love%%27', "name like '%Love%'"],
    ['x=100%', '100%'],
    ['x=%C3%A9+%+%zz+%2', 'é % %zz %2'],
    ['x=%25C3', '%C3'],
  ])('abuse: in the query a percent sign that begins no escape is one: %s', (query, value) => {
    expect(parseAddress(`/api/v2/db?${query}`).query.get('x')).toBe(value);
  });
});

describe('verbOf (contract/http-basics.md §5)', () => {
  const tunnel = (name: string, value: string) => (header: string) => (header === name ? value : undefined);
  it.each([
    ['GET', 'x-http-method', 'DELETE', 'GET'],
    ['HEAD', '', '', 'GET'],
    ['MERGE', '', '', 'PATCH'],
    ['POST', 'x-http-method', 'delete', 'DELETE'],
    ['POST', 'x-method-override', 'MERGE', 'PATCH'],
    ['POST', 'x-http-method-override', 'PUT', 'PUT'],
    ['POST', '', '', 'POST'],
  ])('%s with %s: %s', (method, name, value, verb) => {
    expect(verbOf(method, tunnel(name, value), nothing)).toBe(verb);
  });

  it('takes the verb from the query, after the header', () => {
    const { query } = parseAddress('/api/v2/db?method=put');
    expect(verbOf('POST', () => undefined, query)).toBe('PUT');
    expect(verbOf('POST', tunnel('x-http-method', 'PATCH'), query)).toBe('PATCH');
  });

  it('refuses a verb nobody has', () => {
    expect(() => verbOf('POST', tunnel('x-http-method', 'constructor'), nothing)).toThrow(
      '"CONSTRUCTOR" is not supported',
    );
  });
});

describe('credentials (contract/http-basics.md §2)', () => {
  const openedCall = (target: string, headers: Record<string, string> = {}) =>
    credentialsOf(parseAddress(target).query, (name) => headers[name]);
  it.each([
    [openedCall('/api?api_key=q', { 'x-dreamfactory-api-key': 'h' }), { apiKey: 'q' }],
    [openedCall('/api?api_key=', { 'x-dreamfactory-api-key': 'h' }), { apiKey: 'h' }],
    [openedCall('/api?session_token=q', { 'x-dreamfactory-session-token': 'h' }), { token: 'h' }],
    [
      openedCall('/api?session_token=q', { authorization: 'Bearer b', 'x-dreamfactory-session-token': 'h' }),
      { token: 'b' },
    ],
    [
      openedCall('/api', { authorization: `Basic ${btoa('a@b.c:x:y')}` }),
      { basic: { login: 'a@b.c', password: 'x:y' } },
    ],
    [openedCall('/api?session_token=t', { authorization: `Basic ${btoa('a:b')}` }), { token: 't' }],
    [credentialsOfBody({ api_key: 'k', session_token: 't' }, '/api/v2/db'), { apiKey: 'k', token: 't' }],
    [credentialsOfBody({ api_key: 'k' }, '/api/v2/system/app'), {}],
    [credentialsOfBody({ api_key: ['k'] }, '/api/v2/db'), {}],
  ])('%#', (actual, expected) => {
    expect(actual).toEqual(expected);
  });
});
