import { date, id, integer, json, name, type RecordOf, resource, text } from '../resource.ts';

/** What an entry of the audit tells of. */
export const auditActions = ['create', 'update', 'delete', 'test', 'sign_in', 'sign_out'] as const;
export type AuditAction = (typeof auditActions)[number];

/**
 * Who changed which system record, and who signed in; kept for SLUICE_AUDIT_DAYS. Nobody writes it but the platform.
 * `before` and `after` hold the fields that differ, secrets masked; on create and delete the whole record.
 */
export const audit = resource({
  name: 'audit',
  label: 'Audit',
  description: 'Who changed what, and who signed in.',
  fields: {
    id: id(),
    created_date: date({ readOnly: true, required: true }),
    action: name({ readOnly: true, max: 16 }),
    /** `role`, `service` …; of a sign-in `user` or `admin`. */
    resource: name({ readOnly: true, max: 64 }),
    record_id: text({ readOnly: true, max: 255 }),
    /** What the record was called. */
    record_name: text({ readOnly: true, max: 255 }),
    /** Null for the platform itself and for strangers. */
    user_id: integer({ readOnly: true }),
    /** The e-mail of the author; of a sign-in the login that was tried. */
    user_email: text({ readOnly: true, max: 255 }),
    app_id: integer({ readOnly: true }),
    ip_address: text({ readOnly: true, max: 64 }),
    user_agent: text({ readOnly: true, max: 255, cut: true }),
    /** `ok`, or why it was refused. */
    outcome: name({ readOnly: true, max: 255 }),
    request_id: text({ readOnly: true, max: 64 }),
    before: json({ readOnly: true }),
    after: json({ readOnly: true }),
  },
});

export type AuditRecord = RecordOf<typeof audit>;
