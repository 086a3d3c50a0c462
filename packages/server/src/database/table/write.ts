// Creating, changing and deleting records, one or many (contract/database-tables.md §3, §7). Each record becomes one write,
// an invalid one a refusal in its place; the database runs them in order, in the batch mode the caller chose.
import { chain, fail, type MaybePromise } from '@sluice/contract';
import { type BoundFilter, type Column, pause, type Row, type RunOptions, type Table, type Write } from '@sluice/sql';
import { answer, type Reply } from '../../call/call.ts';
import {
  type BatchVerb,
  isRecord,
  outcomeOf,
  type RecordInput,
  readOneRecord,
  recordsOf,
  requireRecords,
  settleBatch,
} from '../../call/payload.ts';
import { type SelectedColumns, selectColumns, toValueList } from '../record/columns.ts';
import { type Key, keyOfId, keyOfRecord, recordNotFound, requireKey, whereKey } from '../record/identify.ts';
import { buildWrite, updateValues, type WriteRequest } from '../record/record.ts';
import { authorizeWrite, type BatchWrite } from '../record-filter/scoped-database.ts';
import { holdsRelated, NestedWriter } from '../related/write.ts';
import { checkLoaded, type LoadedRecords, readLoaded, readOneLoaded, refuseLoaded, withoutLoaded } from './loaded.ts';
import { clientFilter } from './read.ts';
import { authorizeSearch } from './read-access.ts';
import type { TableCall } from './table-call.ts';
import {
  type DeletedRows,
  presentDeleted,
  presentUnread,
  readBeforeDelete,
  rereadRows,
  returningColumns,
  type WrittenRow,
} from './written-rows.ts';

/** `POST _table/{t}`. */
export async function createRecords(tableCall: TableCall): Promise<Reply> {
  const records = requireRecords(tableCall.payload);
  const selectedColumns = selectWriteColumns(tableCall);
  const request: WriteRequest = { kind: 'insert', returning: returningColumns(tableCall, selectedColumns) };
  const nestedWriter = holdsRelated(tableCall.table, records) ? new NestedWriter(tableCall) : undefined;
  const writes = await buildWrites(tableCall, records, (record) =>
    nestedWriter
      ? nestedWriter.buildUnit(record, request)
      : authorizeWrite(tableCall.database, buildWrite(tableCall, record, request)),
  );
  return runBatch(tableCall, 'created', selectedColumns, writes, rereadPresenter(tableCall, selectedColumns));
}

/** `PUT` or `PATCH _table/{t}`: one change set for `ids` or for a filter, else each record with its own id. */
export async function updateRecords(tableCall: TableCall): Promise<Reply> {
  const records = requireRecords(tableCall.payload);
  const { ids } = tableCall.query;
  const where = ids?.length ? undefined : writeFilter(tableCall);
  const selectedColumns = selectWriteColumns(tableCall);
  const nestedWriter = holdsRelated(tableCall.table, records) ? new NestedWriter(tableCall) : undefined;
  if (where && nestedWriter) throw fail('related.byFilter');
  if (where) refuseLoaded(tableCall);
  if (where) return updateByFilter(tableCall, records[0]!, where, selectedColumns);
  const key = requireKey(tableCall.table, tableCall.query.idField);
  const returning = returningColumns(tableCall, selectedColumns);
  const loaded = readLoaded(tableCall, ids?.length ? ids.length : records.length);
  const buildItem = (record: RecordInput, id: Id, index: number) =>
    buildUpdate(tableCall, key, record, returning, id, nestedWriter, loaded[index]);
  const writes = ids?.length
    ? await buildWrites(tableCall, ids, (id, index) =>
        buildItem(records[0]!, idOfValue(tableCall, key, id, index), index),
      )
    : await buildWrites(tableCall, records, (record, index) =>
        buildItem(record, idOfRecord(tableCall, key, record, index), index),
      );
  return runBatch(tableCall, 'updated', selectedColumns, writes, rereadPresenter(tableCall, selectedColumns));
}

