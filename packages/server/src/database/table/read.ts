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
  type Row,
  type Select,
} from '@sluice/sql';
import { answer, type Reply } from '../../call/call.ts';
import { type Outcome, outcomeOf, recordsOf, settleBatch } from '../../call/payload.ts';
import { areAggregated, askedColumns, listColumns, listed } from '../record/columns.ts';
import { type Key, keyOfId, keyOfRecord, limitIds, recordNotFound, requireKey, whereKey } from '../record/identify.ts';
import { readAfter } from '../record/keyset.ts';
import { metaSchema } from '../schema/describe.ts';
import { findByKeys } from './find.ts';
import type { TableCall } from './table-call.ts';

/** `GET _table/{t}/{id}`: the bare record; its text goes out as the database made it. */
export function readRecord(it: TableCall, id: string): MaybePromise<Reply> {
  const key = requireKey(it.table, it.query.idField);
  const { columns } = askedColumns(it, 'all', true);
  const where = whereKey(key, keyOfId(key, id, 0));
  return chain(it.reader.select({ table: it.table, columns, where, limit: 1 }, it.unwatched), (rows) => {
    if (rows.count === 0) throw recordNotFound([id]);
    return { body: { json: rows.json().slice(1, -1) } };
  });
}

/** `GET _table/{t}`: by `ids`, by the records of a tunnelled body, else by filter. */
export async function readRecords(it: TableCall): Promise<Reply> {
  const { ids } = it.query;
  if (ids && ids.length > 0) return readByKeys(it, limitIds(ids), keyOfId);
  const records = recordsOf(it.payload);
  if (records.length > 0) return readByKeys(it, records, keyOfRecord);
  return readList(it);
}

// ---- by filter ----

/** A list that may hold more records than this goes out as it is read. */
const streamFrom = 1000;

async function readList(it: TableCall): Promise<Reply> {
  const { query, table, reader } = it;
  const where = clientFilter(it);
  const group = query.group === undefined ? undefined : parseGroup(query.group, table);
  const counted = { table, where, group };
  if (query.countOnly) return answer(await reader.count(counted, it.run));
  if (query.after !== undefined) return readAfter(it, query.after, where, () => describedMeta(it));
  const { columns, asList } = listColumns(it, 'all');
  const order = orderOf(it, areAggregated(columns, group) || group !== undefined);
  const page = pageOf(it);
  const select: Select = { ...counted, columns, order, limit: page.limit, offset: query.offset };
  const meta = (shown: number) => metaOf(it, shown, page, () => reader.count(counted, it.run));
  if (page.limit > streamFrom && !asList) return { body: { rows: { batches: reader.stream(select, it.run), meta } } };
  const rows = await reader.select(select, it.run);
  const list = asList ? JSON.stringify(listed(rows.list(), asList)) : rows.json();
  return { body: { json: `{"resource":${list}${await meta(rows.count)}}` } };
}

/** The filter the caller sent, bound to the table; undefined without one. */
export function clientFilter({ query, table, filterContext }: TableCall): BoundFilter | undefined {
  if (!query.filter?.trim()) return undefined;
  return bindFilter(parseFilter(query.filter), table, filterContext);
}

/**
 * The order asked for; without one that of the key, so that pages do not overlap: a database left to itself answers in
 * the order of whatever index it happens to use, which changes with the fields asked for.
 */
function orderOf({ query, table }: TableCall, isGrouped: boolean): OrderTerm[] | undefined {
  if (query.order?.trim()) return parseOrder(query.order, table);
  return isGrouped ? undefined : table.key.map((column) => ({ column, direction: 'asc' }));
}

interface Page {
  limit: number;
  /** The caller named a limit that holds. */
  isAsked: boolean;
}

/** A download (`file=name.csv`, `file=true`) is as long as the table: one cut short would look whole. */
function pageOf({ call, query, maxRecords }: TableCall): Page {
  const isDownload = /\.|^true$/i.test(call.query.get('file') ?? '');
  const max = isDownload ? Number.MAX_SAFE_INTEGER : maxRecords;
  const isAsked = query.limit !== undefined && query.limit >= 1 && query.limit <= max;
  return { limit: isAsked ? query.limit! : max, isAsked };
}

/** The text of `meta` with its comma, or nothing (contract/database-tables.md §8); `shown` records are in the answer. */
async function metaOf(it: TableCall, shown: number, page: Page, count: () => Promise<number>): Promise<string> {
  const { query } = it;
  const meta: Record<string, unknown> = {};
  if (query.includeCount || !page.isAsked) {
    // A page that is not full and not empty is the last one, and tells the total without counting.
    const isLast = shown < page.limit && (shown > 0 || query.offset === 0);
    const total = isLast ? query.offset + shown : await count();
    if (query.includeCount || total > page.limit) {
      meta.count = total;
      if (query.offset + page.limit < total) meta.next = query.offset + page.limit;
    }
  }
  Object.assign(meta, describedMeta(it));
  return Object.keys(meta).length > 0 ? `,"meta":${JSON.stringify(meta)}` : '';
}

/** The table, and the relations that had more records than one answer holds (docs/design.md, difference 30). */
function describedMeta({ query, table, serviceId, cut }: TableCall): Record<string, unknown> {
  return {
    ...(query.includeSchema ? { schema: metaSchema(table, serviceId) } : {}),
    ...(cut.size > 0 ? { truncated: [...cut] } : {}),
  };
}

// ---- by ids or records ----

async function readByKeys<T>(
  it: TableCall,
  wanted: T[],
  keyOf: (columns: Column[], one: T, index: number) => Key,
): Promise<Reply> {
  const key = requireKey(it.table, it.query.idField);
  const { columns, asList } = askedColumns(it, 'all');
  const outcomes: Outcome<Key>[] = [];
  for (const [index, one] of wanted.entries()) {
    try {
      outcomes.push({ result: keyOf(key, one, index) });
    } catch (error) {
      outcomes.push(outcomeOf(error));
      if (!it.query.continue) break;
    }
  }
  const rows = await findByKeys(
    it,
    key,
    outcomes.flatMap(({ result }) => (result ? [result] : [])),
    columns,
  );
  const answers: Outcome<Row>[] = [];
  for (const outcome of outcomes) {
    const found = outcome.result && rows(outcome.result);
    if (found) answers.push({ result: found });
    else answers.push({ failure: outcome.failure ?? recordNotFound(outcome.result) });
    if (!found && !it.query.continue) break;
  }
  const list = settleBatch('retrieved', answers);
  const meta = describedMeta(it);
  const resource = asList ? listed(list, asList) : list;
  return answer(Object.keys(meta).length > 0 ? { resource, meta } : { resource });
}
