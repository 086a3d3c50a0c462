// Writing rows of resources with all that belongs to it: stamps, version, the audit, notices to caches, and rows that
// point to a deleted one. What may be written is decided before (write.ts, and identity/ for what people change
// themselves).
import { pause } from '@sluice/sql';
import { sql } from 'kysely';
import { isSameValue } from '../audit/index.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { referencesTo } from './audit.ts';
import { noteChanges, noteVersion, type WriteContext } from './change.ts';
import { readFirstPiece } from './pieces.ts';
import { anyTable, idOf, parseRecordId } from './rows.ts';

/** Inserts a row; answers its identifier. */
export async function insertRow(
  resource: ServedResource,
  columns: StoredRow,
  context: WriteContext,
): Promise<RecordId> {
  const { definition, table, scope = {} } = resource;
  const row: StoredRow = { ...columns, ...stampColumns(resource, 'create', context), ...scope };
  const inserted = await context.store.insert(context.db, table, row as never);
  const id = parseRecordId(resource, row[definition.identifier]) ?? inserted;
  await noteChanges(resource, [{ after: { ...row, [definition.identifier]: id } }], context);
  return id;
}

export interface UpdatedRow {
  row: StoredRow;
  isChanged: boolean;
}

/** Writes those of the columns that differ from the row; where none does, nothing is written and the version stays. */
export async function updateRow(
  resource: ServedResource,
  row: StoredRow,
  columns: StoredRow,
  context: WriteContext,
): Promise<UpdatedRow> {
  const changed = Object.entries(columns).filter(([name, value]) => !isSameValue(value, row[name]));
  if (changed.length === 0) return { row, isChanged: false };
  const written = { ...Object.fromEntries(changed), ...stampColumns(resource, 'update', context) };
  await setColumns(resource, idOf(resource, row), written, context);
  const after = { ...row, ...written };
  await noteChanges(resource, [{ before: row, after }], context);
  return { row: after, isChanged: true };
}

/** A nested write changes its owner too: readers of the owner hold an old version. */
export async function raiseVersion(resource: ServedResource, id: RecordId, context: WriteContext): Promise<void> {
  await setColumns(resource, id, {}, context);
  noteVersion(resource, id, context);
}

async function setColumns(
  { definition, table }: ServedResource,
  id: RecordId,
  columns: StoredRow,
  { db }: WriteContext,
): Promise<void> {
  await anyTable(db)
    .updateTable(table)
    .set({ ...columns, version: sql`version + 1` })
    .where(definition.identifier, '=', id)
    .execute();
}

/**
 * Deletes rows. Of the rows that point to them, those without an address of their own are deleted too, and those that go
 * with their owner; others are unlinked. The foreign keys of the store do the same for what another transaction adds meanwhile.
 */
export async function deleteRows(resource: ServedResource, rows: StoredRow[], context: WriteContext): Promise<void> {
  const { definition, table } = resource;
  // First of all: the audit counts what points to them.
  await noteChanges(
    resource,
    rows.map((before) => ({ before })),
    context,
  );
  const ids = rows.map((row) => idOf(resource, row));
  for (const { name, field } of referencesTo(resource)) {
    const target = context.resourceOf(name);
    const remove = target.isAddressed && !target.goesWithOwner ? unlinkRows : deleteRows;
    for (;;) {
      const batch = await readPointingRows(target, field, ids, context);
      if (batch.length === 0) break;
      await remove(target, batch, context, field);
      await pause();
    }
    context.changes.tables.add(target.table);
  }
  await anyTable(context.db).deleteFrom(table).where(definition.identifier, 'in', ids).execute();
}

/** The rows that point to deleted ones, as many as are read and written at a time. */
const readPointingRows = (resource: ServedResource, field: string, ids: RecordId[], context: WriteContext) =>
  readFirstPiece(
    resource,
    anyTable(context.db).selectFrom(resource.table).where(field, 'in', ids).orderBy(resource.definition.identifier),
    context,
  );

/** Empties the field by which rows point to a deleted one. Their version stays: nobody wrote them. */
async function unlinkRows(
  resource: ServedResource,
  rows: StoredRow[],
  context: WriteContext,
  field: string,
): Promise<void> {
  const { definition, table } = resource;
  await anyTable(context.db)
    .updateTable(table)
    .set({ [field]: null })
    .where(
      definition.identifier,
      'in',
      rows.map((row) => idOf(resource, row)),
    )
    .execute();
  const changes = rows.map((before) => ({ before, after: { ...before, [field]: null }, isUnlinked: true as const }));
  await noteChanges(resource, changes, context);
}

/** When and by whom a row is written, as far as the resource has columns for it. */
function stampColumns(
  { definition: { fields } }: ServedResource,
  kind: 'create' | 'update',
  { actor }: RecordContext,
): StoredRow {
  const now = new Date().toISOString();
  const userId = actor.caller.user?.id ?? null;
  const stamps: StoredRow =
    kind === 'create'
      ? { created_date: now, last_modified_date: now, created_by_id: userId, last_modified_by_id: null }
      : { last_modified_date: now, last_modified_by_id: userId };
  return Object.fromEntries(Object.entries(stamps).filter(([name]) => name in fields));
}
