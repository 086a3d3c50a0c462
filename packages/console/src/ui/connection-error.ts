// What the server tells administrators of a database that fails, beside our words (contract/http-basics.md §8). Pure.

/** Where it happened and what the driver says, in a line; and the service, null for one that is not saved. */
export interface ConnectionError {
  line: string;
  serviceId: number | null;
}

interface Context {
  connection?: { service_id?: unknown; address?: unknown; code?: unknown; text?: unknown };
}

/** The connection of an error's `context`; null where it has none, as for all who are not administrators. */
export function connectionErrorOf(context: unknown): ConnectionError | null {
  const connection = (context as Context | null | undefined)?.connection;
  if (typeof connection !== 'object' || connection === null) return null;
  const { service_id, address, code, text } = connection;
  const parts = [address, code].filter((part) => typeof part === 'string' && part !== '');
  // `connect ECONNREFUSED 127.0.0.1:5432` says nothing that does not stand there already.
  const isRepeated = typeof text !== 'string' || (typeof code === 'string' && text.includes(code));
  const line = [...parts, ...(isRepeated || text === '' ? [] : [text])].join(' · ');
  return { line, serviceId: typeof service_id === 'number' ? service_id : null };
}
