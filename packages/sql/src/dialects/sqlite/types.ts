import type { SimpleType } from '@sluice/contract';

/** A native type taken apart: `decimal(10,2)` → name `decimal`, sizes 10 and 2. */
export interface NativeType {
  /** Lower case, with its parentheses; empty when the column has no type. */
  text: string;
  name: string;
  length: number | null;
  precision: number | null;
  scale: number | null;
}

/** Reads a type as declared (contract/database-schema.md §2: `length` is the first number, `precision` only with two). */
export function nativeType(declared: string): NativeType {
  const text = declared.trim().toLowerCase().replace(/\s+/g, ' ');
  const open = text.indexOf('(');
  const name = (open < 0 ? text : text.slice(0, open)).trim();
  const sizes =
    open < 0
      ? []
      : text
          .slice(open + 1)
          .split(',')
          .map((digits) => Number.parseInt(digits, 10));
  const [first, second] = sizes.map((size) => (Number.isNaN(size) ? null : size));
  const length = first ?? null;
  return { text, name, length, precision: second === undefined ? null : length, scale: second ?? null };
}

/** Exact names first, in the order of contract/database-schema.md §5; then what a name contains. */
const exact = new Map<string, SimpleType>(
  Object.entries({
    bit: 'boolean',
    decimal: 'decimal',
    numeric: 'decimal',
    percent: 'decimal',
    real: 'float',
    tinyint: 'integer',
    smallint: 'integer',
    mediumint: 'integer',
    int: 'integer',
    integer: 'integer',
    serial: 'integer',
    int2: 'integer',
    int4: 'integer',
    bigint: 'bigint',
    varint: 'bigint',
    bigserial: 'bigint',
    int8: 'bigint',
    'big int': 'bigint',
    datetimeoffset: 'timestamp',
    date: 'date',
    uuid: 'uuid',
  }),
);
const containing: [RegExp, SimpleType][] = [
  [/^bool/, 'boolean'],
  [/double/, 'double'],
  [/float/, 'float'],
  [/money/, 'decimal'],
  [/timestamp/, 'timestamp'],
  [/datetime/, 'datetime'],
  [/time/, 'time'],
  [/binary|blob/, 'binary'],
  [/clob|text/, 'text'],
];

/** Names of the types that are told apart. */
export const typeNames: readonly string[] = [...exact.keys()];

/** The simple type of a native type (contract/database-schema.md §5, column sqlite). */
export function simpleType(type: NativeType): SimpleType {
  const name = type.name
    .replace(/\b(un)?signed\b|\bzerofill\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (/^(var)?char$/.test(name) && /\(\s*(max|-1)\s*\)/.test(type.text)) return 'text';
  const simple = exact.get(name) ?? containing.find(([pattern]) => pattern.test(name))?.[1] ?? 'string';
  if (simple === 'integer' && type.length === 1) return 'boolean';
  if (simple === 'float' && type.length === 53) return 'double';
  return simple;
}

/** `char(10)` and `nchar(10)`, but not `varchar(10)`. */
export const isFixedLength = (type: NativeType): boolean => /^(n|native |national )?char(acter)?$/.test(type.name);

/** National characters. */
export const isMultibyte = (type: NativeType): boolean => /^(nvarchar|nchar|native|national)/.test(type.name);
