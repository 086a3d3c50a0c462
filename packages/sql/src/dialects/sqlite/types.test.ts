import { expect, it } from 'vitest';
import { isFixedLength, isMultibyte, nativeType, simpleType } from './types.ts';

it.each([
  ['BIT', 'boolean'],
  ['boolean', 'boolean'],
  ['Bool', 'boolean'],
  ['tinyint(1)', 'boolean'],
  ['INTEGER(1)', 'boolean'],
  ['tinyint', 'integer'],
  ['tinyint(4)', 'integer'],
  ['smallint', 'integer'],
  ['mediumint', 'integer'],
  ['int', 'integer'],
  ['int(11)', 'integer'],
  ['INTEGER', 'integer'],
  ['serial', 'integer'],
  ['int unsigned', 'integer'],
  ['bigint', 'bigint'],
  ['UNSIGNED BIG INT', 'bigint'],
  ['bigint(20) unsigned', 'bigint'],
  ['bigserial', 'bigint'],
  ['varint', 'bigint'],
  ['decimal(10,2)', 'decimal'],
  ['numeric', 'decimal'],
  ['percent', 'decimal'],
  ['money', 'decimal'],
  ['smallmoney', 'decimal'],
  ['double', 'double'],
  ['DOUBLE PRECISION', 'double'],
  ['real', 'float'],
  ['float', 'float'],
  ['float(53)', 'double'],
  ['timestamp', 'timestamp'],
  ['timestamp with time zone', 'timestamp'],
  ['datetimeoffset', 'timestamp'],
  ['datetime', 'datetime'],
  ['datetime2', 'datetime'],
  ['date', 'date'],
  ['time', 'time'],
  ['blob', 'binary'],
  ['varbinary(255)', 'binary'],
  ['text', 'text'],
  ['longtext', 'text'],
  ['clob', 'text'],
  ['varchar(max)', 'text'],
  ['varchar(80)', 'string'],
  ['nvarchar(80)', 'string'],
  ['char(3)', 'string'],
  ['uuid', 'uuid'],
  ['json', 'string'],
  ['geometry', 'string'],
  ['point', 'string'],
  ['', 'string'],
])('%s is %s (contract/database-schema.md §5)', (native, simple) => {
  expect(simpleType(nativeType(native))).toBe(simple);
});

it.each([
  ['VARCHAR(40)', { text: 'varchar(40)', name: 'varchar', length: 40, precision: null, scale: null }],
  ['decimal( 10 , 2 )', { text: 'decimal( 10 , 2 )', name: 'decimal', length: 10, precision: 10, scale: 2 }],
  ['tinyint(1)', { text: 'tinyint(1)', name: 'tinyint', length: 1, precision: null, scale: null }],
  [
    'Double   Precision',
    { text: 'double precision', name: 'double precision', length: null, precision: null, scale: null },
  ],
  ['', { text: '', name: '', length: null, precision: null, scale: null }],
])('%s taken apart', (native, expected) => expect(nativeType(native)).toEqual(expected));

it('knows fixed lengths and national characters', () => {
  const traits = (native: string) => [isFixedLength(nativeType(native)), isMultibyte(nativeType(native))];
  expect(traits('char(3)')).toEqual([true, false]);
  expect(traits('nchar(3)')).toEqual([true, true]);
  expect(traits('varchar(3)')).toEqual([false, false]);
  expect(traits('nvarchar(3)')).toEqual([false, true]);
});
