// A field as it is edited: what a new one begins with, and what is checked before it is kept or sent.
import type { FieldDescription } from '@sluice/contract';
import { text } from '../../../text/index.ts';
import { schemaPath } from '../address/sources.ts';
import type { SchemaWrite } from '../address/write.ts';

/** A function of the database in place of a column, or around one, when the field is read, compared or written (SCH-056). */
export interface DbFunction {
  use: string[];
  function: string;
  /** `database`, as the server tells it; what the value is, the type of the field says. */
  function_type?: string;
}

/** A field on its way to the server. `type` may be any text, or empty where `db_type` says it. */
export interface FieldDraft extends Omit<FieldDescription, 'type' | 'db_function' | 'picklist'> {
  type: string | null;
  db_function: DbFunction[] | null;
  picklist: string[] | null;
  /** Of the documents (SCH-011), for a new field; the server knows nothing of it. */
  value?: unknown[];
}

/** What a new field begins with (OPEN-172). */
export const newField = (name = ''): FieldDraft => ({
  alias: null,
  name,
  label: '',
  description: null,
  native: [],
  type: null,
  db_type: null,
  length: null,
  precision: null,
  scale: 0,
  default: null,
  required: false,
  allow_null: false,
  fixed_length: false,
  supports_multibyte: false,
  auto_increment: false,
  is_primary_key: false,
  is_unique: false,
  is_index: false,
  is_foreign_key: false,
  ref_table: '',
  ref_field: '',
  ref_on_update: null,
  ref_on_delete: null,
  picklist: null,
  validation: null,
  db_function: null,
  is_virtual: false,
  is_aggregate: false,
  value: [],
});

/** A field that is there, as it is edited. */
export const fieldDraftOf = (description: FieldDescription): FieldDraft => ({
  ...description,
  db_function: description.db_function as DbFunction[] | null,
});

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** What is wrong with a field beside the others of its table, in the documents' words; null when it may be kept (SCH-018, SCH-019). */
export function fieldProblem(field: FieldDraft, others: readonly { name: string }[]): string | null {
  if (field.name.trim() === '' || !(field.type || field.db_type)) return text('schema:field.nameAndType');
  return others.some(({ name }) => isSameName(name, field.name)) ? text('schema:field.nameExists') : null;
}

const fieldsPath = (table: string): string => schemaPath(table, '_field');

/** A field of a table that is there, as it is sent: a new one (SCH-031, C-SCH-08) or a changed one (SCH-032, C-SCH-09). */
export const saveFieldWrite = (table: string, field: FieldDraft, isNew: boolean): SchemaWrite => ({
  verb: isNew ? 'POST' : 'PATCH',
  path: fieldsPath(table),
  body: { resource: [field] },
});

/** SCH-034, C-SCH-10. */
export const dropFieldWrite = (table: string, field: string): SchemaWrite => ({
  verb: 'DELETE',
  path: schemaPath(table, '_field', field),
});