/** `PUT` or `PATCH _table/{t}/{id}`. */
export async function updateRecord(tableCall: TableCall, id: string): Promise<Reply> {
  const record = readBareOrWrapped(tableCall);
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  const key = requireKey(tableCall.table, tableCall.query.idField);
  const selectedColumns = selectWriteColumns(tableCall, true);
  const nestedWriter = holdsRelated(tableCall.table, [record]) ? new NestedWriter(tableCall) : undefined;
  const write = await buildUpdate(
    tableCall,
    key,
    record,
    returningColumns(tableCall, selectedColumns),
    idOfValue(tableCall, key, id, 0),
    nestedWriter,
    readOneLoaded(tableCall),
  );
  return runOne(tableCall, write, rereadPresenter(tableCall, selectedColumns));
}

/** The one record of a call; `resource` is a field of it where the table has that and the value is one for it. */
function readBareOrWrapped(tableCall: TableCall): RecordInput {
  const { payload, table } = tableCall;
  const field = isRecord(payload) && Object.hasOwn(payload, 'resource') ? table.column('resource') : undefined;
  if (!field || !isRecord(payload)) return readOneRecord(withoutLoaded(tableCall));
  const isStructure = typeof payload.resource === 'object' && payload.resource !== null;
  return isStructure && field.description.type !== 'json' ? readOneRecord(withoutLoaded(tableCall)) : payload;
}

/** `DELETE _table/{t}`: `ids`, else records, else the filter, else `force` says what is deleted. */
export async function deleteRecords(tableCall: TableCall): Promise<Reply> {
  const { ids, filter, force } = tableCall.query;
  const records = recordsOf(tableCall.payload);
  const selectedColumns = selectWriteColumns(tableCall);
  if (ids?.length) return deleteByKeys(tableCall, selectedColumns, ids, keyOfId);
  if (records.length > 0) return deleteByKeys(tableCall, selectedColumns, records, keyOfRecord);
  const where = writeFilter(tableCall);
  refuseLoaded(tableCall);
  if (where) {
    const write: Write = {
      kind: 'delete',
      table: tableCall.table,
      where,
      returning: returningColumns(tableCall, selectedColumns),
    };
    return runForMany(tableCall, selectedColumns, write, deletedPresenter(tableCall, selectedColumns));
  }
  if (!force) throw fail(filter === undefined ? 'record.noneToDelete' : 'table.blankDeleteFilter');
  await runWrite(
    tableCall,
    authorizeWrite(tableCall.database, { kind: 'delete', table: tableCall.table, returning: [] }),
    tableCall.runOptions,
  );
  return answer({ success: true });
}

async function deleteByKeys<T>(
  tableCall: TableCall,
  selectedColumns: SelectedColumns,
  items: T[],
  keyOf: (table: Table, columns: Column[], item: T, index: number) => Key,
): Promise<Reply> {
  const key = requireKey(tableCall.table, tableCall.query.idField);
  const loaded = readLoaded(tableCall, items.length);
  const keys: Key[] = [];
  const writes = await buildWrites(tableCall, items, (item, index) => {
    const id = keyOf(tableCall.table, key, item, index);
    const write = buildDelete(tableCall, selectedColumns, key, id, loaded[index]);
    keys.push(id);
    return write;
  });
  return runBatch(
    tableCall,
    'deleted',
    selectedColumns,
    writes,
    deletedPresenter(tableCall, selectedColumns, await readBeforeDelete(tableCall, selectedColumns, keys)),
  );
}

/** `DELETE _table/{t}/{id}`. */
export async function deleteRecord(tableCall: TableCall, id: string): Promise<Reply> {
  const columns = requireKey(tableCall.table, tableCall.query.idField);
  const selectedColumns = selectWriteColumns(tableCall, true);
  const key = keyOfId(tableCall.table, columns, id, 0);
  const before = await readBeforeDelete(tableCall, selectedColumns, [key]);
  return runOne(
    tableCall,
    buildDelete(tableCall, selectedColumns, columns, key, readOneLoaded(tableCall)),
    deletedPresenter(tableCall, selectedColumns, before),
  );
}

