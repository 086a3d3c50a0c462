// Creating, changing and deleting records, one or many (contract/database-tables.md §3, §7). Each record becomes one
// write, a wrong one a refusal in its place; the database runs them in order, in the batch mode the caller chose.
import { fail, type MaybePromise } from '@sluice/contract';
import type { BoundFilter, Column, Row, RunOptions, Write } from '@sluice/sql';
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
import { type AskedColumns, askedColumns, listed } from '../record/columns.ts';
import { type Key, keyOfId, keyOfRecord, limitIds, recordNotFound, requireKey, whereKey } from '../record/identify.ts';
import { type RecordWrite, updateValues, writeOf } from '../record/record.ts';
import { type AuthorizedUnit, type AuthorizedWrite, authorizeWrite } from '../record-filter/scoped-database.ts';
import { holdsRelated, Nesting } from '../related/write.ts';
import { clientFilter } from './read.ts';
import { soughtBy } from './read-access.ts';
import type { TableCall } from './table-call.ts';
import {
  type DeletedRows,
  deletedRow,
  readBeforeDelete,
  rereadRows,
  returningOf,
  unreadRow,
  type WrittenRow,
} from './written-rows.ts';

/** `POST _table/{t}`. */
export async function createRecords(it: TableCall): Promise<Reply> {
  const records = requireRecords(it.payload);
  const asked = writtenColumns(it);
  const how: RecordWrite = { kind: 'insert', returning: returningOf(it, asked) };
  const nesting = holdsRelated(it.table, records) ? new Nesting(it) : undefined;
  const writes = await inTurn(it, records, (record) =>
    nesting ? nesting.unit(record, how) : authorizeWrite(it.database, writeOf(it, record, how)),
  );
  return settle(it, 'created', asked, writes, rereadBy(it, asked));
}

/** `PUT` or `PATCH _table/{t}`: one change set for `ids` or for a filter, else each record with its own id. */
export async function updateRecords(it: TableCall): Promise<Reply> {
  const records = requireRecords(it.payload);
  const { ids } = it.query;
  const where = ids?.length ? undefined : writeFilter(it);
  const asked = writtenColumns(it);
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
  return settle(it, 'updated', asked, writes, rereadBy(it, asked));
}

/** `PUT` or `PATCH _table/{t}/{id}`. */
export async function updateRecord(it: TableCall, id: string): Promise<Reply> {
  const record = oneRecord(it.payload);
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  const key = requireKey(it.table, it.query.idField);
  const asked = writtenColumns(it, true);
  const nesting = holdsRelated(it.table, [record]) ? new Nesting(it) : undefined;
  const write = await updateOf(it, key, record, returningOf(it, asked), idOf(key, id, 0), nesting);
  return settleOne(it, write, rereadBy(it, asked));
}

/** `DELETE _table/{t}`: `ids`, then records, then filter, then `force` says what goes. */
export async function deleteRecords(it: TableCall): Promise<Reply> {
  const { ids, filter, force } = it.query;
  const records = recordsOf(it.payload);
  const asked = writtenColumns(it);
  if (ids?.length) return deleteByKeys(it, asked, limitIds(ids), keyOfId);
  if (records.length > 0) return deleteByKeys(it, asked, records, keyOfRecord);
  const where = writeFilter(it);
  if (where) {
    const write: Write = { kind: 'delete', table: it.table, where, returning: returningOf(it, asked) };
    return settleMany(it, asked, authorizeWrite(it.database, write), deletedBy(it, asked));
  }
  if (!force) throw fail(filter === undefined ? 'record.noneToDelete' : 'table.blankDeleteFilter');
  await only(it, authorizeWrite(it.database, { kind: 'delete', table: it.table, returning: [] }), it.run);
  return answer({ success: true });
}

async function deleteByKeys<T>(
  it: TableCall,
  asked: AskedColumns,
  wanted: T[],
  keyOf: (columns: Column[], one: T, index: number) => Key,
): Promise<Reply> {
  const key = requireKey(it.table, it.query.idField);
  const keys: Key[] = [];
  const writes = await inTurn(it, wanted, (one, index) => {
    const id = keyOf(key, one, index);
    const write = deleteOf(it, asked, key, id);
    keys.push(id);
    return write;
  });
  return settle(it, 'deleted', asked, writes, deletedBy(it, asked, await readBeforeDelete(it, asked, keys)));
}

/** `DELETE _table/{t}/{id}`. */
export async function deleteRecord(it: TableCall, id: string): Promise<Reply> {
  const columns = requireKey(it.table, it.query.idField);
  const asked = writtenColumns(it, true);
  const key = keyOfId(columns, id, 0);
  const before = await readBeforeDelete(it, asked, [key]);
  return settleOne(it, deleteOf(it, asked, columns, key), deletedBy(it, asked, before));
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
): MaybePromise<AuthorizedWrite | AuthorizedUnit> {
  const missing = it.allowUpsert ? 'insert' : 'fail';
  const how: RecordWrite = { kind: 'update', returning, key, id, where: whereIs(it, key, id), missing, sent };
  return nesting ? nesting.unit(record, how) : authorizeWrite(it.database, writeOf(it, record, how));
}

