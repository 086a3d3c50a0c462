// Creating, changing and deleting records, one or many (contract/database-tables.md §3, §7). Each record becomes one
// write, a wrong one a refusal in its place; the database runs them in order, in the batch mode the caller chose.
import { fail } from '@sluice/contract';
import type { BoundFilter, Column, Row, RunOptions, Write, WriteOutcome } from '@sluice/sql';
import { answer, type Reply } from '../gateway/call.ts';
import {
  type BatchVerb,
  isRecord,
  oneRecord,
  outcomeOf,
  type RecordInput,
  recordsOf,
  requireRecords,
  settleBatch,
} from '../gateway/payload.ts';
import { type AskedColumns, askedColumns, listed, pick } from './columns.ts';
import { asTheyAre, returningOf } from './find.ts';
import { type Key, keyOfId, keyOfRecord, limitIds, recordNotFound, requireKey, whereKey } from './identify.ts';
import { clientFilter } from './read.ts';
import { insertValues, refuseRelatedKeys, updateValues } from './record.ts';
import type { TableCall } from './table-call.ts';

/** `POST _table/{t}`. */
export async function createRecords(it: TableCall): Promise<Reply> {
  const records = requireRecords(it.payload);
  refuseRelatedKeys(it.table, records);
  const asked = askedColumns(it, 'key');
  const writes = records.map((record) =>
    orRefuse(() => insertOf(it, insertValues(it, record), returningOf(it, asked))),
  );
  return settle(it, 'created', asked, writes);
}

/** `PUT` or `PATCH _table/{t}`: one change set for `ids` or for a filter, else each record with its own id. */
export async function updateRecords(it: TableCall): Promise<Reply> {
  const records = requireRecords(it.payload);
  refuseRelatedKeys(it.table, records);
  const { ids } = it.query;
  const where = ids?.length ? undefined : clientFilter(it);
  const asked = askedColumns(it, 'key');
  if (where) return updateByFilter(it, records[0]!, where, asked);
  const key = requireKey(it.table, it.query.idField);
  const writes = ids?.length
    ? limitIds(ids).map((id, index) => updateOf(it, key, records[0]!, asked, () => idOf(key, id, index)))
    : records.map((record, index) => updateOf(it, key, record, asked, () => idIn(key, record, index)));
  return settle(it, 'updated', asked, writes);
}

/** `PUT` or `PATCH _table/{t}/{id}`. */
export async function updateRecord(it: TableCall, id: string): Promise<Reply> {
  const record = oneRecord(it.payload);
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  refuseRelatedKeys(it.table, [record]);
  const key = requireKey(it.table, it.query.idField);
  const asked = askedColumns(it, 'key', true);
  const write = updateOf(it, key, record, asked, () => idOf(key, id, 0));
  return settleOne(it, asked, write);
}

/** `DELETE _table/{t}`: `ids`, then records, then filter, then `force` says what goes. */
export async function deleteRecords(it: TableCall): Promise<Reply> {
  const { ids, filter, force } = it.query;
  const records = recordsOf(it.payload);
  const asked = askedColumns(it, 'key');
  if (ids?.length || records.length > 0) {
    const key = requireKey(it.table, it.query.idField);
    const writes = ids?.length
      ? limitIds(ids).map((id, index) => deleteOf(it, key, asked, () => keyOfId(key, id, index)))
      : records.map((record, index) => deleteOf(it, key, asked, () => keyOfRecord(key, record, index)));
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
  const write = deleteOf(it, key, asked, () => keyOfId(key, id, 0));
  return settleOne(it, asked, write);
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

const insertOf = (it: TableCall, values: Row, returning: Column[]): Extract<Write, { kind: 'insert' }> => ({
  kind: 'insert',
  table: it.table,
  values,
  returning,
});

function updateOf(it: TableCall, key: Column[], record: RecordInput, asked: AskedColumns, id: () => Id): Write {
  return orRefuse(() => {
    const { parts, sent } = id();
    const returning = returningOf(it, asked);
    const missing = it.allowUpsert ? upsertOf(it, { ...record, ...sent }, returning) : recordNotFound(parts);
    const values = updateValues(it, record, key);
    return { kind: 'update', table: it.table, values, where: whereKey(key, parts), returning, missing };
  });
}

/** What `allow_upsert` does when there is no such record: insert it under the id that was asked for. */
function upsertOf(it: TableCall, record: RecordInput, returning: Column[]) {
  const made = orRefuse(() => insertOf(it, insertValues(it, record), returning));
  return made.kind === 'refuse' ? made.failure : made;
}

function deleteOf(it: TableCall, key: Column[], asked: AskedColumns, keyOf: () => Key): Write {
  return orRefuse(() => {
    const id = keyOf();
    const where = whereKey(key, id);
    return { kind: 'delete', table: it.table, where, returning: asked.columns, missing: recordNotFound(id) };
  });
}

/** A record that can not be written stands in the batch as its refusal, so that those before it are still done. */
function orRefuse<W extends Write>(make: () => W): W | Extract<Write, { kind: 'refuse' }> {
  try {
    return make();
  } catch (error) {
    return { kind: 'refuse', failure: outcomeOf(error).failure! };
  }
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

async function settle(it: TableCall, verb: BatchVerb, asked: AskedColumns, writes: Write[]): Promise<Reply> {
  const { continue: goOn, rollback } = it.query;
  const run = writes.length === 1 ? it.unwatched : it.run;
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

async function settleOne(it: TableCall, asked: AskedColumns, write: Write): Promise<Reply> {
  const written = (await only(it, write, it.unwatched)).slice(0, 1);
  const [row = {}] = write.kind === 'delete' ? written : await asTheyAre(it, asked, written);
  return answer(row);
}

/** Runs a write on its own; its failure is the answer. */
async function only(it: TableCall, write: Write, run: RunOptions): Promise<Row[]> {
  const [outcome] = await it.database.write([write], 'stop', run);
  if (outcome?.failure) throw outcome.failure;
  return outcome?.rows ?? [];
}
