import { Failure } from '@sluice/contract';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aTable } from '../schema/table.fixture.ts';
import { anyText } from './any-text.fixture.ts';
import { toNative, toWire, type ValueUse, wireColumn, wireRow, wireRowWriter } from './index.ts';

const table = aTable({
  id: 'id',
  n: 'integer!',
  i: 'integer',
  ref: 'reference',
  flag: 'boolean',
  big: 'bigint',
  dec: 'decimal',
  dbl: 'double',
  s: 'string',
  must: 'string!',
  doc: 'json',
  day: 'date',
  raw: 'binary',
});
const column = (name: string) => table.column(name)!;

const bare = { ...column('s'), description: { ...column('s').description, db_type: '' } };
const realBoolean = { ...column('flag'), description: { ...column('flag').description, db_type: 'boolean' } };

function convert(name: string, value: unknown, use: ValueUse = 'write'): unknown {
  try {
    return toNative(column(name), value, use);
  } catch (error) {
    if (error instanceof Failure) return `${error.status} ${error.message}`;
    throw error;
  }
}

describe('to the database (contract/database-tables.md §9)', () => {
  it.each<[string, unknown, unknown]>([
    ['i', null, null],
    ['i', [], null],
    ['i', '', null],
    ['i', undefined, null],
    ['n', null, "400 Field 'n' can not be NULL."],
    ['n', [], "400 Field 'n' can not be NULL."],
    ['n', '', "400 Field 'n' can not be NULL."],
    ['must', null, "400 Field 'must' can not be NULL."],
    ['must', '', ''],
    ['id', null, null],
    ['i', 5, 5],
    ['i', '5', 5],
    ['i', ' -5 ', -5],
    ['i', '5.0', 5],
    ['i', '+7', 7],
    ['i', '9007199254740993', 9007199254740993n],
    ['i', '-9223372036854775808', -9223372036854775808n],
    ['i', '9223372036854775808', "400 Field 'i' must be a valid integer."],
    ['i', 5.5, "400 Field 'i' must be a valid integer."],
    ['i', '5.5', "400 Field 'i' must be a valid integer."],
    ['i', '1e3', "400 Field 'i' must be a valid integer."],
    ['i', 'abc', "400 Field 'i' must be a valid integer."],
    ['i', '1;drop', "400 Field 'i' must be a valid integer."],
    ['i', true, "400 Field 'i' must be a valid integer."],
    ['i', {}, "400 Field 'i' must be a valid integer."],
    ['i', [1], "400 Field 'i' must be a valid integer."],
    ['i', '٣', "400 Field 'i' must be a valid integer."],
    ['i', 2 ** 53, "400 Field 'i' holds the integer 9007199254740992, which a JSON number can not carry exactly."],
    ['flag', 'yes', 1],
    ['flag', 'ON', 1],
    ['flag', '1', 1],
    ['flag', 'no', 0],
    ['flag', 'banana', 0],
    ['flag', 2, 0],
    ['flag', false, 0],
    ['flag', null, null],
    ['big', '9007199254740993', 9007199254740993n],
    ['big', 12, 12],
    ['big', 'x', "400 Field 'big' must be a valid integer."],
    ['dec', '12.50', '12.50'],
    ['dec', '-.5e10', '-.5e10'],
    ['dec', 0.1, '0.1'],
    ['dec', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['dec', 'abc', "400 Field 'dec' must be a valid number."],
    ['dec', '1,5', "400 Field 'dec' must be a valid number."],
    ['dec', Number.NaN, "400 Field 'dec' must be a valid number."],
    ['dec', '0x10', "400 Field 'dec' must be a valid number."],
    ['dbl', '1.5', 1.5],
    ['dbl', 1e300, 1e300],
    ['dbl', 'x', "400 Field 'dbl' must be a valid number."],
    ['s', 5, '5'],
    ['s', 5.5, '5.5'],
    ['s', true, 'true'],
    ['s', 'as it is ', 'as it is '],
    ['s', { a: 1 }, '{"a":1}'],
    ['s', 'a\0b', "400 Field 's' must not contain NUL characters."],
    ['doc', [1, { b: null }], '[1,{"b":null}]'],
    ['day', '2018-11-20', '2018-11-20'],
    ['raw', 'AP8Q', new Uint8Array([0, 255, 16])],
    ['raw', '_-8', new Uint8Array([255, 239])],
    ['raw', '', new Uint8Array()],
    ['raw', 'A', "400 Field 'raw' must be valid base64."],
    ['raw', 'not base64!', "400 Field 'raw' must be valid base64."],
    ['raw', 5, "400 Field 'raw' must be valid base64."],
    ['day', { expression: 'NOW()' }, { expression: 'now' }],
    ['day', { expression: { value: 'current_date' } }, { expression: 'today' }],
    ['s', { expression: 'load_extension(1)' }, "400 Field 's': the expression 'load_extension(1)' is not allowed."],
    ['s', { expression: null }, "400 Field 's': the expression 'null' is not allowed."],
    ['s', { expression: 'Now()' }, { expression: 'now' }],
    ['n', { expression: 'NOW()' }, "400 Field 'n' can not hold 'NOW()', which is a date and time."],
    ['doc', { expression: 'NOW()' }, "400 Field 'doc' can not hold 'NOW()', which is a date and time."],
    ['raw', { expression: 'CURDATE()' }, "400 Field 'raw' can not hold 'CURDATE()', which is a date and time."],
  ])('%s: %j → %s', (name, value, expected) => {
    expect(convert(name, value)).toEqual(expected);
  });

  it('compares with null whether or not a field may be null', () => {
    expect(convert('n', null, 'filter')).toBeNull();
    expect(convert('n', '', 'filter')).toBeNull();
    expect(convert('id', 'abc', 'filter')).toBe("400 Field 'id' must be a valid integer.");
    expect(convert('big', '%5%', 'filter')).toBe('%5%');
    expect(convert('s', { expression: 'NOW()' }, 'filter')).toBe('{"expression":"NOW()"}');
  });

  it('keeps booleans where the native type is one', () => {
    expect(toNative(realBoolean, 'on', 'write')).toBe(true);
  });

  it('keeps the kind of a value in a column without a type', () => {
    expect(toNative(bare, 5, 'write')).toBe(5);
    expect(toNative(bare, '5', 'write')).toBe('5');
    expect(toNative(bare, '5', 'filter')).toBe(5);
    expect(toNative(bare, '05', 'filter')).toBe('05');
    expect(toNative(bare, '-1.5', 'filter')).toBe(-1.5);
  });
});

describe('to the wire', () => {
  it.each<[string, unknown, unknown]>([
    ['i', 5n, 5],
    ['i', 9007199254740991n, 9007199254740991],
    ['i', 9007199254740993n, '9007199254740993'],
    ['big', -9223372036854775808n, '-9223372036854775808'],
    ['dbl', 0.1, 0.1],
    ['dbl', Number.POSITIVE_INFINITY, 'Infinity'],
    ['dec', 'abc', 'abc'],
    ['flag', 1n, true],
    ['flag', 0, false],
    ['flag', 'false', false],
    ['flag', null, null],
    ['s', 'x', 'x'],
    ['s', 5n, '5'],
    ['s', 9007199254740993n, '9007199254740993'],
    ['s', new Uint8Array([1, 2]), 'AQI='],
    ['day', 1700000000, '1700000000'],
    ['raw', new Uint8Array([0, 255, 16]), 'AP8Q'],
    ['raw', 'text', 'dGV4dA=='],
    ['raw', null, null],
  ])('%s: %s → %j', (name, value, expected) => {
    expect(toWire(wireColumn(column(name)).kind, value)).toEqual(expected);
    expect(wireRow([wireColumn(column(name))], [value])).toEqual({ [name]: expected });
  });

  it.each<[string, unknown]>([
    ['7', 7],
    ['-0.50', -0.5],
    ['007.250', 7.25],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['0.123456789012345', 0.123456789012345],
    ['0.3000000000000000444', '0.3000000000000000444'],
    ['1234567890.1234567', 1234567890.1234567],
    ['1234567890.12345678', '1234567890.12345678'],
    ['1e400', '1e400'],
    ['', ''],
    ['-', '-'],
    ['0x10', '0x10'],
  ])('the number %j of a driver: %j', (text, expected) => {
    expect(toWire('number', text)).toBe(expected);
  });

  it('a driver’s number keeps all its digits, or stays text', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(digits, fc.option(digits), (integer, fraction) => {
        const value = toWire('number', fraction === null ? integer : `${integer}.${fraction}`);
        if (typeof value !== 'number') return;
        const [before = '', after = ''] = value
          .toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
          .split('.');
        expect([BigInt(before), after]).toEqual([BigInt(integer), (fraction ?? '').replace(/0+$/, '')]);
      }),
      { numRuns: soakRounds(300, 100_000) },
    );
  });

  it('writes the same JSON as JSON.stringify', () => {
    const columns = table.columns.map(wireColumn);
    const value = fc.oneof(anyText, fc.bigInt(), fc.double(), fc.uint8Array(), fc.constant(null));
    const write = wireRowWriter(columns);
    fc.assert(
      fc.property(fc.tuple(...columns.map(() => value)), (values) => {
        expect(write(values)).toBe(JSON.stringify(wireRow(columns, values)));
      }),
      { numRuns: soakRounds(100, 10_000) },
    );
    expect(wireRowWriter([])([1])).toBe('{}');
    expect(JSON.parse(wireRowWriter([{ name: 'a"\n\u2028', kind: 'text' }])(['x']))).toEqual({ 'a"\n\u2028': 'x' });
  });

  it('comes back as it went', () => {
    const roundTrip = (name: string, value: unknown) =>
      toNative(column(name), toWire(wireColumn(column(name)).kind, value), 'write');
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(BigInt(roundTrip('big', value) as number)).toBe(value);
      }),
      { numRuns: soakRounds(100, 10_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        expect(roundTrip('raw', value)).toEqual(value);
      }),
      { numRuns: soakRounds(100, 10_000) },
    );
  });
});
