import { expect, it } from 'vitest';
import { exactNumber } from '../../convert/wire.ts';
import { defaultOf } from './defaults.ts';
import { writeDecimal } from './plan.ts';
import { isFixedLength, nativeType, simpleType } from './types.ts';
import { repairFor, shortestSingle } from './values.ts';

it.each([
  ['bit(1)', 'boolean'],
  ['bit(8)', 'bigint'],
  ['tinyint(1)', 'boolean'],
  ['tinyint(1) unsigned', 'boolean'],
  ['tinyint(4)', 'integer'],
  ['tinyint', 'integer'],
  ['smallint(6) unsigned', 'integer'],
  ['mediumint(9)', 'integer'],
  ['int(11)', 'integer'],
  ['int(5) unsigned zerofill', 'integer'],
  ['bigint(20) unsigned', 'bigint'],
  ['decimal(10,2) unsigned', 'decimal'],
  ['double(10,2)', 'double'],
  ['double unsigned', 'double'],
  ['float', 'float'],
  ['date', 'date'],
  ['datetime(6)', 'datetime'],
  ['timestamp(3)', 'timestamp'],
  ['time', 'time'],
  ['year(4)', 'string'],
  ['char(3)', 'string'],
  ['varchar(255)', 'string'],
  ['tinytext', 'text'],
  ['longtext', 'text'],
  ['varbinary(255)', 'binary'],
  ['mediumblob', 'binary'],
  ['json', 'string'],
  ["enum('a','b(1)')", 'string'],
  ["set('x','y')", 'string'],
  ['uuid', 'uuid'],
  ['inet6', 'string'],
  ['point', 'binary'],
])('%s is %s (contract/database-schema.md §5)', (native, simple) => {
  expect(simpleType(nativeType(native))).toBe(simple);
});

it.each([
  ['varchar(40)', { name: 'varchar', length: 40, precision: null, scale: null, isUnsigned: false }],
  ['decimal(10,2) unsigned', { name: 'decimal', length: 10, precision: 10, scale: 2, isUnsigned: true }],
  ['bigint unsigned', { name: 'bigint', length: null, precision: null, scale: null, isUnsigned: true }],
  ["enum('1','2')", { name: 'enum', length: null, precision: null, scale: null, isUnsigned: false }],
  ["enum('unsigned')", { name: 'enum', length: null, precision: null, scale: null, isUnsigned: false }],
])('%s taken apart', (native, expected) => expect(nativeType(native)).toEqual({ text: native, ...expected }));

it('knows fixed lengths', () => {
  expect(['char(3)', 'binary(3)', 'varchar(3)'].map((type) => isFixedLength(nativeType(type)))).toEqual([
    true,
    true,
    false,
  ]);
});

it.each([
  // MariaDB, then MySQL 8: the same column.
  ['NULL', '', 'string', true, undefined],
  [null, '', 'string', true, undefined],
  ["'NULL'", '', 'string', true, 'NULL'],
  ["'it''s \\\\ x\\n'", '', 'string', true, "it's \\ x\n"],
  ["it's", '', 'string', false, "it's"],
  ['5', '', 'integer', true, 5],
  ['5', '', 'integer', false, 5],
  ['1.50', '', 'decimal', true, 1.5],
  ['9223372036854775807', '', 'bigint', true, '9223372036854775807'],
  ['1', '', 'boolean', true, true],
  ["b'1'", '', 'boolean', false, true],
  ["b'0'", '', 'boolean', true, false],
  ["b'101'", '', 'bigint', true, 5],
  ['current_timestamp()', '', 'timestamp', true, { expression: 'CURRENT_TIMESTAMP' }],
  ['CURRENT_TIMESTAMP(3)', 'default_generated', 'datetime', false, { expression: 'CURRENT_TIMESTAMP(3)' }],
  ['uuid()', '', 'string', true, { expression: 'uuid()' }],
  ['uuid()', 'default_generated', 'string', false, { expression: 'uuid()' }],
  ['uuid()', '', 'string', false, 'uuid()'],
  ["'2018-11-20'", '', 'date', true, '2018-11-20'],
] as const)('the default %s (%s) of a %s', (shown, extra, type, quotes, expected) => {
  expect(defaultOf(shown, extra, type, quotes)).toEqual(expected);
});

it('shows numbers of single precision as they were written', () => {
  for (const value of [0.1, 1.5, 16777216, 3.4028e38, 1e-45, 123456.79, -0.3, 0])
    expect(shortestSingle(Math.fround(value))).toBe(value === 1e-45 ? 1.4013e-45 : value);
});

it('shows fractions in their whole length', () => {
  const shown = (type: string, value: unknown) =>
    repairFor({ name: 'x', native: 'x', description: { db_type: type } } as never)?.(value as never);
  expect(shown('time(3)', '10:00:00')).toBe('10:00:00.000');
  expect(shown('time(6)', '-00:00:00.5')).toBe('-00:00:00.500000');
  expect(shown('datetime(3)', '2018-01-01 10:00:00')).toBe('2018-01-01 10:00:00.000');
  expect(shown('year(4)', 0)).toBe('0000');
  expect(shown('datetime', '2018-01-01 10:00:00')).toBeUndefined();
});

it('writes numbers that are exact as they stand, and others as strings', () => {
  for (const text of [
    ...['0', '-0', '5', '-5', '12.50', '0.10', '-0.01', '0.00', '-0.00', '1000.0000000000', '001.50', '00', '-7', ''],
    ...['123456789012345', '1234567890123456', '12345678901234.5', '123456789012345.6', '12345678901234567890.1'],
    ...['9007199254740991', '9007199254740993', '18446744073709551615', '0.0000000000001', '0.00000000000000000001'],
  ]) {
    const value = exactNumber(text);
    const written = JSON.parse(writeDecimal(text)) as unknown;
    expect([text, written]).toEqual([text, Object.is(value, -0) ? 0 : value]);
  }
});
