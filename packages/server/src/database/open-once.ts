import { Failure, fail, type MaybePromise } from '@sluice/contract';
import type { Database, DatabaseLoad } from '@sluice/sql';

export interface Opened {
  /** The open database; opened by the first call, and again by the next one after it failed. */
  get(): MaybePromise<Database>;
  /** Of the open database. */
  load(): DatabaseLoad | undefined;
  close(): Promise<void>;
}

/**
 * Keeps one database open for a service. What is wrong with its configuration is the service's trouble, not the
 * caller's: it answers 503 with the same words.
 */
export function openOnce(service: string, open: () => Promise<Database>): Opened {
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
