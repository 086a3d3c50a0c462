import type { SimpleType } from '@sluice/contract';
import { fieldDescription } from './field.ts';
import { type Column, makeTable, type Table } from './table.ts';

/** A table of columns `name: type`; `id` is its key. A trailing `!` makes a column refuse null. */
export function aTable(columns: Record<string, SimpleType | `${SimpleType}!`>, name = 'thing'): Table {
  const tableColumns = Object.entries(columns).map(([column, typeText]): Column => {
    const type = typeText.replace('!', '') as SimpleType;
    const description = fieldDescription({
      name: column,
      type,
      db_type: type === 'boolean' ? 'tinyint(1)' : type,
      allow_null: !typeText.endsWith('!'),
      auto_increment: type === 'id',
      is_primary_key: type === 'id',
    });
    return { name: column, native: column, description };
  });
  return makeTable({
    name,
    native: { schema: null, name },
    columns: tableColumns,
    description: {
      alias: null,
      name,
      label: name,
      description: null,
      native: [],
      plural: name,
      is_view: false,
      primary_key: tableColumns.filter((column) => column.description.is_primary_key).map((column) => column.native),
      name_field: null,
      field: tableColumns.map((column) => column.description),
      related: [],
      constraints: [],
    },
  });
}
