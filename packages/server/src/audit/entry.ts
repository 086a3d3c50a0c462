import { type AuditAction, audit } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Db } from '../store/index.ts';
import { shortenedJson, truncate } from './shorten.ts';

/** The part of a call that says where it came from. */
export type Origin = Pick<Call, 'id' | 'ip' | 'userAgent'>;

/** An origin that the platform itself has none of. */
type OriginOrNone = { [K in keyof Origin]: Origin[K] | null };

/** Who did something, and from where. */
export interface AuditActor {
  user_id: number | null;
  user_email: string | null;
  app_id: number | null;
  ip_address: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** The platform itself, and strangers. */
export const unknownActor: AuditActor = {
  user_id: null,
  user_email: null,
  app_id: null,
  ip_address: null,
  user_agent: null,
  request_id: null,
};

export const actorFromOrigin = ({ id, ip, userAgent }: OriginOrNone): AuditActor => ({
  ...unknownActor,
  ip_address: ip,
  user_agent: userAgent,
  request_id: id,
});

/** Who acts, as an entry names them. */
export const auditActorOf = (actor: OriginOrNone & Pick<Call, 'caller'>): AuditActor => ({
  ...actorFromOrigin(actor),
  user_id: actor.caller.user?.id ?? null,
  user_email: actor.caller.user?.email ?? null,
  app_id: actor.caller.app?.id ?? null,
});

export interface AuditEntry extends AuditActor {
  /** ISO-8601; now when absent. */
  created_date?: string;
  action: AuditAction;
  resource: string;
  record_id: number | string | null;
  record_name: string | null;
  /** `ok` when absent. */
  outcome?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** An entry as it is stored: texts of bounded length, whatever it tells of. */
export type AuditRow = ReturnType<typeof auditRow>;

/** Writes entries in the transaction of the change they report: when it is undone, so are they. */
export const writeAuditEntries = (db: Db, ...entries: AuditEntry[]): Promise<void> =>
  insertAuditRows(db, entries.map(auditRow));

export async function insertAuditRows(db: Db, rows: AuditRow[]): Promise<void> {
  await db.insertInto('audit').values(rows).execute();
}

export function auditRow(entry: AuditEntry) {
  const text = (field: keyof typeof audit.fields & keyof AuditEntry, value: unknown): string | null =>
    value === null || value === undefined ? null : truncate(String(value), audit.fields[field].rules.max as number);
  return {
    created_date: entry.created_date ?? new Date().toISOString(),
    action: entry.action,
    resource: entry.resource,
    record_id: text('record_id', entry.record_id),
    record_name: text('record_name', entry.record_name),
    user_id: entry.user_id,
    user_email: text('user_email', entry.user_email),
    app_id: entry.app_id,
    ip_address: text('ip_address', entry.ip_address),
    user_agent: text('user_agent', entry.user_agent),
    outcome: text('outcome', entry.outcome ?? 'ok') as string,
    request_id: text('request_id', entry.request_id),
    before: entry.before ? shortenedJson(entry.before) : null,
    after: entry.after ? shortenedJson(entry.after) : null,
  };
}
