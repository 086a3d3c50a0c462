// `POST system/email_template/_preview` and `_send`: a template as it was sent, saved or not, with the values of the
// administrator who asks: as it would look, or as a mail to their own address.
import { emailTemplate, fail, secretMask } from '@sluice/contract';
import { type Lookup, sessionLookup } from '../../access/lookups.ts';
import { nameInModifier } from '../../access/modifiers.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readOneRecord } from '../../call/payload.ts';
import type { AccountMails } from '../../identity/account-mails.ts';

type Mails = Pick<AccountMails, 'sample' | 'send'>;

/** `{from, to, subject, body_text, body_html, unfilled}`: addresses as `{name, address}`, `unfilled` are names without a value. */
export async function previewTemplate(mails: Mails, call: Call): Promise<Reply> {
  const { mail, unfilled } = await sampleOf(mails, call);
  const { from, to, subject, text, html } = mail;
  return answer({ from, to, subject, body_text: text ?? null, body_html: html ?? null, unfilled });
}

/** `{"success":true,"to":"a@b.c"}` once the mail server has taken it; its own words when it does not. */
export async function sendTemplate(mails: Mails, call: Call): Promise<Reply> {
  const { mail } = await sampleOf(mails, call);
  if (!mail.text && !mail.html) throw fail('mail.noContent');
  await mails.send(mail);
  return answer({ success: true, to: mail.to[0]?.address });
}

async function sampleOf(mails: Mails, call: Call) {
  const { user } = call.caller;
  if (!user?.isAdmin) throw fail('mail.previewByAdmin');
  const input = new Map(Object.entries(readOneRecord(await call.body())));
  const template = Object.fromEntries(Object.keys(emailTemplate.fields).map((field) => [field, input.get(field)]));
  return mails.sample(template, user.id, withoutCredentials(sessionLookup(call)));
}

/** A mail to look at must not carry what signs somebody in. */
const withoutCredentials =
  (lookup: Lookup): Lookup =>
  (name) =>
    /^(session\.\w+|app\.api_key)$/.test(nameInModifier(name)) ? secretMask : lookup(name);
