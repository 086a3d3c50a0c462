// Queries that count the records a change would not fit, or would lose.
import type { FieldDefinition, MisfitProblem } from '../../../change/index.ts';
import type { PlannedChange } from '../../network/index.ts';
import { nativeType } from '../types.ts';
import { clauseText } from './column-text.ts';
import { isNullable } from './fields.ts';
import { quoteName, quoteNames, quoteTable } from './quoting.ts';
import type { ColumnText, Native } from './table-text.ts';

export type Check = PlannedChange['checks'][number];

const countWhere = (native: Native, condition: string): string =>
  `select count(*) from ${quoteTable(native)} where ${condition}`;

const check = (field: string, problem: MisfitProblem, sql: string): Check => ({ field, problem, sql });

/** Types without a value that could stand for none. */
const withoutEmptyValue =
  /^(?:date|datetime|timestamp|json|geometry|point|linestring|polygon|multi\w+|geometrycollection)\b/i;

/** What a new field needs of the records there are. */
export function checksOfNew(native: Native, field: FieldDefinition, column: ColumnText, isReference: boolean): Check[] {
  const { clauses, name } = column;
  const isCounted = clauseText(clauses, 'autoIncrement') !== undefined;
  const value = clauseText(clauses, 'default');
  if (isCounted || clauseText(clauses, 'computed') !== undefined) return [];
  const isNull = isNullable(clauses) && (value === undefined || /^default null$/i.test(value));
  const type = clauseText(clauses, 'type') ?? '';
  if (!isNullable(clauses) && value === undefined && (isReference || withoutEmptyValue.test(type)))
    return [check(name, 'noValue', countWhere(native, 'true'))];
  // All records would have the same value.
  const isOne = (field.isUnique || field.isPrimaryKey) && !isNull && !/\(\)/.test(value ?? '');
  return isOne ? [check(name, 'duplicate', `select count(*) > 1 from ${quoteTable(native)}`)] : [];
}

/** Records without a value. */
export const checkValues = (native: Native, name: string): Check =>
  check(name, 'noValue', countWhere(native, `${quoteName(name)} is null`));

/** Values that occur more than once, as the columns compare. */
export const checkDuplicates = (native: Native, names: readonly string[]): Check =>
  check(
    names.join(', '),
    'duplicate',
    `select count(*) from (select 1 from ${quoteTable(native)} where ${names.map((name) => `${quoteName(name)} is not null`).join(' and ')} group by ${quoteNames(names)} having count(*) > 1) as duplicates`,
  );

/** Records that reference nothing. `target` is undefined where the table is only to be made. */
export function checkTargets(
  native: Native,
  names: readonly string[],
  target: { native: Native; names: readonly string[] } | undefined,
): Check {
  const conditions = names.map((name) => `record.${quoteName(name)} is not null`);
  if (target) {
    const matches = names.map(
      (name, index) => `target.${quoteName(target.names[index] ?? '')} = record.${quoteName(name)}`,
    );
    conditions.push(`not exists (select 1 from ${quoteTable(target.native)} as target where ${matches.join(' and ')})`);
  }
  return check(
    names.join(', '),
    'noTarget',
    `select count(*) from ${quoteTable(native)} as record where ${conditions.join(' and ')}`,
  );
}

const ranges = new Map([
  ['tinyint', 8n],
  ['smallint', 16n],
  ['mediumint', 24n],
  ['int', 32n],
  ['integer', 32n],
  ['bigint', 64n],
]);
/** Bytes. */
const capacities = new Map([
  ['tinytext', 255],
  ['text', 65_535],
  ['mediumtext', 16_777_215],
  ['tinyblob', 255],
  ['blob', 65_535],
  ['mediumblob', 16_777_215],
]);
const numbers = new Set([...ranges.keys(), 'decimal', 'numeric', 'float', 'double', 'bit', 'year', 'bool', 'boolean']);
const texts = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set']);
const moments = new Set(['date', 'datetime', 'timestamp']);

const wholeNumber = `'^[[:space:]]*[-+]?[0-9]+[[:space:]]*$'`;
const anyNumber = `'^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[[:space:]]*$'`;

/** What a column of another type needs of the values there are. What is not told apart here the server refuses. */
export function checksOfType(native: Native, name: string, oldType: string, newType: string): Check[] {
  const [from, to] = [nativeType(oldType), nativeType(newType)];
  const column = quoteName(name);
  const counts = (problem: MisfitProblem, condition: string): Check[] => [
    check(name, problem, countWhere(native, condition)),
  ];
  const isText = texts.has(from.name);

  if ((to.name === 'varchar' || to.name === 'char') && to.length !== null)
    return counts('tooLong', `char_length(${isText ? column : `cast(${column} as char)`}) > ${to.length}`);
  if ((to.name === 'varbinary' || to.name === 'binary') && to.length !== null)
    return counts('tooLong', `octet_length(${column}) > ${to.length}`);
  const capacity = capacities.get(to.name);
  if (capacity !== undefined) return counts('tooLong', `octet_length(${column}) > ${capacity}`);

  if (ranges.has(to.name) && (isText || numbers.has(from.name))) {
    const range = rangeOf(to.name, to.isUnsigned);
    if (!isText) return counts('wrongType', `round(${exact(column, from.name)}) not ${range}`);
    return counts('wrongType', `not ${column} regexp ${wholeNumber} or cast(${column} as decimal(65)) not ${range}`);
  }
  if (to.name === 'decimal' || to.name === 'numeric') {
    const scale = to.scale ?? 0;
    const limit = `1${'0'.repeat(Math.max(0, (to.precision ?? to.length ?? 10) - scale))}`;
    const tooLarge = (value: string) => `abs(round(${value}, ${scale})) >= ${limit}`;
    if (numbers.has(from.name)) return counts('tooLong', tooLarge(column));
    if (isText)
      return [
        ...counts('wrongType', `not ${column} regexp ${anyNumber}`),
        ...counts(
          'tooLong',
          `${column} regexp ${anyNumber} and ${tooLarge(`cast(${column} as decimal(65, ${Math.min(30, scale)}))`)}`,
        ),
      ];
  }
  if ((to.name === 'float' || to.name === 'double') && isText)
    return counts('wrongType', `not ${column} regexp ${anyNumber}`);
  if (moments.has(to.name) && (isText || numbers.has(from.name)))
    return counts('wrongType', `${column} is not null and cast(${column} as datetime(6)) is null`);
  if (to.name === 'time' && isText)
    return counts('wrongType', `${column} is not null and cast(${column} as time(6)) is null`);
  return [];
}

/** Bits are bytes unless they are counted with. */
const exact = (column: string, type: string): string => (type === 'bit' ? `(${column} + 0)` : column);

function rangeOf(type: string, isUnsigned: boolean): string {
  const bits = ranges.get(type) as bigint;
  const [lowest, highest] = isUnsigned ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  return `between ${lowest} and ${highest}`;
}

export const lossOfField = (native: Native, name: string): PlannedChange['losses'][number] => ({
  field: name,
  sql: `select count(${quoteName(name)}) from ${quoteTable(native)}`,
});

export const lossOfTable = (native: Native): PlannedChange['losses'][number] => ({
  field: null,
  sql: `select count(*) from ${quoteTable(native)}`,
});
