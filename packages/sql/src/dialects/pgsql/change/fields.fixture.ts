import type { FieldDefinition, TableStep, TypeDefinition } from '../../../change/index.ts';
import type { Database } from '../../../query/index.ts';

/** A type of a definition: `string`, with sizes where they are given. */
export const aType = (type: string, sizes: Partial<TypeDefinition> = {}): TypeDefinition => ({
  type,
  length: null,
  scale: null,
  isFixedLength: false,
  isMultibyte: false,
  ...sizes,
});

/** A field that may be null, but for what is said. */
export const aField = (
  name: string,
  type: string | TypeDefinition = 'string',
  more: Partial<FieldDefinition> = {},
): FieldDefinition => ({
  name,
  type: typeof type === 'string' ? aType(type) : type,
  allowNull: true,
  default: null,
  isAutoIncrement: false,
  isPrimaryKey: false,
  isUnique: false,
  isIndex: false,
  ...more,
});

export const anId = (name = 'id', type = 'id'): FieldDefinition =>
  aField(name, type, { allowNull: false, isAutoIncrement: true, isPrimaryKey: true });

export const editorOf = (database: Database) => {
  if (!database.schemaEditor) throw new Error('no editor');
  return database.schemaEditor;
};

export const create = (database: Database, name: string, fields: FieldDefinition[]) =>
  editorOf(database).apply([{ kind: 'createTable', name, fields, references: [] }]);

/** Alters a table as it is described now. */
export async function alter(database: Database, name: string, ...steps: TableStep[]) {
  return editorOf(database).apply([{ kind: 'alterTable', table: await database.table(name), steps }]);
}

/** What a table's fields are, by name. */
export async function fieldsOf(database: Database, name: string) {
  const { description } = await database.table(name);
  return Object.fromEntries(description.field.map((field) => [field.name, field]));
}

export async function columnOf(database: Database, name: string, column: string) {
  const found = (await database.table(name)).column(column);
  if (!found) throw new Error(`no column ${column}`);
  return found;
}
