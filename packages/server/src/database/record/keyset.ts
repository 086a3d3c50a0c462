// Pages by the last record of the one before, `after=…`, for tables so long that passing over records takes its time
// (docs/operations.md). An extension of ours: `after=` asks for the first page, `meta.after` names the next one.
import { fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  isTypeless,
  type OrderTerm,
  parseOrder,
  type RowWithKeys,
  type Select,
  toNative,
} from '@sluice/sql';
import type { Reply } from '../../call/call.ts';
import type { TableCall } from '../table/table-call.ts';
import { askedColumns } from './columns.ts';
import { requireKey } from './identify.ts';

/** Where a page ends: JSON texts of the values that order its last record. */
type Place = string[];

/**
 * `GET _table/{t}?after=…` of the records that `where` leaves; `described` is what `meta` says besides. Throws
 * `page.together`, `page.order` and `page.after`.
 */
export async function readAfter(
  it: TableCall,
  after: string,
  where: BoundFilter | undefined,
  described: () => Record<string, unknown>,
): Promise<Reply> {
  const { query, table, reader, maxRecords } = it;
  if (query.offset > 0 || query.group !== undefined || query.asList || it.call.query.has('file'))
    throw fail('page.together');
  const order = wholeOrder(it);
  const limit = query.limit !== undefined && query.limit >= 1 ? Math.min(query.limit, maxRecords) : maxRecords;
  const beyond = after === '' ? undefined : conditionAfter(order, placeOf(after, order));
  const select: Select = {
    table,
    columns: askedColumns(it, 'all').columns,
    sideColumns: order.map(({ column }) => column),
    where: where && beyond ? { kind: 'and', left: where, right: beyond } : (beyond ?? where),
    order,
    // One more tells whether there is a next page.
    limit: limit + 1,
  };
  const pieces = (await reader.select(select, it.run)).withKeys();
  const page = pieces.slice(0, limit);
  const meta: Record<string, unknown> = {
    ...(query.includeCount ? { count: await reader.count({ table, where }, it.run) } : {}),
    ...(pieces.length > limit ? { after: tokenOf(page.at(-1)!, order) } : {}),
    ...described(),
  };
  const tail = Object.keys(meta).length > 0 ? `,"meta":${JSON.stringify(meta)}` : '';
  return { body: { json: `{"resource":[${page.map(({ json }) => json).join(',')}]${tail}}` } };
}

/** The order asked for and then that of the key, so that no two records share a place. Where nulls come is said outright. */
function wholeOrder({ query, table }: TableCall): OrderTerm[] {
  const asked = query.order?.trim() ? parseOrder(query.order, table) : [];
  if (asked.some(({ column }) => column.expression || isOrderedOtherwise(column))) throw fail('page.order');
  const key = requireKey(table, undefined).filter((column) => !asked.some((it) => it.column === column));
  const terms = [...asked, ...key.map((column): OrderTerm => ({ column, direction: 'asc' }))];
  return terms.map((it) => (it.column.description.allow_null ? { nulls: 'last', ...it } : it));
}

/**
 * Whether values are ordered by something that the answer does not show: an enum or a set of MySQL by the places of its
 * words, a truth value kept as a number by that number, a column without a type by what each value is.
 */
function isOrderedOtherwise(column: Column): boolean {
  const { type, db_type } = column.description;
  return /^(enum|set)\(/i.test(db_type ?? '') || (type === 'boolean' && db_type !== 'boolean') || isTypeless(column);
}

// ---- the place as text ----

const signatureOf = (order: OrderTerm[]): string =>
  order.map(({ column, direction, nulls }) => `${column.name} ${direction} ${nulls ?? ''}`).join(',');

const tokenOf = ({ keys }: RowWithKeys, order: OrderTerm[]): string =>
  Buffer.from(JSON.stringify([signatureOf(order), ...keys])).toString('base64url');

/** Longer ones were not made here. */
const longestToken = 16_384;

function placeOf(token: string, order: OrderTerm[]): Place {
  const [signature, ...place] = listIn(token);
  if (signature !== signatureOf(order) || place.length !== order.length) throw fail('page.after');
  return place;
}

function listIn(token: string): string[] {
  if (token.length > longestToken) throw fail('page.after');
  try {
    const list: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(list) && list.every((it) => typeof it === 'string')) return list;
  } catch {
    // Not a text of ours.
  }
  throw fail('page.after');
}

// ---- what comes after it ----

/** For each term: those before it alike, and in it further on. */
function conditionAfter(order: OrderTerm[], place: Place): BoundFilter {
  const branches: BoundFilter[] = [];
  const alike: BoundFilter[] = [];
  for (const [index, term] of order.entries()) {
    const value = valueIn(term, place[index]!);
    const further = furtherOn(term, value);
    if (further) branches.push([...alike, further].reduce(and));
    alike.push(compare(term, '=', value));
  }
  return branches.reduce((left, right) => ({ kind: 'or', left, right }));
}

function valueIn({ column }: OrderTerm, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null && !column.description.allow_null) throw fail('page.after');
    return inexact(column, value) ?? toNative(column, value, 'filter');
  } catch {
    throw fail('page.after');
  }
}

const beyondNumbers = new Set<unknown>(['NaN', 'Infinity', '-Infinity']);

/** Numbers that a database has and a caller could not say: what is no number, and what has more digits than a double. */
function inexact({ description: { type } }: Column, value: unknown): number | string | undefined {
  if (type !== 'float' && type !== 'double' && type !== 'decimal') return undefined;
  if (typeof value !== 'number' && !beyondNumbers.has(value)) return undefined;
  return type === 'decimal' ? String(value) : Number(value);
}

/** Undefined where nothing comes after a value. */
function furtherOn(term: OrderTerm, value: unknown): BoundFilter | undefined {
  const { column, direction, nulls } = term;
  const isNull = (negated: boolean): BoundFilter => ({ kind: 'null', column, negated });
  if (value === null) return nulls === 'first' ? isNull(true) : undefined;
  const further = compare(term, direction === 'asc' ? '>' : '<', value);
  return nulls === 'last' ? { kind: 'or', left: further, right: isNull(false) } : further;
}

function compare({ column }: OrderTerm, operator: '=' | '>' | '<', value: unknown): BoundFilter {
  if (value === null) return { kind: 'null', column, negated: false };
  return { kind: 'compare', column, operator, negated: false, value: { kind: 'value', value } };
}

const and = (left: BoundFilter, right: BoundFilter): BoundFilter => ({ kind: 'and', left, right });
