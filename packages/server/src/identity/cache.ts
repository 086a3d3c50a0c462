import { LRUCache } from 'lru-cache';

/** What was loaded for a key, until it is dropped or pushed out by newer keys. */
export interface Remembered<K, V> {
  get(key: K): Promise<V>;
  drop(key: K): void;
  clear(): void;
}

/**
 * Loads each key once and remembers the outcome, `undefined` included. The promise itself is kept from the start, so
 * that callers share one load and a drop during a load makes the next caller load anew: no call that begins after a
 * change was announced sees what was there before.
 */
export function remember<K extends string | number, V>(max: number, load: (key: K) => Promise<V>): Remembered<K, V> {
  const kept = new LRUCache<K, Promise<V>>({ max });
  return {
    get(key) {
      const known = kept.get(key);
      if (known) return known;
      const loading = load(key);
      kept.set(key, loading);
      loading.catch(() => {
        if (kept.peek(key) === loading) kept.delete(key);
      });
      return loading;
    },
    drop: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}
