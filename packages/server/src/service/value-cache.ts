// What services keep in memory for a while: one budget of bytes for all of them, the longest unused goes first.
import { LRUCache } from 'lru-cache';

/** The values of one service that is open. What it kept is gone when it closes; flushing caches closes services. */
export interface ValueCache {
  get(key: string): string | undefined;
  /** Keeps a text for some seconds; one that is larger than the budget is not kept. */
  set(key: string, value: string, seconds: number): void;
  clear(): void;
}

const maxBytes = 64 * 1024 * 1024;

/** Makes the caches of an instance: one for each service, each time it opens. */
export function createValueCaches(budget = maxBytes): () => ValueCache {
  const values = new LRUCache<string, string>({
    maxSize: budget,
    // A text takes up to two bytes a character.
    sizeCalculation: (value, key) => 2 * (value.length + key.length),
  });
  let lastScope = 0;
  return () => {
    // Keys of a scope that was cleared are never asked for again, and make room as others come.
    let scope = ++lastScope;
    return {
      get: (key) => values.get(`${scope} ${key}`),
      set: (key, value, seconds) => void values.set(`${scope} ${key}`, value, { ttl: seconds * 1000 }),
      clear() {
        scope = ++lastScope;
      },
    };
  };
}
