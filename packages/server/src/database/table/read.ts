// Reading records: one by its id, several by ids or records, or a list by filter (contract/database-tables.md §2, §3.5, §8).
import { chain, type MaybePromise } from '@sluice/contract';
import {
  type BoundFilter,
  bindFilter,
  type Column,
  type OrderTerm,
  parseFilter,
  parseGroup,
  parseOrder,
  parseRecordOrder,
  pause,
  type Row,
  type Select,
  type Table,
} from '@sluice/sql';
import { answer, type Reply } from '../../call/call.ts';
import { type Outcome, outcomeOf, recordsOf, settleBatch } from '../../call/payload.ts';
import { checkAggregates, selectColumns, selectListColumns, toValueList } from '../record/columns.ts';
import { type Key, keyOfId, keyOfRecord, recordNotFound, requireKey, whereKey } from '../record/identify.ts';
import { readPageAfter } from '../record/keyset.ts';
import { describeForMeta } from '../schema/describe.ts';
import { findByKeys } from './find.ts';
import type { TableCall } from './table-call.ts';

/** `GET _table/{t}/{id}`: the record alone; its text goes out as the database made it. */
export function readRecord(tableCall: TableCall, id: string): MaybePromise<Reply> {
  const key = requireKey(tableCall.table, tableCall.query.idField);
  const { columns } = selectColumns(tableCall, 'all', true);
  const where = whereKey(key, keyOfId(tableCall.table, key, id, 0));
  return chain(
    tableCall.reader.select({ table: tableCall.table, columns, where, limit: 1 }, tableCall.shortRunOptions),
    (rows) => {
      if (rows.count === 0) throw recordNotFound([id]);
      return { body: { json: rows.json().slice(1, -1) } };
    },
  );
}

/** `GET _table/{t}`: by `ids`, by the records of a tunnelled body, else by filter. */
export async function readRecords(tableCall: TableCall): Promise<Reply> {
  const { ids } = tableCall.query;
  if (ids && ids.length > 0) return readByKeys(tableCall, ids, keyOfId);
  const records = recordsOf(tableCall.payload);
  if (records.length > 0) return readByKeys(tableCall, records, keyOfRecord);
  return readList(tableCall);
}

// ---- by filter ----

/** A list that may hold more records than this goes out as it is read, whatever its length. */
const streamThreshold = 1000;

async function readList(tableCall: TableCall): Promise<Reply> {
  const { query, table, reader } = tableCall;
  const where = clientFilter(tableCall);
  const group = query.group === undefined ? undefined : parseGroup(query.group, table);
  const countQuery = { table, where, group };
  if (query.countOnly) return answer(await reader.count(countQuery, tableCall.runOptions));
  if (query.after !== undefined) return readPageAfter(tableCall, query.after, where, () => describeMeta(tableCall));
  const { columns, valueColumns } = selectListColumns(tableCall, 'all');
  const order = orderOf(tableCall, checkAggregates(columns, group) || group !== undefined);
  const page = pageOf(tableCall);
  const select: Select = { table, where, group, columns, order, limit: page.limit, offset: query.offset };
  const meta = (shown: number) =>
    metaText(tableCall, shown, page, () => reader.count(countQuery, tableCall.runOptions));
  if (valueColumns) {
    const rows = await reader.select(select, tableCall.runOptions);
    const list = JSON.stringify(toValueList(rows.list(), valueColumns));
    return { body: { json: `{"resource":${list}${await meta(rows.count)}}` } };
  }
  const fields = columns.map((column) => column.name);
  if (page.limit > streamThreshold)
    return { body: { rows: { batches: reader.stream(select, tableCall.streamOptions), fields, meta } } };
  const rows = await reader.selectOrStream(select, tableCall.runOptions);
  if (!('count' in rows)) return { body: { rows: { batches: rows, fields, meta } } };
  return { body: { json: `{"resource":${rows.json()}${await meta(rows.count)}}`, fields } };
}

