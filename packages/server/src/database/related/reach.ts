// What a call reaches by the relations of its table: the tables, the columns that join them, and what the caller may see
// of each. Everything is decided here, before anything is read (contract/database-tables.md §6).
import { type Failure, fail, type RelationDescription, type RelationKind, type Verb } from '@sluice/contract';
import type { Column, Table } from '@sluice/sql';
import { type AccessRow, componentOf, type Decision } from '../../access/decide.ts';
import { decideFor } from '../../access/gate.ts';
import type { Call } from '../../call/call.ts';
import { type DatabaseParts, maxRecordsOf } from '../parts.ts';
import { applyRecordFilter, type ScopedDatabase } from '../record-filter/scoped-database.ts';

/** A table at the end of a relation. */
export interface Side {
  parts: DatabaseParts;
  table: Table;
  /** The column of it that joins. */
  column: Column;
}

/** A relation of a table with both its ends. */
export interface Relation {
  /** Its key in a record. */
  name: string;
  kind: RelationKind;
  /** The column of the table it is a relation of. */
  local: Column;
  target: Side;
  /** Of a many_many: the table in between. `column` points to the table, `far` to the target. */
  junction?: Side & { far: Column };
}

/** The API name of a relation. */
export const nameOf = ({ alias, name }: RelationDescription): string => alias ?? name;

/** Relations by more than one column are refused (contract/database-tables.md §6.2). */
export const isJoinedByOne = ({ field, ref_field }: RelationDescription): boolean =>
  !field.includes(',') && !ref_field.includes(',');

/** Finds both ends of a relation. Throws `related.manyColumns`, and `related.broken` where a column is not there. */
export async function relationOf(parts: DatabaseParts, table: Table, it: RelationDescription): Promise<Relation> {
  const name = nameOf(it);
  if (!isJoinedByOne(it)) throw fail('related.manyColumns');
  const side = async (serviceId: number | null, tableName: string, column: string): Promise<Side> => {
    const at = await partsOf(parts, serviceId);
    const found = await at.tables.byRealName(tableName);
    return { parts: at, table: found, column: columnOf(found, column, name) };
  };
  const local = columnOf(table, it.field, name);
  const target = await side(it.ref_service_id, it.ref_table, it.ref_field);
  const relation: Relation = { name, kind: it.type, local, target };
  if (it.type !== 'many_many' || it.junction_table === null) return relation;
  const junction = await side(it.junction_service_id, it.junction_table, it.junction_field ?? '');
  const far = columnOf(junction.table, it.junction_ref_field ?? '', name);
  return { ...relation, junction: { ...junction, far } };
}

/** Relations name columns as the database does; virtual ones may name them as the API does. */
function columnOf(table: Table, column: string, relation: string): Column {
  const found = table.columns.find(({ native }) => native === column) ?? table.column(column);
  if (!found) throw fail('related.broken', { relation, column, table: table.name });
  return found;
}

async function partsOf(parts: DatabaseParts, serviceId: number | null): Promise<DatabaseParts> {
  if (serviceId === null || serviceId === parts.context.id) return parts;
  const { database } = await parts.context.peer(serviceId);
  if (!database) throw fail('related.otherService', { id: serviceId });
  return database;
}

/** What the caller may do with a table, as a call on its own address would be decided. */
export const decideTable = ({ caller }: Call, verb: Verb, service: string, table: Table): Decision =>
  decideFor(caller, verb, service, componentOf(`_table/${table.name}`));

export const tableDenied = (verb: Verb, service: string, table: Table): Failure =>
  fail('access.deniedInside', { verb, component: componentOf(`_table/${table.name}`), service });

/** The records of a related table that a verb leaves, and the row whose record filter narrows them. */
export interface SideAccess {
  database: ScopedDatabase;
  filterRow: AccessRow | undefined;
}

/**
 * The records of a related table as its own address would give them to the caller: one decision, and its record filter
 * (contract/database-tables.md §6.2). Throws `access.deniedInside`.
 */
export async function accessTo(
  call: Call,
  { parts, table }: Pick<Side, 'parts' | 'table'>,
  verb: Verb,
): Promise<SideAccess> {
  const { name: service } = parts.context;
  const { allowed, filterRow } = decideTable(call, verb, service.toLowerCase(), table);
  if (!allowed) throw tableDenied(verb, service, table);
  return { database: applyRecordFilter(await parts.database(), table, call, filterRow), filterRow };
}

/** Most records a related table gives at once. */
export const mostOf = ({ parts }: Side): number => maxRecordsOf(parts);
