import { id, json, type RecordOf, resource, stampRelations, stamps, text, textLengths } from '../resource.ts';

/** A mail with placeholders (contract/system-resources.md §12). `to`, `cc` and `bcc` are lists, or null when unset. */
export const emailTemplate = resource({
  name: 'email_template',
  label: 'Email Templates',
  description: 'Mails with placeholders: invitations, confirmations, and your own.',
  fields: {
    id: id(),
    // Its missing is said with words of its own, so it is not declared as required.
    name: text({ max: 64, unique: true }),
    description: text({ max: 255 }),
    to: json(),
    cc: json(),
    bcc: json(),
    subject: text({ max: 80 }),
    attachment: json(),
    body_text: text({ maxBytes: textLengths.body }),
    body_html: text({ maxBytes: textLengths.body }),
    from_name: text({ max: 80 }),
    from_email: text({ max: 255 }),
    reply_to_name: text({ max: 80 }),
    reply_to_email: text({ max: 255 }),
    /** As the documents spell them (CFG-028): stored and answered; `reply_to_*` goes before them. */
    replay_to_name: text({ max: 80 }),
    replay_to_email: text({ max: 255 }),
    /** Values of placeholders, `{name, value}`: they win over the fields of the template, and yield to those of a call. */
    defaults: json(),
    ...stamps(),
  },
  relations: { ...stampRelations() },
});

export type EmailTemplateRecord = RecordOf<typeof emailTemplate>;