// ---- one record, one write ----

/** An id in both its forms: converted to find the row, and as fields of the record an upsert would insert. */
interface Id {
  key: Key;
  fields: RecordInput;
}

const idOfRecord = ({ table }: TableCall, key: Column[], record: RecordInput, index: number): Id => ({
  key: keyOfRecord(table, key, record, index),
  fields: {},
});

const idOfValue = ({ table }: TableCall, key: Column[], id: unknown, index: number): Id => ({
  key: keyOfId(table, key, id, index),
  fields: isRecord(id) ? id : { [key[0]!.name]: id },
});

function buildUpdate(
  tableCall: TableCall,
  key: Column[],
  record: RecordInput,
  returning: Column[],
  { key: id, fields: idFields }: Id,
  nestedWriter: NestedWriter | undefined,
  loaded: LoadedRecords[number],
): MaybePromise<BatchWrite> {
  const where = whereId(tableCall, key, id);
  const missing = tableCall.allowUpsert ? 'insert' : 'fail';
  const request: WriteRequest = {
    kind: 'update',
    returning,
    key,
    id,
    where,
    missing,
    idFields,
  };
  const write: MaybePromise<BatchWrite> = nestedWriter
    ? nestedWriter.buildUnit(record, request)
    : authorizeWrite(tableCall.database, buildWrite(tableCall, record, request));
  return loaded ? chain(write, (unchecked) => checkLoaded(tableCall, where, id, loaded, unchecked)) : write;
}

function buildDelete(
  tableCall: TableCall,
  selectedColumns: SelectedColumns,
  key: Column[],
  id: Key,
  loaded: LoadedRecords[number],
): BatchWrite {
  const where = whereId(tableCall, key, id);
  const returning = returningColumns(tableCall, selectedColumns);
  const write = authorizeWrite(tableCall.database, {
    kind: 'delete',
    table: tableCall.table,
    where,
    returning,
    missing: recordNotFound(id),
  });
  return checkLoaded(tableCall, where, id, loaded, write);
}

/** The condition that finds the record of a key; with `id_field` it is a search, which needs rights of its own. */
function whereId(tableCall: TableCall, key: Column[], id: Key): BoundFilter {
  const where = whereKey(key, id);
  return tableCall.query.idField?.length ? authorizeSearch(tableCall, 'id_field', where) : where;
}

function writeFilter(tableCall: TableCall): BoundFilter | undefined {
  const where = clientFilter(tableCall);
  return where && authorizeSearch(tableCall, 'filter', where);
}

/** The columns that a write answers; a caller who may not read gets lists of keys. */
function selectWriteColumns(tableCall: TableCall, isSingle = false): SelectedColumns {
  const selectedColumns = selectColumns(tableCall, 'key', isSingle);
  const { key } = tableCall.table;
  const isWithheld = selectedColumns.valueColumns?.some((column) => !key.includes(column)) && !tableCall.readAccess;
  return isWithheld ? { columns: key, valueColumns: key } : selectedColumns;
}

/**
 * Builds the writes of a batch. A record that cannot be written stands in it as its refusal, so that those before it are still
 * done; where the first failure ends the batch, the records after it are not looked at.
 */
async function buildWrites<T>(
  tableCall: TableCall,
  items: readonly T[],
  buildItem: (item: T, index: number) => MaybePromise<BatchWrite>,
): Promise<BatchWrite[]> {
  const { query, database } = tableCall;
  const writes: BatchWrite[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0) await pause();
    try {
      const write = buildItem(item, index);
      writes.push(write instanceof Promise ? await write : write);
    } catch (error) {
      writes.push(authorizeWrite(database, { kind: 'refuse', failure: outcomeOf(error).failure! }));
      if (!query.continue) break;
    }
  }
  return writes;
}

// ---- many records, one write ----

