// Writing one record of a system resource and the rows nested in it, inside the transaction of its caller
// (contract/system-resources.md §0).
import { fail } from '@sluice/contract';
import { sql } from 'kysely';
import { type AuditEntry, isSameValue } from '../audit/index.ts';
import type { RecordInput } from '../gateway/payload.ts';
import { folded } from '../store/index.ts';
import { auditCreate, auditDelete, auditUpdate } from './audited.ts';
import { addDefaults, checkRules, isEmpty, type Messages, readInput, shown, storedFields, toColumn } from './fields.ts';
import { writeNested } from './nested.ts';
import { anyTable, findRow, isInScope, recordId } from './read.ts';
import type { Change, RecordContext, RecordId, ServedResource, StoredRow } from './resource.ts';

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

const touch = ({ touched }: WriteContext, table: string, id: RecordId) => {
  const ids = touched.rows.get(table) ?? new Set();
  touched.rows.set(table, ids.add(id));
};

/** What a child brings from its owner: the relation's field and the owner's id. */
export type Owner = Record<string, RecordId>;

/** Inserts a record and what is nested in it; answers its identifier. */
export async function createRecord(
  resource: ServedResource,
  input: RecordInput,
  prepared: Record<string, unknown>,
  context: WriteContext,
  owner: Owner = {},
): Promise<RecordId> {
  const { definition, table, scope = {} } = resource;
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
  await writeNested(resource, id, input, 'create', context);
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
  const hasNested = await writeNested(resource, id, input, 'update', context);
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

/** A nested write changes its owner too: who read the owner with it has an old version. */
export const raiseVersion = (resource: ServedResource, id: RecordId, context: WriteContext): Promise<void> =>
  setColumns(resource, id, {}, context);

async function setColumns({ definition, table }: ServedResource, id: RecordId, row: StoredRow, context: WriteContext) {
  await anyTable(context.db)
    .updateTable(table)
    .set({ ...row, version: sql`version + 1` })
    .where(definition.identifier, '=', id)
    .execute();
  touch(context, table, id);
}

/** The row of a record that is to be changed. */
export async function requireOwnRow(
  resource: ServedResource,
  raw: unknown,
  verb: 'update' | 'delete',
  { db, store }: RecordContext,
): Promise<StoredRow> {
  const id = recordId(resource, raw);
  // Kept from others until it is changed: what follows is decided by what it holds now.
  const row = id === undefined ? undefined : await findRow(db, resource, id, store.sql.toChange);
  if (row && isInScope(resource, row)) return row;
  throw (row && resource.outOfScope?.(verb)) || fail('record.notFound', { id: String(raw) });
}

// ---- reading and checking what was sent ----

async function readChange(
  resource: ServedResource,
  kind: Change['kind'],
  input: RecordInput,
  prepared: Record<string, unknown>,
  row: StoredRow | undefined,
  context: WriteContext,
  owner: Owner,
): Promise<Pick<Change, 'values' | 'columns'>> {
  const { definition } = resource;
  const messages: Messages = {};
  const invalid = (field: string, message: string) => {
    messages[field] = [...(messages[field] ?? []), message];
  };
  const values = { ...readInput(definition, input, invalid), ...owner };
  if (kind === 'create') addDefaults(definition, values);
  const columns: StoredRow = {};
  const value = (field: string) => (values[field] === undefined ? (row?.[field] ?? null) : values[field]);
  await resource.complete?.({ kind, input, values, columns, row, prepared, context, invalid, value });
  checkRules(definition, values, kind === 'create', invalid);
  await checkUnique(resource, values, row, context, invalid);
  await checkReferences(resource, values, { ...row, ...owner }, context, invalid);
  const all = Object.values(messages).flat();
  if (all.length > 0) throw fail('record.invalid', { messages: all }, { context: messages });
  return { values, columns };
}

/** Without regard to case: services are called in any case, people sign in in any. */
async function checkUnique(
  { definition, table }: ServedResource,
  values: StoredRow,
  row: StoredRow | undefined,
  { db }: RecordContext,
  invalid: Change['invalid'],
): Promise<void> {
  for (const [name, { rules }] of Object.entries(definition.fields)) {
    const value = values[name];
    if (!rules.unique || typeof value !== 'string' || value === '') continue;
    let query = anyTable(db)
      .selectFrom(table)
      .select(definition.identifier)
      .where(`${name}_folded`, '=', folded(value));
    if (row) query = query.where(definition.identifier, '!=', row[definition.identifier]);
    if (await query.executeTakeFirst()) invalid(name, `The ${shown(name)} has already been taken.`);
  }
}

/** What is so already needs no look: the store keeps references whole. */
async function checkReferences(
  { definition }: ServedResource,
  values: StoredRow,
  known: StoredRow,
  context: RecordContext,
  invalid: Change['invalid'],
): Promise<void> {
  for (const { kind, field, resource } of Object.values(definition.relations)) {
    const value = values[field];
    if (kind !== 'belongs_to' || isEmpty(value) || definition.fields[field]?.rules.readOnly) continue;
    if (isSameValue(value, known[field])) continue;
    if (!(await findRow(context.db, context.served(resource), Number(value))))
      invalid(field, `The selected ${shown(field)} is invalid.`);
  }
}

function columnsOf({ definition }: ServedResource, values: StoredRow): StoredRow {
  const columns: StoredRow = {};
  for (const [name, field] of storedFields(definition))
    if (values[name] !== undefined && !(field.rules.writeOnly && isEmpty(values[name])))
      columns[name] = toColumn(field, values[name]);
  return columns;
}

function stamps({ definition: { fields } }: ServedResource, kind: Change['kind'], { call }: RecordContext): StoredRow {
  const now = new Date().toISOString();
  const by = call.caller.user?.id ?? null;
  const all: StoredRow =
    kind === 'create'
      ? { created_date: now, last_modified_date: now, created_by_id: by, last_modified_by_id: null }
      : { last_modified_date: now, last_modified_by_id: by };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in fields));
}
