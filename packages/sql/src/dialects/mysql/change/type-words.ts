// The word of the server for a type (contract/database-schema.md §5, column mysql), and which types it is known to have.
import type { DescribedType, TypeDefinition } from '../../../change/index.ts';
import type { ServerFacts } from '../driver.ts';
import { isFixedLength, nativeType, simpleType } from '../types.ts';
import type { Clause } from './column-text.ts';

/** A type, with what it brings along. */
export interface TypeWord {
  sql: string;
  /** The column's own key, which the server counts up. */
  isCountedKey?: true;
  /** Defaults to the moment a record is made. */
  isNow?: true;
  /** Becomes the moment a record is changed. */
  isOnUpdate?: true;
}

export interface TypeContext {
  facts: ServerFacts;
  /** The character set that a column gets by itself holds every character. */
  isUnicode: boolean;
  /** The type of the column that a reference is to. */
  target?: string;
}

type Word = (type: TypeDefinition, context: TypeContext) => string | TypeWord;

const sized = (name: string, length: number | null, scale: number | null = null): string =>
  length === null ? name : scale === null ? `${name}(${length})` : `${name}(${length},${scale})`;

const fixed =
  (sql: string): Word =>
  () =>
    sql;
/** A fraction of a second may be given as a length. */
const moment =
  (name: string): Word =>
  ({ length }) =>
    sized(name, length !== null && length >= 1 && length <= 6 ? length : null);
/** Of an integer the length is how wide it is shown; with 1 it would be a boolean. */
const integer =
  (name: string, width: number): Word =>
  ({ length }) =>
    sized(name, length !== null && length > 1 ? length : width);
const counted =
  (sql: string): Word =>
  () => ({ sql, isCountedKey: true });
const uuid: Word = (_, { facts }) => (facts.hasUuid ? 'uuid' : 'char(36)');

const string: Word = ({ length, isFixedLength, isMultibyte }, { isUnicode }) => {
  const sql = sized(isFixedLength ? 'char' : 'varchar', length ?? 255);
  return isMultibyte && !isUnicode ? `${sql} character set utf8mb4` : sql;
};

const simpleWords = new Map<string, Word>(
  Object.entries<Word>({
    id: counted('int(11)'),
    bigid: counted('bigint(20)'),
    mediumid: counted('mediumint(9)'),
    smallid: counted('smallint(6)'),
    reference: (_, { target }) => target ?? 'int(11)',
    user_id: fixed('int(11)'),
    user_id_on_create: fixed('int(11)'),
    user_id_on_update: fixed('int(11)'),
    boolean: fixed('tinyint(1)'),
    tinyint: integer('tinyint', 4),
    smallint: integer('smallint', 6),
    mediumint: integer('mediumint', 9),
    integer: integer('int', 11),
    bigint: integer('bigint', 20),
    decimal: ({ length, scale }) => sized('decimal', length, scale),
    money: ({ length, scale }) => sized('decimal', length ?? 19, length === null ? 4 : scale),
    float: ({ length, scale }) => sized('float', length, scale),
    // A double has both sizes or none.
    double: ({ length, scale }) => (scale === null ? 'double' : sized('double', length, scale)),
    string,
    text: fixed('text'),
    mediumtext: fixed('mediumtext'),
    longtext: fixed('longtext'),
    binary: ({ length, isFixedLength }) => sized(isFixedLength ? 'binary' : 'varbinary', length ?? 255),
    date: fixed('date'),
    time: moment('time'),
    timetz: moment('time'),
    datetime: moment('datetime'),
    datetimetz: moment('datetime'),
    timestamp: moment('timestamp'),
    timestamptz: moment('timestamp'),
    timestamp_on_create: (type, context) => ({ sql: String(moment('timestamp')(type, context)), isNow: true }),
    timestamp_on_update: (type, context) => ({
      sql: String(moment('timestamp')(type, context)),
      isNow: true,
      isOnUpdate: true,
    }),
    json: fixed('json'),
    jsonb: fixed('json'),
    array: fixed('json'),
    object: fixed('json'),
    uuid,
    timeuuid: uuid,
    // What routines take and give, as text.
    column: fixed('text'),
    ref_cursor: fixed('text'),
    row: fixed('text'),
    table: fixed('text'),
  }),
);

/** The word for a type. What is neither simple nor a bare native name is written as it is. */
export function typeWord(type: TypeDefinition, context: TypeContext): TypeWord {
  const name = type.type.trim().toLowerCase();
  const word = simpleWords.get(name)?.(type, context) ?? sizedNative(name, type) ?? type.type.trim();
  return typeof word === 'string' ? { sql: word } : word;
}

