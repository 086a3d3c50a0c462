// Reading records of system resources: one, several by id, a list by filter; with relations, one IN query for each
// (contract/system-resources.md §0, contract/http-basics.md §10).
import { fail, type ResourceRelation, type Verb, verbMask } from '@sluice/contract';
import { bindFilter, type OrderTerm, parseFilter, parseGroup, parseOrder } from '@sluice/sql';
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { maskOf } from '../access/gate.ts';
import { sessionLookup } from '../access/lookups.ts';
import { isSameValue } from '../audit/index.ts';
import type { Call } from '../call/call.ts';
import { commaList, type ListQuery } from '../call/list-query.ts';
import { type Outcome, type RecordInput, settleBatch, wordOf } from '../call/payload.ts';
import { computedFields, readInput, toColumn, toRecord, visibleFields } from '../resource/fields.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow, WireRecord } from '../resource/resource.ts';
import type { Db, Store } from '../store/index.ts';
import { tableFor, tableOf } from './table.ts';
import { condition } from './where.ts';

/** Values of one IN list; engines count bound values. */
const chunk = 10_000;

/** What of a record is answered. */
export interface Shape {
  fields: string[];
  relations: string[];
}

/** The store by table names known only at run time. */
export const anyTable = (db: Db) => db as unknown as Kysely<Record<string, StoredRow>>;

/** The rows of a resource's table that are its own. */
export const ownRows = (db: Db, { table, scope = {} }: ServedResource) => {
  let query = anyTable(db).selectFrom(table);
  for (const [column, value] of Object.entries(scope))
    query = value === null ? query.where(column, 'is', null) : query.where(column, '=', value);
  return query;
};

export const isInScope = ({ scope = {} }: ServedResource, row: StoredRow): boolean =>
  Object.entries(scope).every(([column, value]) =>
    value === null ? row[column] === null : Number(row[column]) === value,
  );

/** A numeric identifier as the store has it; undefined when it can not be one. */
export function identifier(raw: unknown): number | undefined {
  const text = typeof raw === 'number' ? String(raw) : raw;
  return typeof text === 'string' && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

/** What identifies a record of this resource: a number, or a text where the declaration says so (custom: its name). */
export function recordId({ definition }: Pick<ServedResource, 'definition'>, raw: unknown): RecordId | undefined {
  if (definition.fields[definition.identifier]?.kind !== 'text') return identifier(raw);
  const text = typeof raw === 'number' ? String(raw) : raw;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The row of an identifier, in scope or not; undefined when there is none. `end` is what the SELECT ends with. */
export async function findRow(
  db: Db,
  { table, definition }: ServedResource,
  id: RecordId,
  end = sql``,
): Promise<StoredRow | undefined> {
  const query = anyTable(db).selectFrom(table).selectAll().where(definition.identifier, '=', id);
  return query.modifyEnd(end).executeTakeFirst();
}

/** The relations asked for. Unknown ones are refused even when there is nothing to read. */
export function askedRelations({ definition }: ServedResource, names: string[], context: RecordContext): string[] {
  for (const name of names) {
    const relation = Object.hasOwn(definition.relations, name) ? definition.relations[name] : undefined;
    if (!relation) throw fail('record.unknownRelation', { name });
    requireRelated(context, definition.name, context.served(relation.resource), 'GET');
  }
  return [...new Set(names)];
}

/**
 * A relation to a resource with an address of its own is decided as a call on that address; rows that only exist as
 * part of their owner come with it (docs/design.md, "The life of a call"), unless they are another's (`ownedBy`).
 */
export function requireRelated(context: RecordContext, owner: string, target: ServedResource, verb: Verb): void {
  const { definition, isAddressed, ownedBy } = target;
  if (isAddressed) requireVerb(context, definition.name, verb);
  else if (ownedBy && !ownedBy.includes(owner)) requireVerb(context, ownedBy[0], verb === 'GET' ? 'GET' : 'PATCH');
}

/** Whether the caller may do this on the resource of that name. */
export const mayDo = ({ call }: Pick<RecordContext, 'call'>, component: string, verb: Verb): boolean =>
  (maskOf(call.caller, call.service, component) & verbMask[verb]) !== 0;

/** Refuses a caller who may not do this on the resource of that name. */
export function requireVerb(context: RecordContext, component: string, verb: Verb): void {
  if (!mayDo(context, component, verb))
    throw fail('access.deniedInside', { verb, component, service: context.call.service });
}

/** The fields a call asks for; unknown names are left out. */
export function askedFields(
  { definition, fieldsWith }: ServedResource,
  asked: ListQuery['fields'],
  fallback: string[],
) {
  const names = typeof asked === 'string' ? commaList(asked) : asked;
  if (names === undefined || names.length === 0) return fallback;
  const visible = visibleFields(definition);
  if (names.includes('*')) return visible;
  const wanted = new Set(fieldsWith ? fieldsWith(names) : names);
  return visible.filter((field) => wanted.has(field));
}

/** Records as they are answered. Computed fields come along whatever was selected. */
export async function presentRows(
  resource: ServedResource,
  rows: StoredRow[],
  { fields, relations }: Shape,
  context: RecordContext,
): Promise<WireRecord[]> {
  const { definition } = resource;
  const presented = rows.map((row) => ({ row, record: toRecord(definition, row) }));
  if (presented.length > 0) await resource.present?.(presented, context);
  const shown = new Set([...fields, ...computedFields(definition)]);
  const records = presented.map(({ record }) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => shown.has(name))),
  );
  for (const name of relations) {
    const found = await related(resource, definition.relations[name] as ResourceRelation, rows, context);
    records.forEach((record, index) => {
      record[name] = found(rows[index] as StoredRow);
    });
  }
  return records;
}

