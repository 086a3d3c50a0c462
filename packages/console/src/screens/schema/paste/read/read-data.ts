// Pasted text or a file as a sheet of cells, whatever its format. Pure.
import { type Delimiter, guessDelimiter, parseDelimited } from './delimited.ts';
import { type JsonKind, looksLikeJson, readJsonRecords } from './json-records.ts';
import type { Work } from './slices.ts';

/** A value as text; null where there is none, an empty text in JSON stays one. */
export type Cell = string | null;

export interface Sheet {
  /** `json`: names are keys and values have kinds; of the others every cell is a text. */
  format: 'json' | Delimiter;
  /** Of JSON. */
  names: string[] | null;
  kinds: Set<JsonKind>[] | null;
  /** Every row has as many cells as there are columns. Of delimited texts the first may be the heading. */
  rows: Cell[][];
  columnCount: number;
  /** How many rows had fewer or more cells than most. */
  unevenRows: number;
}

/** Text without a row or a column. */
export class NoDataError extends Error {}

/** Reads a text in the given format, or in the one it looks like. Throws `NoDataError` and what `readJsonRecords` throws. */
export function* readSheet(rawText: string, format?: Sheet['format']): Work<Sheet> {
  const text = rawText.replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new NoDataError();
  if (format === 'json' || (format === undefined && looksLikeJson(text))) {
    const { names, kinds, rows } = yield* readJsonRecords(text);
    if (rows.length === 0 || names.length === 0) throw new NoDataError();
    return { format: 'json', names, kinds, rows, columnCount: names.length, unevenRows: 0 };
  }
  const delimiter = format ?? guessDelimiter(text);
  const rows: Cell[][] = yield* parseDelimited(text, delimiter);
  if (rows.length === 0) throw new NoDataError();
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const usualCount = [...counts].sort((a, b) => b[1] - a[1])[0]![0];
  const columnCount = Math.max(...counts.keys());
  let unevenRows = 0;
  for (const [index, row] of rows.entries()) {
    if (row.length !== usualCount) unevenRows += 1;
    // An empty cell of a delimited text is no value.
    for (let column = 0; column < columnCount; column += 1) row[column] = row[column] || null;
    if (index % 500 === 0) yield;
  }
  return { format: delimiter, names: null, kinds: null, rows, columnCount, unevenRows };
}
