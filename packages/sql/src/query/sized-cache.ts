/** Characters of a text that is worth caching, or preparing in a database, where it takes some forty times as much. */
export const maxCachedText = 16 * 1024;

/**
 * A cache of what callers shape, bounded in entries and in their sizes together; the oldest go first. An entry that is larger than
 * `maxCachedText` is not cached.
 */
export class SizedCache<V> {
  private readonly entries = new Map<string, { value: V; size: number }>();
  private readonly maxEntries: number;
  private readonly maxSize: number;
  private readonly onEvict: ((key: string) => void) | undefined;
  private size = 0;

  /** `onEvict` is called for what makes place for newer entries. */
  constructor(maxEntries: number, maxSize: number, onEvict?: (key: string) => void) {
    this.maxEntries = maxEntries;
    this.maxSize = maxSize;
    this.onEvict = onEvict;
  }

  get count(): number {
    return this.entries.size;
  }

  get(key: string): V | undefined {
    return this.entries.get(key)?.value;
  }

  /** False for an entry that is too large. */
  set(key: string, value: V, size = key.length): boolean {
    if (size > maxCachedText) return false;
    this.delete(key);
    this.entries.set(key, { value, size });
    this.size += size;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries && this.size <= this.maxSize) break;
      this.delete(oldest);
      this.onEvict?.(oldest);
    }
    return true;
  }

  delete(key: string): void {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
    this.size = 0;
  }
}
