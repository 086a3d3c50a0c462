// The words of SQLite for the simple types (contract/database-schema.md §5, column sqlite).
import type { DefaultDefinition, DescribedType, TypeDefinition } from '../../../change/index.ts';
import { isFixedLength, isMultibyte, nativeType, simpleType } from '../types.ts';
import { isFragment, quoteText } from './tokens.ts';

const sizes = ({ length, scale }: TypeDefinition): string =>
  length === null ? '' : scale === null ? `(${length})` : `(${length},${scale})`;

function characterWord({ length, isFixedLength, isMultibyte }: TypeDefinition): string {
  const word = isFixedLength ? (isMultibyte ? 'nchar' : 'char') : isMultibyte ? 'nvarchar' : 'varchar';
  return `${word}(${length ?? 255})`;
}

const words = new Map<string, string | ((type: TypeDefinition) => string)>(
  Object.entries({
    id: 'integer',
    bigid: 'bigint',
    mediumid: 'mediumint',
    smallid: 'smallint',
    reference: 'integer',
    user_id: 'integer',
    user_id_on_create: 'integer',
    user_id_on_update: 'integer',
    integer: 'integer',
    tinyint: 'tinyint',
    smallint: 'smallint',
    mediumint: 'mediumint',
    bigint: 'bigint',
    boolean: 'tinyint(1)',
    string: characterWord,
    text: 'text',
    mediumtext: 'mediumtext',
    longtext: 'longtext',
    binary: 'blob',
    float: (type: TypeDefinition) => `float${sizes(type)}`,
    double: 'double',
    decimal: (type: TypeDefinition) => `decimal${sizes(type)}`,
    money: 'decimal(19,4)',
    date: 'date',
    time: 'time',
    timetz: 'timetz',
    datetime: 'datetime',
    datetimetz: 'datetimetz',
    timestamp: 'timestamp',
    timestamptz: 'timestamptz',
    timestamp_on_create: 'timestamp',
    timestamp_on_update: 'timestamp',
    uuid: 'uuid',
    timeuuid: 'uuid',
    json: 'json',
    jsonb: 'jsonb',
    // What parameters of routines may be, and no engine has a column of: kept as text.
    array: 'text',
    object: 'text',
    row: 'text',
    table: 'text',
    column: 'text',
    ref_cursor: 'text',
  }),
);

/** Words that declare a type in the files there are, with sizes behind them or without. */
const nativeWords = new Set(
  [
    ...['int', 'int2', 'int4', 'int8', 'big int', 'unsigned big int', 'serial', 'bigserial', 'varint'],
    ...['int unsigned', 'integer unsigned', 'tinyint unsigned', 'smallint unsigned', 'bigint unsigned'],
    ...['char', 'character', 'varchar', 'character varying', 'varying character', 'nchar', 'nvarchar'],
    ...['native character', 'national char', 'national character', 'national varchar', 'national character varying'],
    ...['tinytext', 'clob', 'blob', 'tinyblob', 'mediumblob', 'longblob', 'varbinary', 'bool', 'bit', 'any'],
    ...['real', 'double precision', 'numeric', 'dec', 'datetimeoffset', 'smalldatetime', 'smallmoney'],
    ...['timestamp with time zone', 'timestamp without time zone', 'time with time zone', 'time without time zone'],
    ...words.keys(),
  ].filter((word) => !['array', 'object', 'row', 'table', 'column', 'ref_cursor'].includes(word)),
);

const nativePattern = /^([a-z][a-z0-9_ ]*?)\s*(?:\(\s*\d{1,9}\s*(?:,\s*\d{1,9}\s*)?\))?$/;

/** Whether a type is a simple one, or of SQLite's usual words. */
export function isKnownType(type: string): boolean {
  const text = type.trim().toLowerCase().replace(/\s+/g, ' ');
  if (words.has(text)) return true;
  const name = text.length <= 100 ? nativePattern.exec(text)?.[1] : undefined;
  return name !== undefined && nativeWords.has(name);
}

/** How a field of a known type is described once it is there; undefined for any other type. */
export function describeType(type: TypeDefinition): DescribedType | undefined {
  if (!isKnownType(type.type)) return undefined;
  const native = nativeType(typeWord(type));
  return {
    type: simpleType(native),
    db_type: native.text,
    length: native.length,
    precision: native.precision,
    scale: native.scale,
    fixed_length: isFixedLength(native),
    supports_multibyte: isMultibyte(native),
  };
}

/** The type in SQLite's words; any other than a simple one is taken as it is. */
export function typeWord(type: TypeDefinition): string {
  const word = words.get(type.type.toLowerCase());
  return typeof word === 'function' ? word(type) : (word ?? type.type);
}

/** Whether a type brings `CURRENT_TIMESTAMP` as its default. */
export const bringsDefault = ({ type }: TypeDefinition): boolean => /^timestamp_on_(create|update)$/i.test(type);

/** The word of a STRICT table, which knows six, for one that it does not (https://sqlite.org/stricttables.html). */
export function strictWord(word: string): string {
  if (/^(int|integer|real|text|blob|any)$/i.test(word.trim())) return word;
  if (/int|bool|bit|serial/i.test(word)) return 'integer';
  if (/char|clob|text|date|time|json|uuid/i.test(word)) return 'text';
  if (/blob|binary/i.test(word)) return 'blob';
  return /real|floa|doub|dec|numeric|money/i.test(word) ? 'real' : word;
}

/** A default as SQL that may stand behind `DEFAULT`; undefined for one that cannot. */
export function defaultSql(value: DefaultDefinition): string | undefined {
  if ('expression' in value) {
    if (/^\s*current_(timestamp|date|time)\s*$/i.test(value.expression)) return value.expression.trim().toUpperCase();
    return isFragment(value.expression) && value.expression.trim() !== '' ? `(${value.expression})` : undefined;
  }
  // A statement ends at a NUL.
  return typeof value.value === 'string' && value.value.includes('\0') ? undefined : literal(value.value);
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : value > 0 ? '9e999' : '-9e999';
  return quoteText(value);
}
