// `system/email_template`: mails with placeholders (contract/system-resources.md §12).
import { emailTemplate, textLengths } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { RecordChange, ServedResource } from '../../resource/resource.ts';

const addressLists = ['to', 'cc', 'bcc'] as const;
const maxAddresses = 100;
const maxAddressLength = 320;

export const emailTemplateResource: ServedResource = {
  definition: emailTemplate,
  table: 'email_template',
  isAddressed: true,
  beforeSave(change) {
    const { kind, values, reportInvalid } = change;
    // The contract has a message of its own for it.
    if (isEmpty(values.name) && (kind === 'create' || 'name' in values))
      reportInvalid('name', 'The Template Name field is required');
    for (const field of addressLists) readAddresses(change, field);
    if (isEmpty(values.attachment) && 'attachment' in values) values.attachment = null;
    else if (values.attachment !== undefined && !isAttachment(values.attachment))
      reportInvalid('attachment', 'The attachment must be a path, or a list of services and paths.');
    if (isEmpty(values.defaults) && 'defaults' in values) values.defaults = null;
    else if (values.defaults !== undefined && !isDefaults(values.defaults))
      reportInvalid('defaults', 'The defaults must be a list of names and values.');
  },
};

/** Takes a text, a comma list or a list; stores a list, or null for none. */
function readAddresses({ values, reportInvalid }: RecordChange, field: (typeof addressLists)[number]): void {
  const input = values[field];
  if (input === undefined) return;
  if (isEmpty(input)) {
    values[field] = null;
    return;
  }
  const list = typeof input === 'string' ? splitAddresses(input) : [input].flat();
  const addresses = list.map(readAddress);
  if (addresses.length > maxAddresses)
    reportInvalid(field, `The ${field} may not have more than ${maxAddresses} items.`);
  else if (addresses.includes(undefined)) reportInvalid(field, `The ${field} must be a list of addresses.`);
  else values[field] = addresses.length > 0 ? addresses : null;
}

/** An address is a text, or a name and an address. Placeholders are allowed, so its form is not checked. */
function readAddress(input: unknown): unknown {
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= maxAddressLength;
  if (isText(input)) return input;
  if (!isRecord(input) || !isText(input.email)) return undefined;
  if (!isEmpty(input.name) && !isText(input.name)) return undefined;
  return isEmpty(input.name) ? { email: input.email } : { name: input.name, email: input.email };
}

/** `a@b.c, "Doe, Jo" <jo@b.c>`: commas inside quotes are part of a name. */
const splitAddresses = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

const isAttachment = (input: unknown): boolean =>
  typeof input === 'string' ||
  (Array.isArray(input) &&
    input.every((item) => isRecord(item) && typeof item.service === 'string' && typeof item.path === 'string'));

const maxDefaults = 100;
const isDefaults = (input: unknown): boolean =>
  Array.isArray(input) &&
  input.length <= maxDefaults &&
  JSON.stringify(input).length <= textLengths.body &&
  input.every(
    (item) =>
      isRecord(item) &&
      typeof item.name === 'string' &&
      item.name !== '' &&
      ['string', 'number'].includes(typeof item.value),
  );
