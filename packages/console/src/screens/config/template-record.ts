// An e-mail template as the editor holds it and as it is sent. Pure.
import { formText } from '../../editor/form-text.ts';

/** What a new template is called until it is named (CFG-029). */
export const newTemplateName = 'NEW EMAIL TEMPLATE';

const texts = [
  'name',
  'description',
  'subject',
  'body_text',
  'body_html',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
] as const;
const addressLists = ['to', 'cc', 'bcc'] as const;

export type AddressList = (typeof addressLists)[number];

/** Addresses are held as people write them: `Ada <ada@example.com>`. */
export type TemplateForm = Record<(typeof texts)[number], string> &
  Record<AddressList, string[]> & { id?: number; attachment: string };

export const emptyTemplate: TemplateForm = {
  name: newTemplateName,
  description: '',
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  attachment: '',
  body_text: '',
  body_html: '',
  from_name: '',
  from_email: '',
  reply_to_name: '',
  reply_to_email: '',
};

export const toForm = (record: Record<string, unknown>): TemplateForm =>
  ({
    id: Number(record.id),
    ...Object.fromEntries(texts.map((field) => [field, formText(record[field])])),
    ...Object.fromEntries(addressLists.map((field) => [field, addressesOf(record[field])])),
    attachment: attachmentText(record.attachment),
  }) as TemplateForm;

/** The body of a save: what is empty is unset. */
export const toRecord = (form: TemplateForm): Record<string, unknown> => ({
  ...(form.id === undefined ? spelledOtherwise : { id: form.id }),
  ...Object.fromEntries(texts.map((field) => [field, form[field].trim() === '' ? null : form[field]])),
  name: form.name.trim(),
  ...Object.fromEntries(addressLists.map((field) => [field, addressesToSend(form[field])])),
  attachment: attachmentToSend(form.attachment),
});

/** What the documents call the reply address in a new template (CFG-028); the effective ones are `reply_to_*` (OPEN-079). */
const spelledOtherwise = { replay_to_name: null, replay_to_email: null };

/** Servers answer lists of texts or of names and addresses, or the text as it was sent (contract/system-resources.md §12). */
export function addressesOf(told: unknown): string[] {
  if (typeof told === 'string') return splitAddresses(told);
  return Array.isArray(told) ? told.map(addressText).filter((address) => address !== '') : [];
}

function addressText(told: unknown): string {
  if (typeof told === 'string') return told;
  const { name, email } = (told ?? {}) as { name?: unknown; email?: unknown };
  return formText(name) ? `${quoted(formText(name))} <${formText(email)}>` : formText(email);
}

const quoted = (name: string) => (name.includes(',') ? `"${name.replaceAll('"', '')}"` : name);

/** `a@b.c, "Doe, Jo" <jo@b.c>`: commas inside quotes belong to a name. */
const splitAddresses = (typed: string): string[] =>
  (typed.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

function addressesToSend(addresses: readonly string[]): unknown {
  if (addresses.length === 0) return null;
  return addresses.map((address) => {
    const [, name = '', email = ''] = /^(.*?)\s*<([^<>]+)>$/.exec(address) ?? [];
    return name === '' || email === '' ? address : { name: name.replace(/^"(.*)"$/, '$1'), email };
  });
}

const attachmentText = (told: unknown): string =>
  told === null || told === undefined ? '' : typeof told === 'string' ? told : JSON.stringify(told, null, 2);

function attachmentToSend(typed: string): unknown {
  const words = typed.trim();
  if (words === '') return null;
  return words.startsWith('[') ? attachmentList(words) : words;
}

/** The list a text is, if it is one of `{ service, path }`. */
export function attachmentList(typed: string): unknown[] | null {
  try {
    const list: unknown = JSON.parse(typed);
    const isPlace = (it: unknown) => {
      const { service, path } = (it ?? {}) as Record<string, unknown>;
      return typeof service === 'string' && typeof path === 'string';
    };
    return Array.isArray(list) && list.every(isPlace) ? list : null;
  } catch {
    return null;
  }
}
