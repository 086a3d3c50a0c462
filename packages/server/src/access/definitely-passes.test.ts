import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comparable, comparableOf, definitelyPasses } from './definitely-passes.ts';

const number = (text: string, isSingle?: boolean): Comparable => ({ kind: 'number', text, isSingle });
const moment = (text: string): Comparable => ({ kind: 'moment', text });
const token = (text: string): Comparable => ({ kind: 'token', text });
const opaque: Comparable = { kind: 'opaque' };

describe('certainly', () => {
  it.each<[unknown, Parameters<typeof definitelyPasses>[0], unknown, boolean]>([
    [5, '=', 5, true],
    [5, '!=', 5, false],
    [5, '<', 6, true],
    [5, '>=', 5, true],
    [5, '>', 5, false],
    ['open', '=', 'open', true],
    ['Open', '=', 'open', false],
    ['open', '!=', 'Open', false],
    ['open ', '=', 'open ', false],
    ['open', '!=', 'open ', false],
    ['open', '!=', 'shut', true],
    ['', '=', '', true],
    ['é', '=', 'é', true],
    ['é', '!=', 'e', false],
    ['Müller', '!=', 'Mueller', false],
    ['groß', '!=', 'gros', false],
    ['groß', '!=', 'GROSS', false],
    ['łac', '!=', 'lac', false],
    ['٣', '!=', '3', false],
    ['a😀', '!=', 'a😁', false],
    ['größer', '!=', 'secret', true],
    ['открыт', '!=', 'закрыт', true],
    ['漢字', '!=', 'secret', true],
    ['b', '>', 'a', false],
    ['b', '>=', 'b', true],
    ['10', '<', '9', false],
    [10, '<', '9', false],
    ['5', '=', 5, true],
    ['5', '<', 6, false],
    [true, '=', true, true],
    [true, '!=', false, true],
    [true, '!=', 1, false],
    ['2020-01-02', '>', '2020-01-01', true],
    ['2020-01-02 10:00:00', '>', '2020-01-02', false],
    ['2020-1-2', '>', '2020-01-01', false],
    ['abc', 'starts with', 'ab', true],
    ['ABC', 'starts with', 'ab', false],
    ['a%c', 'contains', '%', true],
    ['abc', 'ends with', 'bc', true],
    ['abc ', 'ends with', 'c ', false],
    ['abc', 'ends with', 'ab', false],
    ['a\u{1f600}', 'starts with', 'a\ud83d', false],
    [null, '=', null, true],
    [null, '!=', 5, false],
    [null, 'contains', '', false],
    [5, '!=', null, true],
    [5, '=', null, false],
    [5, '<', null, false],
  ])('%j %s %j: %s', (value, operator, expected, passes) =>
    expect(definitelyPasses(operator, comparableOf(value), [comparableOf(expected)])).toBe(passes),
  );

  it.each<[Comparable, Parameters<typeof definitelyPasses>[0], Comparable[], boolean]>([
    [comparableOf(2), 'in', [1, 2].map(comparableOf), true],
    [comparableOf(3), 'in', [1, 2].map(comparableOf), false],
    [comparableOf(3), 'not in', [1, 2].map(comparableOf), true],
    [comparableOf(3), 'not in', [1, null].map(comparableOf), false],
    [null, 'not in', [1, 2].map(comparableOf), false],
    [null, 'is null', [], true],
    [opaque, 'is null', [], false],
    [opaque, 'is not null', [], true],
    [undefined, 'is null', [], false],
    [undefined, 'is not null', [], false],
    [opaque, '=', [opaque], false],
    [opaque, '!=', [opaque], false],
    [token('a'), '=', [token('a')], true],
    [token('a'), '!=', [token('b')], false],
    [token('a'), 'starts with', [comparableOf('a')], false],
    [number('9007199254740993'), '>', [number('9007199254740992')], true],
    [number('1.50'), '=', [number('1.5')], true],
    [number('-0.1'), '<', [number('0')], true],
    [number('1e300'), '>', [number('1')], true],
    [number('0.1', true), '<', [number('1', true)], true],
    [number('0.1', true), '<', [number('0.1000000001', true)], false],
    [number('0.1', true), '!=', [number('0.1000000001', true)], false],
    [moment('2020-01-01'), '=', [moment('2020-01-01')], true],
    [moment('today'), '=', [moment('today')], false],
    [moment('2020-01-01 10:00:00.5'), '=', [moment('2020-01-01 10:00:00.5')], false],
    [moment('2020-01-01 10:00:00'), '<', [moment('2020-01-01 10:00:01')], true],
    [moment('2020-01-01T10:00:00'), '<', [moment('2020-01-01 10:00:01')], false],
    [moment('2020-01-01 24:00:00'), '<', [moment('2020-01-02')], false],
  ])('%j %s %j: %s', (value, operator, expected, passes) =>
    expect(definitelyPasses(operator, value, expected)).toBe(passes),
  );

  it('never finds a value and its opposite both certain', () => {
    const opposites = [
      ['=', '!='],
      ['<', '>='],
      ['>', '<='],
      ['in', 'not in'],
      ['is null', 'is not null'],
    ] as const;
    const value = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.constantFrom(null, true, 'a', 'A', 'ä', 'a ', '1', '2020-01-01'),
    );
    fc.assert(
      fc.property(value, value, fc.constantFrom(...opposites), (a, b, [one, other]) => {
        const asks = (operator: typeof one | typeof other) =>
          definitelyPasses(operator, comparableOf(a), [comparableOf(b)]);
        expect(asks(one) && asks(other)).toBe(false);
      }),
    );
  });
});
