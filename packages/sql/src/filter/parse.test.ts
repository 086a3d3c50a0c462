import { Failure } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSelect } from '../compile/index.ts';
import { anyText } from '../convert/any-text.fixture.ts';
import { grammar } from '../dialects/sqlite/grammar.ts';
import type { FilterNode, FilterValue } from '../query/index.ts';
import { aTable } from '../schema/table.fixture.ts';
import { bindFilter } from './bind.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.fixture.ts';

const table = aTable({
  id: 'id',
  a: 'integer',
  b: 'integer',
  s: 'string',
  t: 'string',
  x: 'string',
  d: 'datetime',
  flag: 'boolean',
  'first name': 'string',
  'Total (USD)': 'integer',
  between: 'string',
  not: 'integer',
});

/** The condition of a filter as SQLite gets it, and its values. */
function conditionOf(filter: string, params?: Record<string, unknown>) {
  const bound = bindFilter(parseFilter(filter), table, { params });
  const { sql, parameters } = compileSelect({ table, columns: table.key, where: bound }, grammar);
  return [sql.replace('select "id" from "thing" where ', '').replaceAll('"', ''), ...parameters];
}

function errorOf(filter: string): string {
  try {
    conditionOf(filter);
  } catch (error) {
    if (error instanceof Failure) return `${error.status} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('the vectors of contract/database-tables.md §15', () => {
  it.each<[string, ...unknown[]]>([
    ['(a=1)AND(b=2)', 'a = ? and b = ?', 1, 2],
    ["((a=1) or (b=2)) and (s='z')", '(a = ? or b = ?) and s = ?', 1, 2, 'z'],
    ['(a >= 1) and (a <= 5) and (b = 2)', 'a >= ? and a <= ? and b = ?', 1, 5, 2],
    ['(a = 1) && (b = 2)', 'a = ? and b = ?', 1, 2],
    ['(a = 1) || (b = 2)', 'a = ? or b = ?', 1, 2],
    ['not (a = 1)', 'not (a = ?)', 1],
    ["(s = 'x') xor (a = 1)", '((s = ?) <> (a = ?))', 'x', 1],
    ['(a in (1,2,3))', 'a in (?, ?, ?)', 1, 2, 3],
    ['a not in (1,2)', 'a not in (?, ?)', 1, 2],
    ['(s like "%x%") or (s like "%y%")', 's like ? or s like ?', '%x%', '%y%'],
    ["s not like 'x%'", 's not like ?', 'x%'],
    ['s contains abc', 's like ?', '%abc%'],
    ['s starts with abc', 's like ?', 'abc%'],
    ['s is null', 's is null'],
    ['(s is not null)', 's is not null'],
    ['a gt 5', 'a > ?', 5],
    ['a>5', 'a > ?', 5],
    ["s <> 'x'", 's != ?', 'x'],
    ['s ne x', 's != ?', 'x'],
    ["s = 'a=b'", 's = ?', 'a=b'],
    ["s = 'a (b)'", 's = ?', 'a (b)'],
    ['(s = a (b))', 's = ?', 'a (b)'],
    ['s = "it\'s"', 's = ?', "it's"],
    ['s = x y z', 's = ?', 'x y z'],
    ["s = ''", 's = ?', ''],
    ["s like '%a=b%'", 's like ?', '%a=b%'],
  ])('%s', (filter, ...expected) => {
    expect(conditionOf(filter)).toEqual(expected);
  });

  it('binds parameters, and the text of one that was not sent', () => {
    expect(conditionOf('s = :n', { ':n': 'val' })).toEqual(['s = ?', 'val']);
    expect(conditionOf('(s = :n) and (a in (:one, :two))', { ':n': "' or 1=1", ':one': 1, ':two': '2' })).toEqual([
      's = ? and a in (?, ?)',
      "' or 1=1",
      1,
      2,
    ]);
    expect(conditionOf('s = :n')).toEqual(['s = ?', ':n']);
  });

  it.each([
    ['foo', '400 Invalid or unparsable filter request.'],
    ['(a IN(1,2))', '400 Invalid or unparsable filter request.'],
    ['a is true', '400 Invalid or unparsable filter request.'],
    ['a ge 1', '400 Invalid or unparsable filter request.'],
    ['zz = 1', "400 Invalid or unparsable field in filter request: 'zz'"],
    ['(not a = 1)', "400 Invalid or unparsable field in filter request: 'not a'"],
    ["'Ann'=first_name", "400 Invalid or unparsable field in filter request: ''Ann''"],
    ['1=1', "400 Invalid or unparsable field in filter request: '1'"],
    ['!(a=1)', "400 Invalid or unparsable field in filter request: '!(a'"],
    ['(!(a in (1)) and (b = 2))', "400 Invalid or unparsable field in filter request: '!(a'"],
    ['f(a like x)', "400 Invalid or unparsable field in filter request: 'f(a'"],
    ['!(a) and (b=2)', '400 Invalid or unparsable filter request.'],
    ['a in 1,2', '400 Filter value lists must be wrapped in parentheses.'],
    ['a in ()', '400 Filter value lists must be wrapped in parentheses.'],
    ['a not in 1', '400 Filter value lists must be wrapped in parentheses.'],
    ['a = x', "400 Field 'a' must be a valid integer."],
    ['a contains 5', "400 Field 'a' must be a valid integer."],
  ])('%s → %s', (filter, message) => {
    expect(errorOf(filter)).toBe(message);
  });
});

describe('what is accepted besides', () => {
  it.each<[string, ...unknown[]]>([
    ['a = 1 and b = 2', 'a = ? and b = ?', 1, 2],
    ['a = 1 or b = 2 and s = x', 'a = ? or (b = ? and s = ?)', 1, 2, 'x'],
    ['(a = 1) or (b = 2) and (s = x)', 'a = ? or (b = ? and s = ?)', 1, 2, 'x'],
    ['a=1||b=2', 'a = ? or b = ?', 1, 2],
    ['(a=1)  AND\n\t(b=2)', 'a = ? and b = ?', 1, 2],
    ['(a=1)and not(b=2)', 'a = ? and not (b = ?)', 1, 2],
    ['(a = 1) nor (b = 2)', 'not ((a = ?) or (b = ?))', 1, 2],
    ['(a = 1) or (a = 2) xor (b = 3)', '((a = ? or a = ?) <> (b = ?))', 1, 2, 3],
    ['a not in(1,2)', 'a not in (?, ?)', 1, 2],
    ['a between 1 and 5 and b = 2', 'a between ? and ? and b = ?', 1, 5, 2],
    ["s not between 'a and b' and 'c'", 's not between ? and ?', 'a and b', 'c'],
    ['s = rock and roll', 's = ?', 'rock and roll'],
    ['s = rock and roll and a = 1', 's = ? and a = ?', 'rock and roll', 1],
    ['s = rock and (roll)', 's = ?', 'rock and (roll)'],
    ["s = 'rock and a = 1'", 's = ?', 'rock and a = 1'],
    ["s = 'O''Brien'", 's = ?', "O'Brien"],
    ["(s = 'O'Brien') and (a = 1)", 's = ? and a = ?', "O'Brien", 1],
    ["s = '''' and t = ''''''", 's = ? and t = ?', "'", "''"],
    ["s = 'x'and a=1", 's = ? and a = ?', 'x', 1],
    ['s in (\'a,b\', "c)", d e)', 's in (?, ?, ?)', 'a,b', 'c)', 'd e'],
    ["s contains 'x y'", 's like ?', '%x y%'],
    ["s not contains 'x'", 's not like ?', '%x%'],
    ["s not ends with 'x'", 's not like ?', '%x'],
    ["s STARTS  WITH 'x'", 's like ?', 'x%'],
    ['first name = Bob', 'first name = ?', 'Bob'],
    ['FIRST NAME is not null', 'first name is not null'],
    ['Total (USD) > 5 and Total (USD) < 9', 'Total (USD) > ? and Total (USD) < ?', 5, 9],
    ['between between a and b', 'between between ? and ?', 'a', 'b'],
    ['not = 1 and not (not = 2)', 'not = ? and not (not = ?)', 1, 2],
    ['s = (t)', 's = t'],
    ['s contains (t)', 's like ? || t || ?', '%', '%'],
    ['d > (NOW())', 'd > current_timestamp'],
    ['(d >= (current_date)) and (d < (CURRENT_TIMESTAMP))', 'd >= current_date and d < current_timestamp'],
    ['s = :a b', 's = ?', ':a b'],
    ['s = null', 's = ?', 'null'],
    ['flag = yes', expect.stringContaining('flag > 0')],
    ['flag = off', expect.stringContaining('flag = 0 or')],
    ['((((a = 1))))', 'a = ?', 1],
  ])('%s', (filter, ...expected) => {
    expect(conditionOf(filter)).toEqual(expected);
  });

  it.each([
    ['', '400 Invalid or unparsable filter request.'],
    ['   ', '400 Invalid or unparsable filter request.'],
    ['(a = 1', '400 Invalid or unparsable filter request.'],
    ['a = 1)', '400 Invalid or unparsable filter request.'],
    ['(a = 1)) or ((b = 2)', '400 Invalid or unparsable filter request.'],
    ['()', '400 Invalid or unparsable filter request.'],
    ['(a = 1)(b = 2)', '400 Invalid or unparsable filter request.'],
    ['(a = 1) and', '400 Invalid or unparsable filter request.'],
    ['(a = 1) also (b = 2)', '400 Invalid or unparsable filter request.'],
    ['and (a = 1)', "400 Invalid or unparsable field in filter request: 'and (a'"],
    ['a =', '400 Invalid or unparsable filter request.'],
    ['a = 1;drop table thing', "400 Field 'a' must be a valid integer."],
    ['a in (1,2', '400 Filter value lists must be wrapped in parentheses.'],
    ['a in (1,,2)', '400 Invalid or unparsable filter request.'],
    ['a in (1,2) x', '400 Invalid or unparsable filter request.'],
    ['a ALL (1,2)', '400 Invalid or unparsable filter request.'],
    ['a is nullable', '400 Invalid or unparsable filter request.'],
    ['a between 1', '400 Invalid or unparsable filter request.'],
    ['s = (abc', '400 Invalid or unparsable filter request.'],
    ['s = (select 1)', "400 The function 'select 1' is not allowed in a filter."],
    ['d > (sleep(5))', "400 The function 'sleep(5)' is not allowed in a filter."],
    ['thing.a = 1', "400 Invalid or unparsable field in filter request: 'thing.a'"],
    ['__proto__ = 1', "400 Invalid or unparsable field in filter request: '__proto__'"],
    ['= 1', "400 Invalid or unparsable field in filter request: ''"],
    ["s = 'a\0b'", "400 Field 's' must not contain NUL characters."],
  ])('%j → %s', (filter, message) => {
    expect(errorOf(filter)).toBe(message);
  });
});

describe('limits', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}a = 1${')'.repeat(depth)}`;

  it('nests to 100 levels and no further', () => {
    expect(conditionOf(nested(100))).toEqual(['a = ?', 1]);
    expect(errorOf(nested(101))).toBe('400 The filter is nested more than 100 levels deep.');
    expect(errorOf(nested(1_000_000))).toBe('400 The filter is nested more than 100 levels deep.');
    expect(errorOf(`${'not ('.repeat(1_000)}a = 1`)).toBe('400 The filter is nested more than 100 levels deep.');
    expect(errorOf(`a = 1${' or a = 1 xor a = 2'.repeat(200)}`)).toBe(
      '400 The filter is nested more than 100 levels deep.',
    );
  });

  it('takes long chains, but not endless ones', () => {
    expect(conditionOf(Array(5000).fill('a=1').join(' or '))).toHaveLength(5001);
    expect(errorOf(Array(5001).fill('a=1').join(' or '))).toBe('400 The filter is longer than 5000 comparisons.');
    expect(errorOf(`a in (${'1,'.repeat(100_000)}1)`)).toBe('400 The filter is longer than 100000 values.');
    expect(errorOf('s'.repeat(5_000_000))).toBe('400 The filter is longer than 4000000 characters.');
  });

  it('abuse: a value without quotes holds no more than 100,000 ands and ors; in quotes there may be more', () => {
    const value = 'x and '.repeat(100_000);
    expect(conditionOf(`s = ${value}x`)).toEqual(['s = ?', `${value}x`]);
    expect(errorOf(`s = ${value}and x`)).toBe(
      '400 The filter is longer than 100000 ands and ors in values without quotes.',
    );
    expect(conditionOf(`s = '${value}and x'`)).toEqual(['s = ?', `${value}and x`]);
  });

  it('abuse: a field is looked for in a thousand characters and no further', () => {
    expect(errorOf(`${'n'.repeat(999)}= 1`)).toMatch(/^400 Invalid or unparsable field in filter request: 'nnn/);
    expect(errorOf(`${'n'.repeat(1000)}= 1`)).toBe('400 Invalid or unparsable filter request.');
  });

  it.each(["'", '"'])('takes doubled %s apart wherever a long text is read on', (quote) => {
    for (const piece of [
      `${quote}${quote}`,
      `x${quote}${quote}`,
      `xy${quote}${quote}`,
      `${'x'.repeat(40_000)}${quote}${quote}`,
    ]) {
      const count = Math.ceil(100_000 / piece.length);
      const value = piece.replace(quote, '').repeat(count);
      expect(conditionOf(`s = ${quote}${piece.repeat(count)}${quote}`)).toEqual(['s = ?', value]);
      expect(conditionOf(`s in (${quote}${piece.repeat(count)}${quote}, 2)`)).toEqual(['s in (?, ?)', value, '2']);
    }
  });

  it.each([
    ['quotes', "a = 'b and "],
    ['doubled quotes', "a = '' 'b and ''' "],
    ['connectives', 's = x and y or '],
    ['parentheses', 's = x and ( '],
    ['blanks', ' '],
    ['blanks after quotes', "s = '     "],
    ['words', 's like '],
    ['letters', 'a'],
    ['lookups', '{a'],
    ['functions', 's = (t) or '],
    ['not', 'not '],
    ['between', 's between x and '],
  ])('reads a million characters of %s in linear time', (_, piece) => {
    errorOf(piece.repeat(1_000_000 / piece.length));
  });
});

describe('properties', () => {
  const field = fc.constantFrom('a', 'b', 's', 'First Name', 'naïve', '日本', 'o_1');
  const value: fc.Arbitrary<FilterValue> = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }), quoted: fc.constant(true) }),
    fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('1', '-2.5', 'Bob', 'x y z', 'a (b) c', "it's", 'and', '{user.id}', '%x_'),
      quoted: fc.constant(false),
    }),
    fc.record({ kind: fc.constant('param' as const), name: fc.constantFrom(':n', ':a_1') }),
  );
  const comparable = fc.oneof(
    value,
    fc.record({ kind: fc.constant('function' as const), text: fc.constantFrom('NOW()', 'a', 'f(g(x))') }),
  );
  const negated = fc.boolean();
  const { tree } = fc.letrec<{ tree: FilterNode }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({
        kind: fc.constant('compare' as const),
        field,
        operator: fc.constantFrom('=', '!=', '>', '>=', '<', '<='),
        negated: fc.constant(false),
        value: comparable,
      }),
      fc.record({
        kind: fc.constant('compare' as const),
        field,
        operator: fc.constantFrom('like', 'contains', 'starts with', 'ends with'),
        negated,
        value: comparable,
      }),
      fc.record({ kind: fc.constant('in' as const), field, negated, values: fc.array(value, { minLength: 1 }) }),
      fc.record({ kind: fc.constant('between' as const), field, negated, low: value, high: value }),
      fc.record({ kind: fc.constant('null' as const), field, negated }),
      fc.record({ kind: fc.constantFrom('and', 'or', 'xor', 'nor'), left: tie('tree'), right: tie('tree') }),
      fc.record({ kind: fc.constant('not' as const), node: tie('tree') }),
    ) as fc.Arbitrary<FilterNode>,
  }));

  it('parses what was printed to the same tree', () => {
    fc.assert(
      fc.property(tree, (node) => {
        expect(parseFilter(printFilter(node))).toEqual(node);
      }),
      { numRuns: soakRounds(500, 20_000) },
    );
  });

  it('answers garbage with a tree or a catalogued 400', () => {
    const piece = fc.constantFrom(
      ...['(', ')', "'", '"', ' ', 'a', 's', '=', '>', '<>', ' and ', ' or ', 'not', ' in ', '(1,2)', ',', ':n', '{x}'],
      ...[
        ' like ',
        ' is ',
        'null',
        ' between ',
        '&&',
        '||',
        ' xor ',
        ' nor ',
        '\0',
        '\u2028',
        '\ud800',
        '--',
        ';',
        '\\',
      ],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      anyText,
    );
    fc.assert(
      fc.property(text, (filter) => {
        expect(errorOf(filter)).toMatch(/^(accepted|400 )/);
      }),
      { numRuns: soakRounds(3000, 200_000) },
    );
  });
});
