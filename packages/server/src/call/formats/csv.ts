// CSV in and out (contract/http-basics.md §6).
import { batchLimit, fail } from '@sluice/contract';
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { RowStream } from '../reply.ts';

/**
 * First line names the fields, each further line becomes an object of texts, wrapped as `{"resource":[…]}`. Read no
 * further than to one more than a batch may hold, which is enough to be refused.
 */
export function parseCsv(text: string): unknown {
  try {
    return { resource: parse(text, { columns: true, bom: true, skip_empty_lines: true, to: batchLimit + 1 }) };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const problem = cause.message.replace(/ (at|on) line \d+/i, '');
    throw fail('http.malformed', { format: 'CSV', where: `line ${Number(cause.lines ?? 1)}`, problem }, { cause });
  }
}

/**
 * The records of a `resource` (or the `error`) with a header line from the first record's keys; nested values as JSON
 * text, null empty. `meta` has no place in it.
 */
export function printCsv(value: unknown): string {
  const rows = rowsOf(value);
  const first = rows[0];
  if (first === undefined) return '';
  const columns = Object.keys(first);
  return print([columns, ...cellsOf(rows, columns)]);
}

/** As `printCsv`, batch by batch. */
export async function* streamCsv({ batches }: RowStream): AsyncGenerator<string> {
  let columns: string[] | undefined;
  for await (const batch of batches) {
    const rows = batch.list();
    if (!columns && rows[0]) {
      columns = Object.keys(rows[0]);
      yield print([columns]);
    }
    if (columns) yield print(cellsOf(rows, columns));
  }
}

const print = (lines: string[][]) => stringify(lines, { record_delimiter: '\n' });

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

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
