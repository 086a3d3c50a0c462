// Rows written through a relation of the record they belong to (contract/system-resources.md §0 "Nested writes").
import { fail, type ResourceRelation } from '@sluice/contract';
import { isRecord, type RecordInput } from '../call/payload.ts';
import type { RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { breathe } from './breathe.ts';
import { anyTable, findRow, identifier, isInScope, requireRelated, rowsWhere } from './read.ts';
import { raiseVersion, type WriteContext } from './rows.ts';
import type { createRecord, deleteRecord, updateRecord } from './write.ts';

/** How one record is written, with what is nested in it. Handed in: what is nested is written as its owner is. */
export interface RecordWriter {
  create: typeof createRecord;
  update: typeof updateRecord;
  delete: typeof deleteRecord;
}

/** Writes every relation a record gives, each row by `writer`; tells whether any row became another. */
export async function writeNested(
  owner: ServedResource,
  id: RecordId,
  input: RecordInput,
  kind: 'create' | 'update',
  context: WriteContext,
  writer: RecordWriter,
): Promise<boolean> {
  let hasWritten = false;
  for (const [name, relation] of Object.entries(owner.definition.relations)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    if (given === undefined) continue;
    if (relation.kind === 'belongs_to' || relation.kind === 'many_many') {
      if (kind === 'create' && !isNothing(given)) throw fail('record.relatedNotCreatable', { kind: relation.kind });
      continue;
    }
    const elements = elementsOf(name, relation, given);
    const target = context.served(relation.resource);
    const child: Child = { owner, ownerId: id, relation, target, context, writer, known: new Map() };
    if (relation.kind === 'has_one') {
      hasWritten = (await writeOnly(child, elements[0], kind)) || hasWritten;
      continue;
    }
    if (kind === 'update') child.known = await namedRows(child, elements);
    for (const [index, element] of elements.entries()) {
      await breathe(index);
      hasWritten = (await writeElement(child, element, kind)) || hasWritten;
    }
  }
  return hasWritten;
}

interface Child {
  owner: ServedResource;
  ownerId: RecordId;
  relation: ResourceRelation;
  target: ServedResource;
  context: WriteContext;
  writer: RecordWriter;
  /** The rows that elements name by their id, as they are now. */
  known: Map<RecordId, StoredRow>;
}

/** All at once: a role may have a thousand rows of which one is changed. */
async function namedRows({ target, context }: Child, elements: RecordInput[]): Promise<Child['known']> {
  const ids = new Set(elements.map(({ id }) => identifier(id)).filter((id) => id !== undefined));
  const rows = await rowsWhere(context.db, target, 'id', [...ids]);
  return new Map(rows.map((row) => [Number(row.id), row]));
}

function elementsOf(name: string, { kind }: ResourceRelation, given: unknown): RecordInput[] {
  if (isNothing(given)) return [];
  // Servers of the family on SQLite speak has-one as a list of one: both are taken.
  const list = kind === 'has_one' && isRecord(given) ? [given] : given;
  if (!Array.isArray(list) || !list.every(isRecord) || (kind === 'has_one' && list.length > 1))
    throw fail('record.relatedNotArray', { relation: name });
  return list;
}

const isNothing = (given: unknown): boolean =>
  given === null || given === '' || (typeof given === 'object' && Object.keys(given).length === 0);

/** has-one: an object creates or updates, nothing deletes. */
async function writeOnly(child: Child, element: RecordInput | undefined, kind: 'create' | 'update'): Promise<boolean> {
  const { target, relation, ownerId, context } = child;
  const existing =
    kind === 'create'
      ? undefined
      : await anyTable(context.db)
          .selectFrom(target.table)
          .selectAll()
          .where(relation.field, '=', ownerId)
          .executeTakeFirst();
  if (!element) return existing ? remove(child, existing) : false;
  return existing ? update(child, existing, element, ownerId) : create(child, element);
}

async function writeElement(child: Child, element: RecordInput, kind: 'create' | 'update'): Promise<boolean> {
  const existing = kind === 'create' ? undefined : await existingRow(child, element);
  if (!existing) return create(child, element);
  const { field } = child.relation;
  if (Object.hasOwn(element, field) && element[field] === null) return remove(child, existing);
  return update(child, existing, element, await newOwner(child, element[field]));
}

/**
 * The row an element means: one of this owner by its id or, without id, by its natural key. Rows of another owner are
 * not reached, except records of their own (apps of a role) that the element says belong here.
 */
async function existingRow(child: Child, element: RecordInput): Promise<StoredRow | undefined> {
  const { target, relation, ownerId, context, known } = child;
  const id = identifier(element.id);
  if (id !== undefined) {
    const row = known.get(id);
    const isOurs = row?.[relation.field] === ownerId;
    const isAdopted = target.isAddressed && identifier(element[relation.field]) === ownerId;
    return row && isInScope(target, row) && (isOurs || isAdopted) ? row : undefined;
  }
  const key = target.naturalKey;
  if (key === undefined || typeof element[key] !== 'string') return undefined;
  return anyTable(context.db)
    .selectFrom(target.table)
    .selectAll()
    .where(relation.field, '=', ownerId)
    .where(key, '=', element[key])
    .executeTakeFirst();
}

/** The owner a row ends up with: another existing one when the element names it, else this one. */
async function newOwner({ owner, ownerId, context }: Child, given: unknown): Promise<RecordId> {
  const id = identifier(given);
  if (id === undefined || id === ownerId) return ownerId;
  const row = await findRow(context.db, owner, id);
  return row && isInScope(owner, row) ? id : ownerId;
}

async function create(
  { owner, target, relation, ownerId, context, writer }: Child,
  element: RecordInput,
): Promise<true> {
  requireRelated(context, owner.definition.name, target, 'POST');
  const prepared = (await target.prepare?.(element)) ?? {};
  await writer.create(target, element, prepared, context, { [relation.field]: ownerId });
  return true;
}

async function update(child: Child, row: StoredRow, element: RecordInput, ownerId: RecordId): Promise<boolean> {
  const { owner, target, relation, context, writer } = child;
  requireRelated(context, owner.definition.name, target, 'PATCH');
  const prepared = (await target.prepare?.(element)) ?? {};
  const { [relation.field]: _owner, ...fields } = element;
  const moved = row[relation.field] === ownerId ? {} : { [relation.field]: ownerId };
  const after = await writer.update(target, row, fields, prepared, context, moved);
  if (!after.isChanged) return false;
  remember(child, after.row);
  const before = identifier(row[relation.field]);
  for (const other of [before, ownerId])
    if (other !== undefined && other !== child.ownerId) await raiseVersion(owner, other, context);
  return true;
}

async function remove(child: Child, row: StoredRow): Promise<true> {
  const { owner, target, context, writer, known } = child;
  requireRelated(context, owner.definition.name, target, 'DELETE');
  await writer.delete(target, row, context);
  known.delete(Number(row.id));
  return true;
}

/** Another element of the same call may name the row again. */
function remember({ known, target }: Child, row: StoredRow): void {
  const id = identifier(row[target.definition.identifier]);
  if (id !== undefined && known.has(id)) known.set(id, row);
}
