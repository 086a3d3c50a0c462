// From the database to the wire (contract/database-tables.md §9). This file is also loaded by the database processes:
// it imports types only. How a column is converted is data, so that it can be handed to them.

import type { Row, Rows, RowWithKeys } from '../query/index.ts';
import type { Column } from '../schema/index.ts';

/** How the values of a column go out. `any` is for columns without a type: as the database has them. */
export type WireKind = 'boolean' | 'number' | 'text' | 'binary' | 'any';

/** A column as the wire sees it. */
export interface WireColumn {
  name: string;
  kind: WireKind;
}

const numberTypes = new Set<string>([
  'id',
  'integer',
  'bigint',
  'reference',
  'user_id',
  'user_id_on_create',
  'user_id_on_update',
  'float',
  'double',
  'decimal',
  'money',
]);

export function wireColumn(column: Column): WireColumn {
  const { type, db_type } = column.description;
  const kind =
    db_type === '' ? 'any' : type === 'boolean' || type === 'binary' ? type : numberTypes.has(type) ? 'number' : 'text';
  return { name: column.name, kind };
}

/** A driver's value as the JSON value of the contract: numbers that would not round-trip become text, bytes base64. */
export function toWire(kind: WireKind, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (kind === 'binary') return toBase64(value);
  if (kind === 'boolean') return toBoolean(value);
  if (value instanceof Uint8Array) return toBase64(value);
  if (typeof value === 'string') return kind === 'number' ? exactNumber(value) : value;
  const exact = toNumber(value);
  return kind === 'text' ? String(exact) : exact;
}

/**
 * A number in a driver's text form: a number if it round-trips exactly, trailing zeros aside, else the text. Up to 15
 * digits always do.
 */
export function exactNumber(text: string): number | string {
  const parts = /^-?0*(\d*)(?:\.(\d*?)0*)?(e[+-]?\d+)?$/i.exec(text);
  if (!parts || text === '' || text === '-') return text;
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  const [, whole = '', fraction = '', exponent = ''] = parts;
  if (exponent === '' && fraction === '') return Number.isSafeInteger(value) ? value : text;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits.length <= 15) return value;
  const plain = `${text.startsWith('-') ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
  return String(value) === plain ? value : text;
}

function toNumber(value: unknown): number | string {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString();
  }
  // JSON has no infinity.
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value);
}

const trueWords = new Set(['true', '1', 'yes', 'on', 'y', 't']);

/** What `truth` of a grammar finds; they say the same. */
function toBoolean(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return value !== 0n;
  return value === true || (typeof value === 'string' && trueWords.has(value.toLowerCase()));
}

const toBase64 = (value: unknown): string =>
  (value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(String(value))
  ).toString('base64');

/** One row of a driver, values in the order of the columns. */
export function wireRow(columns: readonly WireColumn[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach((column, i) => {
    row[column.name] = toWire(column.kind, values[i]);
  });
  return row;
}

/** Characters that JSON escapes, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON has to escape
const needsEscaping = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as JSON: most have nothing to escape, and looking for it costs less than writing letter by letter. */
export const jsonText = (text: string): string => (needsEscaping.test(text) ? JSON.stringify(text) : `"${text}"`);

/**
 * How the rows of a query with `Select.sideColumns` are written, so that one text carries both: the values of the side
 * columns stand before the object of their row, each after a separator that JSON has no place for, and one more separator
 * follows the row.
 */
export interface RowLayout {
  /** How many columns the row's object has: the first ones. */
  shownCount: number;
  /** Where the side columns stand among all columns. */
  sideIndexes: readonly number[];
}

const separator = '\u0001';

type Writer<V> = (value: V) => string;

/**
 * Makes the function that writes a row as a JSON object: values in the order of the columns, each by its column's writer,
 * which never gets a null. Keys are encoded once.
 */
export function jsonRowWriter<V>(
  columns: readonly { name: string; write: Writer<V> }[],
  layout?: RowLayout,
): (values: readonly (V | null | undefined)[]) => string {
  if (!layout) return plainRowWriter(columns);
  const writeRow = plainRowWriter(columns.slice(0, layout.shownCount));
  const sideWriters = layout.sideIndexes.map((index) => ({ index, write: columns[index]!.write }));
  return (values) => {
    let text = '';
    for (const { index, write } of sideWriters) {
      const value = values[index];
      text += `${separator}${value === null || value === undefined ? 'null' : write(value)}`;
    }
    return `${text}${separator}${writeRow(values)}${separator}`;
  };
}

/** Between separators stand the bracket of the text, then for each row the side values, its object, and a comma. */
function splitRowsWithKeys(json: string, count: number): RowWithKeys[] {
  const parts = json.split(separator);
  const width = (parts.length - 1) / count;
  const rows: RowWithKeys[] = [];
  for (let start = 1; start < parts.length; start += width) {
    const end = start + width - 2;
    rows.push({ keys: end - start === 1 ? [parts[start]!] : parts.slice(start, end), json: parts[end]! });
  }
  return rows;
}

function plainRowWriter<V>(columns: readonly { name: string; write: Writer<V> }[]) {
  const heads = columns.map((column, index) => `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
  const writers = columns.map((column) => column.write);
  const width = heads.length;
  if (width === 0) return () => '{}';
  return (values: readonly (V | null | undefined)[]): string => {
    let text = '';
    for (let i = 0; i < width; i += 1) {
      const value = values[i];
      text += heads[i] as string;
      text += value === null || value === undefined ? 'null' : (writers[i] as (value: V) => string)(value);
    }
    return `${text}}`;
  };
}

/** The JSON of a wire value. */
const wireJson = (value: ReturnType<typeof toWire>): string =>
  typeof value === 'string' ? jsonText(value) : String(value);

/** For each kind how a driver's value is written: what most of them are comes first. */
const writers: Readonly<Record<WireKind, Writer<unknown>>> = {
  number: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? String(value) : wireJson(toWire('number', value)),
  text: (value) => (typeof value === 'string' ? jsonText(value) : wireJson(toWire('text', value))),
  boolean: (value) => String(toBoolean(value)),
  binary: (value) => wireJson(toWire('binary', value)),
  any: (value) => wireJson(toWire('any', value)),
};

/** Makes the function that writes a row of a driver's own values, in the order of the columns. */
export const wireRowWriter = (
  columns: readonly WireColumn[],
  layout?: RowLayout,
): ((values: readonly unknown[]) => string) =>
  jsonRowWriter(
    columns.map(({ name, kind }) => ({ name, write: writers[kind] })),
    layout,
  );

/** Rows that are JSON text already. */
export const rowsFromJson = ({ json, count }: { json: string; count: number }): Rows => ({
  count,
  json: () => json,
  list: () => JSON.parse(json) as Row[],
  withKeys: () => splitRowsWithKeys(json, count),
});
