// The fields of an email as they were sent, merged and filled, into a `Mail` that can be handed over.
import { ExactNumber, fail } from '@sluice/contract';
import { type Address, nameOf, oneLine, parseAddress, readAddresses } from './address.ts';
import { createFiller, type Values } from './placeholders.ts';
import { textOfHtml } from './plain-text.ts';
import type { Mail } from './transport.ts';

/** Fields by name: those of an email (contract/services-other.md §4), and whatever else placeholders name. */
export type MailFields = ReadonlyMap<string, unknown>;

/** Recipients of one email. */
export const maxRecipients = 100;
const maxSubject = 1_000;
/** Characters of a body, as they are sent and when its placeholders are filled. */
const maxBody = 4 * 1024 * 1024;

/** The later ones win; what is null or absent has no say. */
export function mergeFields(...parts: (Record<string, unknown> | MailFields)[]): MailFields {
  const merged = new Map<string, unknown>();
  for (const part of parts)
    for (const [name, value] of part instanceof Map ? part : Object.entries(part))
      if (value !== null && value !== undefined) merged.set(name, value);
  return merged;
}

export interface RenderOptions {
  /** What is looked up before the fields: the lookups of a caller. */
  lookUp?: Values | undefined;
  /** Values are texts of people, and no markup where they go into HTML. */
  escapesHtml?: boolean;
  /** `a@b.c` or `Shop <a@b.c>`, where the fields name no sender; empty for none. */
  defaultSender?: string | undefined;
}

/** A mail without its attachments. `fill` fills other texts of it. */
export interface RenderedMail extends Omit<Mail, 'attachments'> {
  fill(text: string): string;
}

/** Fills and checks the fields of an email. */
export function renderMail(
  fields: MailFields,
  { lookUp, escapesHtml = false, defaultSender = '' }: RenderOptions = {},
): RenderedMail {
  const fillText = createFiller((name) => lookUp?.(name) ?? placeholderValue(fields.get(name)));
  const fill = (text: string) => fillText(text);
  const [to, cc, bcc] = ['to', 'cc', 'bcc'].map((field) => readAddresses(fields.get(field), fill)) as [
    Address[],
    Address[],
    Address[],
  ];
  if (to.length === 0) throw fail('mail.noAddress');
  if (to.length + cc.length + bcc.length > maxRecipients)
    throw fail('mail.tooManyRecipients', { limit: maxRecipients });
  const subject = oneLine(fill(textField(fields, 'subject', maxSubject))).slice(0, maxSubject);
  const html = fillText(textField(fields, 'body_html', maxBody), escapesHtml);
  const text = fill(textField(fields, 'body_text', maxBody));
  for (const [field, body] of Object.entries({ body_html: html, body_text: text }))
    if (body.length > maxBody) throw fail('mail.tooLong', { field, limit: maxBody });
  return {
    ...{
      from: readSender(fields, fill, defaultSender),
      replyTo: readOneAddress(fields, 'reply_to', fill),
      to,
      cc,
      bcc,
    },
    ...{ subject, html: html || undefined, text: text || (html ? textOfHtml(html) : undefined), fill },
  };
}

/**
 * A template with its values, as a mail to be sent: for emails of the platform itself. Values are texts of people: in HTML they
 * are shown, not read.
 */
export const renderTemplate = (
  template: Record<string, unknown>,
  values: Record<string, unknown>,
  options: Omit<RenderOptions, 'escapesHtml'> = {},
): Mail => {
  const { fill: _fill, ...mail } = renderMail(mergeFields(template, values), { ...options, escapesHtml: true });
  return { ...mail, attachments: [] };
};

const placeholderValue = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : undefined;
};

function textField(fields: MailFields, field: string, limit: number): string {
  const value = fields.get(field) ?? '';
  const text = placeholderValue(value);
  if (text === undefined) throw fail('mail.notText', { field });
  if (text.length > limit) throw fail('mail.tooLong', { field, limit });
  return text;
}

function readSender(fields: MailFields, fill: (text: string) => string, defaultSender: string): Address {
  const sender = readOneAddress(fields, 'from', fill);
  if (sender) return sender;
  if (defaultSender.trim() === '') throw fail('mail.noSender');
  const { name, address } = parseAddress(defaultSender);
  return { name: nameOf(fill(textField(fields, 'from_name', maxSubject))) || name, address };
}

function readOneAddress(fields: MailFields, prefix: string, fill: (text: string) => string): Address | undefined {
  const field = `${prefix}_email`;
  const [address, ...others] = readAddresses(fill(textField(fields, field, maxSubject)), (text) => text);
  if (others.length > 0) throw fail('mail.severalAddresses', { field });
  if (!address) return undefined;
  const name = nameOf(fill(textField(fields, `${prefix}_name`, maxSubject)));
  return { ...address, name: name || address.name };
}
