// Change notices: every listener that caches rows of the store learns of a change before the write is acknowledged.

/** A committed change of the platform's own rows; without ids and keys, any row of the table may have changed. */
export interface Change {
  /** `*`: notices may have been missed, so anything may have changed. */
  table: string;
  ids?: number[];
  /** Instead of ids where the rows have a text for a key (revoked_token). */
  keys?: string[];
}

export const allChanged: Change = { table: '*' };

/** Whether rows of `table` may have changed; every subscriber calls it, so that `allChanged` is never overlooked. */
export const affects = (change: Change, table: string): boolean => change.table === table || change.table === '*';

export type Listener = (change: Change) => void | Promise<void>;

export interface Bus {
  /**
   * Announces a committed change. Returns when every listener of this process has dropped what it cached and the notice
   * is on its way to the other processes of the store; how soon it takes effect there depends on the kind of bus. Never
   * throws: a notice that could not be sent is replaced later by `allChanged`.
   */
  publish(change: Change): Promise<void>;
  /** A listener drops its cache before it awaits anything; closing things may take longer. */
  subscribe(listener: Listener): void;
  close(): Promise<void>;
}

export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/**
 * Milliseconds after which everything is dropped even though no notice was missed: a process that was killed between its
 * commit and its notice sent none.
 */
export const maxCacheAge = 60_000;

/** NOTIFY carries less than 8000 bytes. */
const maxNoticeBytes = 7_000;

/** The change itself, or one of the whole table where its list of rows is too long for a message. */
export function limitSize(change: Change): Change {
  return Buffer.byteLength(JSON.stringify(change)) > maxNoticeBytes ? { table: change.table } : change;
}
