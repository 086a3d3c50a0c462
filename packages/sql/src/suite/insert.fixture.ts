import { toNative } from '../convert/index.ts';
import { parseFields } from '../filter/index.ts';
import type { Row, Write } from '../query/index.ts';
import type { Table } from '../schema/index.ts';

/** A write of wire values. */
export const insert = (table: Table, values: Row, returning = table.key): Extract<Write, { kind: 'insert' }> => ({
  kind: 'insert',
  table,
  values: Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const column = table.column(field);
      if (!column) throw new Error(`no column ${field}`);
      return [field, toNative(column, value, 'write')];
    }),
  ),
  returning,
});

/** A new record of which only the name is given and answered. */
export const insertName = (table: Table, name: string) => insert(table, { name }, parseFields('name', table));
