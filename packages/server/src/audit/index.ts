// The audit: a row of `system/audit` for each change of a system record and each sign-in. Whoever changes records writes
// here in the transaction of the change; sign-ins are written a moment after their answer. What is kept is masked, bounded
// in size and purged after SLUICE_AUDIT_DAYS. Nothing of it is remembered anywhere, so the bus is told nothing.
export { differences, isSameValue, whole } from './changes.ts';
export { type AuditEntry, nobodyKnown, type Origin, originOf, record, type Who, whoOf } from './entry.ts';
export { purgeAudit } from './purge.ts';
export { createSignInAudit, type SignInAudit } from './sign-ins.ts';
