// Values in Memcached, each under the prefix of its service: no key of a caller leads to another one.
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import { type CacheEntry, type CacheStore, cacheBounds } from '../../caches/index.ts';
import { connectMemcached, type MemcachedServer } from './connection.ts';

/** Bytes of a key that the server takes. */
const maxKey = 250;
/** Seconds: what is longer, the server reads as a moment since 1970. */
const maxPeriod = 30 * 24 * 3600;

export function openMemcachedValues(server: MemcachedServer, prefix: string): CacheStore {
  const connection = connectMemcached(server);

  /** The server takes neither blanks nor what is beyond ASCII; `#` begins none of the others. */
  const nameOf = (key: string): string => {
    const name = prefix + encodeURIComponent(key);
    if (name.length <= maxKey) return name;
    return `${prefix}#${createHash('sha256').update(key).digest('hex')}`;
  };
  const endOf = (seconds: number | null): number => {
    if (seconds === null) return 0;
    return seconds <= maxPeriod ? seconds : Math.floor(Date.now() / 1000) + seconds;
  };
  const refused = (line: string) => fail('cache.refused', { text: line.slice(0, 300) });

  async function get(key: string): Promise<string | undefined> {
    const { line, data } = await connection.send(`get ${nameOf(key)}`);
    if (data !== undefined) return data.toString();
    if (line === 'END') return undefined;
    throw refused(line);
  }
  async function remove(key: string): Promise<boolean> {
    const { line } = await connection.send(`delete ${nameOf(key)}`);
    if (line !== 'DELETED' && line !== 'NOT_FOUND') throw refused(line);
    return line === 'DELETED';
  }
  /** Whether it was stored; `add` does not where there is a value. */
  async function store(verb: 'set' | 'add', [key, value]: CacheEntry, seconds: number | null): Promise<boolean> {
    const data = Buffer.from(value);
    const { line } = await connection.send(`${verb} ${nameOf(key)} 0 ${endOf(seconds)} ${data.length}`, data);
    if (/too large/i.test(line)) throw fail('cache.valueTooLarge', { key, limit: cacheBounds.value - 1 });
    if (line !== 'STORED' && line !== 'NOT_STORED') throw refused(line);
    return line === 'STORED';
  }

  return {
    get,
    async take(key) {
      const value = await get(key);
      // Of several who read it, one deletes it.
      return value !== undefined && (await remove(key)) ? value : undefined;
    },
    async put(entries, seconds) {
      for (const entry of entries) await store('set', entry, seconds);
    },
    async add(entries, seconds) {
      const existing: string[] = [];
      for (const [key] of entries) if ((await get(key)) !== undefined) existing.push(key);
      if (existing.length > 0) return existing;
      const added: string[] = [];
      try {
        for (const entry of entries) {
          if (await store('add', entry, seconds)) added.push(entry[0]);
          // Somebody was faster.
          else existing.push(entry[0]);
          if (existing.length > 0) break;
        }
      } finally {
        if (added.length < entries.length) for (const key of added) await remove(key).catch(() => {});
      }
      return existing;
    },
    delete: remove,
    async ping() {
      const { line } = await connection.send('version');
      if (!line.startsWith('VERSION ')) throw refused(line);
    },
    close: async () => connection.close(),
  };
}
