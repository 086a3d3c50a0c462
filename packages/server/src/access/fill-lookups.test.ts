import { describe, expect, it } from 'vitest';
import { caller } from './caller.fixture.ts';
import { replaceLookups } from './fill-lookups.ts';
import { sessionLookup } from './lookups.ts';

const lookup = sessionLookup({ caller, baseUrl: '' });

describe('replaceLookups', () => {
  it.each([
    ['{user.id}', '7'],
    ['<{user.id}/{ user.first_name }>', '<7/Ada>'],
    ['{nothing} {user.last_name}', '{nothing} {user.last_name}'],
    ['{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{user.id', '{user.id'],
    [7, 7],
    [null, null],
    [
      ['{user.id}', { a: '{role.name}' }],
      ['7', { a: 'reader' }],
    ],
  ])('%o becomes %o', (value, replaced) => expect(replaceLookups(value, lookup)).toEqual(replaced));

  it('looks at a replaced value no second time', () => {
    expect(replaceLookups('{a}', (name) => (name === 'a' ? '{b}' : 'x'))).toBe('{b}');
  });
});
