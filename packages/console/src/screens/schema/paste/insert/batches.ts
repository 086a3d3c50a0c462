// The records of pasted data in portions that one call takes. Pure.
import { type Column, fitCell } from '../columns.ts';
import type { Cell } from '../read/read-data.ts';

export const maxBatchRows = 500;
const maxBatchBytes = 1024 * 1024;

/** A row that is not in the table. `row` counts from 1, without the heading. */
export interface FailedRow {
  row: number;
  message: string;
}

export interface Batch {
  records: Record<string, unknown>[];
  /** The row of each record, from 0. */
  rowOf: number[];
  /** Rows with values that do not fit: they are not sent. `column` is the first of these. */
  misfits: { row: number; column: string }[];
  /** The row behind the last one that was looked at. */
  end: number;
}

const encoder = new TextEncoder();

/** The next records from a row on: at most `maxRows`, and about a megabyte. */
export function takeBatch(rows: readonly Cell[][], columns: readonly Column[], from: number, maxRows: number): Batch {
  const used = columns.filter(({ isUsed }) => isUsed);
  const batch: Batch = { records: [], rowOf: [], misfits: [], end: from };
  let bytes = 0;
  while (batch.end < rows.length && batch.records.length < maxRows) {
    const record: Record<string, unknown> = {};
    let misfit: string | null = null;
    for (const column of used) {
      const value = fitCell(rows[batch.end]![column.index]!, column);
      if (value === undefined) misfit ??= column.name;
      else record[column.name.trim()] = value;
    }
    const size = encoder.encode(JSON.stringify(record)).length;
    if (batch.records.length > 0 && bytes + size > maxBatchBytes) break;
    if (misfit !== null) batch.misfits.push({ row: batch.end, column: misfit });
    else {
      batch.records.push(record);
      batch.rowOf.push(batch.end);
      bytes += size;
    }
    batch.end += 1;
  }
  return batch;
}
