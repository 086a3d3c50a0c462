// CSV in and out (contract/http-basics.md §6).
import { pipeline, type Readable } from 'node:stream';
import { batchLimit, type Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { CsvError, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { RowStream } from '../reply.ts';
import { bodyBounds } from './bounds.ts';
import { isShort, joinParts } from './short.ts';
import { escapeCell, unescapeCell } from './spreadsheet-cell.ts';

/**
 * First line names the fields, each further line becomes an object of texts and nulls, wrapped as `{"resource":[…]}`. Stops
 * at one record more than a batch may hold, which is enough to be refused.
 */
export function parseCsv(text: string, isForSpreadsheet = false): unknown {
  refuseManyCells(text);
  const columns = (names: string[]) => requireDifferent(isForSpreadsheet ? names.map(unescapeCell) : names);
  try {
    const records: CsvRecord[] = parse(text, { ...readOptions, columns, to: batchLimit + 1 });
    return { resource: isForSpreadsheet ? records.map(withoutPrefixes) : records };
  } catch (error) {
    throw malformedOf(error) ?? error;
  }
}

export interface CsvLinesOptions {
  /** Most characters of a line. */
  maxLine: number;
  isForSpreadsheet: boolean;
}

/**
 * The lines of a CSV as it comes, cell by cell, the first one included; all have as many cells as that. Neither the whole of it nor more
 * than a piece of the source is in memory. It fails as `parseCsv` does; ending it ends the source.
 */
export async function* readCsvLines(
  source: Readable,
  { maxLine, isForSpreadsheet }: CsvLinesOptions,
): AsyncGenerator<(string | null)[]> {
  const parser = new Parser({ ...readOptions, max_record_size: maxLine } as ConstructorParameters<typeof Parser>[0]);
  // A failure of either of the others is one of the parser's.
  pipeline(source, decodeUtf8, parser, () => {});
  try {
    for await (const line of parser as AsyncIterable<(string | null)[]>)
      yield isForSpreadsheet ? line.map((text) => text && unescapeCell(text)) : line;
  } catch (error) {
    throw malformedOf(error) ?? error;
  } finally {
    parser.destroy();
  }
}

/** Bytes that are parsed before others have their turn. */
const pieceLength = 8 * 1024;

async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw fail('http.invalidUtf8', { where: 'body' }, { cause });
    }
  };
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += pieceLength) {
      yield decode(chunk.subarray(at, at + pieceLength));
      await pause();
    }
  yield decode();
}

/** What is wrong with a CSV that the parser refused. */
function malformedOf(cause: unknown): Failure | undefined {
  if (!isCsvError(cause)) return undefined;
  const problem = cause.message.replace(/ (at|on) line \d+/i, '');
  return fail('http.malformed', { format: 'CSV', where: `line ${Number(cause.lines ?? 1)}`, problem }, { cause });
}

/** The parser that streams and the other one have a class each. */
const isCsvError = (error: unknown): error is CsvError =>
  error instanceof CsvError || (error instanceof Error && /^CSV_/.test((error as CsvError).code ?? ''));

type CsvRecord = Record<string, string | null>;

/** An empty cell is null, and one of two quotes the empty text. */
const readCell = (text: string, { quoting, header }: { quoting: boolean; header: boolean }): string | null =>
  text === '' && !quoting && !header ? null : text;

const readOptions = { cast: readCell, bom: true, skip_empty_lines: true };

/** A field that is there twice would lose one of its values. */
function requireDifferent(names: string[]): string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (name !== '' && seen.has(name)) {
      const problem = `the field "${name.slice(0, 200)}" is there twice.`;
      throw fail('http.malformed', { format: 'CSV', where: 'line 1', problem });
    }
    seen.add(name);
  }
  return names;
}

/** Counts cells, and those of the first line, outside of quotes: one pass. */
function refuseManyCells(text: string): void {
  let cells = 1;
  let columns = 1;
  let isFirstLine = true;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) isQuoted = !isQuoted;
    else if (!isQuoted && (code === 44 || isLineEnd(text, index))) {
      cells++;
      if (code !== 44) isFirstLine = false;
      else if (isFirstLine) columns++;
    }
  }
  if (cells > bodyBounds.values) throw fail('http.tooManyValues', { limit: bodyBounds.values });
  if (columns > bodyBounds.names) throw fail('http.tooManyDifferentNames', { limit: bodyBounds.names });
}

/** A line ends with LF, CR LF or CR. */
const isLineEnd = (text: string, index: number): boolean =>
  text.charCodeAt(index) === 10 || (text.charCodeAt(index) === 13 && text.charCodeAt(index + 1) !== 10);

