import { describe, expect, it } from 'vitest';
import { anonymousCaller } from '../call/call.ts';
import { caller } from './caller.fixture.ts';
import { replaceLookups } from './fill-lookups.ts';
import { sessionLookup } from './lookups.ts';

const lookup = sessionLookup({ caller, baseUrl: 'https://api.example.com' });

describe('sessionLookup', () => {
  it.each([
    ['user.id', '7'],
    ['user.email', 'ada@example.com'],
    ['user.name', 'Ada Lovelace'],
    ['user.first_name', 'Ada'],
    ['user.last_name', undefined],
    ['user.username', 'ada'],
    ['role.id', '3'],
    ['role.name', 'reader'],
    ['app.id', '2'],
    ['app.name', 'shop'],
    ['app.api_key', 'k'],
    ['session.id', 't'],
    ['session.token', 't'],
    [' user.id ', '7'],
    ['df.host_url', 'https://api.example.com'],
    ['strtoupper(user.first_name)', 'ADA'],
    [' BASE64_ENCODE( session.token ) ', 'dA=='],
    ['trim(trim(user.id))', undefined],
    ['md5(user.id)', undefined],
    ['constructor(user.id)', undefined],
    ['user.password', undefined],
    ['constructor', undefined],
    ['toString', undefined],
  ])('%s is %o', (name, value) => expect(lookup(name)).toBe(value));

  it('knows the stored keys of the caller, to the letter, and the platform knows better', () => {
    const stored = {
      team: 'red',
      'user.id': 'x',
      'USER.id': 'x',
      'session.x': 'x',
      users: 'all',
      'a.b': 'c',
      __proto__: '',
    };
    const lookup = sessionLookup({
      caller: { ...anonymousCaller, lookups: new Map(Object.entries(stored)) },
      baseUrl: '',
    });
    const names = [
      'team',
      ' team ',
      'Team',
      'users',
      'a.b',
      'user.id',
      'USER.id',
      'session.x',
      '__proto__',
      'constructor',
    ];
    const found = ['red', 'red', undefined, 'all', 'c', undefined, undefined, undefined, undefined, undefined];
    expect(names.map(lookup)).toEqual(found);
  });

  it('abuse: puts in no more than 16 million characters for one call, however often it is asked for', () => {
    const call = { caller: { ...anonymousCaller, lookups: new Map([['long', 'x'.repeat(1024 * 1024)]]) }, baseUrl: '' };
    expect(replaceLookups('{long}'.repeat(15), sessionLookup(call))).toHaveLength(15 * 1024 * 1024);
    const lookup = sessionLookup(call);
    expect(lookup('unknown')).toBeUndefined();
    expect(lookup('long')).toHaveLength(1024 * 1024);
    expect(() => lookup('long')).toThrow(expect.objectContaining({ key: 'lookup.tooMuch' }));
    expect(sessionLookup({ ...call })('long')).toHaveLength(1024 * 1024);
  });

  it('abuse: puts in values for no more than a million names in one call', () => {
    const call = { caller: { ...anonymousCaller, lookups: new Map([['a', 'b']]) }, baseUrl: '' };
    expect(replaceLookups('{a}'.repeat(1_000_000), sessionLookup(call))).toBe('b'.repeat(1_000_000));
    expect(replaceLookups('{c}'.repeat(2), sessionLookup(call))).toBe('{c}{c}');
    expect(() => replaceLookups('{a}', sessionLookup(call))).toThrow(
      expect.objectContaining({ key: 'lookup.tooManyNames' }),
    );
  });

  it('knows nothing of a stranger', () => {
    const stranger = sessionLookup({ caller: anonymousCaller, baseUrl: '' });
    expect(stranger('user.id')).toBeUndefined();
    expect(stranger('app.api_key')).toBeUndefined();
  });
});
