// One record on its way to and from the server; writes go on top of the version their sender has seen.
import { ApiError, api, type QueryValue } from '../../api/index.ts';
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

/** POST wraps the record, PUT sends it bare (OPEN-061); both answer the whole record. */
export async function writeRecord(
  { resource, related }: { resource: string; related?: string },
  id: string | null,
  record: Row,
  version: string | null,
  createQuery: Record<string, QueryValue> = {},
): Promise<Row> {
  const query = { fields: '*', related };
  if (id !== null) return api.put<Row>(recordPath(resource, id), { query, body: record, headers: ifMatch(version) });
  const { resource: created } = await api.post<{ resource: Row[] }>(`system/${resource}`, {
    query: { ...query, ...createQuery },
    body: { resource: [record] },
  });
  return created[0] ?? record;
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
