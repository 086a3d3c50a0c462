// The templates of `system/email_template` as fields of an email.
import { fail } from '@sluice/contract';
import { isRecord } from '../call/payload.ts';
import type { Db } from '../store/index.ts';

/** A template by its name or its id, with what it says of the values of placeholders. Null is what it does not say. */
export interface Template {
  fields: Record<string, unknown>;
  defaults: Record<string, unknown>;
}

const columns = [
  ...(['to', 'cc', 'bcc', 'subject', 'attachment', 'body_text', 'body_html'] as const),
  ...(['from_name', 'from_email', 'reply_to_name', 'reply_to_email', 'defaults'] as const),
  ...(['replay_to_name', 'replay_to_email'] as const),
];
/** Kept as JSON. */
const lists = ['to', 'cc', 'bcc', 'attachment'] as const;

export async function findTemplate(db: Db, key: { name: string } | { id: string }): Promise<Template> {
  const query = db.selectFrom('email_template').select([...columns, 'id', 'name']);
  if ('name' in key) {
    // Servers differ in whether letter case counts.
    const found = await query.where('name', '=', key.name).execute();
    const row = found.find(({ name }) => name === key.name) ?? found[0];
    if (!row) throw fail('mail.templateUnknown', { name: key.name.slice(0, 200) });
    return templateOf(row);
  }
  const isId = /^\d{1,15}$/.test(key.id);
  const row = isId ? await query.where('id', '=', Number(key.id)).executeTakeFirst() : undefined;
  if (!row) throw fail('mail.templateIdUnknown', { id: key.id.slice(0, 200) });
  return templateOf(row);
}

/** A template as it is stored, or as it was sent: its lists as lists or as JSON. */
export function templateOf(row: Record<string, unknown>): Template {
  const { defaults, id: _id, name: _name, replay_to_name: replyName, replay_to_email: replyEmail, ...fields } = row;
  fields.reply_to_name ??= replyName;
  fields.reply_to_email ??= replyEmail;
  for (const list of lists) fields[list] = parsed(fields[list]);
  return { fields, defaults: valuesOf(parsed(defaults)) };
}

/** `{name, value}` in a list, or values by name. */
function valuesOf(defaults: unknown): Record<string, unknown> {
  if (!Array.isArray(defaults)) return isRecord(defaults) ? defaults : {};
  return Object.fromEntries(defaults.filter(isRecord).map(({ name, value }) => [String(name), value]));
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