function deleteOf(it: TableCall, asked: AskedColumns, key: Column[], id: Key): AuthorizedWrite {
  const where = whereIs(it, key, id);
  const returning = returningOf(it, asked);
  return authorizeWrite(it.database, {
    kind: 'delete',
    table: it.table,
    where,
    returning,
    missing: recordNotFound(id),
  });
}

/** The condition that finds the record of a key; by other columns than the table's own it is looked for. */
function whereIs(it: TableCall, key: Column[], id: Key): BoundFilter {
  const where = whereKey(key, id);
  return it.query.idField?.length ? soughtBy(it, 'id_field', where) : where;
}

function writeFilter(it: TableCall): BoundFilter | undefined {
  const where = clientFilter(it);
  return where && soughtBy(it, 'filter', where);
}

/** The columns a write is asked for; whoever may not read gets lists of keys. */
function writtenColumns(it: TableCall, isOne = false): AskedColumns {
  const asked = askedColumns(it, 'key', isOne);
  const { key } = it.table;
  const isWithheld = asked.asList?.some((column) => !key.includes(column)) && !it.reads;
  return isWithheld ? { columns: key, asList: key } : asked;
}

/**
 * Makes the writes of a batch. What can not be written stands in it as its refusal, so that those before it are still
 * done; where the first failure ends the batch, what comes after it is not looked at.
 */
async function inTurn<T>(
  it: TableCall,
  list: readonly T[],
  make: (one: T, index: number) => MaybePromise<AuthorizedWrite | AuthorizedUnit>,
): Promise<(AuthorizedWrite | AuthorizedUnit)[]> {
  const { query, database } = it;
  const writes: (AuthorizedWrite | AuthorizedUnit)[] = [];
  for (const [index, one] of list.entries()) {
    try {
      const write = make(one, index);
      writes.push(write instanceof Promise ? await write : write);
    } catch (error) {
      writes.push(authorizeWrite(database, { kind: 'refuse', failure: outcomeOf(error).failure! }));
      if (!query.continue) break;
    }
  }
  return writes;
}

// ---- many records, one write ----

async function updateByFilter(it: TableCall, record: RecordInput, where: BoundFilter, asked: AskedColumns) {
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  const values = updateValues(it, record, []);
  const write: Write = { kind: 'update', table: it.table, values, where, returning: returningOf(it, asked) };
  return settleMany(it, asked, authorizeWrite(it.database, write), rereadBy(it, asked));
}

async function settleMany(
  it: TableCall,
  asked: AskedColumns,
  write: AuthorizedWrite,
  present: Present,
): Promise<Reply> {
  const written = (await only(it, write, it.run)).slice(0, it.maxRecords);
  const rows = await present(written.map((row) => ({ row, write })));
  return answer({ resource: asked.asList ? listed(rows, asked.asList) : rows });
}

// ---- running and answering ----

/** Makes the answer of rows that were written. */
type Present = (written: WrittenRow[]) => Row[] | Promise<Row[]>;

const rereadBy =
  (it: TableCall, asked: AskedColumns): Present =>
  (written) =>
    rereadRows(it, asked, written);

const deletedBy =
  (it: TableCall, asked: AskedColumns, before?: DeletedRows): Present =>
  (written) =>
    written.map((one) => deletedRow(it, asked, one, before));

async function settle(
  it: TableCall,
  verb: BatchVerb,
  asked: AskedColumns,
  writes: (AuthorizedWrite | AuthorizedUnit)[],
  present: Present,
): Promise<Reply> {
  const { continue: goOn, rollback } = it.query;
  const run = writes.length === 1 && writes[0]?.kind !== 'unit' ? it.unwatched : it.run;
  const outcomes = await it.database.write(writes, rollback ? 'rollback' : goOn ? 'continue' : 'stop', run);
  // A database out of reach is no fault of a record: where nothing was done, the call as a whole says so.
  const outage = outcomes.find(({ failure }) => failure && failure.status > 500)?.failure;
  if (outage && outcomes.every(({ failure }) => failure)) throw outage;
  const written = outcomes.flatMap(({ rows }, index) =>
    rows?.[0] ? [{ row: rows[0], write: writes[index]!, index }] : [],
  );
  const isUndone = rollback && outcomes.some(({ failure }) => failure);
  const rows = isUndone ? written.map((one) => unreadRow(it, asked.columns, one)) : await present(written);
  const placed: Row[] = [];
  for (const [at, { index }] of written.entries()) placed[index] = rows[at]!;
  const results = settleBatch(
    verb,
    outcomes.map(({ failure }, index) => (failure ? { failure } : { result: placed[index] ?? {} })),
    rollback,
  );
  return answer({ resource: asked.asList ? listed(results, asked.asList) : results });
}

async function settleOne(it: TableCall, write: AuthorizedWrite | AuthorizedUnit, present: Present): Promise<Reply> {
  const written = (await only(it, write, it.unwatched)).slice(0, 1);
  const [row = {}] = await present(written.map((row) => ({ row, write })));
  return answer(row);
}

/** Runs a write on its own; its failure is the answer. */
async function only(it: TableCall, write: AuthorizedWrite | AuthorizedUnit, run: RunOptions): Promise<Row[]> {
  const [outcome] = await it.database.write([write], 'stop', run);
  if (outcome?.failure) throw outcome.failure;
  return outcome?.rows ?? [];
}
