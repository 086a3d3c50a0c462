// Described tables and the words for them, the same for every engine.
import type { FieldDescription, RelationDescription, TableDescription } from '@sluice/contract';
import pluralize from 'pluralize';
import type { Column, Table } from './types.ts';

/** What a table is made of. `made` and `native` of a column are its engine's to say. */
export interface TableParts {
  name: string;
  native: Table['native'];
  description: TableDescription;
  columns: Column[];
}

/** A table whose columns are found by their API name: as written, else in any case. */
export function makeTable({ name, native, description, columns }: TableParts): Table {
  const exact = new Map(columns.map((it) => [it.name, it]));
  const anyCase = new Map(columns.toReversed().map((it) => [it.name.toLowerCase(), it]));
  const key = description.primary_key.flatMap((part) => columns.find((it) => it.native === part) ?? []);
  return {
    name,
    native,
    description,
    columns,
    key,
    column: (field) => exact.get(field) ?? anyCase.get(field.toLowerCase()),
    hasExpressions: columns.some((it) => it.expression !== undefined),
  };
}

/** A virtual field without a SELECT function has nothing to read. */
export const isReadable = ({ description, expression }: Column): boolean =>
  !description.is_virtual || expression?.select !== undefined;

/** Whether a condition may name the column: one row has no aggregate. */
export const isComparable = ({ description, expression }: Column): boolean =>
  !description.is_aggregate &&
  (!description.is_virtual || expression?.filter !== undefined || expression?.select !== undefined);

/** `contact_info` → `Contact Info`. */
export const labelOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/(^|\s)\p{Ll}/gu, (it) => it.toUpperCase());

/** The English plural of a label: `Todo` → `Todos`; what is plural stays. */
export const pluralOf = (label: string): string => pluralize(label);

/** Natural order without regard to case: `t2` before `T10`. */
export function naturalOrder(a: string, b: string): number {
  const left = chunks(a);
  const right = chunks(b);
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const [l, r] = [left[i] as string, right[i] as string];
    const numbers = /^\d/.test(l) && /^\d/.test(r);
    const order = numbers ? compare(l.length, r.length) || compare(l, r) : compare(l, r);
    if (order !== 0) return order;
  }
  return left.length - right.length || compare(a, b);
}

/** Runs of digits without their leading zeros, and what stands between. */
const chunks = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/\d+|\D+/g)
    ?.map((it) => it.replace(/^0+(?=\d)/, '')) ?? [];

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** A field with every key of the contract in its order; what is not given is null or false. */
export function fieldDescription(
  known: Pick<FieldDescription, 'name' | 'type' | 'db_type'> & Partial<FieldDescription>,
) {
  const field: FieldDescription = {
    alias: null,
    name: known.name,
    label: labelOf(known.name),
    description: null,
    native: [],
    type: known.type,
    db_type: known.db_type,
    length: null,
    precision: null,
    scale: null,
    default: null,
    required: false,
    allow_null: true,
    fixed_length: false,
    supports_multibyte: false,
    auto_increment: false,
    is_primary_key: false,
    is_unique: false,
    is_index: false,
    is_foreign_key: false,
    ref_table: null,
    ref_field: null,
    ref_on_update: null,
    ref_on_delete: null,
    picklist: null,
    validation: null,
    db_function: null,
    is_virtual: false,
    is_aggregate: false,
  };
  return Object.assign(field, known);
}

/** A foreign key of a database, with the real names of its columns. */
export interface ForeignKey {
  table: string;
  columns: string[];
  refTable: string;
  refColumns: string[];
  onUpdate: string;
  onDelete: string;
  /** The referencing columns are a primary or unique key: at most one record points to each. */
  isOne?: boolean;
  /** Its entry in `constraints` of the table's description, where the database keeps a name for it. */
  constraint?: Record<string, string>;
}

/**
 * The relations a table has by foreign keys (contract/database-schema.md §2). `keys` are all foreign keys of the
 * database whose target exists. The service id is not known here and stays null.
 */
export function relationsOf(table: string, keys: readonly ForeignKey[]): RelationDescription[] {
  const relations = new Map<string, RelationDescription>();
  // Where two have one name the later one stays: a self reference is a has_many only.
  const add = (relation: RelationDescription) => relations.set(relation.name.toLowerCase(), relation);
  for (const key of keys) {
    if (key.table !== table) continue;
    const name = `${key.refTable}_by_${key.columns.join('_')}`;
    add(relation(name, 'belongs_to', key.columns, key.refTable, key.refColumns, key));
  }
  for (const key of keys) {
    if (key.refTable !== table) continue;
    const name = `${key.table}_by_${key.columns.join('_')}`;
    add(relation(name, key.isOne ? 'has_one' : 'has_many', key.refColumns, key.table, key.columns, key));
    if (key.table === table) continue;
    for (const other of keys) {
      if (other.table !== key.table || other === key || other.refTable === table) continue;
      const through = `${other.refTable}_by_${key.table}`;
      add({
        ...relation(through, 'many_many', key.refColumns, other.refTable, other.refColumns, key),
        junction_table: key.table,
        junction_field: key.columns.join(','),
        junction_ref_field: other.columns.join(','),
      });
    }
  }
  return [...relations.values()];
}

function relation(
  name: string,
  type: RelationDescription['type'],
  columns: string[],
  refTable: string,
  refColumns: string[],
  rules: Pick<ForeignKey, 'onUpdate' | 'onDelete'>,
): RelationDescription {
  return {
    alias: null,
    name,
    label: labelOf(name),
    description: null,
    native: [],
    type,
    field: columns.join(','),
    is_virtual: false,
    ref_service_id: null,
    ref_table: refTable,
    ref_field: refColumns.join(','),
    ref_on_update: rules.onUpdate,
    ref_on_delete: rules.onDelete,
    junction_service_id: null,
    junction_table: null,
    junction_field: null,
    junction_ref_field: null,
    always_fetch: false,
    flatten: false,
    flatten_drop_prefix: false,
  };
}
