// What the record engine tells the audit: an entry for each record it writes, in the transaction of the write.
import { sql } from 'kysely';
import { type AuditEntry, differences, record, whole, whoOf } from '../audit/index.ts';
import { toRecord } from '../resource/fields.ts';
import type {
  Presented,
  RecordContext,
  RecordId,
  ServedResource,
  StoredRow,
  WireRecord,
} from '../resource/resource.ts';
import type { WriteContext } from './rows.ts';

export async function auditCreate(resource: ServedResource, row: StoredRow, context: WriteContext): Promise<void> {
  const [shown] = await present(resource, [row], context);
  const after = { ...whole(resource, shown), ...(await resource.remark?.(row, undefined, context)) };
  await tell({ ...about(resource, row, context), action: 'create', after }, context);
}

/** Of an update the fields that differ; columns that are never shown are no entry of their own. */
export async function auditUpdate(
  resource: ServedResource,
  before: StoredRow,
  after: StoredRow,
  context: WriteContext,
): Promise<void> {
  const [old, now] = await present(resource, [before, after], context);
  const found = differences(resource, old, now);
  if (!found) return;
  const entry: AuditEntry = {
    ...about(resource, after, context),
    action: 'update',
    before: { ...whose(resource, old.record), ...found.before },
    after: {
      ...whose(resource, now.record),
      ...found.after,
      ...(await resource.remark?.(after, before, context)),
    },
  };
  await tell(entry, context);
}

/** To be called before the record goes: tells too what hangs on it, which goes with it or is unlinked. */
export async function auditDelete(resource: ServedResource, row: StoredRow, context: WriteContext): Promise<void> {
  const [shown] = await present(resource, [row], context);
  const before = { ...whole(resource, shown), ...(await hanging(resource, row, context)) };
  await tell({ ...about(resource, row, context), action: 'delete', before }, context);
}

/** Entries of one statement. */
const atOnce = 100;

async function tell(entry: AuditEntry, context: WriteContext): Promise<void> {
  context.told.push(entry);
  if (context.told.length >= atOnce) await writeTold(context);
}

/** Writes what is still to be told; the last thing in a transaction. */
export async function writeTold({ db, told }: Pick<WriteContext, 'db' | 'told'>): Promise<void> {
  if (told.length > 0) await record(db, ...told.splice(0));
}

async function present<T extends StoredRow[]>(resource: ServedResource, rows: [...T], context: RecordContext) {
  const presented: Presented[] = rows.map((row) => ({ row, record: toRecord(resource.definition, row) }));
  await resource.present?.(presented, context);
  return presented as { [K in keyof T]: Presented };
}

function about(resource: ServedResource, row: StoredRow, { call }: RecordContext): Omit<AuditEntry, 'action'> {
  return {
    ...whoOf(call),
    resource: nameOf(resource),
    record_id: row[resource.definition.identifier] as RecordId,
    record_name: typeof row.name === 'string' ? row.name : null,
  };
}

/** Rows without an address are called as their table: an owner's lookup key is a lookup key. */
const nameOf = ({ isAddressed, definition, table }: ServedResource): string => (isAddressed ? definition.name : table);

/** A row without an address means nothing without its owners: whose it is stands in every entry. */
function whose({ isAddressed, definition }: ServedResource, shown: WireRecord): Record<string, unknown> {
  if (isAddressed) return {};
  const owners = Object.keys(definition.fields).filter((name) => /_id$/.test(name) && !/_by_id$/.test(name));
  return Object.fromEntries(owners.flatMap((name) => (shown[name] == null ? [] : [[name, shown[name]]])));
}

/** How many records of which resource point to this one. */
async function hanging(
  { definition }: ServedResource,
  row: StoredRow,
  { db, served }: RecordContext,
): Promise<Record<string, number>> {
  const counts = Object.values(definition.relations)
    .filter(({ kind }) => kind === 'has_many' || kind === 'has_one')
    .map(({ resource: other, field }) => {
      const target = served(other);
      const id = row[definition.identifier];
      return sql`(select count(*) from ${sql.table(target.table)} where ${sql.ref(field)} = ${id}) as ${sql.ref(nameOf(target))}`;
    });
  if (counts.length === 0) return {};
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(counts)}`.execute(db);
  const found = Object.entries(rows[0] ?? {}).map(([name, count]): [string, number] => [name, Number(count)]);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}
