import { describe, expect, it } from 'vitest';
import { aField } from '../testing.tsx';
import { filterableFields, filterText, isNumberText, joinFilters, keyFilter, operators } from './filter.ts';

describe('a filter of one field (OPEN-118)', () => {
  it.each([
    ['boolean', '=', 'TRUE', 'x = TRUE'],
    ['string', 'like', 'ann', 'x like "%ann%"'],
    ['text', 'like', 'say "hi"', `x like '%say "hi"%'`],
    ['text', 'like', `it's "odd"`, `x like "%it's ""odd""%"`],
    ['integer', '>', ' 3 ', 'x > 3'],
    ['decimal', '<', '1.5', 'x < 1.5'],
    ['reference', '=', '7', 'x = 7'],
    ['date', '>', '2020-01-01', 'x > "2020-01-01"'],
    ['uuid', '=', 'abc', 'x = "abc"'],
  ] as const)('%s %s %j is %s', (type, operator, value, text) => {
    expect(filterText(aField('x', { type }), operator, value)).toBe(text);
  });

  it.each([
    ['string', 'not like', 'ann', '', 'x not like "%ann%"'],
    ['string', '=', 'Ann ', '', 'x = "Ann "'],
    ['string', 'starts with', 'An', '', 'x starts with "An"'],
    ['string', 'in', 'Ann, "Bob, Sr.",Cy', '', 'x in ("Ann", "Bob, Sr.", "Cy")'],
    ['integer', 'in', '1, 2,3', '', 'x in (1, 2, 3)'],
    ['integer', 'between', ' 1', '5 ', 'x between 1 and 5'],
    ['date', 'between', '2020-01-01', '2020-12-31', 'x between "2020-01-01" and "2020-12-31"'],
    ['integer', '!=', '3', '', 'x != 3'],
    ['boolean', 'is null', '', '', 'x is null'],
    ['text', 'is not null', '', '', 'x is not null'],
  ] as const)('%s %s %j %j is %s', (type, operator, value, second, text) => {
    expect(filterText(aField('x', { type }), operator, value, second)).toBe(text);
  });

  it.each(['a,b', 'x = y', 'or not', ' lead', 'trail ', 'unit price', 'and'])('quotes the name %j', (name) => {
    expect(filterText(aField(name), '=', 'v')).toBe(`"${name}" = "v"`);
    expect(keyFilter([aField(name)], ['v'])).toBe(`"${name}" = "v"`);
  });

  it('needs its values', () => {
    expect(filterText(aField('x'), 'like', '  ')).toBeNull();
    expect(filterText(aField('x', { type: 'integer' }), 'between', '1', ' ')).toBeNull();
    expect(filterText(aField('x', { type: 'integer' }), 'in', ' , ')).toBeNull();
  });

  it('offers <, > and = for numbers (TBL-020), = for booleans (TBL-021), like for texts (TBL-022), and more', () => {
    expect(operators.number).toEqual(expect.arrayContaining(['<', '=', '>', 'between', 'in', 'is null']));
    expect(operators.boolean).toEqual(['=', 'is null', 'is not null']);
    expect(operators.text[0]).toBe('like');
  });

  it('is not offered for fields that cannot be compared (OPEN-117)', () => {
    const fields = [aField('a'), aField('b', { type: 'binary' }), aField('c', { type: 'json' })];
    expect(filterableFields(fields).map(({ name }) => name)).toEqual(['a']);
  });
});

describe('several filters', () => {
  it('are joined', () => {
    expect(joinFilters([])).toBeUndefined();
    expect(joinFilters(['a = 1'])).toBe('a = 1');
    expect(joinFilters(['a = 1', 'b = 2 or c = 3'])).toBe('(a = 1) and (b = 2 or c = 3)');
  });
});

describe('the filter of a key', () => {
  const fields = [aField('Group Id', { type: 'reference' }), aField('user', { type: 'text' })];
  it('names every field', () => {
    expect(keyFilter(fields, ['1', 'ann'])).toBe('("Group Id" = 1) and (user = "ann")');
  });
  it('quotes what only looks like a number', () => {
    expect(keyFilter(fields, ['1 or 1=1', '7'])).toBe('("Group Id" = "1 or 1=1") and (user = "7")');
  });
});

it.each([
  ['1', true],
  ['-1.5', true],
  ['.5', true],
  ['1e9', true],
  ['1,5', false],
  ['1 or 1', false],
  ['', false],
])('%j is a number: %s', (text, is) => expect(isNumberText(text)).toBe(is));
