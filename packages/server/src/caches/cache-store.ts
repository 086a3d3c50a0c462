// What a cache is to the services that offer one. A type is a folder in services/ that makes one.

/** A value by its key. Both are texts within `cacheBounds`. */
export type CacheEntry = readonly [key: string, value: string];

/** Where the values of one service are. It reaches no others, whatever the keys. */
export interface CacheStore {
  /** The value; undefined where there is none, or none any more. */
  get(key: string): Promise<string | undefined>;
  /** As `get`, and it is gone: of two callers one gets it. */
  take(key: string): Promise<string | undefined>;
  /** Stores values for some seconds, or until they are deleted (null). */
  put(entries: readonly CacheEntry[], seconds: number | null): Promise<void>;
  /** Stores all, where there are none yet; answers the keys that are there, and then stores nothing. */
  add(entries: readonly CacheEntry[], seconds: number | null): Promise<string[]>;
  /** Whether there was one. */
  delete(key: string): Promise<boolean>;
  /** Asks whether it answers. */
  ping(): Promise<void>;
  close?(): Promise<void>;
}

export const cacheBounds = {
  /** Bytes of a key. */
  key: 200,
  /** Bytes of a value, as JSON. */
  value: 1024 * 1024,
  /** Values that one call stores. */
  entries: 1_000,
  /** Minutes that a value is kept, ten years: who wants more says forever. */
  minutes: 10 * 366 * 24 * 60,
};
