import { countRounds } from '@sluice/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { anonymousCaller } from '../call/call.ts';
import { caller } from './caller.fixture.ts';
import { fillLongFields, replaceLookups } from './fill-lookups.ts';
import { sessionLookup } from './lookups.ts';

const callerLookup = () => sessionLookup({ caller, baseUrl: '' });
const lookup = callerLookup();

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

describe('fillLongFields', () => {
  const long = (part: string) => part.repeat(Math.ceil(300_000 / part.length));

  it.each<[string, unknown]>([
    ['names', long('{x}{user.id}')],
    ['braces in braces', long('{{user.id}} {user.')],
    ['braces', long('{')],
    ['long names', long(`{${'n'.repeat(50_000)}}`)],
    ['a list', Array.from({ length: 20_000 }, () => '{user.id}')],
    [
      'an object',
      { a: [long('{user.id}'), 1, null], b: Object.fromEntries(Array.from('abcdefgh', (it) => [it, long(it)])) },
    ],
  ])('abuse: %s, very long, are filled as a short value is, and others have their turn', async (_, value) => {
    const [unprepared, lookup] = [callerLookup(), callerLookup()];
    const records = [{ id: 1, a: '{user.id}' }, { a: value }];
    const rounds = countRounds();
    await fillLongFields(records, () => lookup);
    rounds.stop();
    expect(rounds.current).toBeGreaterThan(2);
    expect(replaceLookups(records, lookup)).toEqual(replaceLookups(records, unprepared));
  });

  it('of related records fills long texts, and counts no name twice', async () => {
    const call = { caller: { ...anonymousCaller, lookups: new Map([['a', 'b']]) }, baseUrl: '' };
    const lookup = sessionLookup(call);
    const related = [{ note: '{a}'.repeat(600_000) }, { note: '{a}', more: [{ note: '{a}'.repeat(300_000) }] }];
    await fillLongFields(
      [{ id: 1, related }],
      () => lookup,
      (field) => field === 'id',
    );
    expect(replaceLookups(related[0], lookup)).toEqual({ note: 'b'.repeat(600_000) });
    expect(replaceLookups(related[1], lookup)).toEqual({ note: 'b', more: [{ note: 'b'.repeat(300_000) }] });
    expect(() => replaceLookups('{a}'.repeat(100_000), lookup)).toThrow(
      expect.objectContaining({ key: 'lookup.tooManyNames' }),
    );
  });

  it('does nothing with short values, and with one record at once', async () => {
    const short = { a: '{user.id}', b: [1, null] };
    expect(fillLongFields([short], () => expect.unreachable())).toBeUndefined();
    await fillLongFields([short, undefined, 'x'], () => expect.unreachable());
  });

  it('throws what the lookup does', async () => {
    const call = { caller: { ...anonymousCaller, lookups: new Map([['a', 'b']]) }, baseUrl: '' };
    const lookup = sessionLookup(call);
    const long = '{a}'.repeat(1_000_001);
    await fillLongFields([{ a: long }], () => lookup);
    expect(() => replaceLookups(long, lookup)).toThrow(expect.objectContaining({ key: 'lookup.tooManyNames' }));
  });
});
