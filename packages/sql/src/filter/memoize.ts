import type { Table } from '../schema/index.ts';

const maxTexts = 100;
/** A longer text is read every time. */
const maxTextLength = 500;

/**
 * Caches what texts of requests mean: clients send the same few again and again. A result is shared and must not be
 * changed. A text whose reading throws is not cached.
 */
export function memoizeText<T>(read: (text: string) => T): (text: string) => T {
  const texts = new Map<string, T>();
  return (text) => {
    const cachedResult = texts.get(text);
    if (cachedResult !== undefined) return cachedResult;
    const result = read(text);
    if (text.length > maxTextLength) return result;
    const [oldest] = texts.keys();
    if (texts.size >= maxTexts && oldest !== undefined) texts.delete(oldest);
    texts.set(text, result);
    return result;
  };
}

/** As `memoizeText`, with a cache for each table that goes with the table. */
export function memoizeByTable<T>(read: (text: string, table: Table) => T): (text: string, table: Table) => T {
  const tables = new WeakMap<Table, (text: string) => T>();
  return (text, table) => {
    const cachedReader = tables.get(table);
    if (cachedReader) return cachedReader(text);
    const reader = memoizeText((text) => read(text, table));
    tables.set(table, reader);
    return reader(text);
  };
}