/** A native name without its sizes takes those beside it where it needs them. */
function sizedNative(name: string, { length }: TypeDefinition): string | undefined {
  return /^(?:n?varchar|n?char|varbinary|national (?:var)?char|character varying)$/.test(name)
    ? sized(name, length ?? 255)
    : undefined;
}

const size = String.raw`\s*\(\s*\d{1,5}\s*\)`;
const sizes = String.raw`\s*\(\s*\d{1,3}\s*(?:,\s*\d{1,2}\s*)?\)`;
const sign = String.raw`(?:\s+(?:unsigned|signed))?(?:\s+zerofill)?`;
const words = String.raw`\s*\(\s*'(?:[^'\\]|'')*'(?:\s*,\s*'(?:[^'\\]|'')*')*\s*\)`;
const shapes = 'geometry|point|linestring|polygon|multipoint|multilinestring|multipolygon|geometrycollection';

/** No blank line, comment or statement fits in any of them. */
const nativePatterns = [
  `(?:tinyint|smallint|mediumint|int|integer|bigint|int[1-48])(?:${size})?${sign}`,
  `(?:decimal|numeric|dec|fixed|float|double|double\\s+precision|real)(?:${sizes})?${sign}`,
  `(?:bool|boolean|serial|date|tinytext|mediumtext|longtext|tinyblob|mediumblob|longblob|json|${shapes})`,
  `(?:bit|datetime|timestamp|time|year|text|blob)(?:${size})?`,
  `(?:n?char|n?varchar|binary|varbinary|national\\s+(?:var)?char|character(?:\\s+varying)?)(?:${size})?`,
  `(?:enum|set)${words}`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

const mariaDbTypes = /^(?:uuid|inet[46])$/i;
/** Longer than any type but a list of words. */
const maxTypeLength = 4000;

export function isKnownType(type: string, { isMariaDb }: ServerFacts): boolean {
  const text = type.trim();
  if (text.length > maxTypeLength) return false;
  return (
    simpleWords.has(text.toLowerCase()) ||
    nativePatterns.some((pattern) => pattern.test(text)) ||
    (isMariaDb && mariaDbTypes.test(text))
  );
}

/** Other words for types, as the server shows them; those of integers with the width they are shown in. */
const shownWords: [RegExp, string][] = [
  [/^(?:integer|int4|int)(?!\w)/, 'int'],
  [/^int1(?!\w)/, 'tinyint'],
  [/^int2(?!\w)/, 'smallint'],
  [/^int3(?!\w)/, 'mediumint'],
  [/^int8(?!\w)/, 'bigint'],
  [/^(?:bool|boolean)$/, 'tinyint(1)'],
  [/^(?:numeric|dec|fixed)(?!\w)/, 'decimal'],
  [/^(?:double\s+precision|real)(?!\w)/, 'double'],
  [/^(?:nvarchar|national\s+varchar|character\s+varying)(?!\w)/, 'varchar'],
  [/^(?:nchar|national\s+char|character)(?!\w)/, 'char'],
  [/^json$/, 'longtext'],
  [/^serial$/, 'bigint(20) unsigned'],
];
const widths = new Map(
  Object.entries({ tinyint: 4, smallint: 6, mediumint: 9, int: 11, bigint: 20, bit: 1, char: 1, binary: 1, year: 4 }),
);

/** How a field of a known type is described once it is there; undefined for any other type. */
export function describeType(type: TypeDefinition, facts: ServerFacts): DescribedType | undefined {
  if (!isKnownType(type.type, facts)) return undefined;
  const { sql } = typeWord(type, { facts, isUnicode: true });
  let text = /^(?:enum|set)\b/i.test(sql) ? sql : sql.toLowerCase().replace(/\s+(?=\()|(?<=[(,])\s+/g, '');
  for (const [pattern, word] of shownWords) text = text.replace(pattern, word);
  const [, name = '', rest = ''] = /^([a-z]+)(.*)$/s.exec(text) ?? [];
  const width = widths.get(name);
  if (!rest.startsWith('(') && width !== undefined) text = `${name}(${width})${rest}`;
  if (name === 'decimal' && !rest.startsWith('(')) text = `decimal(10,0)${rest}`;
  else if (name === 'decimal') text = text.replace(/^decimal\((\d+)\)/, 'decimal($1,0)');
  const native = nativeType(text);
  return {
    type: simpleType(native),
    db_type: native.text,
    length: native.length,
    precision: native.precision,
    scale: native.scale,
    fixed_length: isFixedLength(native),
    supports_multibyte: false,
  };
}

/** What a type was made of, for a column that references another: type and character set. */
export const typeOfClauses = (clauses: readonly Clause[]): string =>
  clauses.flatMap(({ kind, text }) => (['type', 'charset', 'collation'].includes(kind) ? [text] : [])).join(' ');
