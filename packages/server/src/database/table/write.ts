// Creating, changing and deleting records, one or many (contract/database-tables.md §3, §7). Each record becomes one
// write, a wrong one a refusal in its place; the database runs them in order, in the batch mode the caller chose.
import { fail, type Soon } from '@sluice/contract';
import type { BoundFilter, Column, Row, RunOptions, Unit, Write, WriteOutcome } from '@sluice/sql';
import { answer, type Reply } from '../../call/call.ts';
import {
  type BatchVerb,
  isRecord,
  oneRecord,
  outcomeOf,
  type RecordInput,
  recordsOf,
  requireRecords,
  settleBatch,
} from '../../call/payload.ts';
import { type AskedColumns, askedColumns, listed, pick } from '../record/columns.ts';
import { type Key, keyOfId, keyOfRecord, limitIds, recordNotFound, requireKey, whereKey } from '../record/identify.ts';
import { type RecordWrite, updateValues, writeOf } from '../record/record.ts';
import { holdsRelated, Nesting } from '../related/write.ts';
import { asTheyAre, returningOf } from './find.ts';
import { clientFilter } from './read.ts';
import type { TableCall } from './table-call.ts';

/** `POST _table/{t}`. */
export async function createRecords(it: TableCall): Promise<Reply> {
  const records = requireRecords(it.payload);
  const asked = askedColumns(it, 'key');
  const how: RecordWrite = { kind: 'insert', returning: returningOf(it, asked) };
  const nesting = holdsRelated(it.table, records) ? new Nesting(it) : undefined;
  const writes = await inTurn(it, records, (record) =>
    nesting ? nesting.unit(record, how) : writeOf(it, record, how),
  );
  return settle(it, 'created', asked, writes);
}

/** `PUT` or `PATCH _table/{t}`: one change set for `ids` or for a filter, else each record with its own id. */
export async function updateRecords(it: TableCall): Promise<Reply> {
  const records = requireRecords(it.payload);
  const { ids } = it.query;
  const where = ids?.length ? undefined : clientFilter(it);
  const asked = askedColumns(it, 'key');
  const nesting = holdsRelated(it.table, records) ? new Nesting(it) : undefined;
  if (where && nesting) throw fail('related.byFilter');
  if (where) return updateByFilter(it, records[0]!, where, asked);
  const key = requireKey(it.table, it.query.idField);
  const returning = returningOf(it, asked);
  const writes = ids?.length
    ? await inTurn(it, limitIds(ids), (id, index) =>
        updateOf(it, key, records[0]!, returning, idOf(key, id, index), nesting),
      )
    : await inTurn(it, records, (record, index) =>
        updateOf(it, key, record, returning, idIn(key, record, index), nesting),
      );
  return settle(it, 'updated', asked, writes);
}

/** `PUT` or `PATCH _table/{t}/{id}`. */
export async function updateRecord(it: TableCall, id: string): Promise<Reply> {
  const record = oneRecord(it.payload);
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  const key = requireKey(it.table, it.query.idField);
  const asked = askedColumns(it, 'key', true);
  const nesting = holdsRelated(it.table, [record]) ? new Nesting(it) : undefined;
  return settleOne(it, asked, await updateOf(it, key, record, returningOf(it, asked), idOf(key, id, 0), nesting));
}

/** `DELETE _table/{t}`: `ids`, then records, then filter, then `force` says what goes. */
export async function deleteRecords(it: TableCall): Promise<Reply> {
  const { ids, filter, force } = it.query;
  const records = recordsOf(it.payload);
  const asked = askedColumns(it, 'key');
  if (ids?.length || records.length > 0) {
    const key = requireKey(it.table, it.query.idField);
    const writes = ids?.length
      ? await inTurn(it, limitIds(ids), (id, index) => deleteOf(it, asked, key, keyOfId(key, id, index)))
      : await inTurn(it, records, (record, index) => deleteOf(it, asked, key, keyOfRecord(key, record, index)));
    return settle(it, 'deleted', asked, writes);
  }
  const where = clientFilter(it);
  if (where) return settleMany(it, asked, { kind: 'delete', table: it.table, where, returning: asked.columns });
  if (!force) throw fail(filter === undefined ? 'record.noneToDelete' : 'table.blankDeleteFilter');
  await only(it, { kind: 'delete', table: it.table, returning: [] }, it.run);
  return answer({ success: true });
}

/** `DELETE _table/{t}/{id}`. */
export async function deleteRecord(it: TableCall, id: string): Promise<Reply> {
  const key = requireKey(it.table, it.query.idField);
  const asked = askedColumns(it, 'key', true);
  return settleOne(it, asked, deleteOf(it, asked, key, keyOfId(key, id, 0)));
}

// ---- one record, one write ----

/** An id in both its forms: converted to find the row, and as fields of the record an upsert would insert. */
interface Id {
  parts: Key;
  sent: RecordInput;
}

