// Records of pasted data on their way into a new table, batch by batch in their order. No row is sent again unless it is certain that
// it is not in the table.
import { ApiError, api } from '../../../../api/index.ts';
import { serverText, text } from '../../../../text/index.ts';
import type { Column } from '../columns.ts';
import type { Cell } from '../read/read-data.ts';
import { type Batch, type FailedRow, maxBatchRows, takeBatch } from './batches.ts';

export interface InsertSource {
  service: string;
  table: string;
  rows: readonly Cell[][];
  columns: readonly Column[];
}

/** How far it came. `next` is the first row, from 0, that has not been looked at. */
export interface InsertPosition {
  next: number;
  inserted: number;
  failed: FailedRow[];
}

/**
 * `refused`: the server refused a row; it stands last in `failed`. `failed`: the server refused the whole call, nothing of it was
 * done. `unsure`: no answer came, so that a part of the call may have been done.
 */
export type InsertResult = InsertPosition &
  ({ end: 'done' | 'stopped' | 'refused' } | { end: 'failed' | 'unsure'; error: ApiError });

export interface InsertOptions {
  /** Goes on behind a row that is refused. */
  leavesOutRefused: boolean;
  isStopped: () => boolean;
  onProgress: (position: InsertPosition) => void;
}

export const startPosition: InsertPosition = { next: 0, inserted: 0, failed: [] };

/** After a refused row, small batches: others like it may follow. */
const cautiousBatchRows = 50;
const batchErrorCode = 1000;

const tablePath = ({ service, table }: InsertSource): string =>
  `${encodeURIComponent(service)}/_table/${encodeURIComponent(table)}`;

export async function insertRows(
  source: InsertSource,
  from: InsertPosition,
  { leavesOutRefused, isStopped, onProgress }: InsertOptions,
): Promise<InsertResult> {
  let position = from;
  let maxRows = maxBatchRows;
  while (position.next < source.rows.length) {
    if (isStopped()) return { ...position, end: 'stopped' };
    const batch = takeBatch(source.rows, source.columns, position.next, maxRows);
    try {
      if (batch.records.length > 0) await api.post(tablePath(source), { body: { resource: batch.records } });
      position = advance(position, batch, batch.records.length);
      maxRows = maxBatchRows;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const refusal = readRefusal(error);
      if (!refusal || refusal.index >= batch.records.length) {
        const isUnsure = error.isUnreachable || error.status >= 500;
        return { ...position, end: isUnsure ? 'unsure' : 'failed', error };
      }
      position = advance(position, batch, refusal.index, refusal.message);
      maxRows = cautiousBatchRows;
      if (!leavesOutRefused) {
        onProgress(position);
        return { ...position, end: 'refused' };
      }
    }
    onProgress(position);
  }
  return { ...position, end: 'done' };
}

/** The position behind the first `count` records of a batch, and behind the one after them where that was refused. */
function advance({ inserted, failed }: InsertPosition, batch: Batch, count: number, refusal?: string): InsertPosition {
  const isWhole = count === batch.records.length;
  const refusedRow = refusal === undefined ? null : batch.rowOf[count]!;
  const next = refusedRow !== null ? refusedRow + 1 : isWhole ? batch.end : batch.rowOf[count]!;
  const misfits = batch.misfits
    .filter(({ row }) => row < next)
    .map(({ row, column }) => ({ row: row + 1, message: text('schema:paste.misfitRow', { column }) }));
  const refused = refusedRow === null ? [] : [{ row: refusedRow + 1, message: refusal! }];
  return { next, inserted: inserted + count, failed: [...failed, ...misfits, ...refused] };
}

/** The first record of a batch that was refused: those before it are in the table (contract http-basics §8). */
function readRefusal(error: ApiError): { index: number; message: string } | null {
  if (Number(error.code) !== batchErrorCode) return null;
  const { error: failedAt, resource } = (error.context ?? {}) as { error?: unknown; resource?: unknown };
  const index: unknown = Array.isArray(failedAt) ? failedAt[0] : null;
  if (typeof index !== 'number' || !Array.isArray(resource)) return null;
  return {
    index,
    message: serverText(String((resource[index] as { message?: unknown } | null)?.message ?? error.message)),
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Finds out by the number of records in the table how much of the last call was done; null when that does not tell. A call that is
 * still at work would change the number, so it is read until it stays.
 */
export async function locate(
  source: InsertSource,
  position: InsertPosition,
  waitFor = 1000,
): Promise<InsertPosition | null> {
  const readCount = () => api.get<number>(tablePath(source), { query: { count_only: true } });
  let count = await readCount();
  for (;;) {
    await pause(waitFor);
    const later = await readCount();
    if (later === count) break;
    count = later;
  }
  // The call that was lost may have been a small one: its records are the first of this batch all the same.
  const batch = takeBatch(source.rows, source.columns, position.next, maxBatchRows);
  const done = Number(count) - position.inserted;
  if (!Number.isInteger(done) || done < 0 || done > batch.records.length) return null;
  return advance(position, batch, done);
}
