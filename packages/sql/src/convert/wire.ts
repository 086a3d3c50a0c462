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

const numbers = new Set<string>([
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
    db_type === '' ? 'any' : type === 'boolean' || type === 'binary' ? type : numbers.has(type) ? 'number' : 'text';
  return { name: column.name, kind };
}

/** A driver's value as the JSON value of the contract: numbers that would not round-trip become text, bytes base64. */
export function toWire(kind: WireKind, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (kind === 'binary') return base64(value);
  if (kind === 'boolean') return boolean(value);
  if (value instanceof Uint8Array) return base64(value);
  if (typeof value === 'string') return kind === 'number' ? exactNumber(value) : value;
  const exact = number(value);
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

function number(value: unknown): number | string {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString();
  }
  // JSON has no infinity.
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value);
}

const yes = new Set(['true', '1', 'yes', 'on', 'y', 't']);

function boolean(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return value !== 0n;
  return value === true || (typeof value === 'string' && yes.has(value.toLowerCase()));
}

const base64 = (value: unknown): string =>
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

/** What JSON writes otherwise than it stands in a text, with all that are no whole character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON has to escape
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as JSON: most have nothing to escape, and looking for it costs less than writing letter by letter. */
export const jsonText = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`);

/**
 * How the rows of a query with `Select.beside` are written, so that one text carries both: before the object of a row
 * stand the values beside it, each behind a mark that JSON has no place for, and one more mark behind the row.
 */
export interface RowLayout {
  /** Columns of the row's object: the first ones. */
  shown: number;
  /** Places of the values beside it. */
  beside: readonly number[];
}

const mark = '\u0001';

type Writer<V> = (value: V) => string;

/**
 * Writes one row as a JSON object: values in the order of the columns, each by its column's writer, which is never asked
 * for a null. Keys are encoded once.
 */
export function jsonRow<V>(
  columns: readonly { name: string; write: Writer<V> }[],
  frame?: RowLayout,
): (values: readonly (V | null | undefined)[]) => string {
  if (!frame) return plainRow(columns);
  const row = plainRow(columns.slice(0, frame.shown));
  const beside = frame.beside.map((at) => ({ at, write: columns[at]!.write }));
  return (values) => {
    let text = '';
    for (const { at, write } of beside) {
      const value = values[at];
      text += `${mark}${value === null || value === undefined ? 'null' : write(value)}`;
    }
    return `${text}${mark}${row(values)}${mark}`;
  };
}

/** The rows of a framed text: between marks stand its bracket, then of each row the values, its object, and a comma. */
function piecesOf(json: string, count: number): RowWithKeys[] {
  const parts = json.split(mark);
  const width = (parts.length - 1) / count;
  const pieces: RowWithKeys[] = [];
  for (let at = 1; at < parts.length; at += width) {
    const end = at + width - 2;
    pieces.push({ keys: end - at === 1 ? [parts[at]!] : parts.slice(at, end), json: parts[end]! });
  }
  return pieces;
}

function plainRow<V>(columns: readonly { name: string; write: Writer<V> }[]) {
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
const jsonOf = (value: ReturnType<typeof toWire>): string =>
  typeof value === 'string' ? jsonText(value) : String(value);

/** Writes rows of a driver's own values, in the order of the columns. */
export const rowWriter = (
  columns: readonly WireColumn[],
  frame?: RowLayout,
): ((values: readonly unknown[]) => string) =>
  jsonRow(
    columns.map(({ name, kind }) => ({ name, write: (value: unknown) => jsonOf(toWire(kind, value)) })),
    frame,
  );

/** Rows that are JSON text already. */
export const textRows = ({ json, count }: { json: string; count: number }): Rows => ({
  count,
  json: () => json,
  list: () => JSON.parse(json) as Row[],
  withKeys: () => piecesOf(json, count),
});
