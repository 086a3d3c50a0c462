// A table as it will be: what extras are planned for, and what later tables of the same call are read on, while the database
// still has the old one. No more of it than those ask for.
import {
  type Column,
  type FieldChange,
  type FieldDefinition,
  type ForeignKey,
  fieldDescription,
  labelOf,
  makeTable,
  pluralOf,
  type ReferenceDefinition,
  relationsOf,
  type SchemaEditor,
  type Table,
} from '@sluice/sql';

/** What is known of a table that is made or changed. */
export interface TableParts {
  name: string;
  /** As it is; absent for a new one. */
  table: Table | undefined;
  newFields: FieldDefinition[];
  fieldChanges: { column: Column; change: FieldChange }[];
  drops: Column[];
  /** Names of the columns of the key it will have. */
  key: string[];
  /** Those it gets. */
  references: ReferenceDefinition[];
}

/** The table after the change, but for new names. */
export function projectTable(parts: TableParts, editor: SchemaEditor | undefined): Table {
  const { name, table, newFields, drops, key, references } = parts;
  const kept = table?.description ?? newDescription(name);
  const columns = [
    ...(table?.columns ?? [])
      .filter((column) => !drops.includes(column))
      .map((column) => projectColumn(column, parts, editor)),
    ...newFields.map((field) => projectField(field, references, editor)),
  ];
  const description = {
    ...kept,
    primary_key: key,
    field: columns.map((column) => column.description),
    related: [
      ...kept.related,
      ...relationsOf(
        name,
        references.map((reference) => toForeignKey(name, reference)),
      ),
    ],
  };
  return makeTable({ name, native: table?.native ?? { schema: null, name }, description, columns });
}

/** The table under its new name, its fields under theirs. */
export function renameTable(table: Table, name: string, fields: ReadonlyMap<string, string>): Table {
  const { native, description } = table;
  const columns = table.columns.map((column) => {
    const newName = fields.get(column.native) ?? column.native;
    const label = column.description.label === labelOf(column.native) ? labelOf(newName) : column.description.label;
    return { ...column, name: newName, native: newName, description: { ...column.description, name: newName, label } };
  });
  const primary_key = description.primary_key.map((column) => fields.get(column) ?? column);
  const field = columns.map((column) => column.description);
  return makeTable({ name, native, description: { ...description, name, primary_key, field }, columns });
}

const newDescription = (name: string): Table['description'] => ({
  alias: null,
  name,
  label: labelOf(name),
  description: null,
  native: [],
  plural: pluralOf(labelOf(name)),
  is_view: false,
  primary_key: [],
  name_field: null,
  field: [],
  related: [],
  constraints: [],
});

const toForeignKey = (
  table: string,
  { columns, refTable, refColumns, onUpdate, onDelete }: ReferenceDefinition,
): ForeignKey => ({
  table,
  columns,
  refTable,
  refColumns,
  onUpdate: onUpdate ?? 'NO ACTION',
  onDelete: onDelete ?? 'NO ACTION',
});

function projectColumn(column: Column, { fieldChanges }: TableParts, editor: SchemaEditor | undefined): Column {
  const change = fieldChanges.find((each) => each.column === column)?.change;
  const type = change?.type && editor?.describeType(change.type);
  if (!type) return column;
  const { type: oldType, ...rest } = column.description;
  const isNumbered = oldType === 'id' || oldType === 'reference';
  return { ...column, description: { ...rest, ...type, type: isNumbered ? oldType : type.type } };
}

function projectField(
  field: FieldDefinition,
  references: ReferenceDefinition[],
  editor: SchemaEditor | undefined,
): Column {
  const { name } = field;
  const described = editor?.describeType(field.type);
  const type = described?.type ?? 'string';
  const reference = references.find(({ columns }) => columns.length === 1 && columns[0] === name);
  const description = fieldDescription({
    db_type: null,
    ...described,
    name,
    type: field.isAutoIncrement ? 'id' : reference && type === 'integer' ? 'reference' : type,
    allow_null: field.allowNull,
    auto_increment: field.isAutoIncrement,
    is_primary_key: field.isPrimaryKey,
    is_foreign_key: reference !== undefined,
    ref_table: reference?.refTable ?? null,
    ref_field: reference?.refColumns[0] ?? null,
  });
  return { name, native: name, description };
}
