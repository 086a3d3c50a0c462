import type { Table } from '../schema/index.ts';

/** Texts kept, and the longest of them. */
const most = { texts: 100, length: 500 };

/**
 * Remembers what texts of requests mean: clients send the same few again and again. What is answered is shared and not
 * to be changed; what throws is not kept.
 */
export function kept<T>(read: (text: string) => T): (text: string) => T {
  const texts = new Map<string, T>();
  return (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const found = read(text);
    if (text.length > most.length) return found;
    const [oldest] = texts.keys();
    if (texts.size >= most.texts && oldest !== undefined) texts.delete(oldest);
    texts.set(text, found);
    return found;
  };
}

/** As `kept`, for each table apart; the memory goes with the table. */
export function keptByTable<T>(read: (text: string, table: Table) => T): (text: string, table: Table) => T {
  const tables = new WeakMap<Table, (text: string) => T>();
  return (text, table) => {
    const known = tables.get(table);
    if (known) return known(text);
    const made = kept((text) => read(text, table));
    tables.set(table, made);
    return made(text);
  };
}
