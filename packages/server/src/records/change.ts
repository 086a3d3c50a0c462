// What the engine changed: every row it writes comes through here, as it was and as it is, secrets as ciphertext. The
// audit and the bus are what listens today; whatever wants to see all changes of records belongs here.
import { type AuditRow, auditRow } from '../audit/index.ts';
import type { ChangeNotices, CommittedChange } from '../events/changes.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow } from '../resource/resource.ts';
import type { Bus, Change as Notice } from '../store/index.ts';
import { auditEntries, flushAudit, maxAuditEntries } from './audit.ts';
import { idOf } from './rows.ts';

/** One row before and after: undefined where there was none, or is none any more. */
export interface RowChange {
  before?: StoredRow;
  after?: StoredRow;
  /** It only pointed to a deleted record. */
  isUnlinked?: true;
}

/** Which rows a transaction changed; published on the bus once it is committed. */
export interface ChangeSet {
  rows: Map<string, Set<RecordId>>;
  /** Tables of which any row may have changed: of those that pointed to a deleted row. */
  tables: Set<string>;
}

/** A row that a transaction wrote. */
interface NoticedRow {
  resource: string;
  kind: CommittedChange['kind'];
  row: Record<string, unknown>;
}

/** A transaction of the engine. */
export interface WriteContext extends RecordContext {
  changes: ChangeSet;
  /** Audit entries that are not yet written; short, whatever the rows have. */
  pendingAudit: AuditRow[];
  /** The rows that are noticed once it is committed; none while nobody listens. */
  noticed: NoticedRow[];
  /** What is done once the transaction is committed, in order. */
  afterCommit: (() => Promise<void>)[];
}

export const newChangeSet = (): ChangeSet => ({ rows: new Map(), tables: new Set() });

/** Takes note of changes of one resource, in their transaction. */
export async function noteChanges(
  resource: ServedResource,
  changes: RowChange[],
  context: WriteContext,
): Promise<void> {
  for (const { before, after } of changes) {
    const id = idOf(resource, (after ?? before) as StoredRow);
    noteRow(context.changes, resource.table, id);
    notice(resource, id, before ? (after ? 'update' : 'delete') : 'insert', context);
  }
  const { db, pendingAudit } = context;
  for (const entry of await auditEntries(resource, changes, context)) pendingAudit.push(auditRow(entry));
  // A long transaction keeps few of them.
  if (pendingAudit.length >= maxAuditEntries) await flushAudit(db, pendingAudit);
}

function notice(
  { definition: { name, identifier } }: ServedResource,
  id: RecordId,
  kind: NoticedRow['kind'],
  { notices, noticed }: WriteContext,
): void {
  if (notices.isHeard) noticed.push({ resource: name, kind, row: { [identifier]: id } });
}

/** Tells those who follow changes what a transaction wrote, which is committed now. */
export function raiseNotices(noticed: readonly NoticedRow[], notices: ChangeNotices): void {
  const changes = new Map<string, CommittedChange & { rows: Record<string, unknown>[] }>();
  for (const { resource, kind, row } of noticed) {
    const key = `${kind} ${resource}`;
    const change = changes.get(key) ?? { service: 'system', resource, kind, rows: [] };
    change.rows.push(row);
    changes.set(key, change);
  }
  notices.raise([...changes.values()]);
}

/** Notes a row of which only the version changed. */
export function noteVersion(resource: ServedResource, id: RecordId, context: WriteContext): void {
  noteRow(context.changes, resource.table, id);
  notice(resource, id, 'update', context);
}

function noteRow({ rows }: ChangeSet, table: string, id: RecordId): void {
  const ids = rows.get(table) ?? new Set();
  rows.set(table, ids.add(id));
}

/** Tells every cache of what a transaction changed. */
export async function publishChanges(bus: Bus, { tables, rows }: ChangeSet): Promise<void> {
  for (const table of tables) await bus.publish({ table });
  for (const [table, ids] of rows) if (!tables.has(table)) await bus.publish(noticeOf(table, [...ids]));
}

/** Rows with a numeric identifier are named by it, others by their text. */
const noticeOf = (table: string, ids: RecordId[]): Notice =>
  ids.every((id) => typeof id === 'number') ? { table, ids } : { table, keys: ids.map(String) };
