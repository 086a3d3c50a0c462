// The state of a grid, as the address holds it: page or the whole table, order, filters, and the open record. Pure.
// Beside it: sources.ts (services, tables, and the paths of their records), filter.ts (texts of filters), grid-host.ts (where a grid is
// shown).
import type { FieldDescription } from '@sluice/contract';
import type { Order } from '../../../list/index.ts';
import type { Row, Schema } from './sources.ts';

/** Records of a page (TBL-042). */
export const pageSize = 50;
/** Records of a page of a child table, and of a reference's choices (TBL-043). */
export const childPageSize = 10;

export interface GridState {
  /** Counts from 1. */
  page: number;
  /** Absent: the server's own order. */
  order: Order | null;
  /** Each is a text of the filter language; all of them must match. */
  filters: readonly string[];
  /** Whether one scrolls through the whole table instead of paging. */
  isContinuous: boolean;
}

export function readGridState(search: URLSearchParams): GridState {
  const page = Number(search.get('page'));
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    order: readOrder(search.get('order')),
    filters: search.getAll('filter').filter((text) => text.trim() !== ''),
    isContinuous: search.get('rows') === 'all',
  };
}

// Names may hold blanks, at their ends too: the direction is the last word.
function readOrder(text: string | null): Order | null {
  const [, field = '', direction = ''] = /^(.+?)(?: (asc|desc))?$/is.exec(text ?? '') ?? [];
  return field.trim() === '' ? null : { field, descending: direction.toLowerCase() === 'desc' };
}

/** The parameters of a changed state; a new order or filter starts at page 1. */
export function writeGridState(search: URLSearchParams, change: Partial<GridState>): URLSearchParams {
  const next = new URLSearchParams(search);
  const state = { ...readGridState(search), ...change };
  const page = change.page ?? (change.order !== undefined || change.filters ? 1 : state.page);
  for (const name of ['page', 'order', 'filter', 'rows']) next.delete(name);
  if (page > 1) next.set('page', String(page));
  if (state.order) next.set('order', `${state.order.field} ${state.order.descending ? 'desc' : 'asc'}`);
  for (const filter of state.filters) next.append('filter', filter);
  if (state.isContinuous) next.set('rows', 'all');
  return next;
}

/** Whether two addresses show the same records. */
export const isSameGridState = (a: URLSearchParams, b: URLSearchParams): boolean =>
  JSON.stringify(readGridState(a)) === JSON.stringify(readGridState(b));

/** Path of a table's page. */
export const tableAddress = (service: string, table: string): string =>
  `/data/${encodeURIComponent(service)}/${encodeURIComponent(table)}`;

/** Sets or removes the open record in the parameters of an address; its child table closes. */
export function withRecordKey(search: URLSearchParams, key: readonly string[] | null): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of search.keys()) if (name === 'key' || /^child(\.|$)/.test(name)) next.delete(name);
  for (const value of key ?? []) next.append('key', value);
  return next;
}

/** The key of a row, a text for each key field; null when the table or the row has no key. */
export function keyOf(schema: Pick<Schema, 'primary_key'>, row: Row): string[] | null {
  const values = schema.primary_key.map((name) => row[name]);
  const isWhole = values.length > 0 && values.every((value) => value !== null && value !== undefined);
  return isWhole ? values.map(String) : null;
}

/** A key as one text, for comparing and as the key of a map. */
export const keyText = (key: readonly string[]): string => JSON.stringify(key);

/** The key of a row with the server's own values, which names the record in a write. */
export const pickKey = (schema: Pick<Schema, 'primary_key'>, row: Row): Row =>
  Object.fromEntries(schema.primary_key.map((name) => [name, row[name]]));

export const keyFields = (schema: Pick<Schema, 'primary_key' | 'field'>): FieldDescription[] =>
  schema.primary_key.flatMap((name) => schema.field.find((field) => field.name === name) ?? []);
