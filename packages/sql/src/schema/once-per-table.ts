import type { Table } from './table.ts';

/** What can be told of a described table, made when it is first asked for and gone with the table. */
export function oncePerTable<T>(make: (table: Table) => T): (table: Table) => T {
  const made = new WeakMap<Table, T>();
  return (table) => {
    let value = made.get(table);
    if (value === undefined) {
      value = make(table);
      made.set(table, value);
    }
    return value;
  };
}
