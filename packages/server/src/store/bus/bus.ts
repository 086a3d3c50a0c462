// Change notices: whoever caches a row of the store hears of its change before the write is acknowledged.

/** A committed change of the platform's own rows; without ids and keys, any row of the table may have changed. */
export interface Change {
  /** `*`: notices may have been missed, so anything may have changed. */
  table: string;
  ids?: number[];
  /** Instead of ids where the rows have a text for a key (revoked_token). */
  keys?: string[];
}

export const anything: Change = { table: '*' };

/** Whether rows of `table` may have changed; every subscriber asks by this, so that `anything` is never overlooked. */
export const concerns = (change: Change, table: string): boolean => change.table === table || change.table === '*';

export type Listener = (change: Change) => void | Promise<void>;

export interface Bus {
  /**
   * Tells of a committed change. Returns when every listener of this process has dropped what it cached and the notice
   * is on its way to the other processes of the store; how soon it acts there is said by each kind of bus. Never throws:
   * what could not be sent is made up for by dropping more.
   */
  publish(change: Change): Promise<void>;
  /** A listener drops what it cached before it waits for anything; what it has to close may take its time. */
  subscribe(listener: Listener): void;
  close(): Promise<void>;
}

export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/**
 * Milliseconds after which everything is dropped even though nothing was missed: a process that was killed between its
 * commit and its notice told nobody.
 */
export const longest = 60_000;

/** NOTIFY carries less than 8000 bytes. */
const mostBytes = 7_000;

/** The change, or where its list of rows is too long for a message, the whole table. */
export function shortened(change: Change): Change {
  return Buffer.byteLength(JSON.stringify(change)) > mostBytes ? { table: change.table } : change;
}
