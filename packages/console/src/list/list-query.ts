import { prefetch, type QueryValue } from '../api/index.ts';
import { type ListState, likeFilter, orderText, readListState } from './list-state.ts';

/** Which records a list shows. */
export interface ListRecords {
  /** Name of the resource: rows are at `system/{resource}`. */
  resource: string;
  /** Where the rows are, when not there. */
  path?: string | undefined;
  /** Records of a page. */
  pageSize: number;
  related?: string | undefined;
  /** The fields that are read; all of them when absent. */
  fields?: string | undefined;
  /** Fields the filter text looks in; none means no filter box. */
  search: readonly string[];
  /** Which of the records, as a filter; all of them when absent. */
  only?: string | undefined;
  /** The order of a list that the reader cannot sort, as the query parameter wants it. */
  order?: string | undefined;
}

/** The key of everything read of a resource; a write makes all of it stale. */
export const resourceKey = (resource: string): readonly string[] => ['system', resource];

/** The call that reads one page of a list, and the key its answer is kept under. */
export function listQuery(records: ListRecords, state: ListState) {
  const { resource, path = `system/${resource}`, pageSize, related, fields, search, only, order } = records;
  const query: Record<string, QueryValue> = {
    limit: pageSize,
    offset: (state.page - 1) * pageSize || undefined,
    order: order ?? orderText(state.order),
    filter: allOf(only, likeFilter(search, state.filter)),
    related,
    fields,
    include_count: true,
  };
  const shown = { path, related, fields, pageSize, search, only, fixedOrder: order, ...state };
  return { queryKey: [...resourceKey(resource), 'list', shown], path, query };
}

/** A filter of conditions that all hold; none when there is none. */
export const allOf = (...conditions: (string | undefined)[]): string | undefined =>
  conditions
    .filter((condition) => condition !== undefined)
    .map((condition, _index, all) => (all.length > 1 ? `(${condition})` : condition))
    .join(' and ') || undefined;

/** Asks for the page of a list that an address shows, ahead of the list itself. */
export function prefetchList(records: ListRecords, sortable: readonly string[], address: URLSearchParams) {
  const { queryKey, path, query } = listQuery(records, readListState(address, sortable));
  return prefetch(queryKey, path, { query });
}
