// One record on its way to and from the server; writes go on top of the version their sender has seen.
import { ApiError, api, etagOf, type QueryValue } from '../../api/index.ts';
import { type DeleteQuery, type Row, resourceKey } from '../../list/index.ts';

/** Where a record that is being edited is kept. */
export const recordKey = (resource: string, id: string | null, related: string | undefined): readonly unknown[] => [
  ...resourceKey(resource),
  'one',
  id,
  related,
];

/** Refused with 412 when the record is no longer that version; nothing where the instance sends no ETag. */
const ifMatch = (version: string | null): Record<string, string> => (version === null ? {} : { 'If-Match': version });

const recordPath = (resource: string, id: string) => `system/${resource}/${encodeURIComponent(id)}`;

/** The record that an editor opens; null where records are made at their own address and there is none. */
export async function readRecord(
  { resource, related, isNamed = false }: RecordSource,
  id: string,
  signal: AbortSignal,
): Promise<Row | null> {
  try {
    return await api.get<Row>(recordPath(resource, id), { query: { related }, signal });
  } catch (error) {
    if (isNamed && error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

interface RecordSource {
  resource: string;
  related?: string;
  isNamed?: boolean;
}

interface RecordWrite {
  /** Null where the server gives one. */
  id: string | null;
  body: Row;
  /** The one it goes on top of; null for a new record. */
  before: Row | null;
  createQuery?: Record<string, QueryValue> | undefined;
}

/** POST wraps the record, PUT sends it bare (OPEN-061); a record with a name is sent bare by POST. All answer the whole record. */
export async function writeRecord(
  { resource, related, isNamed = false }: RecordSource,
  { id, body, before, createQuery = {} }: RecordWrite,
): Promise<Row> {
  const query = { fields: '*', related };
  if (isNamed && id !== null) {
    const headers = before === null ? { 'If-None-Match': '*' } : ifMatch(etagOf(before));
    return api.post<Row>(recordPath(resource, id), { query, body, headers });
  }
  if (id !== null)
    return api.put<Row>(recordPath(resource, id), { query, body, headers: ifMatch(before && etagOf(before)) });
  const { resource: created } = await api.post<{ resource: Row[] }>(`system/${resource}`, {
    query: { ...query, ...createQuery },
    body: { resource: [body] },
  });
  return created[0] ?? body;
}

export const deleteRecord = (resource: string, id: string, version: string | null, query: DeleteQuery) =>
  api.delete(recordPath(resource, id), { query, headers: ifMatch(version) });

/** The record as it is now; null when it was deleted. */
export async function readCurrent(resource: string, id: string, related: string | undefined): Promise<Row | null> {
  try {
    return await api.get<Row>(recordPath(resource, id), { query: { related } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Whether a write was refused because the record is no longer what its sender has seen, or no longer there. */
export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 412 || error.status === 404);
