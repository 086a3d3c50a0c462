// Types as they are written into DDL (contract/database-schema.md §5) and what of them is known
// (https://www.postgresql.org/docs/current/datatype.html).
import { type DescribedType, foldType, type TypeDefinition } from '../../../change/index.ts';
import { nativeType, simpleType } from '../types.ts';

const sized = (name: string) => (type: TypeDefinition) =>
  type.length === null ? name : `${name}(${type.scale === null ? type.length : `${type.length},${type.scale}`})`;

/** Fractions of a second. */
const timed =
  (name: string, zone = '') =>
  ({ length }: TypeDefinition) =>
    `${name}${length === null ? '' : `(${length})`}${zone}`;

const characters = ({ length, isFixedLength, isMultibyte }: TypeDefinition) =>
  `${isMultibyte ? 'national character' : 'character'}${isFixedLength ? '' : ' varying'}(${length ?? 255})`;

/** Every simple type, and its word. */
const simpleTypes: Readonly<Record<string, string | ((type: TypeDefinition) => string)>> = {
  id: 'integer',
  bigid: 'bigint',
  mediumid: 'integer',
  smallid: 'smallint',
  reference: 'integer',
  user_id: 'integer',
  user_id_on_create: 'integer',
  user_id_on_update: 'integer',
  tinyint: 'smallint',
  smallint: 'smallint',
  mediumint: 'integer',
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  float: 'real',
  double: 'double precision',
  decimal: sized('decimal'),
  money: 'money',
  string: characters,
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  column: 'text',
  binary: 'bytea',
  date: 'date',
  time: timed('time'),
  timetz: timed('time', ' with time zone'),
  datetime: timed('timestamp'),
  datetimetz: timed('timestamp', ' with time zone'),
  timestamp: timed('timestamp'),
  timestamptz: timed('timestamp', ' with time zone'),
  timestamp_on_create: timed('timestamp'),
  timestamp_on_update: timed('timestamp'),
  uuid: 'uuid',
  timeuuid: 'uuid',
  json: 'json',
  jsonb: 'jsonb',
  object: 'jsonb',
  array: 'jsonb',
  row: 'jsonb',
  table: 'jsonb',
  ref_cursor: 'refcursor',
};

/** A type as DDL says it. What is no simple type stays as it was written. */
export function typeSql(type: TypeDefinition): string {
  const simple = Object.hasOwn(simpleTypes, type.type.toLowerCase()) ? simpleTypes[type.type.toLowerCase()] : undefined;
  return typeof simple === 'function' ? simple(type) : (simple ?? type.type);
}

/** The default that a simple type brings along. */
export const ownDefault = ({ type }: TypeDefinition): string | null =>
  /^timestamp_on_(create|update)$/i.test(type) ? 'CURRENT_TIMESTAMP' : null;

const serials = new Map([
  ['smallint', 'smallserial'],
  ['integer', 'serial'],
  ['bigint', 'bigserial'],
]);

/** A type that the database counts up; undefined where the type is not known to be whole numbers. */
export const serialSql = (type: TypeDefinition): string | undefined => serials.get(canonicalType(typeSql(type)));

/** Other words for types, as the database prints them. */
const canonicalNames: Readonly<Record<string, string>> = {
  varchar: 'character varying',
  'char varying': 'character varying',
  'national character varying': 'character varying',
  'national char varying': 'character varying',
  'nchar varying': 'character varying',
  char: 'character',
  nchar: 'character',
  'national character': 'character',
  'national char': 'character',
  varbit: 'bit varying',
  int: 'integer',
  int4: 'integer',
  int2: 'smallint',
  int8: 'bigint',
  serial4: 'serial',
  serial2: 'smallserial',
  serial8: 'bigserial',
  bool: 'boolean',
  float4: 'real',
  float8: 'double precision',
  decimal: 'numeric',
  dec: 'numeric',
};

/** How many sizes a type takes at most. */
const sizesOf: Readonly<Record<string, number>> = {
  'character varying': 1,
  character: 1,
  bpchar: 1,
  bit: 1,
  'bit varying': 1,
  float: 1,
  interval: 1,
  numeric: 2,
};

