import { api } from '../api/index.ts';
import type { Row } from './column.tsx';
import { likeFilter } from './list-state.ts';
import { isForbidden } from './permission.ts';

interface FindOptions {
  /** Fields to read. */
  fields: string;
  /** Fields the words are looked for in. */
  search: readonly string[];
  limit: number;
  order?: string;
  signal: AbortSignal;
}

/** Records of a resource that have the words, by name, for the palette; null where the person may not read them. */
export async function findRecords<R extends Row>(
  resource: string,
  searchText: string,
  { fields, search, limit, order = 'name asc', signal }: FindOptions,
): Promise<R[] | null> {
  const query = { fields, limit, order, filter: likeFilter(search, searchText) };
  try {
    const { resource: records = [] } = await api.get<{ resource?: R[] }>(`system/${resource}`, { query, signal });
    return records;
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}
