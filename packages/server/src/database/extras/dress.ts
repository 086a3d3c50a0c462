// A table of the database with what its service says of it.
import type { FieldDescription, RelationDescription, SimpleType, TableDescription } from '@sluice/contract';
import { type Column, fieldDescription, labelOf, makeTable, pluralOf, type Table } from '@sluice/sql';
import type { Extras, FieldExtras, TableExtras } from './extras.ts';
import { expressionsOf } from './functions.ts';
import type { RelationRow, TableRow } from './rows.ts';

/**
 * The table as the service shows it, made once: what hangs on a table (plans, conditions) stays as long as the database's
 * own description and the extras do. A table nothing is said of is the database's own.
 */
export function dress(table: Table, extras: Extras): Table {
  const its = extras.tables.get(table.name);
  if (!its) return table;
  const dressed = extras.dressed.get(table) ?? dressedWith(table, its);
  extras.dressed.set(table, dressed);
  return dressed;
}

function dressedWith(table: Table, its: TableExtras): Table {
  const real = table.columns.map((it) => withExtras(it, its.fields.get(it.native)));
  const columns = [...withoutClashes(real), ...virtualColumns(real, its)];
  const description: TableDescription = {
    ...table.description,
    ...labels(table.description, its.own),
    alias: its.own?.alias ?? null,
    name_field: its.own?.name_field ?? null,
    field: columns.map((it) => it.description),
    related: relations(table.description.related, its),
  };
  return makeTable({ name: description.alias ?? table.name, native: table.native, description, columns });
}

/** Label, plural and description, the plural being that of the label where nothing else is said. */
export function labels<T extends { label: string; plural: string; description: string | null }>(
  shown: T,
  own: TableRow | undefined,
): Pick<T, 'label' | 'plural' | 'description'> {
  const label = own?.label ?? shown.label;
  const plural = own?.plural ?? (own?.label ? pluralOf(label) : shown.plural);
  return { label, plural, description: own?.description ?? shown.description };
}

// ---- fields ----

function withExtras(column: Column, extras: FieldExtras | undefined): Column {
  // A virtual field that a column is called by now is no more.
  if (!extras || extras.is_virtual) return column;
  const { description } = column;
  const described: FieldDescription = {
    ...description,
    ...shownOf(column.native, extras),
    // What the database itself says stays where nothing else is said.
    description: extras.description ?? description.description,
    validation: extras.validation ?? description.validation,
    type: fits(description.type, extras.extraType) ? extras.extraType : description.type,
  };
  const dressed: Column = { ...column, name: extras.alias ?? column.name, description: described };
  // A key is found by what is stored.
  const expression = description.is_primary_key ? undefined : expressionsOf(extras.db_function);
  if (expression) dressed.expression = expression;
  return dressed;
}

const shownOf = (name: string, { alias, label, picklist, db_function }: FieldExtras) => ({
  alias,
  label: label ?? labelOf(name),
  picklist,
  db_function,
});

const whole = new Set<SimpleType>(['integer', 'bigint', 'reference']);
const moments = new Set<SimpleType>(['timestamp', 'timestamptz', 'datetime', 'datetimetz']);

/** Whether a field of the database's type can be one that only we know: its column may have changed since. */
export function fits(type: SimpleType, extra: SimpleType | null): extra is SimpleType {
  if (extra === null) return false;
  if (extra.startsWith('user_id')) return whole.has(type) || type.startsWith('user_id');
  return extra.startsWith('timestamp_on_') && (moments.has(type) || type.startsWith('timestamp_on_'));
}

/** An alias that is the name of another column by now gives way. */
function withoutClashes(columns: Column[]): Column[] {
  const taken = new Set<string>();
  for (const { name, native } of columns) if (name === native) taken.add(name.toLowerCase());
  return columns.map((column) => {
    const lower = column.name.toLowerCase();
    if (column.name === column.native || !taken.has(lower)) {
      taken.add(lower);
      return column;
    }
    return { ...column, name: column.native, description: { ...column.description, alias: null } };
  });
}

function virtualColumns(real: Column[], { fields }: TableExtras): Column[] {
  const natives = new Set(real.map((it) => it.native.toLowerCase()));
  const taken = new Set([...natives, ...real.map((it) => it.name.toLowerCase())]);
  return [...fields].flatMap(([name, extras]): Column[] => {
    const shown = extras.alias ?? name;
    // By now a column is called so.
    if (!extras.is_virtual || natives.has(name.toLowerCase()) || taken.has(shown.toLowerCase())) return [];
    taken.add(shown.toLowerCase());
    const description = fieldDescription({
      name,
      type: extras.extraType ?? 'string',
      db_type: null,
      ...shownOf(name, extras),
      description: extras.description,
      validation: extras.validation,
      is_virtual: true,
      is_aggregate: extras.is_aggregate,
    });
    const expression = expressionsOf(extras.db_function);
    return [{ name: shown, native: name, description, made: 'generated', ...(expression ? { expression } : {}) }];
  });
}

// ---- relations ----

function relations(own: RelationDescription[], its: TableExtras): RelationDescription[] {
  const names = new Set(own.map((it) => it.name.toLowerCase()));
  const virtual = its.virtual.filter(({ name }) => !names.has(name.toLowerCase()));
  return [...own, ...virtual].map((it) => withRelationExtras(it, its.relations.get(it.name)));
}

function withRelationExtras(relation: RelationDescription, row: RelationRow | undefined): RelationDescription {
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
