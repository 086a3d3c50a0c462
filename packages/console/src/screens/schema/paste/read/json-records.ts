// Lists of JSON objects, and such objects line by line, as columns and cells. Pure.
import type { Work } from './slices.ts';

/** What values of a column are in JSON, apart from null. */
export type JsonKind = 'text' | 'number' | 'boolean' | 'object';

export interface JsonRecords {
  names: string[];
  kinds: Set<JsonKind>[];
  /** Texts as they are, other values as JSON. */
  rows: (string | null)[][];
}

/** JSON that cannot be a table. `record` counts from 1. */
export class JsonShapeError extends Error {
  readonly record: number | null;
  constructor(record: number | null) {
    super('This JSON is no list of objects.');
    this.record = record;
  }
}

/** Begins the text of a number that a JSON number of JavaScript would not carry with all its digits. */
const numberMark = '\u0001#';
const longNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]{15,}/g;

const parseExact = (text: string): unknown =>
  JSON.parse(
    /\d[\d.]{15}/.test(text)
      ? text.replace(longNumber, (token) => (token.startsWith('"') ? token : JSON.stringify(numberMark + token)))
      : text,
  );

/** Whether a text is to be read as JSON: it begins as a list or an object does, and its first line or all of it is one. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(\[\s*[[{\]"\d-]|\{\s*["}])/.test(text);
}

/** Throws `SyntaxError` for what is no JSON, `JsonShapeError` for what is no list of objects. */
export function* readJsonRecords(text: string): Work<JsonRecords> {
  const records = yield* listRecords(text);
  const names = new Map<string, number>();
  const kinds: Set<JsonKind>[] = [];
  const rows: (string | null)[][] = [];
  for (const [index, record] of records.entries()) {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) throw new JsonShapeError(index + 1);
    const row: (string | null)[] = [];
    for (const [name, value] of Object.entries(record)) {
      const column = names.get(name) ?? names.size;
      names.set(name, column);
      kinds[column] ??= new Set();
      row[column] = cellOf(value, kinds[column]);
    }
    rows.push(row);
    if (index % 500 === 0) yield;
  }
  // Columns that came up later are absent from the rows before.
  for (const row of rows) for (let column = 0; column < names.size; column += 1) row[column] ??= null;
  return { names: [...names.keys()], kinds, rows };
}

function* listRecords(text: string): Work<unknown[]> {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    if (lines.length < 2 || !lines[0]!.trim().endsWith('}')) throw error;
    const records: unknown[] = [];
    for (const [index, line] of lines.entries()) {
      records.push(parseExact(line));
      if (index % 500 === 0) yield;
    }
    return records;
  }
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) throw new JsonShapeError(null);
  return 'resource' in value && Array.isArray(value.resource) ? value.resource : [value];
}

function cellOf(value: unknown, kinds: Set<JsonKind>): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && !value.startsWith(numberMark)) {
    kinds.add('text');
    return value;
  }
  if (typeof value === 'string' || typeof value === 'number') {
    kinds.add('number');
    return typeof value === 'string' ? value.slice(numberMark.length) : String(value);
  }
  if (typeof value === 'boolean') {
    kinds.add('boolean');
    return String(value);
  }
  kinds.add('object');
  return restoreNumbers(JSON.stringify(value));
}

/** The marked numbers within an object, as they were. */
const restoreNumbers = (json: string): string => json.replace(/"\\u0001#([^"]*)"/g, '$1');
