import type { SimpleType } from '@sluice/contract';
import type { Column } from '../../schema/index.ts';

/** A native type taken apart: `decimal(10,2) unsigned` → name `decimal`, sizes 10 and 2. */
export interface NativeType {
  /** As the server writes it, which is lower case but for the words of an enum or a set. */
  text: string;
  name: string;
  length: number | null;
  precision: number | null;
  scale: number | null;
  isUnsigned: boolean;
}

/** Reads a column type (contract/database-schema.md §2: `length` is the first number, `precision` only with two). */
export function nativeType(columnType: string): NativeType {
  const text = columnType.trim();
  // The words of an enum or a set are no part of its name.
  const [, name = '', sizes = '', rest = ''] = /^([a-z0-9_ ]*[a-z0-9_])\s*(?:\(([\d\s,]*)\))?(.*)$/is.exec(text) ?? [];
  const [length = null, scale = null] = sizes.split(',').flatMap((size) => (size.trim() === '' ? [] : [Number(size)]));
  return {
    text,
    name: name.toLowerCase().replace(/\s+(unsigned|zerofill|signed).*$/, ''),
    length,
    precision: scale === null ? null : length,
    scale,
    isUnsigned: /\bunsigned\b/i.test(`${name}${rest.startsWith('(') ? '' : rest}`),
  };
}

const columnTypes = new WeakMap<Column, NativeType>();

/** The type of a column, taken apart once: a filter asks for it with each of thousands of values. */
export function typeOfColumn(column: Column): NativeType {
  let type = columnTypes.get(column);
  if (!type) {
    type = nativeType(column.description.db_type ?? '');
    columnTypes.set(column, type);
  }
  return type;
}

const simpleTypes = new Map<string, SimpleType>(
  Object.entries({
    bool: 'boolean',
    boolean: 'boolean',
    decimal: 'decimal',
    numeric: 'decimal',
    double: 'double',
    real: 'double',
    float: 'float',
    tinyint: 'integer',
    smallint: 'integer',
    mediumint: 'integer',
    int: 'integer',
    integer: 'integer',
    bigint: 'bigint',
    timestamp: 'timestamp',
    datetime: 'datetime',
    date: 'date',
    time: 'time',
    binary: 'binary',
    varbinary: 'binary',
    tinyblob: 'binary',
    blob: 'binary',
    mediumblob: 'binary',
    longblob: 'binary',
    tinytext: 'text',
    text: 'text',
    mediumtext: 'text',
    longtext: 'text',
    uuid: 'uuid',
  }),
);

const spatialTypes = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  'geomcollection',
]);

/** Names of the types that are told apart. */
export const typeNames: readonly string[] = [...simpleTypes.keys(), ...spatialTypes];

/**
 * The simple type of a native type (contract/database-schema.md §5, column mysql). Of `bit`, one bit is a boolean; more
 * of them are a number, as a boolean could not be put back. Shapes have no text form that keeps their reference system:
 * their bytes do.
 */
export function simpleType(type: NativeType): SimpleType {
  if (type.name === 'bit') return (type.length ?? 1) === 1 ? 'boolean' : 'bigint';
  if (isSpatial(type)) return 'binary';
  const simpleName = simpleTypes.get(type.name) ?? 'string';
  return simpleName === 'integer' && type.length === 1 ? 'boolean' : simpleName;
}

export const isSpatial = (type: NativeType): boolean => spatialTypes.has(type.name);

/** `char(10)`, but not `varchar(10)`. */
export const isFixedLength = (type: NativeType): boolean => type.name === 'char' || type.name === 'binary';