const plainTypes = new Set(
  `smallint integer bigint smallserial serial bigserial real money text name "char" boolean bytea date uuid json jsonb jsonpath
   xml inet cidr macaddr macaddr8 point line lseg box path polygon circle tsvector tsquery oid refcursor pg_lsn txid_snapshot
   int4range int8range numrange tsrange tstzrange daterange`
    .split(/\s+/)
    .concat('double precision'),
);

/** Types of time: with a size in their middle and a zone behind. */
const zoned: Readonly<Record<string, string>> = {
  time: 'time',
  timetz: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
};

interface Parts {
  name: string;
  sizes: string[];
  zone: string | undefined;
  array: string;
}

function takeApart(type: string): Parts | undefined {
  const text = type.trim().replace(/\s+/g, ' ').toLowerCase();
  if (text.length > 100) return undefined;
  const parts =
    /^("char"|[a-z][a-z0-9_]*(?: [a-z]+)*?) ?(?:\( ?(\d+) ?(?:, ?(-?\d+) ?)?\))? ?(with time zone|without time zone)?((?: ?\[\d*\])*)$/.exec(
      text,
    );
  if (!parts) return undefined;
  const [, name = '', size, scale, zone, array = ''] = parts;
  return { name, sizes: [size, scale].filter((each) => each !== undefined), zone, array: array === '' ? '' : '[]' };
}

/**
 * A type as the database prints it: `varchar(40)` → `character varying(40)`. What is not known stays as it is, but for
 * letter case and blanks.
 */
export function canonicalType(type: string): string {
  const known = knownType(type);
  return known ?? foldType(type);
}

function knownType(type: string): string | undefined {
  const parts = takeApart(type);
  if (!parts) return undefined;
  const { sizes, zone, array } = parts;
  const timeType = Object.hasOwn(zoned, parts.name) ? zoned[parts.name] : undefined;
  if (timeType !== undefined) {
    if (sizes.length > 1 || (zone !== undefined && parts.name !== timeType)) return undefined;
    const hasZone = zone === 'with time zone' || parts.name !== timeType;
    return `${withSizes(timeType, sizes)} ${hasZone ? 'with' : 'without'} time zone${array}`;
  }
  if (zone !== undefined) return undefined;
  const name = Object.hasOwn(canonicalNames, parts.name) ? (canonicalNames[parts.name] as string) : parts.name;
  if (plainTypes.has(name))
    return sizes.length === 0 && !/serial/.test(name + array) ? `${name}${array}` : serialOnly(name, sizes, array);
  const maxSizes = Object.hasOwn(sizesOf, name) ? (sizesOf[name] as number) : -1;
  if (sizes.length > maxSizes) return undefined;
  if (name === 'float') return `${sizes.length === 1 && Number(sizes[0]) < 25 ? 'real' : 'double precision'}${array}`;
  if (name === 'numeric' && sizes.length === 1) sizes.push('0');
  if ((name === 'character' || name === 'bit') && sizes.length === 0) sizes.push('1');
  return `${withSizes(name, sizes)}${array}`;
}

const serialOnly = (name: string, sizes: string[], array: string) =>
  name.endsWith('serial') && sizes.length === 0 && array === '' ? name : undefined;

const withSizes = (name: string, sizes: string[]) => (sizes.length === 0 ? name : `${name}(${sizes.join(',')})`);

/** Whether a type is a simple one or one of PostgreSQL itself. */
export const isKnownType = (type: string): boolean =>
  Object.hasOwn(simpleTypes, type.trim().toLowerCase()) || knownType(type) !== undefined;

/** How a field of a known type is described once it is there; undefined for any other type. */
export function describeType(type: TypeDefinition): DescribedType | undefined {
  if (!isKnownType(type.type)) return undefined;
  const native = nativeType(canonicalType(typeSql(type)));
  return {
    type: simpleType(native),
    db_type: native.text,
    length: native.length,
    precision: native.precision,
    scale: native.scale,
    fixed_length: native.name === 'character',
    supports_multibyte: false,
  };
}