/**
 * Of a written record what its writer knows: the identifier and the fields that are as they were sent. Whatever was
 * completed, merged or kept is not, nor what is computed, nor credentials.
 */
export function withheldRecord(
  { definition, credentials = [] }: ServedResource,
  record: WireRecord,
  row: StoredRow,
  input: RecordInput,
): WireRecord {
  const { identifier: key, fields } = definition;
  const sent = readInput(definition, input, () => {});
  const isKnown = (name: string) =>
    Object.hasOwn(sent, name) &&
    !credentials.includes(name) &&
    isSameValue(toColumn(fields[name]!, sent[name]), row[name]);
  const known = Object.entries(record).filter(([name]) => name === key || isKnown(name));
  return { [key]: row[key], ...Object.fromEntries(known) };
}

/** Reads a relation of all rows at once; answers what belongs to one of them. */
async function related(
  resource: ServedResource,
  relation: ResourceRelation,
  rows: StoredRow[],
  context: RecordContext,
): Promise<(row: StoredRow) => unknown> {
  const target = context.served(relation.resource);
  const own = resource.definition.identifier;
  const present = async (found: StoredRow[]) =>
    presentRows(target, found, { fields: visibleFields(target.definition), relations: [] }, context);
  // Who made a record may be an administrator, whom those who may read users do not get to see by it.
  const seesAll = context.call.caller.user?.isAdmin === true;
  const read = async (column: string, values: unknown[]) => {
    const found = await rowsWhere(context.db, target, column, values);
    return seesAll ? found : found.filter((row) => isInScope(target, row));
  };
  if (relation.kind === 'belongs_to') {
    const found = await read(target.definition.identifier, valuesOf(rows, relation.field));
    const records = new Map(zip(found, await present(found), target.definition.identifier));
    return (row) => records.get(row[relation.field]) ?? null;
  }
  if (relation.through) {
    const { resource: through, ref } = relation.through;
    const links = await rowsWhere(context.db, context.served(through), relation.field, valuesOf(rows, own));
    const found = await read(target.definition.identifier, valuesOf(links, ref));
    const records = new Map(zip(found, await present(found), target.definition.identifier));
    const linked = grouped(links.map((link) => [link[relation.field], link[ref]]));
    return (row) => [...new Set(linked.get(row[own]))].flatMap((id) => records.get(id) ?? []);
  }
  const found = await read(relation.field, valuesOf(rows, own));
  const byOwner = grouped(zip(found, await present(found), relation.field));
  return (row) => {
    const theirs = byOwner.get(row[own]) ?? [];
    return relation.kind === 'has_one' ? (theirs[0] ?? null) : theirs;
  };
}

