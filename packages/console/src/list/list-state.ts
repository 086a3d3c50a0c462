// The state of a list: page, order and filter text, as the address bar holds them. Pure.
import { parameterName } from '@sluice/contract';

export interface Order {
  field: string;
  descending: boolean;
}

/** Page counts from 1, as the reader sees it. */
export interface ListState {
  page: number;
  order: Order;
  filter: string;
}

/** Lists start sorted by id, ascending. */
export const defaultOrder: Order = { field: 'id', descending: false };

/** Reads the state from an address; what is missing, malformed or not sortable falls back to the beginning. */
export function readListState(
  search: URLSearchParams,
  sortable: readonly string[],
  initial: Order = defaultOrder,
): ListState {
  const page = Number(search.get('page'));
  const [field = '', direction] = (search.get('order') ?? '').split(' ');
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    order: sortable.includes(field) ? { field, descending: direction === 'desc' } : initial,
    filter: search.get('filter') ?? '',
  };
}

/** The address of a changed state; parameters that are not ours stay. A new order or filter starts at page 1. */
export function writeListState(search: URLSearchParams, change: Partial<ListState>): URLSearchParams {
  const next = new URLSearchParams(search);
  const setParam = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value));
  if (change.order !== undefined) setParam('order', orderText(change.order));
  if (change.filter !== undefined) setParam('filter', change.filter.trim());
  const page = change.page ?? (change.order || change.filter !== undefined ? 1 : undefined);
  if (page !== undefined) setParam('page', page > 1 ? String(page) : '');
  return next;
}

/** `name desc`, as the query parameter `order` wants it (contract/http-basics.md §10). */
export const orderText = ({ field, descending }: Order): string =>
  `${parameterName(field)} ${descending ? 'desc' : 'asc'}`;

/** A click on a column's head: sort by it ascending, then turn it round. */
export const toggleOrder = (current: Order, field: string): Order => ({
  field,
  descending: current.field === field && !current.descending,
});

/** Rows in the order of a value that only the console knows; those without one come last, whatever the direction. */
export function sortedBy<R>(
  rows: readonly R[],
  sortValue: (row: R) => string | number | null,
  descending: boolean,
): R[] {
  const direction = descending ? -1 : 1;
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return [...rows].sort((one, other) => {
    const [a, b] = [sortValue(one), sortValue(other)];
    return a === null || b === null ? Number(a === null) - Number(b === null) : direction * compare(a, b);
  });
}

/** `(first_name like "%jo%") or (email like "%jo%")` (OPEN-044); empty text means no filter. */
export function likeFilter(fields: readonly string[], text: string): string | undefined {
  const searchText = text.trim();
  if (searchText === '' || fields.length === 0) return undefined;
  const value = quoteValue(`%${searchText}%`);
  return fields.map((field) => `(${field} like ${value})`).join(' or ');
}

// Servers of the family know no escape for a quote of the same kind, ours takes it doubled: so the other kind first.
function quoteValue(value: string): string {
  if (!value.includes('"')) return `"${value}"`;
  return value.includes("'") ? `"${value.replaceAll('"', '""')}"` : `'${value}'`;
}

/** How many pages a count fills; an empty list has one (OPEN-046). */
export const pageCount = (count: number, size: number): number => Math.max(1, Math.ceil(count / size));

/** The page to show once `left` records remain: the same, or the new last one. */
export const pageAfterDelete = (page: number, remaining: number, size: number): number =>
  Math.min(page, pageCount(remaining, size));
