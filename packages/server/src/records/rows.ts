// Rows on their way into the store: which of them a transaction touched, and what every change of one does besides.
import { sql } from 'kysely';
import type { AuditEntry } from '../audit/index.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { anyTable } from './read.ts';

/** Which rows a transaction touched; told to the bus once it is committed. */
export interface Touched {
  rows: Map<string, Set<RecordId>>;
  /** Tables of which any row may have changed: what hung on a deleted row. */
  tables: Set<string>;
}

export interface WriteContext extends RecordContext {
  touched: Touched;
  /** What the audit is still to be told of this transaction. */
  told: AuditEntry[];
}

export const untouched = (): Touched => ({ rows: new Map(), tables: new Set() });

/** Notes a row as touched. */
export const touch = ({ touched }: WriteContext, table: string, id: RecordId) => {
  const ids = touched.rows.get(table) ?? new Set();
  touched.rows.set(table, ids.add(id));
};

/** A nested write changes its owner too: who read the owner with it has an old version. */
export const raiseVersion = (resource: ServedResource, id: RecordId, context: WriteContext): Promise<void> =>
  setColumns(resource, id, {}, context);

/** Writes columns of a row and raises its version. */
export async function setColumns(
  { definition, table }: ServedResource,
  id: RecordId,
  row: StoredRow,
  context: WriteContext,
) {
  await anyTable(context.db)
    .updateTable(table)
    .set({ ...row, version: sql`version + 1` })
    .where(definition.identifier, '=', id)
    .execute();
  touch(context, table, id);
}
