// A table of the database with the overrides of its service.
import type { FieldDescription, RelationDescription, SimpleType, TableDescription } from '@sluice/contract';
import { type Column, fieldDescription, labelOf, makeTable, pluralOf, type Table } from '@sluice/sql';
import type { Extras, FieldExtras, TableExtras } from './extras.ts';
import { expressionsOf } from './functions.ts';
import type { RelationRow, TableRow } from './rows.ts';

/**
 * The table as the service shows it, made once: what is cached for a table (plans, conditions) stays as long as the
 * description of the database and the extras do. A table without extras is the database's own.
 */
export function applyOverrides(table: Table, extras: Extras): Table {
  const tableExtras = extras.table(table.name);
  if (!tableExtras) return table;
  const overridden = extras.overriddenTables.get(table) ?? buildTable(table, tableExtras);
  extras.overriddenTables.set(table, overridden);
  return overridden;
}

function buildTable(table: Table, tableExtras: TableExtras): Table {
  const realColumns = table.columns.map((column) => overrideColumn(column, tableExtras.fields.get(column.native)));
  const columns = [...dropClashingAliases(realColumns), ...buildVirtualColumns(realColumns, tableExtras)];
  const description: TableDescription = {
    ...table.description,
    ...overrideLabels(table.description, tableExtras.row),
    alias: tableExtras.row?.alias ?? null,
    name_field: tableExtras.row?.name_field ?? null,
    field: columns.map((column) => column.description),
    related: overrideRelations(table.description.related, tableExtras),
  };
  return makeTable({ name: description.alias ?? table.name, native: table.native, description, columns });
}

/** Label, plural and description; without a plural of its own it is that of the label. */
export function overrideLabels<T extends { label: string; plural: string; description: string | null }>(
  defaults: T,
  row: TableRow | undefined,
): Pick<T, 'label' | 'plural' | 'description'> {
  const label = row?.label ?? defaults.label;
  const plural = row?.plural ?? (row?.label ? pluralOf(label) : defaults.plural);
  return { label, plural, description: row?.description ?? defaults.description };
}

// ---- fields ----

function overrideColumn(column: Column, extras: FieldExtras | undefined): Column {
  // A virtual field does not count once a column has its name.
  if (!extras || extras.is_virtual) return column;
  const { description } = column;
  const described: FieldDescription = {
    ...description,
    ...overrideField(column.native, extras),
    // The database's own values stay where nothing overrides them.
    description: extras.description ?? description.description,
    validation: extras.validation ?? description.validation,
    type: fitsColumnType(description.type, extras.extraType) ? extras.extraType : description.type,
  };
  const overridden: Column = { ...column, name: extras.alias ?? column.name, description: described };
  // A key is found by what is stored.
  const expression = description.is_primary_key ? undefined : expressionsOf(extras.db_function);
  if (expression) overridden.expression = expression;
  return overridden;
}

const overrideField = (name: string, { alias, label, picklist, db_function }: FieldExtras) => ({
  alias,
  label: label ?? labelOf(name),
  picklist,
  db_function,
});

const integerTypes = new Set<SimpleType>(['integer', 'bigint', 'reference']);
const timestampTypes = new Set<SimpleType>(['timestamp', 'timestamptz', 'datetime', 'datetimetz']);

/** Whether a column of the database's type can have the extra type: the column may have changed since. */
export function fitsColumnType(type: SimpleType, extraType: SimpleType | null): extraType is SimpleType {
  if (extraType === null) return false;
  if (extraType.startsWith('user_id')) return integerTypes.has(type) || type.startsWith('user_id');
  return extraType.startsWith('timestamp_on_') && (timestampTypes.has(type) || type.startsWith('timestamp_on_'));
}

/** An alias is dropped where another column has that name by now. */
function dropClashingAliases(columns: Column[]): Column[] {
  const takenNames = new Set<string>();
  for (const { name, native } of columns) if (name === native) takenNames.add(name.toLowerCase());
  return columns.map((column) => {
    const lowerName = column.name.toLowerCase();
    if (column.name === column.native || !takenNames.has(lowerName)) {
      takenNames.add(lowerName);
      return column;
    }
    return { ...column, name: column.native, description: { ...column.description, alias: null } };
  });
}

function buildVirtualColumns(realColumns: Column[], { fields }: TableExtras): Column[] {
  const realNames = new Set(realColumns.map((column) => column.native.toLowerCase()));
  const takenNames = new Set([...realNames, ...realColumns.map((column) => column.name.toLowerCase())]);
  return [...fields].flatMap(([name, extras]): Column[] => {
    const apiName = extras.alias ?? name;
    // A column has that name by now.
    if (!extras.is_virtual || realNames.has(name.toLowerCase()) || takenNames.has(apiName.toLowerCase())) return [];
    takenNames.add(apiName.toLowerCase());
    const description = fieldDescription({
      name,
      type: extras.extraType ?? 'string',
      db_type: null,
      ...overrideField(name, extras),
      description: extras.description,
      validation: extras.validation,
      is_virtual: true,
      is_aggregate: extras.is_aggregate,
    });
    const expression = expressionsOf(extras.db_function);
    return [
      { name: apiName, native: name, description, autoValue: 'generated', ...(expression ? { expression } : {}) },
    ];
  });
}

// ---- relations ----

function overrideRelations(realRelations: RelationDescription[], tableExtras: TableExtras): RelationDescription[] {
  const names = new Set(realRelations.map((relation) => relation.name.toLowerCase()));
  const virtual = tableExtras.virtual.filter(({ name }) => !names.has(name.toLowerCase()));
  return [...realRelations, ...virtual].map((relation) =>
    overrideRelation(relation, tableExtras.relations.get(relation.name)),
  );
}

function overrideRelation(relation: RelationDescription, row: RelationRow | undefined): RelationDescription {
  if (!row) return relation;
  return {
    ...relation,
    alias: row.alias,
    label: row.label ?? relation.label,
    description: row.description,
    always_fetch: row.always_fetch === 1,
    flatten: row.flatten === 1,
    flatten_drop_prefix: row.flatten_drop_prefix === 1,
  };
}
