// Writing one record of a system resource and the rows nested in it, inside the transaction of its caller
// (contract/system-resources.md §0).
import { fail } from '@sluice/contract';
import { isSameValue } from '../audit/index.ts';
import { type RecordInput, wordOf } from '../call/payload.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { auditCreate, auditDelete, auditUpdate } from './audited.ts';
import { columnsOf, type Owner, readChange, stamps } from './input.ts';
import { type RecordWriter, writeNested } from './nested.ts';
import { anyTable, findRow, isInScope, recordId } from './read.ts';
import { raiseVersion, setColumns, touch, type WriteContext } from './rows.ts';

/** Inserts a record and what is nested in it; answers its identifier. */
export async function createRecord(
  resource: ServedResource,
  input: RecordInput,
  prepared: Record<string, unknown>,
  context: WriteContext,
  owner: Owner = {},
): Promise<RecordId> {
  const { definition, table, scope = {} } = resource;
  await resource.beforeWrite?.(context);
  const { values, columns } = await readChange(resource, 'create', input, prepared, undefined, context, owner);
  const row = {
    ...columnsOf(resource, values),
    ...stamps(resource, 'create', context),
    ...columns,
    ...scope,
  };
  const inserted = await context.store.insert(context.db, table, row as never);
  const id = recordId(resource, row[definition.identifier]) ?? inserted;
  touch(context, table, id);
  await auditCreate(resource, { ...row, [definition.identifier]: id }, context);
  await writeNested(resource, id, input, 'create', context, writer);
  return id;
}

export interface Updated {
  row: StoredRow;
  /** Whether anything of the record or of what is nested in it became another. */
  isChanged: boolean;
}

/** Changes the given fields of a record and what is nested in it; what is already so stays untouched, its version too. */
export async function updateRecord(
  resource: ServedResource,
  row: StoredRow,
  input: RecordInput,
  prepared: Record<string, unknown>,
  context: WriteContext,
  owner: Owner = {},
): Promise<Updated> {
  const id = row[resource.definition.identifier] as RecordId;
  const { values, columns } = await readChange(resource, 'update', input, prepared, row, context, owner);
  const given = Object.entries({ ...columnsOf(resource, values), ...columns });
  const changes = Object.fromEntries(given.filter(([name, value]) => !isSameValue(value, row[name])));
  const hasNested = await writeNested(resource, id, input, 'update', context, writer);
  if (Object.keys(changes).length === 0) {
    if (hasNested) await raiseVersion(resource, id, context);
    return { row, isChanged: hasNested };
  }
  const written = { ...changes, ...stamps(resource, 'update', context) };
  await setColumns(resource, id, written, context);
  const after = { ...row, ...written };
  await auditUpdate(resource, row, after, context);
  return { row: after, isChanged: true };
}

/** Deletes a record; what hangs on it goes or is unlinked by the store. */
export async function deleteRecord(resource: ServedResource, row: StoredRow, context: WriteContext): Promise<void> {
  const { definition, table } = resource;
  await resource.beforeDelete?.(row, context);
  const id = row[definition.identifier] as RecordId;
  await auditDelete(resource, row, context);
  await anyTable(context.db).deleteFrom(table).where(definition.identifier, '=', id).execute();
  touch(context, table, id);
  for (const { kind, resource: other } of Object.values(definition.relations))
    if (kind === 'has_many' || kind === 'has_one') context.touched.tables.add(context.served(other).table);
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
  const id = recordId(resource, raw);
  // Kept from others until it is changed: what follows is decided by what it holds now.
  const row = id === undefined ? undefined : await findRow(db, resource, id, store.sql.toChange);
  if (row && isInScope(resource, row)) return row;
  throw (row && resource.outOfScope?.(verb)) || fail('record.notFound', { id: wordOf(raw) });
}

const writer: RecordWriter = { create: createRecord, update: updateRecord, delete: deleteRecord };
