import { filterOperators } from '@sluice/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessRow } from './decide.ts';
import { conditionsOf, passesFilter } from './record-filters.ts';

const rowOf = (filters: unknown[] | null, filterOp = 'AND'): AccessRow => ({
  id: 1,
  service: 'db',
  component: '_table/*',
  verbMask: 31,
  requestorMask: 3,
  filters,
  filterOp,
});

const values: Record<string, string> = {
  'user.id': '7',
  team: "red', 'blue",
  wild: '50%_|',
  nested: '{user.id}',
  nothing: '',
  null: 'null',
};
const lookup = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
const first = (operator: string, value?: unknown) =>
  conditionsOf(rowOf([{ name: 'a', operator, value }]), lookup).conditions[0]!;

describe('conditionsOf', () => {
  it.each([
    ['=', 'Bob', 'Bob'],
    ['=', '  Bob ', 'Bob'],
    ['=', "'Bob '", 'Bob '],
    ['=', '"it""s"', 'it"s'],
    ['=', "'", "'"],
    ['=', '5', 5],
    ['=', '-1.5', -1.5],
    ['=', '007', '007'],
    ['=', '1.50', '1.50'],
    ['=', '12345678901234567890', '12345678901234567890'],
    ['=', "'5'", '5'],
    ['=', 'true', true],
    ['=', 'False', 'False'],
    ['=', 'NULL', null],
    ['=', "'null'", 'null'],
    ['=', null, null],
    ['=', undefined, ''],
    ['=', 5, 5],
    ['=', '{user.id}', '7'],
    ['=', "'{user.id}'", '7'],
    ['=', '{ghost}', '{ghost}'],
    ['=', '{nested}', '{user.id}'],
    ['=', '{null}', 'null'],
    ['=', '<{user.id}>{nothing}', '<7>'],
    ['=', '(NOW())', '(NOW())'],
    ['in', '1,2', [1, 2]],
    ['in', '(1, 2 ,x)', [1, 2, 'x']],
    ['in', '(\'a,b\',"c,d",e)', ['a,b', 'c,d', 'e']],
    ['in', "it's, 'b'", ["it's", 'b']],
    ['not in', '({team},{user.id},)', ["red', 'blue", '7']],
    ['in', [1, 'x', null], [1, 'x', null]],
    ['in', 3, [3]],
    ['contains', '5', '5'],
    ['contains', 'null', 'null'],
    ['is null', 'whatever', null],
  ])('%s %o means %o', (operator, value, filled) => expect(first(operator, value).filledValue).toEqual(filled));

  it.each([
    ['a%b|', 'a%b||'],
    ['{wild}', '50|%|_||'],
    ['_{wild}%', '_50|%|_||%'],
    ['{no_one}', '{no|_one}'],
  ])('the pattern of %o is %o: wildcards count where they were typed', (value, pattern) =>
    expect(first('starts with', value).values[0]!.pattern).toBe(pattern),
  );

  it('reads operators in any case', () => {
    for (const operator of filterOperators)
      for (const word of [operator.toUpperCase(), ` ${operator.replace(' ', '  ')} `])
        expect(first(word, '1').operator).toBe(operator);
  });

  it.each([
    [['text']],
    [[7]],
    [[null]],
    [[[]]],
    [[{}]],
    [[{ name: 'a' }]],
    [[{ operator: '=' }]],
    [[{ name: '', operator: '=' }]],
    [[{ name: 7, operator: '=' }]],
    [[{ name: 'a', operator: 7 }]],
    [[{ name: 'a', operator: 'like' }]],
    [[{ name: 'a', operator: '__proto__' }]],
    [[{ name: 'a', operator: '=', value: {} }]],
    [[{ name: 'a', operator: '=', value: [1] }]],
    [[{ name: 'a', operator: 'in', value: '()' }]],
    [[{ name: 'a', operator: 'in', value: [[]] }]],
    [[{ name: 'a', operator: '=' }, { name: 'b' }]],
  ])('refuses %j', (filters) => {
    expect(() => conditionsOf(rowOf(filters), lookup)).toThrow('Invalid server-side filter configuration detected.');
  });

  it.each([
    ['or', 'OR'],
    [' Or ', 'OR'],
    ['and', 'AND'],
    ['', 'AND'],
    ['xor', 'AND'],
  ])('joins by %o as %s', (filterOp, op) => expect(conditionsOf(rowOf([], filterOp), lookup).op).toBe(op));

  it('answers the same object to everybody where no lookup is asked for, and another to each where one is', () => {
    const plain = rowOf([{ name: 'a', operator: '=', value: '1' }]);
    expect(conditionsOf(plain, lookup)).toBe(conditionsOf(plain, () => 'x'));
    const filterRow = rowOf([{ name: 'a', operator: '=', value: '{user.id}' }]);
    expect(conditionsOf(filterRow, lookup).conditions[0]!.filledValue).toBe('7');
    expect(conditionsOf(filterRow, () => '8').conditions[0]!.filledValue).toBe('8');
  });

  it('takes any value of a lookup as one value', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('=', 'in', 'contains', '<'), (text, operator) => {
        for (const value of ['{x}', "'{x}'"]) {
          const row = rowOf([{ name: 'a', operator, value }]);
          const [condition] = conditionsOf(row, () => text).conditions;
          expect(condition!.values.map((value) => value.value)).toEqual([text]);
          expect(condition!.values[0]!.isFunction).toBe(false);
        }
      }),
    );
  });
});

describe('passesFilter', () => {
  const filters = [
    { name: 'Owner', operator: '=', value: '{user.id}' },
    { name: 'status', operator: '!=', value: 'closed' },
  ];
  const both = conditionsOf(rowOf(filters), lookup);
  const either = conditionsOf(rowOf(filters, 'or'), lookup);

  it.each([
    [{ owner: 7, status: 'open' }, true, true, true],
    [{ OWNER: '7', Status: 'open', more: 1 }, true, true, true],
    [{ owner: 7 }, false, true, true],
    [{ owner: 8, status: 'open' }, false, true, false],
    [{ owner: 8, status: 'CLOSED' }, false, false, false],
    [{ owner: 8 }, false, false, false],
    [{ owner: null, status: null }, false, false, false],
    [{ more: 1 }, false, false, true],
    [{}, false, false, true],
  ])('%j: created with AND %s, with OR %s, changed with AND %s', (record, created, either1, changed) => {
    expect(passesFilter(both, record, 'create')).toBe(created);
    expect(passesFilter(either, record, 'create')).toBe(either1);
    expect(passesFilter(both, record, 'change')).toBe(changed);
  });

  it('refuses a change that passes none of several, and lets one pass that is not about them', () => {
    expect(passesFilter(either, { owner: 8 }, 'change')).toBe(false);
    expect(passesFilter(either, { owner: 8, status: 'open' }, 'change')).toBe(true);
    expect(passesFilter(either, { more: 1 }, 'change')).toBe(true);
  });

  it('refuses what is compared with a lookup nobody knows', () => {
    for (const operator of filterOperators.filter((name) => !name.endsWith('null')))
      for (const value of ['{ghost}', 'a{ghost}']) {
        const unknown = conditionsOf(rowOf([{ name: 'a', operator, value }]), lookup);
        expect(passesFilter(unknown, { a: 'b' }, 'create'), `${operator} ${value}`).toBe(false);
      }
  });

  it('refuses what only the database could compare', () => {
    const now = conditionsOf(rowOf([{ name: 'a', operator: '<', value: '(NOW())' }]), lookup);
    expect(passesFilter(now, { a: '2020-01-01' }, 'create')).toBe(false);
  });
});
