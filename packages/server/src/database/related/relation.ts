// The relations of a table as a call may use them: the tables they lead to, the columns that join them, and what the caller
// may do with each. Everything is decided here, before anything is read (contract/database-tables.md §6).
import { type Failure, fail, type RelationDescription, type RelationKind, type Verb } from '@sluice/contract';
import { type Column, nameIndex, oncePerTable, type Table } from '@sluice/sql';
import { type AccessRow, componentOf, type Decision } from '../../access/decide.ts';
import { decideFor } from '../../access/gate.ts';
import type { Call } from '../../call/call.ts';
import { type DatabaseParts, databaseParts, maxRecordsOf } from '../parts.ts';
import { applyRecordFilter, type ScopedDatabase } from '../record-filter/scoped-database.ts';

/** A table at the end of a relation. */
export interface RelationEnd {
  parts: DatabaseParts;
  table: Table;
  /** The columns of it that join, one for each of the other side. */
  columns: readonly Column[];
}

/** A relation of a table with both its ends. */
export interface Relation {
  /** Its key in a record. */
  name: string;
  kind: RelationKind;
  /** The columns of the table it is a relation of: most often one. */
  localColumns: readonly Column[];
  target: RelationEnd;
  /** Of a many_many: the table in between. `columns` point to the table, `farColumns` to the target. */
  junction?: RelationEnd & { farColumns: readonly Column[] };
}

/** The API name of a relation. */
export const relationName = ({ alias, name }: RelationDescription): string => alias ?? name;

/** Finds a relation of a table by its API name, as written or in any case. */
export const findRelation = oncePerTable(({ description }) => nameIndex(description.related, relationName));

/** Finds both ends of a relation. Throws `related.broken` where a column is not there, and `related.unequal`. */
export async function resolveRelation(
  parts: DatabaseParts,
  table: Table,
  description: RelationDescription,
): Promise<Relation> {
  const name = relationName(description);
  const resolveEnd = async (serviceId: number | null, tableName: string, columns: string): Promise<RelationEnd> => {
    const endParts = await partsOfService(parts, serviceId);
    const endTable = await endParts.tables.byRealName(tableName);
    return { parts: endParts, table: endTable, columns: columnsOf(endTable, columns, name) };
  };
  const localColumns = columnsOf(table, description.field, name);
  const target = await resolveEnd(description.ref_service_id, description.ref_table, description.ref_field);
  const relation: Relation = { name, kind: description.type, localColumns, target };
  if (description.type !== 'many_many' || description.junction_table === null) {
    requirePairs(name, localColumns, target.columns);
    return relation;
  }
  const junction = await resolveEnd(
    description.junction_service_id,
    description.junction_table,
    description.junction_field ?? '',
  );
  const farColumns = columnsOf(junction.table, description.junction_ref_field ?? '', name);
  requirePairs(name, localColumns, junction.columns);
  requirePairs(name, farColumns, target.columns);
  return { ...relation, junction: { ...junction, farColumns } };
}

/** Relations name columns as the database does; virtual ones may name them as the API does. A name may hold commas. */
function columnsOf(table: Table, list: string, relation: string): Column[] {
  const columnOf = (name: string) => table.columns.find(({ native }) => native === name) ?? table.column(name);
  const whole = columnOf(list);
  if (whole) return [whole];
  return list.split(',').map((column) => {
    const found = columnOf(column);
    if (!found) throw fail('related.broken', { relation, column, table: table.name });
    return found;
  });
}

function requirePairs(relation: string, one: readonly Column[], other: readonly Column[]): void {
  if (one.length !== other.length) throw fail('related.unequal', { relation });
}

async function partsOfService(parts: DatabaseParts, serviceId: number | null): Promise<DatabaseParts> {
  if (serviceId === null || serviceId === parts.context.id) return parts;
  const related = (await parts.context.peer(serviceId)).provided(databaseParts);
  if (!related) throw fail('related.otherService', { id: serviceId });
  return related;
}

/** Decides about a table as a call on its own address would be decided. */
export const decideTable = ({ caller }: Call, verb: Verb, service: string, table: Table): Decision =>
  decideFor(caller, verb, service, componentOf(`_table/${table.name}`));

export const tableAccessDenied = (verb: Verb, service: string, table: Table): Failure =>
  fail('access.deniedInside', { verb, component: componentOf(`_table/${table.name}`), service });

/** A related table as a verb may use it, and the row whose record filter narrows it. */
export interface TableAccess {
  database: ScopedDatabase;
  filterRow: AccessRow | undefined;
}

/**
 * A related table as its own address would give it to the caller: one decision, and its record filter
 * (contract/database-tables.md §6.2). Throws `access.deniedInside`.
 */
export async function requireAccess(
  call: Call,
  { parts, table }: Pick<RelationEnd, 'parts' | 'table'>,
  verb: Verb,
): Promise<TableAccess> {
  const { name: service } = parts.context;
  const { allowed, filterRow } = decideTable(call, verb, service.toLowerCase(), table);
  if (!allowed) throw tableAccessDenied(verb, service, table);
  return { database: applyRecordFilter(await parts.database(), table, call, filterRow), filterRow };
}

/** How many records of a related table are read at most. */
export const maxRecordsOfTable = ({ parts }: RelationEnd): number => maxRecordsOf(parts);
