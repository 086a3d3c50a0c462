import type { Table } from './table.ts';

/** What can be told of an object, made when it is first asked for and gone with the object. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
}

export const oncePerTable: <T>(make: (table: Table) => T) => (table: Table) => T = oncePer;
