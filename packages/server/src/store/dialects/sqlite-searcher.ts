// Reads of a store on SQLite whose cost a caller decides: in child processes, which are stopped at the time limit.
import { Failure, fail } from '@sluice/contract';
import { openSqliteReader } from '@sluice/sql';
import { bindableValue, type Searcher } from './dialect.ts';

/** What failures of a database are when it is the store. */
const storeFailures = new Map<string, 'store.timeout' | 'store.busy' | 'store.full'>([
  ['database.timeout', 'store.timeout'],
  ['database.locked', 'store.busy'],
  ['database.overloaded', 'store.busy'],
  ['database.full', 'store.full'],
]);

/** Reads `file`, of which `pragma` asks on this thread; `timeout` and `busyTimeout` are milliseconds. */
export function sqliteSearcher(
  file: string,
  pragma: (name: string) => number,
  { timeout, busyTimeout }: { timeout: number; busyTimeout: number },
): Searcher {
  const places = 2;
  const reader = openSqliteReader({ path: file, timeout, busyTimeout, size: places });
  const pageSize = pragma('page_size');
  return {
    places,
    size() {
      try {
        return pragma('page_count') * pageSize;
      } catch (error) {
        // A child waits for the lock, or says what is wrong.
        if (error instanceof Failure) return Number.POSITIVE_INFINITY;
        throw error;
      }
    },
    async read({ query, columns, limit, signal }) {
      const statement = { sql: query.sql, parameters: query.parameters.map(bindableValue) };
      const wireColumns = Object.entries(columns).map(([name, type]) => ({
        name,
        kind: type === 'integer' ? ('number' as const) : ('text' as const),
      }));
      return reader.read(statement, wireColumns, limit, signal && { signal }).catch((error: unknown) => {
        throw storeFailure(error);
      });
    },
    close: () => reader.close(),
  };
}

function storeFailure(error: unknown): unknown {
  if (!(error instanceof Failure) || error.status < 500 || error.key === 'database.cancelled') return error;
  return fail(storeFailures.get(error.key) ?? 'store.unavailable', undefined, { cause: error });
}