/** The filter the caller sent, bound to the table; undefined without one. */
export function clientFilter({ query, table, filterContext }: TableCall): BoundFilter | undefined {
  return query.filter?.trim() ? bindFilter(parseFilter(query.filter), table, filterContext) : undefined;
}

/**
 * The order of the call, which ends in the key: a database left to itself answers in the order of whatever index it happens to
 * use, which changes with the selected fields, and pages would overlap. Groups are ordered as the call says.
 */
function orderOf({ query: { order }, table }: TableCall, isGrouped: boolean): readonly OrderTerm[] | undefined {
  if (!isGrouped) return parseRecordOrder(order, table);
  return order?.trim() ? parseOrder(order, table) : undefined;
}

interface Page {
  limit: number;
  /** The caller set a valid limit. */
  isExplicit: boolean;
}

/** A download (`file=name.csv`, `file=true`) is as long as the table: a truncated one would look complete. */
function pageOf({ call, query, maxRecords }: TableCall): Page {
  const isDownload = /\.|^true$/i.test(call.query.get('file') ?? '');
  const max = isDownload ? Number.MAX_SAFE_INTEGER : maxRecords;
  const isExplicit = query.limit !== undefined && query.limit >= 1 && query.limit <= max;
  return { limit: isExplicit ? query.limit! : max, isExplicit };
}

/** The text of `meta` with its comma, or nothing (contract/database-tables.md §8); the answer has `shown` records. */
async function metaText(
  tableCall: TableCall,
  shown: number,
  page: Page,
  count: () => Promise<number>,
): Promise<string> {
  const { query } = tableCall;
  const meta: Record<string, unknown> = {};
  if (query.includeCount || !page.isExplicit) {
    // A page that is neither full nor empty is the last one: the total is known without counting.
    const isLast = shown < page.limit && (shown > 0 || query.offset === 0);
    const total = isLast ? query.offset + shown : await count();
    if (query.includeCount || total > page.limit) {
      meta.count = total;
      if (query.offset + page.limit < total) meta.next = query.offset + page.limit;
    }
  }
  Object.assign(meta, describeMeta(tableCall));
  return Object.keys(meta).length > 0 ? `,"meta":${JSON.stringify(meta)}` : '';
}

/** The table, and the relations that had more records than one answer holds (docs/design.md, difference 30). */
function describeMeta({ query, table, serviceId, truncatedRelations }: TableCall): Record<string, unknown> {
  return {
    ...(query.includeSchema ? { schema: describeForMeta(table, serviceId) } : {}),
    ...(truncatedRelations.size > 0 ? { truncated: [...truncatedRelations] } : {}),
  };
}

// ---- by ids or records ----

async function readByKeys<T>(
  tableCall: TableCall,
  items: T[],
  keyOf: (table: Table, columns: Column[], item: T, index: number) => Key,
): Promise<Reply> {
  const key = requireKey(tableCall.table, tableCall.query.idField);
  const { columns, valueColumns } = selectColumns(tableCall, 'all');
  const outcomes: Outcome<Key>[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0) await pause();
    try {
      outcomes.push({ result: keyOf(tableCall.table, key, item, index) });
    } catch (error) {
      outcomes.push(outcomeOf(error));
      if (!tableCall.query.continue) break;
    }
  }
  const rowOf = await findByKeys(
    tableCall,
    key,
    outcomes.flatMap(({ result }) => (result ? [result] : [])),
    columns,
  );
  const answers: Outcome<Row>[] = [];
  for (const outcome of outcomes) {
    const found = outcome.result && rowOf(outcome.result);
    if (found) answers.push({ result: found });
    else answers.push({ failure: outcome.failure ?? recordNotFound(outcome.result) });
    if (!found && !tableCall.query.continue) break;
  }
  const list = settleBatch('retrieved', answers);
  const meta = describeMeta(tableCall);
  const resource = valueColumns ? toValueList(list, valueColumns) : list;
  return answer(Object.keys(meta).length > 0 ? { resource, meta } : { resource });
}
