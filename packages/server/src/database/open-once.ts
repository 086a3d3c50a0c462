import { Failure, fail, type MaybePromise } from '@sluice/contract';
import type { Database, DatabaseLoad } from '@sluice/sql';

export interface LazyDatabase {
  /** The open database. The first call opens it, and after a failure the next one tries again. */
  get(): MaybePromise<Database>;
  /** The load of the open database. */
  load(): DatabaseLoad | undefined;
  close(): Promise<void>;
}

/**
 * Keeps one database open for a service. A wrong configuration is no fault of the caller: the service answers 503 with the
 * same words.
 */
export function openOnce(service: string, open: () => Promise<Database>): LazyDatabase {
  let opening: Promise<Database> | undefined;
  let opened: Database | undefined;
  let isClosed = false;
  return {
    get() {
      if (isClosed)
        throw fail('service.unavailable', { service, problem: 'it is being opened anew; please try again.' });
      if (opened) return opened;
      opening ??= open().then(
        (database) => {
          opened = database;
          return database;
        },
        (error: unknown) => {
          opening = undefined;
          throw error instanceof Failure && error.status < 500
            ? fail('service.unavailable', { service, problem: error.message }, { cause: error })
            : error;
        },
      );
      return opening;
    },
    load: () => opened?.load(),
    async close() {
      isClosed = true;
      const database = await opening?.catch(() => undefined);
      await database?.close();
    },
  };
}
