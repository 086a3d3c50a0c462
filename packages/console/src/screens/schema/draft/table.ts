// A table as it is edited: what a new one begins with, and what is sent of it.
import type { RelationDescription } from '@sluice/contract';
import type { SchemaTable } from '../address/sources.ts';
import { schemaPath } from '../address/sources.ts';
import type { SchemaWrite } from '../address/write.ts';
import { type FieldDraft, fieldDraftOf, newField } from './field.ts';

/** A table on its way to the server; `access` and what is only told stay out of it. */
export interface TableDraft extends Omit<SchemaTable, 'field' | 'access'> {
  field: FieldDraft[];
}

/** A new table; most have a number that counts as their key, so it is there from the start. */
export const newTable = (name = ''): TableDraft => ({
  alias: null,
  name,
  label: '',
  description: null,
  native: [],
  plural: '',
  is_view: false,
  primary_key: [],
  name_field: null,
  field: [{ ...newField('id'), type: 'id', auto_increment: true, is_primary_key: true }],
  related: [] as RelationDescription[],
  constraints: [],
});

/** A table that is there, as it is edited. */
export const draftOf = ({ access: _access, ...table }: SchemaTable): TableDraft => ({
  ...table,
  field: table.field.map(fieldDraftOf),
});

/** A new table as it is sent (SCH-028, C-SCH-04). */
export const createTableWrite = (table: TableDraft): SchemaWrite => ({
  verb: 'POST',
  path: schemaPath(),
  query: { fields: '*' },
  body: { resource: [sentTable(table)] },
});

/** What is not said of a table is left to the server. */
const sentTable = ({ label, plural, ...table }: TableDraft) => ({
  ...table,
  label: label || null,
  plural: plural || null,
});

/** A table that is there, as it is sent (SCH-029, C-SCH-05). */
export const alterTableWrite = (name: string, table: object): SchemaWrite => ({
  verb: 'PATCH',
  path: schemaPath(name),
  body: table,
});

export const dropTableWrite = (name: string): SchemaWrite => ({ verb: 'DELETE', path: schemaPath(name) });
