// Types of PostgreSQL: how the wire shows them, and how their texts become JSON.
import type { SimpleType } from '@sluice/contract';
import { wireColumn } from '../../convert/wire.ts';
import type { Column } from '../../schema/index.ts';
import { type TextWriter, textWriters, writeNumber, writeText } from '../network/index.ts';

/** A type as `format_type` prints it, taken apart: `numeric(10,2)` → name `numeric`, sizes 10 and 2. */
export interface NativeType {
  text: string;
  /** Without sizes: `timestamp with time zone`. */
  name: string;
  isArray: boolean;
  length: number | null;
  precision: number | null;
  scale: number | null;
}

/** Contract/database-schema.md §2: `precision` is set with one size also. */
export function nativeType(text: string): NativeType {
  const sizes = /\((\d+)(?:,(-?\d+))?\)/.exec(text);
  const length = sizes ? Number(sizes[1]) : null;
  return {
    text,
    name: text.replace(/\([\d,-]+\)/, '').replace(/(\[\])+$/, ''),
    isArray: text.endsWith('[]'),
    length,
    precision: length,
    scale: sizes?.[2] === undefined ? null : Number(sizes[2]),
  };
}

const simpleTypes = new Map<string, SimpleType>(
  Object.entries({
    boolean: 'boolean',
    smallint: 'integer',
    integer: 'integer',
    oid: 'integer',
    bigint: 'bigint',
    numeric: 'decimal',
    money: 'money',
    real: 'double',
    'double precision': 'double',
    date: 'date',
    'time without time zone': 'time',
    'time with time zone': 'timetz',
    'timestamp without time zone': 'timestamp',
    'timestamp with time zone': 'timestamptz',
    bytea: 'binary',
    uuid: 'uuid',
  }),
);

/** Names of the types that are told apart. */
export const typeNames: readonly string[] = [...simpleTypes.keys()];

/** The simple type of a native type (contract/database-schema.md §5, "PostgreSQL differs"). Enums, ranges and all else are texts. */
export function simpleType({ name, isArray, length }: NativeType): SimpleType {
  if (isArray) return 'string';
  // One bit is a truth value; more of them are a text that a truth value would cut.
  if (name === 'bit' && length === 1) return 'boolean';
  return simpleTypes.get(name) ?? 'string';
}

/** How the text PostgreSQL prints for a column becomes JSON. */
export function writerOf(column: Column): TextWriter {
  const { kind } = wireColumn(column);
  if (kind === 'binary') return writeBytes;
  if (column.description.type === 'money') return writeMoney;
  return column.description.db_type === 'boolean' ? writeBoolean : textWriters[kind];
}

const writeBoolean: TextWriter = (text) => (text === 't' ? 'true' : text === 'f' ? 'false' : textWriters.boolean(text));

/** `\x00ff` → base64. Where the column has become one of texts since it was described, the text. */
const writeBytes: TextWriter = (text) =>
  text.startsWith('\\x') ? `"${Buffer.from(text.slice(2), 'hex').toString('base64')}"` : writeText(text);

/** `-$1,234.50`, as connections print it (driver.ts, `lc_monetary`). */
const writeMoney: TextWriter = (text) =>
  /^-?\$[\d,.]+$/.test(text) ? writeNumber(text.replace(/[$,]/g, '')) : writeNumber(text);