const zip = (rows: StoredRow[], records: WireRecord[], key: string): [unknown, WireRecord][] =>
  rows.map((row, index) => [row[key], records[index] as WireRecord]);

function grouped<T>(pairs: [unknown, T][]): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

const valuesOf = (rows: StoredRow[], field: string): unknown[] => [
  ...new Set(rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined)),
];

/** The rows whose column holds one of the values, in order of their identifier. */
export async function rowsWhere(db: Db, { table, definition }: ServedResource, column: string, values: unknown[]) {
  const rows: StoredRow[] = [];
  for (let at = 0; at < values.length; at += chunk) {
    const part = values.slice(at, at + chunk);
    const query = anyTable(db).selectFrom(table).selectAll().where(column, 'in', part).orderBy(definition.identifier);
    rows.push(...(await query.execute()));
  }
  return rows;
}

// ---- what a call reads ----

/** `GET system/x/{id}`: the bare record, or the one value it stands for, and the row it was made of. */
export async function readOne(resource: ServedResource, id: string, query: ListQuery, context: RecordContext) {
  const shape = readShape(resource, query, context);
  const row = await requireRow(resource, id, context);
  const [record] = await presentRows(resource, [row], shape, context);
  const isWhole = query.fields !== undefined || query.related.length > 0 || resource.bareValue === undefined;
  return { answered: isWhole ? record : record?.[resource.bareValue as string], row };
}

async function requireRow(resource: ServedResource, raw: unknown, { db }: RecordContext): Promise<StoredRow> {
  const id = recordId(resource, raw);
  const row = id === undefined ? undefined : await findRow(db, resource, id);
  if (!row || !isInScope(resource, row)) throw fail('record.notFound', { id: wordOf(raw) });
  return row;
}

/** `GET system/x?ids=…`, or a tunnelled GET with records: these, in the order given; a missing one fails the batch. */
export async function readByIds(resource: ServedResource, ids: unknown[], query: ListQuery, context: RecordContext) {
  const shape = readShape(resource, query, context);
  const wanted = ids.map((id) => recordId(resource, id)).filter((id) => id !== undefined);
  const found = await rowsWhere(context.db, resource, resource.definition.identifier, wanted);
  const rows = new Map(
    found.filter((row) => isInScope(resource, row)).map((row) => [row[resource.definition.identifier], row]),
  );
  const outcomes: Outcome<StoredRow>[] = [];
  for (const id of ids) {
    const row = rows.get(recordId(resource, id));
    outcomes.push(row ? { result: row } : { failure: fail('record.notFound', { id: wordOf(id) }) });
    if (!row && !query.continue) break;
  }
  const there = outcomes.map((it) => it.result).filter((row) => row !== undefined);
  const records = await presentRows(resource, there, shape, context);
  const presented = new Map(there.map((row, index) => [row, records[index] as WireRecord]));
  const settled = settleBatch<WireRecord>(
    'retrieved',
    outcomes.map((it) => (it.failure ? it : { result: presented.get(it.result) as WireRecord })),
  );
  return { resource: query.asList ? there.map((row) => row[resource.definition.identifier]) : settled };
}

/** `GET system/x`: the list of the query, `meta` beside it when something of it was asked for. */
export async function readList(
  resource: ServedResource,
  query: ListQuery,
  context: RecordContext,
  maxRecords: number,
): Promise<{ resource: unknown[]; meta?: Record<string, unknown> }> {
  const shape = readShape(resource, query, context);
  const where = filterOf(resource, query, context);
  const limit = query.limit === undefined || query.limit < 1 ? maxRecords : Math.min(query.limit, maxRecords);
  const page = { where, limit, offset: query.offset };
  const meta: Record<string, unknown> = {};
  if (query.includeCount) meta.count = await count(resource, query, where, context);
  if (query.includeSchema) meta.schema = tableOf(resource.definition).description;
  const records = await listed(resource, query, page, shape, context);
  return { resource: records, ...(Object.keys(meta).length > 0 ? { meta } : {}) };
}

