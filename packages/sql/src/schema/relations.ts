import type { RelationDescription } from '@sluice/contract';
import { labelOf } from './names.ts';

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
  const addRelation = (describeRelation: RelationDescription) => relations.set(describeRelation.name, describeRelation);
  for (const key of keys) {
    if (key.table !== table) continue;
    const name = `${key.refTable}_by_${key.columns.join('_')}`;
    addRelation(relation(name, 'belongs_to', key.columns, key.refTable, key.refColumns, key));
  }
  for (const key of keys) {
    if (key.refTable !== table) continue;
    const name = `${key.table}_by_${key.columns.join('_')}`;
    addRelation(relation(name, key.isOne ? 'has_one' : 'has_many', key.refColumns, key.table, key.columns, key));
    if (key.table === table) continue;
    for (const other of keys) {
      if (other.table !== key.table || other === key || other.refTable === table) continue;
      const through = `${other.refTable}_by_${key.table}`;
      addRelation({
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
