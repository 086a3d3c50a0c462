import { Failure } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { componentOf } from '../../access/decide.ts';
import { isAddressable, parseAddress } from './address.ts';

it.each<[string, string, string | undefined]>([
  ['add', 'add', undefined],
  ['add()', 'add', ''],
  ['add(1,2)', 'add', '1,2'],
  ["say('(a/b')", 'say', "'(a/b'"],
  ['a)b', 'a)b', undefined],
  ['(1)', '', '1'],
])('%s', (text, name, inline) => {
  expect(parseAddress(text)).toEqual({ name, inline });
});

it.each(['add(', 'add(1', 'add(1)x', 'add(1)(2)', 'add(1))'])('%s names nothing', (text) => {
  expect(() => parseAddress(text)).toThrow('The address of a routine is its name');
});

it('calls nothing but what roles were asked about', { timeout: soakRounds(60_000, 3_600_000) }, () => {
  const text = fc.array(fc.constantFrom('(', ')', '/', 'a', 'B', ' ', '%', ',', '*', '{'), { maxLength: 12 });
  fc.assert(
    fc.property(text, (letters) => {
      const path = `_proc/${letters.join('')}`;
      try {
        const { name } = parseAddress(letters.join(''));
        if (isAddressable(name)) expect(componentOf(path)).toBe(`_proc/${name}`.toLowerCase());
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    }),
    { numRuns: soakRounds(1_000, 500_000) },
  );
});
