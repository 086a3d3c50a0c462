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
  Record<AddressList, string[]> & { id?: number; attachment: string; defaults: Default[] };

/** A placeholder with a value of the template's own. */
export type Default = { name: string; value: string };

export const emptyTemplate: TemplateForm = {
  name: newTemplateName,
  description: '',
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  attachment: '',
  defaults: [],
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
    defaults: defaultsOf(record.defaults),
  }) as TemplateForm;

/** The body of a save: an empty text is sent as null. */
export const toRecord = (form: TemplateForm): Record<string, unknown> => ({
  ...(form.id === undefined ? misspelledFields : { id: form.id }),
  ...Object.fromEntries(texts.map((field) => [field, form[field].trim() === '' ? null : form[field]])),
  name: form.name.trim(),
  ...Object.fromEntries(addressLists.map((field) => [field, addressesToRecord(form[field])])),
  attachment: attachmentToRecord(form.attachment),
  defaults: defaultsToRecord(form.defaults),
});

/** What the documents call the reply address in a new template (CFG-028); the effective ones are `reply_to_*` (OPEN-079). */
const misspelledFields = { replay_to_name: null, replay_to_email: null };

/** Servers answer lists of texts or of names and addresses, or the text as it was sent (contract/system-resources.md §12). */
export function addressesOf(value: unknown): string[] {
  if (typeof value === 'string') return splitAddresses(value);
  return Array.isArray(value) ? value.map(addressText).filter((address) => address !== '') : [];
}

function addressText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { name, email } = (value ?? {}) as { name?: unknown; email?: unknown };
  return formText(name) ? `${quoteName(formText(name))} <${formText(email)}>` : formText(email);
}

const quoteName = (name: string) => (name.includes(',') ? `"${name.replaceAll('"', '')}"` : name);

/** `a@b.c, "Doe, Jo" <jo@b.c>`: commas inside quotes belong to a name. */
const splitAddresses = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

function addressesToRecord(addresses: readonly string[]): unknown {
  if (addresses.length === 0) return null;
  return addresses.map((address) => {
    const [, name = '', email = ''] = /^(.*?)\s*<([^<>]+)>$/.exec(address) ?? [];
    return name === '' || email === '' ? address : { name: name.replace(/^"(.*)"$/, '$1'), email };
  });
}

const defaultsOf = (value: unknown): Default[] =>
  Array.isArray(value)
    ? value.map((item: unknown) => {
        const { name, value: text } = (item ?? {}) as Record<string, unknown>;
        return { name: formText(name), value: formText(text) };
      })
    : [];

/** Rows without a name say nothing. */
function defaultsToRecord(defaults: readonly Default[]): unknown {
  const named = defaults.filter(({ name }) => formText(name).trim() !== '');
  return named.length > 0 ? named.map(({ name, value }) => ({ name: name.trim(), value: formText(value) })) : null;
}

const attachmentText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function attachmentToRecord(text: string): unknown {
  const trimmedText = text.trim();
  if (trimmedText === '') return null;
  return trimmedText.startsWith('[') ? attachmentList(trimmedText) : trimmedText;
}

/** The list a text is, if it is one of `{ service, path }`. */
export function attachmentList(text: string): unknown[] | null {
  try {
    const list: unknown = JSON.parse(text);
    const isAttachment = (item: unknown) => {
      const { service, path } = (item ?? {}) as Record<string, unknown>;
      return typeof service === 'string' && typeof path === 'string';
    };
    return Array.isArray(list) && list.every(isAttachment) ? list : null;
  } catch {
    return null;
  }
}
