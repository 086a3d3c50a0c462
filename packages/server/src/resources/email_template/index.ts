// `system/email_template`: mails with placeholders (contract/system-resources.md §12).
import { emailTemplate } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { Change, ServedResource } from '../../resource/resource.ts';

const addressLists = ['to', 'cc', 'bcc'] as const;
const mostAddresses = 100;
const longestAddress = 320;

export const emailTemplateResource: ServedResource = {
  definition: emailTemplate,
  table: 'email_template',
  isAddressed: true,
  beforeSave(change) {
    const { kind, values, invalid } = change;
    // The contract has words of its own for it.
    if (isEmpty(values.name) && (kind === 'create' || 'name' in values))
      invalid('name', 'The Template Name field is required');
    for (const field of addressLists) readAddresses(change, field);
    if (isEmpty(values.attachment) && 'attachment' in values) values.attachment = null;
    else if (values.attachment !== undefined && !isAttachment(values.attachment))
      invalid('attachment', 'The attachment must be a path, or a list of services and paths.');
  },
};

/** Takes a text, a comma list or a list; stores a list, or null for none. */
function readAddresses({ values, invalid }: Change, field: (typeof addressLists)[number]): void {
  const given = values[field];
  if (given === undefined) return;
  if (isEmpty(given)) {
    values[field] = null;
    return;
  }
  const list = typeof given === 'string' ? splitAddresses(given) : [given].flat();
  const addresses = list.map(addressOf);
  if (addresses.length > mostAddresses) invalid(field, `The ${field} may not have more than ${mostAddresses} items.`);
  else if (addresses.some((it) => it === undefined)) invalid(field, `The ${field} must be a list of addresses.`);
  else values[field] = addresses.length > 0 ? addresses : null;
}

/** An address is a text, or a name and an address; placeholders are allowed, so its form is not judged. */
function addressOf(given: unknown): unknown {
  const isText = (it: unknown): it is string => typeof it === 'string' && it !== '' && it.length <= longestAddress;
  if (isText(given)) return given;
  if (!isRecord(given) || !isText(given.email)) return undefined;
  if (!isEmpty(given.name) && !isText(given.name)) return undefined;
  return isEmpty(given.name) ? { email: given.email } : { name: given.name, email: given.email };
}

/** `a@b.c, "Doe, Jo" <jo@b.c>`: commas inside quotes are part of a name. */
const splitAddresses = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

const isAttachment = (given: unknown): boolean =>
  typeof given === 'string' ||
  (Array.isArray(given) &&
    given.every((it) => isRecord(it) && typeof it.service === 'string' && typeof it.path === 'string'));