const withoutPrefixes = (record: CsvRecord): CsvRecord =>
  Object.fromEntries(Object.entries(record).map(([name, cellText]) => [name, cellText && unescapeCell(cellText)]));

/**
 * The records of a `resource` (or the `error`) with a header line from the first record's keys, else of `fields`; nested values as JSON
 * text, null empty, the empty text in quotes. `meta` has no place in it.
 */
export const printCsv = (value: unknown, fields?: readonly string[]): string =>
  [...piecesOfAll(value, printPlainLines, fields)].join('');

/** As `printCsv`, for a spreadsheet: no cell of it is a formula (docs/design.md, difference 12). */
export const printSpreadsheetCsv = (value: unknown, fields?: readonly string[]): string =>
  [...piecesOfAll(value, printSpreadsheetLines, fields)].join('');

/** As `printCsv`, in pieces. */
export const csvPieces = (value: unknown): Generator<string> => piecesOfAll(value, printPlainLines);

/** As `printSpreadsheetCsv`, in pieces. */
export const spreadsheetCsvPieces = (value: unknown): Generator<string> => piecesOfAll(value, printSpreadsheetLines);

/** Lines that are printed at once. */
const linesAtOnce = 25;

function* piecesOfAll(value: unknown, print: PrintLines, fields: readonly string[] = []): Generator<string> {
  const rows = rowsOf(value);
  const columns = rows[0] ? Object.keys(rows[0]) : [...fields];
  if (columns.length === 0 && rows.length === 0) return;
  yield print([columns]);
  yield* linesInPieces(rows, columns, print);
}

function* linesInPieces(rows: Record<string, unknown>[], columns: string[], print: PrintLines): Generator<string> {
  for (let start = 0; start < rows.length; start += linesAtOnce) {
    const some = rows.slice(start, start + linesAtOnce);
    if (isShort(some)) yield print(cellsOf(some, columns));
    else for (const row of some) yield print(cellsOf([row], columns));
  }
}

/** As `printCsv`, batch by batch. */
export const streamCsv = (rows: RowStream): AsyncGenerator<string> => streamLines(rows, printPlainLines);

/** As `printSpreadsheetCsv`, batch by batch. */
export const streamSpreadsheetCsv = (rows: RowStream): AsyncGenerator<string> =>
  streamLines(rows, printSpreadsheetLines);

async function* streamLines({ batches, fields }: RowStream, print: PrintLines): AsyncGenerator<string> {
  let columns: string[] | undefined;
  for await (const batch of batches) {
    const rows = batch.list();
    if (!columns && rows[0]) {
      columns = Object.keys(rows[0]);
      yield print([columns]);
    }
    if (!columns) continue;
    if (isShort(rows)) yield print(cellsOf(rows, columns));
    else yield* joinParts(linesInPieces(rows, columns, print));
  }
  if (!columns && fields && fields.length > 0) yield print([[...fields]]);
}

type Cell = string | null;
type PrintLines = (lines: Cell[][]) => string;

const quotedIfEmpty = (text: string) => (text === '' ? { value: text, quoted_empty: true } : text);

/** A single empty cell is quoted: unquoted it would be an empty line, which readers leave out. */
const optionsOf = (lines: Cell[][]) =>
  lines[0]?.length === 1
    ? { record_delimiter: '\n', quoted_empty: true }
    : { record_delimiter: '\n', cast: { string: quotedIfEmpty } };

const printPlainLines: PrintLines = (lines) => stringify(lines, optionsOf(lines));

/** What some spreadsheets take for the end of a cell or a line, and the mark some begin a file with. */
const cellEndPattern = /[\r\t;\ufeff]/;

const printSpreadsheetLines: PrintLines = (lines) =>
  stringify(
    lines.map((cells) => cells.map((text) => text && escapeCell(text))),
    { ...optionsOf(lines), quoted_match: cellEndPattern },
  );

const cellsOf = (rows: Record<string, unknown>[], columns: string[]) =>
  rows.map((row) => columns.map((column) => cell(row[column])));

function rowsOf(value: unknown): Record<string, unknown>[] {
  const wrapped = value as { resource?: unknown; error?: unknown } | null;
  const inner = wrapped?.resource ?? wrapped?.error ?? value;
  const list = Array.isArray(inner) ? inner : [inner];
  return list.map((item) => (typeof item === 'object' && item !== null ? item : { value: item })) as Record<
    string,
    unknown
  >[];
}

function cell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
