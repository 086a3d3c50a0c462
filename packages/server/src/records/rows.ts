// The rows of a resource's table: separated from those of other resources in the same table, found, and read by a
// column.
import { pause } from '@sluice/sql';
import { type Kysely, sql } from 'kysely';
import type { RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import type { Db } from '../store/index.ts';

/** Values of one IN list: engines count bound values, and a store on the main thread answers each list at once. */
export const maxListValues = 1000;

/** The store by table names known only at run time. */
export const anyTable = (db: Db) => db as unknown as Kysely<Record<string, StoredRow>>;

/** The rows of a resource's table that are its own. */
export const selectOwnRows = (db: Db, { table, scope = {} }: ServedResource) => {
  let query = anyTable(db).selectFrom(table);
  for (const [column, value] of Object.entries(scope))
    query = value === null ? query.where(column, 'is', null) : query.where(column, '=', value);
  return query;
};

export const isInScope = ({ scope = {} }: ServedResource, row: StoredRow): boolean =>
  Object.entries(scope).every(([column, value]) =>
    value === null ? row[column] === null : Number(row[column]) === value,
  );

/** A numeric identifier as the store has it; undefined when it cannot be one. */
export function parseNumericId(raw: unknown): number | undefined {
  const text = typeof raw === 'number' ? String(raw) : raw;
  return typeof text === 'string' && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

/** What identifies a record of this resource: a number, or a text where the declaration says so (custom: its name). */
export function parseRecordId({ definition }: Pick<ServedResource, 'definition'>, raw: unknown): RecordId | undefined {
  if (definition.fields[definition.identifier]?.kind !== 'text') return parseNumericId(raw);
  const text = typeof raw === 'number' ? String(raw) : raw;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The identifier of a stored row. */
export const idOf = ({ definition }: Pick<ServedResource, 'definition'>, row: StoredRow): RecordId =>
  row[definition.identifier] as RecordId;

/** The row of an identifier, in scope or not; undefined when there is none. `end` is what the SELECT ends with. */
export async function findRow(
  db: Db,
  { table, definition }: ServedResource,
  id: RecordId,
  end = sql``,
): Promise<StoredRow | undefined> {
  const query = anyTable(db).selectFrom(table).selectAll().where(definition.identifier, '=', id);
  return query.modifyEnd(end).executeTakeFirst();
}

/** The rows whose column holds one of the values, in order of their identifier; all columns, or these. */
export async function findRows(
  db: Db,
  { table, definition }: Pick<ServedResource, 'table' | 'definition'>,
  column: string,
  values: unknown[],
  columns?: string[],
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let at = 0; at < values.length; at += maxListValues) {
    if (at > 0) await pause();
    const part = values.slice(at, at + maxListValues);
    const query = anyTable(db).selectFrom(table).where(column, 'in', part).orderBy(definition.identifier);
    rows.push(...(await (columns ? query.select(columns) : query.selectAll()).execute()));
  }
  return rows;
}
