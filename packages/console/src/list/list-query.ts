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
  /** Fields the filter text looks in; none means no filter box. */
  search: readonly string[];
}

/** The key of everything read of a resource; a write makes all of it stale. */
export const resourceKey = (resource: string): readonly string[] => ['system', resource];

/** The call that reads one page of a list, and the key its answer is kept under. */
export function listQuery(records: ListRecords, state: ListState) {
  const { resource, path = `system/${resource}`, pageSize, related, search } = records;
  const query: Record<string, QueryValue> = {
    limit: pageSize,
    offset: (state.page - 1) * pageSize || undefined,
    order: orderText(state.order),
    filter: likeFilter(search, state.filter),
    related,
    include_count: true,
  };
  return { queryKey: [...resourceKey(resource), 'list', { path, related, pageSize, search, ...state }], path, query };
}

/** Asks for the page of a list that an address shows, ahead of the list itself. */
export function prefetchList(records: ListRecords, sortable: readonly string[], address: URLSearchParams) {
  const { queryKey, path, query } = listQuery(records, readListState(address, sortable));
  return prefetch(queryKey, path, { query });
}
