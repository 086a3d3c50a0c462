// The audit entries of what the engine writes: one for each record, in the transaction of the write.
import { sql } from 'kysely';
import {
  type AuditEntry,
  type AuditRow,
  allFields,
  auditActorOf,
  diffFields,
  insertAuditRows,
} from '../audit/index.ts';
import { toRecord } from '../resource/fields.ts';
import type { RecordContext, SerializedRecord, ServedResource, StoredRow, WireRecord } from '../resource/resource.ts';
import type { Db } from '../store/index.ts';
import type { RowChange } from './change.ts';
import { idOf } from './rows.ts';

/** The entries of changes of one resource. None for what nobody sees, nor for a row that was unlinked: it is counted. */
export async function auditEntries(
  resource: ServedResource,
  changes: RowChange[],
  context: RecordContext,
): Promise<AuditEntry[]> {
  const audited = changes.filter(({ isUnlinked }) => !isUnlinked);
  const states = audited.flatMap(({ before, after }) => [before, after]).filter((row) => row !== undefined);
  const serialized = await serializeStates(resource, states, context);
  const entries: AuditEntry[] = [];
  for (const { before, after } of audited) {
    const fields = await auditFields(
      resource,
      before && serialized.get(before),
      after && serialized.get(after),
      context,
    );
    if (fields) entries.push({ ...identityOf(resource, (after ?? before) as StoredRow, context), ...fields });
  }
  return entries;
}

type AuditFields = Pick<AuditEntry, 'action' | 'before' | 'after'>;

async function auditFields(
  resource: ServedResource,
  before: SerializedRecord | undefined,
  after: SerializedRecord | undefined,
  context: RecordContext,
): Promise<AuditFields | undefined> {
  const details = async () => after && resource.auditDetails?.(after.row, before?.row, context);
  if (!before) return after && { action: 'create', after: { ...allFields(resource, after), ...(await details()) } };
  if (!after)
    return {
      action: 'delete',
      before: { ...allFields(resource, before), ...(await countReferences(resource, before.row, context)) },
    };
  // Columns that are never shown are no change of their own.
  const changed = diffFields(resource, before, after);
  if (!changed) return undefined;
  return {
    action: 'update',
    before: { ...ownersOf(resource, before.record), ...changed.before },
    after: { ...ownersOf(resource, after.record), ...changed.after, ...(await details()) },
  };
}

/** Entries of one statement. */
export const maxAuditEntries = 100;

/** Writes the entries that wait; the last thing in a transaction. */
export async function flushAudit(db: Db, pending: AuditRow[]): Promise<void> {
  while (pending.length > 0) await insertAuditRows(db, pending.splice(0, maxAuditEntries));
}

async function serializeStates(
  resource: ServedResource,
  rows: StoredRow[],
  context: RecordContext,
): Promise<Map<StoredRow, SerializedRecord>> {
  const serialized = rows.map((row) => ({ row, record: toRecord(resource.definition, row) }));
  await resource.serialize?.(serialized, context);
  for (const state of serialized) resource.maskForAudit?.(state);
  return new Map(serialized.map((state) => [state.row, state]));
}

function identityOf(resource: ServedResource, row: StoredRow, { actor }: RecordContext): Omit<AuditEntry, 'action'> {
  const { nameField } = resource.definition;
  const name = nameField === null ? null : row[nameField];
  return {
    ...auditActorOf(actor),
    resource: auditName(resource),
    record_id: idOf(resource, row),
    record_name: typeof name === 'string' ? name : null,
  };
}

/** Rows without an address are named after their table: an owner's lookup key is a lookup key. */
const auditName = ({ isAddressed, definition, table }: ServedResource): string =>
  isAddressed ? definition.name : table;

/** A row without an address means nothing without its owners: whose it is stands in every entry. */
function ownersOf({ isAddressed, definition }: ServedResource, record: WireRecord): Record<string, unknown> {
  if (isAddressed) return {};
  const owners = Object.keys(definition.fields).filter((name) => /_id$/.test(name) && !/_by_id$/.test(name));
  return Object.fromEntries(owners.flatMap((name) => (record[name] == null ? [] : [[name, record[name]]])));
}

/** How many records of which resource point to this one: they go with it or are unlinked. */
async function countReferences(
  resource: ServedResource,
  row: StoredRow,
  { db, resourceOf }: RecordContext,
): Promise<Record<string, number>> {
  const counts = referencesTo(resource).map(({ name, field }) => {
    const target = resourceOf(name);
    const id = idOf(resource, row);
    return sql`(select count(*) from ${sql.table(target.table)} where ${sql.ref(field)} = ${id}) as ${sql.ref(auditName(target))}`;
  });
  if (counts.length === 0) return {};
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(counts)}`.execute(db);
  const countsByName = Object.entries(rows[0] ?? {}).map(([name, count]): [string, number] => [name, Number(count)]);
  return Object.fromEntries(countsByName.filter(([, count]) => count > 0));
}

/** The resources whose records point to those of this one, and the field they do it by. */
export const referencesTo = ({ definition, unlinks = [] }: ServedResource): { name: string; field: string }[] => [
  ...Object.values(definition.relations)
    .filter(({ kind, isComputed }) => (kind === 'has_many' || kind === 'has_one') && !isComputed)
    .map(({ resource, field }) => ({ name: resource, field })),
  ...unlinks.map(({ resource, field }) => ({ name: resource, field })),
];
