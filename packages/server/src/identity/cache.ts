import { LRUCache } from 'lru-cache';

/** Remembers what was loaded for a key until it is dropped or pushed out by newer keys. */
export interface LoadingCache<K, V> {
  get(key: K): Promise<V>;
  drop(key: K): void;
  clear(): void;
}

/**
 * Loads each key once and remembers the outcome, `undefined` included. The promise itself is stored from the start: callers
 * share one load, and a drop during a load makes the next caller load again. So no call that begins after a change was
 * announced sees the old value.
 */
export function createLoadingCache<K extends string | number, V>(
  max: number,
  load: (key: K) => Promise<V>,
): LoadingCache<K, V> {
  const entries = new LRUCache<K, Promise<V>>({ max });
  return {
    get(key) {
      const cached = entries.get(key);
      if (cached) return cached;
      const loading = load(key);
      entries.set(key, loading);
      loading.catch(() => {
        if (entries.peek(key) === loading) entries.delete(key);
      });
      return loading;
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
