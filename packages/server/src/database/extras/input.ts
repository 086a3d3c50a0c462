// Values of extras as they are sent: coerced, trimmed and bounded (contract/database-schema.md §4). A key that was not sent
// keeps its stored value.
import { fail, splitList, truthy } from '@sluice/contract';
import { foldType } from '@sluice/sql';
import { isRecord, type RecordInput, stringifyInput } from '../../call/payload.ts';
import { readPattern } from '../pattern.ts';

/** What was sent for a table, a field or a relation, and its name for the texts of failures. */
export interface ExtrasInput {
  name: string;
  /** Keys in lower case. */
  values: Record<string, unknown>;
}

export const lowerCaseKeys = (input: RecordInput): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [key.toLowerCase(), value]));

/** The one or many objects below a key. */
export function recordList(input: unknown): RecordInput[] {
  const list = Array.isArray(input) ? input : [input];
  return list.filter(isRecord);
}

const limits = { name: 64, text: 255, description: 10_000, items: 1000, json: 16 * 1024, message: 500 };

const refuse = ({ name }: ExtrasInput, key: string, problem: string): never => {
  throw fail('schema.value', { name, key, problem });
};

export function inputText(
  input: ExtrasInput,
  key: string,
  stored: string | null,
  limit: number = limits.text,
): string | null {
  const value = input.values[key];
  if (value === undefined) return stored;
  if (value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') return refuse(input, key, 'must be a text');
  const text = stringifyInput(value).trim();
  if (text.length > limit) return refuse(input, key, `is longer than ${limit} characters`);
  return text === '' ? null : text;
}

export const inputDescription = (input: ExtrasInput, stored: string | null) =>
  inputText(input, 'description', stored, limits.description);

/** A text that is stored only where it differs from the default, which may begin with a blank: texts that are sent do not. */
export function inputOverride(
  input: ExtrasInput,
  key: string,
  stored: string | null,
  defaultText: string | null,
  limit?: number,
) {
  const text = inputText(input, key, stored, limit);
  return text === (defaultText?.trim() ?? null) ? null : text;
}

/** An alias; one that equals the real name is none. */
export function inputAlias(input: ExtrasInput, stored: string | null): string | null {
  const alias = inputOverride(input, 'alias', stored, input.name, limits.name);
  if (alias !== null && alias !== stored && !isName(alias)) return refuse(input, 'alias', nameRule);
  return alias;
}

/** Whether a name can be used in addresses, lists, filters and as a key of records as it is; drivers refuse `__proto__`, too. */
const isName = (text: string): boolean =>
  text !== '__proto__' &&
  text.length <= limits.name &&
  /^[\p{L}\p{N}_]([\p{L}\p{N}_ .$-]*[\p{L}\p{N}_$])?$/u.test(text);
const nameRule = `must be a name of up to ${limits.name} letters, digits, underscores, blanks, dots and dashes`;

/** Refuses a name for something new that is no name. */
export function requireName(input: ExtrasInput): string {
  if (!isName(input.name)) refuse(input, 'name', nameRule);
  return input.name;
}

/** Whether there is a value, whatever it is. */
export const isSent = (value: unknown): boolean => value !== undefined && value !== null;

export const isSet = (input: ExtrasInput, key: string): boolean => inputFlag(input, key, 0) === 1;

const typeAliases = new Map<string, string>(Object.entries({ pk: 'id', fk: 'reference' }));

/** A type as it is sent, by the contract's name for it; empty without one. */
export function typeNameOf(value: unknown): string {
  const folded = foldType(stringifyInput(value ?? ''));
  return typeAliases.get(folded) ?? folded;
}

export function inputFlag(input: ExtrasInput, key: string, stored: number): number {
  const value = input.values[key];
  if (value === undefined) return stored;
  if (typeof value === 'object' && value !== null) return refuse(input, key, 'must be true or false');
  return Number(truthy(value));
}

/** A list of texts, or one with commas, as JSON. */
export function inputPicklist(input: ExtrasInput, stored: string | null): string | null {
  const value = input.values.picklist;
  if (value === undefined) return stored;
  if (value !== null && typeof value !== 'string' && !Array.isArray(value))
    return refuse(input, 'picklist', 'must be a list');
  const items = (typeof value === 'string' ? splitList(value, limits.items) : (value ?? []))
    .filter((item) => typeof item !== 'object' || item === null)
    .map((item) => stringifyInput(item).trim())
    .filter((item) => item !== '');
  if (items.length > limits.items) return refuse(input, 'picklist', `has more than ${limits.items} items`);
  if (items.some((item) => item.length > limits.text))
    return refuse(input, 'picklist', `has an item longer than ${limits.text} characters`);
  return items.length === 0 ? null : JSON.stringify(items);
}

/** Rules by their names, as JSON; an empty list is how some clients write an empty object. */
export function inputValidation(input: ExtrasInput, stored: string | null): string | null {
  const value = input.values.validation;
  if (value === undefined) return stored;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (!isRecord(value)) return refuse(input, 'validation', 'must be an object of rules');
  for (const [rule, options] of Object.entries(value)) {
    const { on_fail, regexp } = isRecord(options) ? options : {};
    if (on_fail !== undefined && on_fail !== null && (typeof on_fail !== 'string' || on_fail.length > limits.message))
      return refuse(
        input,
        'validation',
        `has an on_fail of '${rule}' that is no text of up to ${limits.message} characters`,
      );
    if (rule === 'match' && regexp !== undefined && !readPattern(regexp))
      return refuse(input, 'validation', 'has a regexp that is no pattern: base64 of a text such as /^a+$/');
  }
  return Object.keys(value).length === 0 ? null : inputJson(input, 'validation', value);
}

/** What only clients read. */
export function inputClientInfo(input: ExtrasInput, stored: string | null): string | null {
  const value = input.values.client_info;
  if (value === undefined) return stored;
  return value === null || value === '' ? null : inputJson(input, 'client_info', value);
}

function inputJson(input: ExtrasInput, key: string, value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > limits.json ? refuse(input, key, `is longer than ${limits.json} characters`) : text;
}
