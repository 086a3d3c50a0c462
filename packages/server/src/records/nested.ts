// Rows written through a relation of the record they belong to (contract/system-resources.md §0 "Nested writes").
import { fail, type ResourceRelation } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { isRecord, type RecordInput, recordsOf } from '../call/payload.ts';
import type { RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import { requireRelated } from './access.ts';
import type { WriteContext } from './change.ts';
import { splitByRows } from './pieces.ts';
import { anyTable, findRow, findRows, isInScope, parseNumericId } from './rows.ts';
import type { createRecord, deleteRecord, updateRecord } from './write.ts';
import { raiseVersion } from './write-row.ts';

/** How one record is written, with what is nested in it. Passed in: what is nested is written as its owner is. */
export interface RecordWriter {
  create: typeof createRecord;
  update: typeof updateRecord;
  delete: typeof deleteRecord;
}

/** Writes every relation in the input of a record, each row by `writer`; answers whether any row changed. */
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
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined || relation.isComputed) continue;
    if (relation.kind === 'belongs_to' || relation.kind === 'many_many') {
      if (kind === 'create' && !isBlank(value)) throw fail('record.relatedNotCreatable', { kind: relation.kind });
      continue;
    }
    const elements = elementsOf(name, relation, value);
    const target = context.resourceOf(relation.resource);
    const nesting: Nesting = { owner, ownerId: id, relation, target, context, writer, rowsById: new Map() };
    if (relation.kind === 'has_one') {
      hasWritten = (await writeHasOne(nesting, elements[0], kind)) || hasWritten;
      continue;
    }
    const parts = kind === 'update' ? await splitByRows(target, elements, idOfElement, context) : [elements];
    for (const part of parts) {
      if (kind === 'update') nesting.rowsById = await readNamedRows(nesting, part);
      for (const element of part) {
        await pause();
        hasWritten = (await writeElement(nesting, element, kind)) || hasWritten;
      }
    }
  }
  return hasWritten;
}

/** One relation of a record that is written. */
interface Nesting {
  owner: ServedResource;
  ownerId: RecordId;
  relation: ResourceRelation;
  target: ServedResource;
  context: WriteContext;
  writer: RecordWriter;
  /** The rows that the next elements name by their id, as they are now. */
  rowsById: Map<RecordId, StoredRow>;
}

const idOfElement = ({ id }: RecordInput) => parseNumericId(id);

/** Many by one statement: a role may have a thousand rows of which one is changed. */
async function readNamedRows({ target, context }: Nesting, elements: RecordInput[]): Promise<Nesting['rowsById']> {
  const ids = new Set(elements.map(idOfElement).filter((id) => id !== undefined));
  const rows = await findRows(context.db, target, 'id', [...ids]);
  return new Map(rows.map((row) => [Number(row.id), row]));
}

function elementsOf(name: string, { kind }: ResourceRelation, value: unknown): RecordInput[] {
  if (isBlank(value)) return [];
  // Servers of the family on SQLite write has-one as a list of one: both are accepted.
  const list = kind === 'has_one' && isRecord(value) ? [value] : value;
  if (!Array.isArray(list) || !list.every(isRecord) || (kind === 'has_one' && list.length > 1))
    throw fail('record.relatedNotArray', { relation: name });
  return recordsOf(list);
}

const isBlank = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** has-one: an object creates or updates, an empty value deletes. */
async function writeHasOne(
  nesting: Nesting,
  element: RecordInput | undefined,
  kind: 'create' | 'update',
): Promise<boolean> {
  const row = kind === 'create' ? undefined : await ownedRow(nesting);
  if (!element) return row ? remove(nesting, row) : false;
  return row ? update(nesting, row, element, nesting.ownerId) : create(nesting, element);
}

const ownedRow = ({ target, relation, ownerId, context }: Nesting): Promise<StoredRow | undefined> =>
  anyTable(context.db).selectFrom(target.table).selectAll().where(relation.field, '=', ownerId).executeTakeFirst();

async function writeElement(nesting: Nesting, element: RecordInput, kind: 'create' | 'update'): Promise<boolean> {
  const row = kind === 'create' ? undefined : await findElementRow(nesting, element);
  if (!row) return create(nesting, element);
  const { field } = nesting.relation;
  if (Object.hasOwn(element, field) && element[field] === null) return remove(nesting, row);
  return update(nesting, row, element, await findNewOwner(nesting, element[field]));
}

/**
 * The row an element means: one of this owner by its id or, without id, by its natural key. Rows of another owner are
 * not reached, except records of their own (apps of a role) that the element says belong here.
 */
async function findElementRow(nesting: Nesting, element: RecordInput): Promise<StoredRow | undefined> {
  const { target, relation, ownerId, context, rowsById } = nesting;
  const id = parseNumericId(element.id);
  if (id !== undefined) {
    const row = rowsById.get(id);
    const isOwned = row?.[relation.field] === ownerId;
    const isAdopted = target.isAddressed && parseNumericId(element[relation.field]) === ownerId;
    return row && isInScope(target, row) && (isOwned || isAdopted) ? row : undefined;
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
async function findNewOwner({ owner, ownerId, context }: Nesting, raw: unknown): Promise<RecordId> {
  const id = parseNumericId(raw);
  if (id === undefined || id === ownerId) return ownerId;
  const row = await findRow(context.db, owner, id);
  return row && isInScope(owner, row) ? id : ownerId;
}

async function create(nesting: Nesting, element: RecordInput): Promise<true> {
  const { owner, target, relation, ownerId, context, writer } = nesting;
  requireRelated(context, owner.definition.name, target, 'POST');
  const prepared = (await target.prepare?.(element)) ?? {};
  await writer.create(target, element, prepared, context, { [relation.field]: ownerId });
  return true;
}

async function update(nesting: Nesting, row: StoredRow, element: RecordInput, ownerId: RecordId): Promise<boolean> {
  const { owner, target, relation, context, writer } = nesting;
  requireRelated(context, owner.definition.name, target, 'PATCH');
  const prepared = (await target.prepare?.(element)) ?? {};
  const { [relation.field]: _owner, ...fields } = element;
  const newOwner = row[relation.field] === ownerId ? {} : { [relation.field]: ownerId };
  const updated = await writer.update(target, row, fields, prepared, context, newOwner);
  if (!updated.isChanged) return false;
  replaceRow(nesting, updated.row);
  const oldOwnerId = parseNumericId(row[relation.field]);
  for (const other of [oldOwnerId, ownerId])
    if (other !== undefined && other !== nesting.ownerId) await raiseVersion(owner, other, context);
  return true;
}

async function remove({ owner, target, context, writer, rowsById }: Nesting, row: StoredRow): Promise<true> {
  requireRelated(context, owner.definition.name, target, 'DELETE');
  await writer.delete(target, row, context);
  rowsById.delete(Number(row.id));
  return true;
}

/** Another element of the same call may name the row again. */
function replaceRow({ rowsById, target }: Nesting, row: StoredRow): void {
  const id = parseNumericId(row[target.definition.identifier]);
  if (id !== undefined && rowsById.has(id)) rowsById.set(id, row);
}
