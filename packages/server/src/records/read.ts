// Reading records: one, several by their identifiers, a list by filter (contract/system-resources.md §0,
// contract/http-basics.md §10). The query language is that of tables; differences.test.ts lists in what lists differ.
import { fail, textLengths } from '@sluice/contract';
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
import { storedFields, toRecord } from '../resource/fields.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow, WireRecord } from '../resource/resource.ts';
import { countAnswered, findPieces, readPiecesBy, search, typesOf } from './pieces.ts';
import { anyTable, findRow, idOf, isInScope, parseRecordId, selectOwnRows } from './rows.ts';
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
  /** The records; those of a long list are read piece by piece as they go out. */
  resource: unknown[] | AsyncIterable<WireRecord[]>;
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
  const found = new Map<RecordId, { row: StoredRow; record: WireRecord }>();
  for await (const piece of readPiecesBy(resource, resource.definition.identifier, recordIds, context)) {
    const rows = piece.filter((row) => isInScope(resource, row));
    const records = await serializeRows(resource, rows, projection, context);
    for (const [index, row] of rows.entries())
      found.set(idOf(resource, row), { row, record: records[index] as WireRecord });
  }
  const outcomes: Outcome<{ row: StoredRow; record: WireRecord }>[] = [];
  for (const raw of ids) {
    const id = parseRecordId(resource, raw);
    const result = id === undefined ? undefined : found.get(id);
    outcomes.push(result ? { result } : { failure: fail('record.notFound', { id: stringifyInput(raw) }) });
    // One that is named again is answered again.
    if (result) countAnswered([result.row], context);
    else if (!request.continue) break;
  }
  const settled = settleBatch('retrieved', outcomes, false, ({ record }) => record);
  return { resource: settled.map(({ row, record }) => (request.asList ? idOf(resource, row) : record)) };
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
  const filter = buildFilter(resource, request, context);
  const page: Page = {
    where: filter?.where,
    passes: filter?.passes ?? 1,
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
  /** What the filter costs (store-query.ts). */
  passes: number;
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
): Promise<RecordList['resource']> {
  const { definition } = resource;
  const { group } = page;
  const passes = page.passes + sortPasses * (page.order.length + (group?.length ?? 0));
  if (group) {
    const rows = await search(groupQuery(resource, page, group, context), typesOf(resource, group), passes, context);
    return rows.map((row) => pickFields(toRecord(definition, row), group));
  }
  const query = rowQuery(resource, page, context);
  if (asList) {
    const key = definition.identifier;
    const rows = await search(query.select(key), typesOf(resource, [key]), passes, context);
    return rows.map((row) => idOf(resource, row));
  }
  const columns = columnsFor(resource, projection);
  const { pieces, isLong } = await findPieces(resource, query, { columns, passes }, context);
  // What is related counts as it is read, and must be refused before the answer begins.
  if (isLong && projection.relations.length === 0) return streamRecords(resource, pieces, projection, context);
  const records: WireRecord[] = [];
  for await (const piece of pieces)
    for (const record of await serializeRows(resource, piece, projection, context)) records.push(record);
  return records;
}

async function* streamRecords(
  resource: ServedResource,
  pieces: AsyncIterable<StoredRow[]>,
  projection: Projection,
  context: RecordContext,
): AsyncGenerator<WireRecord[]> {
  // One piece is held at a time.
  for await (const piece of pieces)
    yield await serializeRows(resource, piece, projection, {
      ...context,
      answered: { bytes: 0, isStreamed: true },
    });
}

/** What a term of an order or a group costs, in passes over the rows. */
const sortPasses = 4;

/** The columns that records of these fields are made of; undefined where a resource works them out of whole rows. */
function columnsFor(
  { definition, serialize, scope = {} }: ServedResource,
  { fields, relations }: Projection,
): string[] | undefined {
  if (serialize) return undefined;
  const related = relations.map((name) => definition.relations[name]);
  const references = related.flatMap((relation) => (relation?.kind === 'belongs_to' ? [relation.field] : []));
  const stored = storedFields(definition).map(([name]) => name);
  const selected = stored.filter((name) => fields.includes(name));
  return [...new Set([definition.identifier, ...Object.keys(scope), ...selected, ...references])];
}

const pickFields = (record: WireRecord, fields: string[]): WireRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));

function rowQuery(resource: ServedResource, page: Page, { db, store }: RecordContext) {
  const { order, where, limit, offset } = page;
  let query = selectOwnRows(db, resource);
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

async function countRows(resource: ServedResource, page: Page, context: RecordContext): Promise<number> {
  const { where, group, passes } = page;
  let query = selectOwnRows(context.db, resource);
  if (where) query = query.where(where);
  const counted = group
    ? anyTable(context.db).selectFrom(query.select(group).distinct().as('groups')).select(sql`count(*)`.as('count'))
    : query.select(sql`count(*)`.as('count'));
  const [row] = await search(counted, { count: 'integer' }, passes + sortPasses * (group?.length ?? 0), context);
  return Number(row?.count);
}

// ---- the query language ----

function buildFilter(
  resource: ServedResource,
  { filter, params }: RecordsRequest,
  { actor, store }: RecordContext,
): { where: Expression<SqlBool>; passes: number } | undefined {
  if (filter === undefined || filter.trim() === '') return undefined;
  requireFilterLength(filter);
  const user = actor.caller.user?.id;
  const bound = bindFilter(parseFilter(filter), tableVisibleTo(resource, actor), {
    params: user === undefined ? params : { ':user_id': user, ...params },
    lookup: sessionLookup(actor),
  });
  // In brackets: the query has conditions of its own, which separate the rows of resources.
  const converted = filterForStore(bound, store.sql);
  return {
    where: sql<SqlBool>`(${filterExpression(converted.filter, store.sql.grammar)})`,
    passes: converted.passes + 1,
  };
}

/** Characters of an order or a group: every column several times. */
const maxTermsLength = 4096;

function readOrder(resource: ServedResource, { order }: RecordsRequest, { actor, store }: RecordContext): OrderTerm[] {
  if (!order) return [];
  if (order.length > maxTermsLength) throw fail('filter.order');
  return parseOrder(order, tableVisibleTo(resource, actor)).map((term) => orderForStore(term, store.sql));
}

function readGroup(
  resource: ServedResource,
  { group }: RecordsRequest,
  { actor }: RecordContext,
): string[] | undefined {
  if (!group) return undefined;
  if (group.length > maxTermsLength) throw fail('filter.group');
  const columns = parseGroup(group, tableVisibleTo(resource, actor));
  // Each group is answered: what tells records apart by a text of a megabyte is no group.
  const tooLong = columns.find(({ description }) => (description.length ?? 0) > textLengths.line);
  if (tooLong) throw fail('filter.groupField', { field: tooLong.name });
  if (columns.length === 0) throw fail('filter.group');
  return [...new Set(columns.map((column) => column.native))];
}