async function updateByFilter(
  tableCall: TableCall,
  record: RecordInput,
  where: BoundFilter,
  selectedColumns: SelectedColumns,
) {
  if (Object.keys(record).length === 0) throw fail('table.emptyRecord');
  const values = updateValues(tableCall, record, []);
  const write: Write = {
    kind: 'update',
    table: tableCall.table,
    values,
    where,
    returning: returningColumns(tableCall, selectedColumns),
  };
  return runForMany(tableCall, selectedColumns, write, rereadPresenter(tableCall, selectedColumns));
}

async function runForMany(
  tableCall: TableCall,
  selectedColumns: SelectedColumns,
  unauthorized: Write,
  present: Presenter,
): Promise<Reply> {
  const write = authorizeWrite(tableCall.database, unauthorized);
  const writtenRows = (await runWrite(tableCall, write, tableCall.runOptions)).slice(0, tableCall.maxRecords);
  const rows = await present(writtenRows.map((row) => ({ row, write })));
  return answer({ resource: selectedColumns.valueColumns ? toValueList(rows, selectedColumns.valueColumns) : rows });
}

// ---- running writes and answering ----

/** Makes the answer for rows that were written. */
type Presenter = (writtenRows: WrittenRow[]) => Row[] | Promise<Row[]>;

const rereadPresenter =
  (tableCall: TableCall, selectedColumns: SelectedColumns): Presenter =>
  (writtenRows) =>
    rereadRows(tableCall, selectedColumns, writtenRows);

const deletedPresenter =
  (tableCall: TableCall, selectedColumns: SelectedColumns, before?: DeletedRows): Presenter =>
  (writtenRows) =>
    writtenRows.map((item) => presentDeleted(tableCall, selectedColumns, item, before));

async function runBatch(
  tableCall: TableCall,
  verb: BatchVerb,
  selectedColumns: SelectedColumns,
  writes: BatchWrite[],
  present: Presenter,
): Promise<Reply> {
  const { continue: continueOnFailure, rollback } = tableCall.query;
  const runOptions =
    writes.length === 1 && writes[0]?.kind !== 'unit' ? tableCall.shortRunOptions : tableCall.runOptions;
  const outcomes = await tableCall.database.write(
    writes,
    rollback ? 'rollback' : continueOnFailure ? 'continue' : 'stop',
    runOptions,
  );
  // A database out of reach is no fault of a record: where nothing was done, the whole call fails.
  const outage = outcomes.find(({ failure }) => failure && failure.status > 500)?.failure;
  if (outage && outcomes.every(({ failure }) => failure)) throw outage;
  const writtenRows: (WrittenRow & { index: number })[] = [];
  for (const [index, { rows }] of outcomes.entries())
    if (rows?.[0]) writtenRows.push({ row: rows[0], write: writes[index]!, index });
  const isUndone = rollback && outcomes.some(({ failure }) => failure);
  const rows = isUndone
    ? writtenRows.map((item) => presentUnread(tableCall, selectedColumns.columns, item))
    : await present(writtenRows);
  const rowByIndex: Row[] = [];
  for (const [position, { index }] of writtenRows.entries()) rowByIndex[index] = rows[position]!;
  const results = settleBatch(
    verb,
    outcomes.map(({ failure }, index) => (failure ? { failure } : { result: rowByIndex[index] ?? {} })),
    rollback,
  );
  return answer({
    resource: selectedColumns.valueColumns ? toValueList(results, selectedColumns.valueColumns) : results,
  });
}

async function runOne(tableCall: TableCall, write: BatchWrite, present: Presenter): Promise<Reply> {
  const writtenRows = (await runWrite(tableCall, write, tableCall.shortRunOptions)).slice(0, 1);
  const [row = {}] = await present(writtenRows.map((row) => ({ row, write })));
  return answer(row);
}

/** Runs a write on its own; its failure is the answer. */
async function runWrite(tableCall: TableCall, write: BatchWrite, runOptions: RunOptions): Promise<Row[]> {
  const [outcome] = await tableCall.database.write([write], 'stop', runOptions);
  if (outcome?.failure) throw outcome.failure;
  return outcome?.rows ?? [];
}
