import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitCell } from '../columns.ts';
import type { JsonKind } from '../read/json-records.ts';
import { runAtOnce } from '../read/slices.ts';
import { type Guess, guessColumn } from './guess-column.ts';
import { hasHeader } from './header.ts';
import { toFieldNames, toName, toTableName, uniqueName } from './names.ts';
import { type ColumnType, parseAs } from './shapes.ts';

const guess = (
  values: (string | null)[],
  name = 'value',
  kinds: JsonKind[] | null = null,
  canStoreJson = false,
): Guess =>
  runAtOnce(
    guessColumn(
      values.map((value) => [value]),
      0,
      { name, kinds: kinds && new Set(kinds), canStoreJson },
    ),
  );
const short = ({ type, length, scale, allowNull, reason }: Guess) =>
  [
    type + (length === null ? '' : `(${length}${scale === null ? '' : `,${scale}`})`),
    allowNull ? 'null' : '',
    reason.key,
  ]
    .filter(Boolean)
    .join(' ');

describe('the type of a column', () => {
  it.each<[string, (string | null)[], string]>([
    ['whole numbers', ['1', '-2', '30'], 'integer whole'],
    ['with blanks around', [' 1', '2 '], 'integer whole'],
    ['with empty cells', ['1', null, '3'], 'integer null whole'],
    ['with NULL', ['1', 'NULL', '\\N'], 'integer null whole'],
    ['at the edge of an integer', ['2147483647', '-2147483648'], 'integer whole'],
    ['beyond an integer', ['1', '2147483648'], 'bigint big'],
    ['beyond a big integer', ['9223372036854775808'], 'string(32) short'],
    ['leading zeros', ['01234', '99999'], 'string(32) leadingZeros'],
    ['a plus sign', ['+4912345', '+4954321'], 'string(32) short'],
    ['money', ['1.50', '20', '-3.25'], 'decimal(10,2) decimal'],
    ['large money', ['12345678901.50'], 'decimal(13,2) decimal'],
    ['exponents', ['1e5', '2.5'], 'double double'],
    ['long fractions', ['0.12345678901234'], 'double double'],
    ['a comma before the fraction', ['1,5', '1.234,50', '3', null], 'decimal(10,2) null commaDecimal'],
    ['a comma, and groups of thousands', ['0,5', '1.234', '12.345.678,125'], 'decimal(11,3) commaDecimal'],
    ['a comma that may part thousands', ['1,234', '22,000'], 'string(32) comma'],
    ['commas and points', ['1,5', '2.5'], 'string(32) comma'],
    ['grouped by commas', ['1,234.5', '2'], 'string(32) short'],
    ['true and false', ['true', 'FALSE', null], 'boolean null boolean'],
    ['yes and no', ['yes', 'no'], 'boolean boolean'],
    ['ja und nein', ['Ja', 'nein'], 'boolean boolean'],
    ['zero and one', ['0', '1'], 'integer whole'],
    ['dates', ['2024-02-29', '1999-12-31'], 'date date'],
    ['dates with dots', ['1.2.2024', '31.12.1999'], 'date date'],
    ['a day that is none', ['2023-02-29'], 'string(32) short'],
    ['dates of either order', ['01/02/2024'], 'string(32) short'],
    ['times', ['8:30', '23:59:59'], 'time time'],
    ['no times', ['25:00'], 'string(32) short'],
    ['moments', ['2024-01-01 10:00', '2024-01-01T10:00:30.25'], 'datetime datetime'],
    ['moments with zones', ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00+02:00'], 'datetime zoned'],
    ['days and moments', ['2024-01-01', '2024-01-01 10:00'], 'string(32) short'],
    ['UUIDs', ['6f9619ff-8b86-d011-b42d-00c04fc964ff'], 'string(36) uuid'],
    ['objects', ['{"a":1}', '[1]'], 'text object'],
    ['broken objects', ['{a}'], 'string(32) short'],
    ['short texts', ['a', 'bb'], 'string(32) short'],
    ['texts', ['x'.repeat(200)], 'string(255) short'],
    ['long texts', ['x'.repeat(256)], 'text long'],
    ['lines', ['a\nb'], 'text long'],
    ['a person called NULL', ['NULL', 'Smith'], 'string(32) short'],
    ['nothing', [null, null], 'string(255) null empty'],
    ['only NULL', ['NULL'], 'string(32) short'],
    ['mostly numbers', ['1', '2', '3', 'n/a'], 'string(32) mostlyNumbers'],
    ['mixed', ['1', 'true', '2024-01-01'], 'string(32) short'],
  ])('%s', (_, values, expected) => {
    expect(short(guess(values))).toBe(expected);
  });

  it('says which value decided', () => {
    expect(guess(['1', '2', 'n/a']).reason).toEqual({
      key: 'mostlyNumbers',
      count: 3,
      numbers: 2,
      example: 'n/a',
      longest: 3,
    });
  });

  it.each<[string, (string | null)[], JsonKind[], string]>([
    ['numbers', ['1', '2'], ['number'], 'integer whole'],
    ['numbers in quotes', ['1', '2'], ['text'], 'string(32) quoted'],
    ['numbers, some in quotes', ['1', '2'], ['text', 'number'], 'string(32) quoted'],
    ['yes in quotes', ['true'], ['text'], 'string(32) short'],
    ['dates', ['2024-01-01'], ['text'], 'date date'],
    ['objects and texts', ['{"a":1}', 'b'], ['object', 'text'], 'string(32) short'],
    ['booleans and numbers', ['true', '1'], ['boolean', 'number'], 'string(32) short'],
    ['an empty text', ['', 'a'], ['text'], 'string(32) short'],
    ['no value', [null], [], 'string(255) null empty'],
  ])('of JSON: %s', (_, values, kinds, expected) => {
    expect(short(guess(values, 'value', kinds))).toBe(expected);
  });

  it('is JSON where the database has it', () => {
    expect(short(guess(['{"a":1}'], 'value', ['object'], true))).toBe('json object');
  });

  it.each<[string, (string | null)[], ColumnType, boolean]>([
    ['id', ['1', '2'], 'id', true],
    ['id', ['1', '1'], 'integer', false],
    ['id', ['1', null], 'integer', false],
    ['number', ['1', '2'], 'integer', false],
    ['id', ['2147483648', '1'], 'bigint', true],
    ['id', ['a', 'b'], 'string', true],
    ['id', ['a', 'A'], 'string', false],
    ['uuid', ['6f9619ff-8b86-d011-b42d-00c04fc964ff'], 'string', true],
  ])('a column named %s with %j is of type %s, a key: %s', (name, values, type, isKey) => {
    expect(guess(values, name)).toMatchObject({ type, isPrimaryKey: isKey });
  });

  it('is one that every value fits', () => {
    const shapes = fc.oneof(
      fc.bigInt().map(String),
      fc.integer().map(String),
      fc.double().map(String),
      fc.float({ noNaN: true }).map((value) => value.toFixed(3)),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
      fc.boolean().map(String),
      fc.uuid(),
      fc.json(),
      fc.string(),
      fc.stringMatching(/^-?\d{0,4}([.,:-]\d{0,4}){0,3}$/),
    );
    const column = fc.oneof(
      fc.array(fc.option(shapes)),
      ...[fc.integer().map(String), fc.double().map(String), fc.string()].map((shape) => fc.array(fc.option(shape))),
    );
    const name = fc.constantFrom('id', 'value');
    fc.assert(
      fc.property(column, name, (values, name) => {
        const cells = values.map((value) => value || null);
        const found = guess(cells, name);
        const choice = { ...found, name, isUsed: true, guess: found };
        for (const cell of cells) expect([cell, fitCell(cell, choice)]).not.toEqual([cell, undefined]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is sent', () => {
  it.each<[string, ColumnType, unknown]>([
    ['5', 'integer', 5],
    ['2147483648', 'integer', null],
    ['9007199254740991', 'bigint', 9007199254740991],
    ['9007199254740993', 'bigint', '9007199254740993'],
    ['1.50', 'decimal', '1.50'],
    ['7', 'decimal', '7'],
    ['1e5', 'decimal', null],
    ['1e5', 'double', 100000],
    ['1e999', 'double', null],
    ['Yes', 'boolean', true],
    ['0', 'boolean', false],
    ['maybe', 'boolean', null],
    ['1.2.2024', 'date', '2024-02-01'],
    ['8:30', 'time', '08:30:00'],
    ['2024-01-01', 'datetime', '2024-01-01 00:00:00'],
    ['2024-01-01T10:00', 'datetime', '2024-01-01 10:00:00'],
    ['2024-01-01T00:30:00.5+02:00', 'datetime', '2023-12-31 22:30:00.5'],
    ['2024-01-01T00:30:00-0130', 'datetime', '2024-01-01 02:00:00'],
    ['2024-01-01T00:30:00+02', 'datetime', '2023-12-31 22:30:00'],
    ['31.1.2024 9:00', 'datetime', null],
    ['31.1.2024 09:00', 'datetime', '2024-01-31 09:00:00'],
    [' a ', 'string', ' a '],
    ['{"a":1}', 'json', '{"a":1}'],
    ['{', 'json', null],
  ])('%j as %s: %j', (text, type, value) => {
    expect(parseAs(text, type)).toBe(value);
  });

  it('reads a comma before the fraction where the column has it', () => {
    expect(parseAs('1.234,50', 'decimal', ',')).toBe('1234.50');
    expect(parseAs('1.234', 'decimal', ',')).toBe('1234');
    expect(parseAs('-0,5', 'double', ',')).toBe(-0.5);
    expect(parseAs('1,5', 'decimal')).toBeNull();
  });
});

describe('the first row', () => {
  it.each<[boolean, string[][]]>([
    [
      true,
      [
        ['id', 'name'],
        ['1', 'Ada'],
      ],
    ],
    [
      true,
      [
        ['name', 'town'],
        ['Ada', 'London'],
        ['Bob', 'Rome'],
      ],
    ],
    [
      true,
      [
        ['id', ''],
        ['1', 'x'],
      ],
    ],
    [
      false,
      [
        ['1', 'Ada'],
        ['2', 'Bob'],
      ],
    ],
    [
      false,
      [
        ['Ada', '2024-01-01'],
        ['Bob', '2024-01-02'],
      ],
    ],
    [
      false,
      [
        ['Ada', 'London'],
        ['Bob', 'London'],
      ],
    ],
    [
      true,
      [
        ['a', 'A'],
        ['1', '2'],
      ],
    ],
    [
      false,
      [
        ['Ada', 'Ada'],
        ['Bob', 'Cy'],
      ],
    ],
    [false, [['name', 'town']]],
    [
      false,
      [
        ['', ''],
        ['1', '2'],
      ],
    ],
  ])('names the columns: %s, of %j', (expected, rows) => {
    expect(hasHeader(rows)).toBe(expected);
  });
});

describe('names', () => {
  it.each([
    ['First Name', 'first_name'],
    ['orderID', 'order_id'],
    ['HTTPStatus', 'http_status'],
    ['Größe (cm)', 'groesse_cm'],
    ['café-crème', 'cafe_creme'],
    ['  a  b ', 'a_b'],
    ['2nd', 'n_2nd'],
    ['日本', ''],
    ['constructor', 'constructor'],
    ['%', ''],
  ])('%j becomes %j', (heading, name) => {
    expect(toName(heading)).toBe(name);
  });

  it('are valid and different, whatever the headings are', () => {
    const headings = fc.array(fc.option(fc.oneof(fc.string(), fc.constantFrom('a', 'A', 'a_2', 'x'.repeat(80)))));
    fc.assert(
      fc.property(headings, (list) => {
        const names = toFieldNames(list);
        expect(new Set(names).size).toBe(list.length);
        for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,62}$/);
      }),
    );
  });

  it('of a table come from a file', () => {
    expect(toTableName('C:\\data\\Order Items 2024.csv')).toBe('order_items_2024');
    expect(uniqueName('id', new Set(['id', 'id_2']))).toBe('id_3');
  });
});
