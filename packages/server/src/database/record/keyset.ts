// Pages by the last record of the one before, `after=…`, for tables so long that passing over records takes its time
// (docs/operations.md). An extension of ours: `after=` asks for the first page, `meta.after` names the next one.
import { fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  isTypeless,
  type OrderTerm,
  parseOrder,
  parseRecordOrder,
  type RowWithKeys,
  type Select,
  toNative,
} from '@sluice/sql';
import type { Reply } from '../../call/call.ts';
import type { TableCall } from '../table/table-call.ts';
import { selectColumns } from './columns.ts';
import { requireKey } from './identify.ts';

/** Where a page ends: JSON texts of the values that order its last record. */
type Position = string[];

/**
 * `GET _table/{t}?after=…` of the records that `where` leaves; `describeMeta` gives the rest of `meta`. Throws
 * `page.together`, `page.order` and `page.after`.
 */
export async function readPageAfter(
  tableCall: TableCall,
  after: string,
  where: BoundFilter | undefined,
  describeMeta: () => Record<string, unknown>,
): Promise<Reply> {
  const { query, table, reader, maxRecords } = tableCall;
  if (query.offset > 0 || query.group !== undefined || query.asList || tableCall.call.query.has('file'))
    throw fail('page.together');
  const order = totalOrder(tableCall);
  const limit = query.limit !== undefined && query.limit >= 1 ? Math.min(query.limit, maxRecords) : maxRecords;
  const afterCondition = after === '' ? undefined : conditionAfter(order, decodeToken(after, order));
  const select: Select = {
    table,
    columns: selectColumns(tableCall, 'all').columns,
    sideColumns: order.map(({ column }) => column),
    where: where && afterCondition ? { kind: 'and', left: where, right: afterCondition } : (afterCondition ?? where),
    order,
    // One more tells whether there is a next page.
    limit: limit + 1,
  };
  const rows = (await reader.select(select, tableCall.runOptions)).withKeys();
  const pageRows = rows.slice(0, limit);
  const meta: Record<string, unknown> = {
    ...(query.includeCount ? { count: await reader.count({ table, where }, tableCall.runOptions) } : {}),
    ...(rows.length > limit ? { after: encodeToken(pageRows.at(-1)!, order) } : {}),
    ...describeMeta(),
  };
  const tail = Object.keys(meta).length > 0 ? `,"meta":${JSON.stringify(meta)}` : '';
  return { body: { json: `{"resource":[${pageRows.map(({ json }) => json).join(',')}]${tail}}` } };
}

/** The order of the call and then that of the key, so that no two records share a position. The place of nulls is explicit. */
function totalOrder({ query, table }: TableCall): OrderTerm[] {
  requireKey(table, undefined);
  const terms = parseRecordOrder(query.order, table);
  const requestedTerms = query.order?.trim() ? parseOrder(query.order, table) : [];
  if (requestedTerms.some(({ column }) => column.expression || hasHiddenOrder(column))) throw fail('page.order');
  return terms.map((term) => (term.column.description.allow_null ? { nulls: 'last', ...term } : term));
}

/**
 * Whether values are ordered by something that the answer does not show: an enum or a set of MySQL by the places of its
 * words, a boolean kept as a number by that number, a column without a type by what each value is.
 */
function hasHiddenOrder(column: Column): boolean {
  const { type, db_type } = column.description;
  return /^(enum|set)\(/i.test(db_type ?? '') || (type === 'boolean' && db_type !== 'boolean') || isTypeless(column);
}

// ---- the position as text ----

const signatureOf = (order: OrderTerm[]): string =>
  order.map(({ column, direction, nulls }) => `${column.name} ${direction} ${nulls ?? ''}`).join(',');

const encodeToken = ({ keys }: RowWithKeys, order: OrderTerm[]): string =>
  Buffer.from(JSON.stringify([signatureOf(order), ...keys])).toString('base64url');

/** A longer token is none of ours. */
const maxTokenLength = 16_384;

function decodeToken(token: string, order: OrderTerm[]): Position {
  const [signature, ...position] = parseToken(token);
  if (signature !== signatureOf(order) || position.length !== order.length) throw fail('page.after');
  return position;
}

function parseToken(token: string): string[] {
  if (token.length > maxTokenLength) throw fail('page.after');
  try {
    const list: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(list) && list.every((text) => typeof text === 'string')) return list;
  } catch {
    // Not a token of ours.
  }
  throw fail('page.after');
}

// ---- what comes after it ----

/** For each term of the order: equal in those before it, and later in this one. */
function conditionAfter(order: OrderTerm[], position: Position): BoundFilter {
  const branches: BoundFilter[] = [];
  const equalSoFar: BoundFilter[] = [];
  for (const [index, term] of order.entries()) {
    const value = parsePositionValue(term, position[index]!);
    const after = laterThan(term, value);
    if (after) branches.push([...equalSoFar, after].reduce(and));
    equalSoFar.push(compare(term, '=', value));
  }
  return branches.reduce((left, right) => ({ kind: 'or', left, right }));
}

function parsePositionValue({ column }: OrderTerm, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null && !column.description.allow_null) throw fail('page.after');
    return inexactNumber(column, value) ?? toNative(column, value, 'filter');
  } catch {
    throw fail('page.after');
  }
}

const nonNumbers = new Set<unknown>(['NaN', 'Infinity', '-Infinity']);

/** Numbers that a database has and a caller cannot send: NaN and the infinities, and those with more digits than a double. */
function inexactNumber({ description: { type } }: Column, value: unknown): number | string | undefined {
  if (type !== 'float' && type !== 'double' && type !== 'decimal') return undefined;
  if (typeof value !== 'number' && !nonNumbers.has(value)) return undefined;
  return type === 'decimal' ? String(value) : Number(value);
}

/** The condition of what comes after a value; undefined where nothing does. */
function laterThan(term: OrderTerm, value: unknown): BoundFilter | undefined {
  const { column, direction, nulls } = term;
  const isNull = (negated: boolean): BoundFilter => ({ kind: 'null', column, negated });
  if (value === null) return nulls === 'first' ? isNull(true) : undefined;
  const after = compare(term, direction === 'asc' ? '>' : '<', value);
  return nulls === 'last' ? { kind: 'or', left: after, right: isNull(false) } : after;
}

function compare({ column }: OrderTerm, operator: '=' | '>' | '<', value: unknown): BoundFilter {
  if (value === null) return { kind: 'null', column, negated: false };
  return { kind: 'compare', column, operator, negated: false, value: { kind: 'value', value } };
}

const and = (left: BoundFilter, right: BoundFilter): BoundFilter => ({ kind: 'and', left, right });