const idIn = (key: Column[], record: RecordInput, index: number): Id => ({
  parts: keyOfRecord(key, record, index),
  sent: {},
});

const idOf = (key: Column[], id: unknown, index: number): Id => ({
  parts: keyOfId(key, id, index),
  sent: isRecord(id) ? id : { [key[0]!.name]: id },
});

function updateOf(
  it: TableCall,
  key: Column[],
  record: RecordInput,
  returning: Column[],
  { parts: id, sent }: Id,
  nesting: Nesting | undefined,
): Soon<Write | Unit> {
  const how: RecordWrite = { kind: 'update', returning, key, id, missing: it.allowUpsert ? 'insert' : 'fail', sent };
  return nesting ? nesting.unit(record, how) : writeOf(it, record, how);
}

function deleteOf(it: TableCall, { columns }: AskedColumns, key: Column[], id: Key): Write {
  const where = whereKey(key, id);
  return { kind: 'delete', table: it.table, where, returning: columns, missing: recordNotFound(id) };
}

/**
 * Makes the writes of a batch. What can not be written stands in it as its refusal, so that those before it are still
 * done; where the first failure ends the batch, what comes after it is not looked at.
 */
async function inTurn<T>(
  { query }: TableCall,
  list: readonly T[],
  make: (one: T, index: number) => Soon<Write | Unit>,
): Promise<(Write | Unit)[]> {
  const writes: (Write | Unit)[] = [];
  for (const [index, one] of list.entries()) {
    try {
      const write = make(one, index);
      writes.push(write instanceof Promise ? await write : write);
    } catch (error) {
      writes.push({ kind: 'refuse', failure: outcomeOf(error).failure! });
      if (!query.continue) break;
    }
  }
  return writes;
}

// ---- many records, one write ----

async function updateByFilter(it: TableCall, record: RecordInput, where: BoundFilter, asked: AskedColumns) {
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  const values = updateValues(it, record, []);
  return settleMany(it, asked, { kind: 'update', table: it.table, values, where, returning: returningOf(it, asked) });
}

async function settleMany(it: TableCall, asked: AskedColumns, write: Write): Promise<Reply> {
  const written = (await only(it, write, it.run)).slice(0, it.maxRecords);
  const rows = write.kind === 'delete' ? written : await asTheyAre(it, asked, written);
  return answer({ resource: asked.asList ? listed(rows, asked.asList) : rows });
}

// ---- running and answering ----

async function settle(it: TableCall, verb: BatchVerb, asked: AskedColumns, writes: (Write | Unit)[]): Promise<Reply> {
  const { continue: goOn, rollback } = it.query;
  const run = writes.length === 1 && writes[0]?.kind !== 'unit' ? it.unwatched : it.run;
  const outcomes = await it.database.write(writes, rollback ? 'rollback' : goOn ? 'continue' : 'stop', run);
  // A database out of reach is no fault of a record: where nothing was done, the call as a whole says so.
  const outage = outcomes.find(({ failure }) => failure && failure.status > 500)?.failure;
  if (outage && outcomes.every(({ failure }) => failure)) throw outage;
  const isUndone = rollback && outcomes.some(({ failure }) => failure);
  const rows = isUndone || verb === 'deleted' ? undefined : await writtenRows(it, asked, outcomes);
  const results = settleBatch(
    verb,
    outcomes.map(({ failure, rows: [row = {}] = [] }, index) =>
      failure ? { failure } : { result: rows?.[index] ?? pick(row, asked.columns) },
    ),
    rollback,
  );
  return answer({ resource: asked.asList ? listed(results, asked.asList) : results });
}

/** The rows of the writes that were done, each at the index of its write. */
async function writtenRows(it: TableCall, asked: AskedColumns, outcomes: WriteOutcome[]): Promise<(Row | undefined)[]> {
  const done = outcomes.flatMap(({ rows }, index) => (rows?.[0] ? [{ row: rows[0], index }] : []));
  const rows = await asTheyAre(
    it,
    asked,
    done.map(({ row }) => row),
  );
  const placed: (Row | undefined)[] = [];
  for (const [at, { index }] of done.entries()) placed[index] = rows[at];
  return placed;
}

async function settleOne(it: TableCall, asked: AskedColumns, write: Write | Unit): Promise<Reply> {
  const written = (await only(it, write, it.unwatched)).slice(0, 1);
  const [row = {}] = write.kind === 'delete' ? written : await asTheyAre(it, asked, written);
  return answer(row);
}

/** Runs a write on its own; its failure is the answer. */
async function only(it: TableCall, write: Write | Unit, run: RunOptions): Promise<Row[]> {
  const [outcome] = await it.database.write([write], 'stop', run);
  if (outcome?.failure) throw outcome.failure;
  return outcome?.rows ?? [];
}
