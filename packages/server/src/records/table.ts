// A declared resource as the query language sees it: the description `include_schema` answers and filters bind to.
import type {
  FieldDescription,
  RelationDescription,
  ResourceDefinition,
  ResourceField,
  ResourceRelation,
  SimpleType,
  TableDescription,
} from '@sluice/contract';
import { type Column, fieldDescription, type Table } from '@sluice/sql';
import { storedFields, visibleFields } from '../resource/fields.ts';
import type { Actor, ServedResource } from '../resource/resource.ts';

const fieldTypes: Record<ResourceField['kind'], SimpleType> = {
  id: 'id',
  text: 'string',
  integer: 'integer',
  flag: 'boolean',
  date: 'timestamp',
  json: 'json',
};

/** What columns are in the store, the same on every engine: flags are 0 and 1, moments ISO-8601 text (store/tables.ts). */
const storedTypes: Record<ResourceField['kind'], string> = {
  id: 'bigint',
  integer: 'bigint',
  flag: 'bigint',
  text: 'text',
  date: 'text',
  json: 'text',
};

const tables = new WeakMap<ResourceDefinition, Table>();

/**
 * The table of a resource. Hidden columns are not in it at all, and JSON (configurations with secrets inside) cannot
 * be named in a filter or an order (docs/design.md, deliberate difference 8).
 */
export function tableOf(definition: ResourceDefinition): Table {
  const cached = tables.get(definition);
  if (cached) return cached;
  const visible = new Set(visibleFields(definition));
  const columns = storedFields(definition)
    .filter(([name, field]) => visible.has(name) && field.kind !== 'json')
    .map(([name, field]): Column => {
      const description = { ...describeField(definition, name, field), db_type: storedTypes[field.kind] };
      return { name, native: name, description };
    });
  const byName = new Map(columns.map((column) => [column.name, column]));
  const table: Table = {
    name: definition.name,
    native: { schema: null, name: definition.name },
    description: describe(definition),
    columns,
    key: columns.filter((column) => column.name === definition.identifier),
    column: (name) => byName.get(name.toLowerCase()),
    hasExpressions: false,
  };
  tables.set(definition, table);
  return table;
}

const withoutCredentials = new WeakMap<ServedResource, Table>();

/**
 * The table as a caller may name its columns: what they see as the mask cannot be guessed by a filter or an order
 * (docs/design.md, deliberate difference 8). Administrators see every credential.
 */
export function tableVisibleTo(resource: ServedResource, { caller }: Pick<Actor, 'caller'>): Table {
  const { definition, credentials } = resource;
  const table = tableOf(definition);
  if (!credentials || caller.user?.isAdmin) return table;
  const cached = withoutCredentials.get(resource);
  if (cached) return cached;
  const columns = table.columns.filter(({ name }) => !credentials.includes(name));
  const narrowed: Table = {
    ...table,
    columns,
    column: (name) => {
      const column = table.column(name);
      return column && columns.includes(column) ? column : undefined;
    },
  };
  withoutCredentials.set(resource, narrowed);
  return narrowed;
}

function describe(definition: ResourceDefinition): TableDescription {
  const { name, label, description, identifier, nameField, fields, relations } = definition;
  return {
    alias: null,
    name,
    label,
    description,
    native: [],
    plural: label,
    is_view: false,
    primary_key: [identifier],
    name_field: nameField,
    field: visibleFields(definition).map((field) => describeField(definition, field, fields[field] as ResourceField)),
    related: Object.entries(relations).map(([name, relation]) => describeRelation(definition, name, relation)),
    constraints: [],
  };
}

function describeField(definition: ResourceDefinition, name: string, { kind, rules }: ResourceField): FieldDescription {
  const target = Object.values(definition.relations).find(
    (other) => other.kind === 'belongs_to' && other.field === name,
  );
  const isKey = name === definition.identifier;
  return fieldDescription({
    name,
    type: target ? 'reference' : fieldTypes[kind],
    db_type: null,
    length: rules.max ?? rules.maxBytes ?? null,
    default: rules.default ?? null,
    required: rules.required === true,
    allow_null: !isKey && !rules.required && kind !== 'flag',
    auto_increment: kind === 'id',
    is_primary_key: isKey,
    is_unique: rules.unique === true,
    is_index: isKey || rules.unique === true,
    is_foreign_key: target !== undefined,
    ref_table: target?.resource ?? null,
    ref_field: target ? 'id' : null,
    is_virtual: rules.computed === true,
  });
}

function describeRelation(
  { identifier }: ResourceDefinition,
  name: string,
  { kind, resource, field, through }: ResourceRelation,
): RelationDescription {
  const isOurs = kind === 'belongs_to';
  return {
    alias: null,
    name,
    label: labelOf(name),
    description: null,
    native: [],
    type: kind,
    field: isOurs ? field : identifier,
    is_virtual: false,
    ref_service_id: null,
    ref_table: resource,
    ref_field: isOurs || through ? 'id' : field,
    ref_on_update: null,
    ref_on_delete: null,
    junction_service_id: null,
    junction_table: through?.resource ?? null,
    junction_field: through ? field : null,
    junction_ref_field: through?.ref ?? null,
    always_fetch: false,
    flatten: false,
    flatten_drop_prefix: false,
  };
}

const labelOf = (name: string) =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
