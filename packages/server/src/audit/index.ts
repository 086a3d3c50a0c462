// The audit: a row of `system/audit` for each change of a system record and each sign-in. Writers of records write
// here in the transaction of the change; sign-ins are written a moment after their answer. Entries are masked, bounded in
// size and purged after SLUICE_AUDIT_DAYS. No process caches them, so nothing is published on the bus.
export { allFields, diffFields, isSameValue } from './changes.ts';
export {
  type AuditActor,
  type AuditEntry,
  type AuditRow,
  actorFromOrigin,
  auditActorOf,
  auditRow,
  insertAuditRows,
  type Origin,
  unknownActor,
  writeAuditEntries,
} from './entry.ts';
export { purgeAudit } from './purge.ts';
export { createSignInAudit, type SignInAudit } from './sign-ins.ts';
