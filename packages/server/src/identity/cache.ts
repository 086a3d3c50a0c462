import { LRUCache } from 'lru-cache';

/** Remembers what was loaded for a key until it is dropped or pushed out by newer keys. */
export interface LoadingCache<K, V> {
  get(key: K): Promise<V>;
  drop(key: K): void;
  clear(): void;
}

/** How much all values may take together, and how much one takes: 1 or more, in the same unit. */
interface SizeBound<V> {
  maxSize: number;
  sizeOf(value: V): number;
}

/**
 * Loads each key once and remembers the outcome, `undefined` included. The promise itself is stored from the start: callers
 * share one load, and a drop during a load makes the next caller load again. So no call that begins after a change was
 * announced sees the old value.
 */
export function createLoadingCache<K extends string | number, V>(
  max: number,
  load: (key: K) => Promise<V>,
  bound?: SizeBound<V>,
): LoadingCache<K, V> {
  const sizes = bound && { maxSize: bound.maxSize, sizeCalculation: () => 1 };
  const entries = new LRUCache<K, Promise<V>>({ max, ...sizes });
  /** What one takes is known when it is loaded; one that is larger than all may be is not remembered. */
  const measure = (key: K, loading: Promise<V>, value: V) => {
    if (!bound || entries.peek(key) !== loading) return;
    entries.delete(key);
    entries.set(key, loading, { size: bound.sizeOf(value) });
  };
  return {
    get(key) {
      const cached = entries.get(key);
      if (cached) return cached;
      const loading = load(key);
      entries.set(key, loading);
      loading.then(
        (value) => measure(key, loading, value),
        () => {
          if (entries.peek(key) === loading) entries.delete(key);
        },
      );
      return loading;
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