async function listed(
  resource: ServedResource,
  query: ListQuery,
  page: Page,
  shape: Shape,
  context: RecordContext,
): Promise<unknown[]> {
  const { definition } = resource;
  if (query.group) {
    const group = groupOf(resource, query.group, context.call);
    const rows: StoredRow[] = await groupedRows(resource, query, page, context);
    return rows.map((row) => picked(toRecord(definition, row), group));
  }
  const rows = await listRows(resource, query, page, context);
  if (query.asList) return rows.map((row) => row[definition.identifier]);
  return presentRows(resource, rows, shape, context);
}

const picked = (record: WireRecord, fields: string[]): WireRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));

interface Page {
  where: Expression<SqlBool> | undefined;
  limit: number;
  offset: number;
}

function listRows(
  resource: ServedResource,
  query: ListQuery,
  { where, limit, offset }: Page,
  { call, db, store }: RecordContext,
) {
  const { identifier: key } = resource.definition;
  let select = ownRows(db, resource).selectAll();
  if (where) select = select.where(where);
  const order = query.order ? parseOrder(query.order, tableFor(resource, call)) : [];
  for (const term of order) for (const [by, how] of orderBy(term, store)) select = select.orderBy(by, how);
  // The key last: pages must not overlap where the order says nothing. An index is read backwards as a whole.
  const last = order.at(-1);
  const keyDirection = last && !last.column.description.allow_null ? last.direction : 'asc';
  return select.orderBy(key, keyDirection).limit(limit).offset(offset).execute();
}

/** Nulls come before everything else, unless the term says where. A column that has none is left to its index. */
function orderBy({ column, direction, nulls }: OrderTerm, store: Store) {
  const { native, description } = column;
  const by = sql.ref(native);
  if (!description.allow_null) return [[by, direction]] as const;
  const value = [by, store.sql.ordered(direction)] as const;
  return nulls ? ([[sql`${by} is null`, nulls === 'first' ? 'desc' : 'asc'], value] as const) : [value];
}

function groupedRows(
  resource: ServedResource,
  query: ListQuery,
  { where, limit, offset }: Page,
  { call, db, store }: RecordContext,
) {
  const columns = groupOf(resource, query.group as string, call);
  let select = ownRows(db, resource).select(columns).groupBy(columns);
  if (where) select = select.where(where);
  const order = query.order ? parseOrder(query.order, tableFor(resource, call)) : [];
  for (const term of order) {
    const { native, name } = term.column;
    if (!columns.includes(native)) throw fail('filter.orderField', { field: name });
    for (const [by, how] of orderBy(term, store)) select = select.orderBy(by, how);
  }
  for (const column of columns) select = select.orderBy(column);
  return select.limit(limit).offset(offset).execute();
}

/** The columns of `group`: the groups are answered, each once. */
function groupOf(resource: ServedResource, text: string, call: Call): string[] {
  const columns = parseGroup(text, tableFor(resource, call)).map((column) => column.native);
  if (columns.length === 0) throw fail('filter.group');
  return [...new Set(columns)];
}

async function count(
  resource: ServedResource,
  query: ListQuery,
  where: Expression<SqlBool> | undefined,
  { call, db }: RecordContext,
): Promise<number> {
  let select = ownRows(db, resource);
  if (where) select = select.where(where);
  if (query.group) {
    const groups = select
      .select(groupOf(resource, query.group, call))
      .distinct()
      .as('groups');
    const row = await anyTable(db).selectFrom(groups).select(sql`count(*)`.as('count')).executeTakeFirst();
    return Number(row?.count);
  }
  const row = await select.select(sql`count(*)`.as('count')).executeTakeFirst();
  return Number(row?.count);
}

function filterOf(
  resource: ServedResource,
  { filter, params }: ListQuery,
  { call, store }: RecordContext,
): Expression<SqlBool> | undefined {
  if (filter === undefined || filter.trim() === '') return undefined;
  const user = call.caller.user?.id;
  const bound = bindFilter(parseFilter(filter), tableFor(resource, call), {
    params: user === undefined ? params : { ':user_id': user, ...params },
    lookup: sessionLookup(call),
  });
  return condition(bound, store.sql);
}

const readShape = (resource: ServedResource, query: ListQuery, context: RecordContext): Shape => ({
  fields: askedFields(resource, query.fields, visibleFields(resource.definition)),
  relations: askedRelations(resource, query.related, context),
});
