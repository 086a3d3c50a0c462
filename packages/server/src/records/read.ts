// Reading records: one, several by their identifiers, a list by filter (contract/system-resources.md §0,
// contract/http-basics.md §10). The query language is that of tables; differences.test.ts lists in what lists differ.
import { fail } from '@sluice/contract';
import {
  bindFilter,
  filterExpression,
  type OrderTerm,
  orderExpression,
  parseFilter,
  parseGroup,
  parseOrder,
} from '@sluice/sql';
import { type Expression, type SqlBool, sql } from 'kysely';
import { sessionLookup } from '../access/lookups.ts';
import type { ListQuery } from '../call/list-query.ts';
import { type Outcome, settleBatch, stringifyInput } from '../call/payload.ts';
import { toRecord } from '../resource/fields.ts';
import type { RecordContext, ServedResource, StoredRow, WireRecord } from '../resource/resource.ts';
import { anyTable, findRow, findRows, idOf, isInScope, parseRecordId, selectOwnRows } from './rows.ts';
import { type Projection, readProjection, type Selection, serializeRows } from './serialize.ts';
import { filterForStore, orderForStore, requireFilterLength } from './store-query.ts';
import { tableOf, tableVisibleTo } from './table.ts';

/** What a list is asked for: `ListQuery` without what only the wire knows. */
export type RecordsRequest = Selection &
  Pick<
    ListQuery,
    'filter' | 'params' | 'order' | 'group' | 'limit' | 'offset' | 'asList' | 'includeCount' | 'includeSchema'
  >;

export interface RecordList {
  resource: unknown[];
  /** Beside the records, where something of it was asked for. */
  meta?: Record<string, unknown>;
}

/** One record, or the one value it stands for, and the row it was made of. Throws `record.notFound`. */
export async function readOne(resource: ServedResource, id: unknown, selection: Selection, context: RecordContext) {
  const projection = readProjection(resource, selection, context);
  const row = await requireRow(resource, id, context);
  const [record] = await serializeRows(resource, [row], projection, context);
  const isWhole = selection.fields !== undefined || selection.related.length > 0 || resource.bareValue === undefined;
  return { answer: isWhole ? record : record?.[resource.bareValue as string], row };
}

async function requireRow(resource: ServedResource, raw: unknown, { db }: RecordContext): Promise<StoredRow> {
  const id = parseRecordId(resource, raw);
  const row = id === undefined ? undefined : await findRow(db, resource, id);
  if (!row || !isInScope(resource, row)) throw fail('record.notFound', { id: stringifyInput(raw) });
  return row;
}

/** The records of these identifiers, in the order of the request; a missing one fails the batch. */
export async function readByIds(
  resource: ServedResource,
  ids: unknown[],
  request: Selection & Pick<ListQuery, 'continue' | 'asList'>,
  context: RecordContext,
): Promise<RecordList> {
  const projection = readProjection(resource, request, context);
  const recordIds = ids.map((id) => parseRecordId(resource, id)).filter((id) => id !== undefined);
  const rowsOfIds = await findRows(context.db, resource, resource.definition.identifier, recordIds);
  const rowById = new Map(rowsOfIds.filter((row) => isInScope(resource, row)).map((row) => [idOf(resource, row), row]));
  const outcomes: Outcome<StoredRow>[] = [];
  for (const raw of ids) {
    const id = parseRecordId(resource, raw);
    const row = id === undefined ? undefined : rowById.get(id);
    outcomes.push(row ? { result: row } : { failure: fail('record.notFound', { id: stringifyInput(raw) }) });
    if (!row && !request.continue) break;
  }
  const rows = outcomes.map(({ result }) => result).filter((row) => row !== undefined);
  const records = await serializeRows(resource, rows, projection, context);
  const recordOf = new Map(rows.map((row, index) => [row, records[index] as WireRecord]));
  const settled = settleBatch<WireRecord>(
    'retrieved',
    outcomes.map((outcome) => (outcome.failure ? outcome : { result: recordOf.get(outcome.result) as WireRecord })),
  );
  return { resource: request.asList ? rows.map((row) => idOf(resource, row)) : settled };
}

