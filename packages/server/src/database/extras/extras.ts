// Extras as the tables of a service are dressed with them.
import type { FieldDescription, MaybePromise, RelationDescription, RelationKind, SimpleType } from '@sluice/contract';
import { labelOf, type Table } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import type { FieldRow, Put, RelationRow, StoredExtras, TableRow, VirtualRow } from './rows.ts';

export interface Extras {
  /** Nothing is said of any table. */
  isEmpty: boolean;
  /** Lower-cased alias → real name of its table. */
  aliases: Map<string, string>;
  /** By real name. */
  tables: Map<string, TableExtras>;
  /** Tables of the database → the same with these extras. */
  dressed: WeakMap<Table, Table>;
}

export interface TableExtras {
  own?: TableRow;
  /** By real name. */
  fields: Map<string, FieldExtras>;
  /** By automatic name. */
  relations: Map<string, RelationRow>;
  virtual: RelationDescription[];
}

export interface FieldExtras
  extends Pick<
    FieldDescription,
    'alias' | 'description' | 'picklist' | 'validation' | 'db_function' | 'is_virtual' | 'is_aggregate'
  > {
  label: string | null;
  extraType: SimpleType | null;
}

/** The extras of one service, wherever they are kept. */
export interface ServiceExtras {
  /** As they are; at once when they were read before. */
  current(): MaybePromise<Extras>;
  /**
   * Changes them while nobody else does: `work` is told what is stored and says what to put. They hold, in every process,
   * when it returns. What `work` throws leaves all as it was.
   */
  change(call: Call, work: (stored: StoredExtras) => Put[]): Promise<void>;
}

/** Puts what is stored into the form tables are dressed with. */
export function extrasOf(stored: StoredExtras): Extras {
  const { rows } = stored;
  const tables = new Map<string, TableExtras>();
  const of = (table: string): TableExtras => {
    const known = tables.get(table) ?? { fields: new Map(), relations: new Map(), virtual: [] };
    tables.set(table, known);
    return known;
  };
  for (const row of rows.db_table_extras) of(row.table).own = row;
  for (const row of rows.db_field_extras) of(row.table).fields.set(row.field, fieldExtras(row));
  for (const row of rows.db_relationship_extras) of(row.table).relations.set(row.relationship, row);
  for (const row of rows.db_virtual_relationship) of(row.table).virtual.push(virtualRelation(row, stored));
  const aliases = rows.db_table_extras.flatMap(({ alias, table }) =>
    alias === null ? [] : [[alias.toLowerCase(), table] as const],
  );
  return { isEmpty: tables.size === 0, aliases: new Map(aliases), tables, dressed: new WeakMap() };
}

const fieldExtras = (row: FieldRow): FieldExtras => ({
  alias: row.alias,
  label: row.label,
  description: row.description,
  picklist: parsed(row.picklist),
  validation: parsed(row.validation),
  db_function: parsed(row.db_function),
  is_virtual: row.is_virtual === 1,
  is_aggregate: row.is_aggregate === 1,
  extraType: row.extra_type as SimpleType | null,
});

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/**
 * The name a relation has by what it joins (contract/database-tables.md §6.1); one that leads to another service begins
 * with that service's name.
 */
export function virtualName(row: VirtualRow, { service, names }: Pick<StoredExtras, 'service' | 'names'>): string {
  const place = row.ref_service_id === service ? '' : `${names[row.ref_service_id] ?? row.ref_service_id}.`;
  const by =
    row.type === 'belongs_to' ? row.field : row.type === 'many_many' ? (row.junction_table ?? '') : row.ref_field;
  return `${place}${row.ref_table}_by_${by.replaceAll(',', '_')}`;
}

function virtualRelation(row: VirtualRow, stored: StoredExtras): RelationDescription {
  const name = virtualName(row, stored);
  return {
    alias: null,
    name,
    label: labelOf(name),
    description: null,
    native: [],
    type: row.type as RelationKind,
    field: row.field,
    is_virtual: true,
    ref_service_id: row.ref_service_id,
    ref_table: row.ref_table,
    ref_field: row.ref_field,
    ref_on_update: row.ref_on_update,
    ref_on_delete: row.ref_on_delete,
    junction_service_id: row.junction_service_id,
    junction_table: row.junction_table,
    junction_field: row.junction_field,
    junction_ref_field: row.junction_ref_field,
    always_fetch: false,
    flatten: false,
    flatten_drop_prefix: false,
  };
}
