// Values of extras as they are sent: coerced, trimmed and bounded (contract/database-schema.md §4). A key that was not
// sent keeps what is stored.
import { fail, truthy } from '@sluice/contract';
import { isRecord, type RecordInput, wordOf } from '../../call/payload.ts';
import { readPattern } from '../pattern.ts';

/** What was sent of a table, a field or a relation, and its name for the texts of failures. */
export interface Sent {
  name: string;
  /** Keys in lower case. */
  values: Record<string, unknown>;
}

export const lowered = (sent: RecordInput): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sent).map(([key, value]) => [key.toLowerCase(), value]));

/** The one or many objects below a key. */
export function listOf(sent: unknown): RecordInput[] {
  const list = Array.isArray(sent) ? sent : [sent];
  return list.filter(isRecord);
}

const most = { name: 64, text: 255, description: 10_000, items: 1000, json: 16 * 1024, message: 500 };

const refuse = ({ name }: Sent, key: string, problem: string): never => {
  throw fail('schema.value', { name, key, problem });
};

export function textOf(sent: Sent, key: string, stored: string | null, limit: number = most.text): string | null {
  const value = sent.values[key];
  if (value === undefined) return stored;
  if (value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') return refuse(sent, key, 'must be a text');
  const text = wordOf(value).trim();
  if (text.length > limit) return refuse(sent, key, `is longer than ${limit} characters`);
  return text === '' ? null : text;
}

export const descriptionOf = (sent: Sent, stored: string | null) =>
  textOf(sent, 'description', stored, most.description);

/** A text that is not stored where it says what is shown anyway. */
export function toldText(sent: Sent, key: string, stored: string | null, usual: string | null, limit?: number) {
  const text = textOf(sent, key, stored, limit);
  return text === usual ? null : text;
}

/** Another name; a name that is the real one is none. */
export function aliasOf(sent: Sent, stored: string | null): string | null {
  const alias = toldText(sent, 'alias', stored, sent.name, most.name);
  if (alias !== null && alias !== stored && !isName(alias)) return refuse(sent, 'alias', nameRule);
  return alias;
}

/** A name can stand in addresses, lists and filters as it is. */
const isName = (text: string): boolean =>
  text.length <= most.name && /^[\p{L}\p{N}_]([\p{L}\p{N}_ .$-]*[\p{L}\p{N}_$])?$/u.test(text);
const nameRule = `must be a name of up to ${most.name} letters, digits, underscores, blanks, dots and dashes`;

/** The name of something that is made here. */
export function newName(sent: Sent): string {
  if (!isName(sent.name)) refuse(sent, 'name', nameRule);
  return sent.name;
}

export function flagOf(sent: Sent, key: string, stored: number): number {
  const value = sent.values[key];
  if (value === undefined) return stored;
  if (typeof value === 'object' && value !== null) return refuse(sent, key, 'must be true or false');
  return Number(truthy(value));
}

/** A list of texts, or one with commas, as JSON. */
export function picklistOf(sent: Sent, stored: string | null): string | null {
  const value = sent.values.picklist;
  if (value === undefined) return stored;
  if (value !== null && typeof value !== 'string' && !Array.isArray(value))
    return refuse(sent, 'picklist', 'must be a list');
  const items = (typeof value === 'string' ? value.split(',') : (value ?? []))
    .filter((it) => typeof it !== 'object' || it === null)
    .map((it) => wordOf(it).trim())
    .filter((it) => it !== '');
  if (items.length > most.items) return refuse(sent, 'picklist', `has more than ${most.items} items`);
  if (items.some((it) => it.length > most.text))
    return refuse(sent, 'picklist', `has an item longer than ${most.text} characters`);
  return items.length === 0 ? null : JSON.stringify(items);
}

/** Rules by their names, as JSON; an empty list is how some clients write an empty object. */
export function validationOf(sent: Sent, stored: string | null): string | null {
  const value = sent.values.validation;
  if (value === undefined) return stored;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (!isRecord(value)) return refuse(sent, 'validation', 'must be an object of rules');
  for (const [rule, options] of Object.entries(value)) {
    const { on_fail, regexp } = isRecord(options) ? options : {};
    if (on_fail !== undefined && on_fail !== null && (typeof on_fail !== 'string' || on_fail.length > most.message))
      return refuse(
        sent,
        'validation',
        `has an on_fail of '${rule}' that is no text of up to ${most.message} characters`,
      );
    if (rule === 'match' && regexp !== undefined && !readPattern(regexp))
      return refuse(sent, 'validation', 'has a regexp that is no pattern: base64 of a text such as /^a+$/');
  }
  return Object.keys(value).length === 0 ? null : jsonOf(sent, 'validation', value);
}

/** What only clients read. */
export function clientInfoOf(sent: Sent, stored: string | null): string | null {
  const value = sent.values.client_info;
  if (value === undefined) return stored;
  return value === null || value === '' ? null : jsonOf(sent, 'client_info', value);
}

function jsonOf(sent: Sent, key: string, value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > most.json ? refuse(sent, key, `is longer than ${most.json} characters`) : text;
}
