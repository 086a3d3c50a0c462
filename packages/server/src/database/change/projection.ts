// A table as it will be: what extras are planned for, what later tables of the same call are read on, and what the audit tells,
// while the database still has the old one. No more of it than those ask for.
import type { FieldDescription } from '@sluice/contract';
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
  const { name, table, newFields, fieldChanges, key, references } = parts;
  const kept = table?.description ?? newDescription(name);
  const drops = new Set(parts.drops);
  const changes = new Map(fieldChanges.map(({ column, change }) => [column, change]));
  const keyColumns = new Set(key);
  const referencesOf = referencesByColumn(references);
  const columns = [
    ...(table?.columns ?? [])
      .filter((column) => !drops.has(column))
      .map((column) => projectColumn(column, changes.get(column) ?? {}, keyColumns.has(column.native), editor)),
    ...newFields.map((field) => projectField(field, editor)),
  ].map((column) => {
    const reference = referencesOf.get(column.description.name);
    return reference ? { ...column, description: withReference(column.description, reference) } : column;
  });
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

function projectColumn(
  column: Column,
  change: FieldChange,
  is_primary_key: boolean,
  editor: SchemaEditor | undefined,
): Column {
  const { description: old } = column;
  const type = change.type && editor?.describeType(change.type);
  const auto_increment = change.isAutoIncrement ?? old.auto_increment;
  const allow_null = !is_primary_key && (change.allowNull ?? old.allow_null);
  const hasDefault = change.default === undefined ? column.autoValue !== undefined : change.default !== null;
  const isCounter = change.isAutoIncrement || (old.type === 'id' && auto_increment);
  const plainType = type?.type ?? (old.type === 'id' ? 'integer' : old.type);
  const description: FieldDescription = {
    ...old,
    ...type,
    type: isCounter ? 'id' : old.type === 'reference' ? old.type : plainType,
    ...(change.default === undefined ? {} : { default: describeDefault(change.default) }),
    required: allow_null === old.allow_null && !('default' in change) ? old.required : !allow_null && !hasDefault,
    allow_null,
    auto_increment,
    is_primary_key,
    is_unique: change.isUnique ?? old.is_unique,
    is_index: change.isIndex ?? old.is_index,
  };
  return { ...column, description };
}

function projectField(field: FieldDefinition, editor: SchemaEditor | undefined): Column {
  const { name } = field;
  const described = editor?.describeType(field.type);
  const description = fieldDescription({
    db_type: null,
    ...described,
    name,
    type: field.isAutoIncrement ? 'id' : (described?.type ?? 'string'),
    default: describeDefault(field.default),
    required: !field.allowNull && field.default === null && !field.isAutoIncrement,
    allow_null: field.allowNull,
    auto_increment: field.isAutoIncrement,
    is_primary_key: field.isPrimaryKey,
    is_unique: field.isUnique,
    is_index: field.isIndex,
  });
  return { name, native: name, description };
}

const describeDefault = (given: FieldDefinition['default']): unknown =>
  given && ('value' in given ? given.value : given.expression);

/** The first reference of each column. */
function referencesByColumn(references: readonly ReferenceDefinition[]): Map<string, ReferenceDefinition> {
  const byColumn = new Map<string, ReferenceDefinition>();
  for (const reference of references)
    for (const column of reference.columns) if (!byColumn.has(column)) byColumn.set(column, reference);
  return byColumn;
}

/** A field with the reference it gets. */
function withReference(field: FieldDescription, reference: ReferenceDefinition): FieldDescription {
  const isAlone = reference.columns.length === 1;
  return {
    ...field,
    type: isAlone && field.type === 'integer' ? 'reference' : field.type,
    is_foreign_key: true,
    ref_table: reference.refTable,
    ref_field: reference.refColumns[reference.columns.indexOf(field.name)] ?? null,
  };
}