/** The list a request describes, `maxRecords` at most. */
export async function readList(
  resource: ServedResource,
  request: RecordsRequest,
  context: RecordContext,
  maxRecords: number,
): Promise<RecordList> {
  const projection = readProjection(resource, request, context);
  const { limit } = request;
  const page: Page = {
    where: buildWhere(resource, request, context),
    group: readGroup(resource, request, context),
    order: readOrder(resource, request, context),
    limit: limit === undefined || limit < 1 ? maxRecords : Math.min(limit, maxRecords),
    offset: request.offset,
  };
  const meta: Record<string, unknown> = {};
  if (request.includeCount) meta.count = await countRows(resource, page, context);
  if (request.includeSchema) meta.schema = tableOf(resource.definition).description;
  const records = await readPage(resource, page, request.asList, projection, context);
  return { resource: records, ...(Object.keys(meta).length > 0 ? { meta } : {}) };
}

interface Page {
  where: Expression<SqlBool> | undefined;
  order: OrderTerm[];
  /** The columns whose groups are answered, each once; undefined where records are. */
  group: string[] | undefined;
  limit: number;
  offset: number;
}

async function readPage(
  resource: ServedResource,
  page: Page,
  asList: boolean,
  projection: Projection,
  context: RecordContext,
): Promise<unknown[]> {
  const { definition } = resource;
  const { group } = page;
  if (group) {
    const rows: StoredRow[] = await groupQuery(resource, page, group, context).execute();
    return rows.map((row) => pickFields(toRecord(definition, row), group));
  }
  const rows = await rowQuery(resource, page, context).execute();
  if (asList) return rows.map((row) => idOf(resource, row));
  return serializeRows(resource, rows, projection, context);
}

const pickFields = (record: WireRecord, fields: string[]): WireRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));

function rowQuery(resource: ServedResource, page: Page, { db, store }: RecordContext) {
  const { order, where, limit, offset } = page;
  let query = selectOwnRows(db, resource).selectAll();
  if (where) query = query.where(where);
  for (const term of order) query = query.orderBy(orderExpression(term, store.sql.grammar));
  // The key comes last: pages must not overlap where the order says nothing. An index is read backwards as a whole.
  const lastTerm = order.at(-1);
  const keyDirection = lastTerm && !lastTerm.column.description.allow_null ? lastTerm.direction : 'asc';
  return query.orderBy(resource.definition.identifier, keyDirection).limit(limit).offset(offset);
}

function groupQuery(resource: ServedResource, page: Page, columns: string[], { db, store }: RecordContext) {
  const { order, where, limit, offset } = page;
  let query = selectOwnRows(db, resource).select(columns).groupBy(columns);
  if (where) query = query.where(where);
  for (const term of order) {
    const { native, name } = term.column;
    if (!columns.includes(native)) throw fail('filter.orderField', { field: name });
    query = query.orderBy(orderExpression(term, store.sql.grammar));
  }
  for (const column of columns) query = query.orderBy(column);
  return query.limit(limit).offset(offset);
}

async function countRows(resource: ServedResource, { where, group }: Page, { db }: RecordContext): Promise<number> {
  let query = selectOwnRows(db, resource);
  if (where) query = query.where(where);
  const counted = group
    ? anyTable(db).selectFrom(query.select(group).distinct().as('groups')).select(sql`count(*)`.as('count'))
    : query.select(sql`count(*)`.as('count'));
  return Number((await counted.executeTakeFirst())?.count);
}

// ---- the query language ----

function buildWhere(
  resource: ServedResource,
  { filter, params }: RecordsRequest,
  { actor, store }: RecordContext,
): Expression<SqlBool> | undefined {
  if (filter === undefined || filter.trim() === '') return undefined;
  requireFilterLength(filter);
  const user = actor.caller.user?.id;
  const bound = bindFilter(parseFilter(filter), tableVisibleTo(resource, actor), {
    params: user === undefined ? params : { ':user_id': user, ...params },
    lookup: sessionLookup(actor),
  });
  // In brackets: the query has conditions of its own, which separate the rows of resources.
  return sql<SqlBool>`(${filterExpression(filterForStore(bound, store.sql).filter, store.sql.grammar)})`;
}

const readOrder = (
  resource: ServedResource,
  { order }: RecordsRequest,
  { actor, store }: RecordContext,
): OrderTerm[] =>
  order ? parseOrder(order, tableVisibleTo(resource, actor)).map((term) => orderForStore(term, store.sql)) : [];

function readGroup(
  resource: ServedResource,
  { group }: RecordsRequest,
  { actor }: RecordContext,
): string[] | undefined {
  if (!group) return undefined;
  const columns = parseGroup(group, tableVisibleTo(resource, actor)).map((column) => column.native);
  if (columns.length === 0) throw fail('filter.group');
  return [...new Set(columns)];
}
