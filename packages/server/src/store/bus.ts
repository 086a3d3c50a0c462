// Change notices: whoever caches a row of the store hears of its change before the write is acknowledged.

/** A committed change of the platform's own rows; without ids and keys, any row of the table may have changed. */
export interface Change {
  table: string;
  ids?: number[];
  /** Instead of ids where the rows have a text for a key (revoked_token). */
  keys?: string[];
}

export interface Bus {
  /** Tells every listener; returns when all have dropped what they cached. */
  publish(change: Change): Promise<void>;
  subscribe(listener: (change: Change) => void | Promise<void>): void;
}

/** The bus of a process that is alone with its store. */
export function localBus(): Bus {
  const listeners: ((change: Change) => void | Promise<void>)[] = [];
  return {
    async publish(change) {
      for (const listener of listeners) await listener(change);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}
