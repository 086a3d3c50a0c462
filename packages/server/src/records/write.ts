// Writing one record of a system resource and the rows nested in it, inside the transaction of its caller
// (contract/system-resources.md §0).
import { fail } from '@sluice/contract';
import { type RecordInput, stringifyInput } from '../call/payload.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import type { WriteContext } from './change.ts';
import { columnsOf, type OwnerReference, readChange } from './input.ts';
import { type RecordWriter, writeNested } from './nested.ts';
import { findRow, idOf, isInScope, parseRecordId } from './rows.ts';
import { deleteRows, insertRow, raiseVersion, type UpdatedRow, updateRow } from './write-row.ts';

/** Inserts a record and what is nested in it; answers its identifier. */
export async function createRecord(
  resource: ServedResource,
  input: RecordInput,
  prepared: Record<string, unknown>,
  context: WriteContext,
  owner: OwnerReference = {},
): Promise<RecordId> {
  await resource.beforeWrite?.(context);
  const { values, columns } = await readChange(resource, 'create', input, prepared, undefined, context, owner);
  const id = await insertRow(resource, { ...columnsOf(resource, values), ...columns }, context);
  await writeNested(resource, id, input, 'create', context, writer);
  return id;
}

/**
 * Changes the fields of a record that the input has, and what is nested in it. Where nothing differs nothing is written,
 * and the version stays. Answers whether anything of the record or of what is nested in it changed.
 */
export async function updateRecord(
  resource: ServedResource,
  row: StoredRow,
  input: RecordInput,
  prepared: Record<string, unknown>,
  context: WriteContext,
  owner: OwnerReference = {},
): Promise<UpdatedRow> {
  const id = idOf(resource, row);
  const { values, columns } = await readChange(resource, 'update', input, prepared, row, context, owner);
  const hasNested = await writeNested(resource, id, input, 'update', context, writer);
  const updated = await updateRow(resource, row, { ...columnsOf(resource, values), ...columns }, context);
  if (hasNested && !updated.isChanged) await raiseVersion(resource, id, context);
  const { afterUpdate } = resource;
  if (afterUpdate && updated.isChanged) context.afterCommit.push(() => afterUpdate(row, updated.row, context));
  return { row: updated.row, isChanged: hasNested || updated.isChanged };
}

/** Deletes a record, with the rows that belong to it. */
export async function deleteRecord(resource: ServedResource, row: StoredRow, context: WriteContext): Promise<void> {
  await resource.beforeDelete?.(row, context);
  await deleteRows(resource, [row], context);
  const { afterDelete } = resource;
  if (afterDelete) context.afterCommit.push(() => afterDelete(row, context));
}

/** The row of a record that is to be changed. */
export async function requireOwnRow(
  resource: ServedResource,
  raw: unknown,
  verb: 'update' | 'delete',
  context: RecordContext,
): Promise<StoredRow> {
  const { db, store } = context;
  await resource.beforeWrite?.(context);
  const id = parseRecordId(resource, raw);
  // Locked until it is changed: what follows is decided by what it holds now.
  const row = id === undefined ? undefined : await findRow(db, resource, id, store.sql.forUpdate);
  if (row && isInScope(resource, row)) return row;
  throw (row && resource.scopeRefusal?.(verb)) || fail('record.notFound', { id: stringifyInput(raw) });
}

const writer: RecordWriter = { create: createRecord, update: updateRecord, delete: deleteRecord };
