// Between the wire and the store, field by field: reads an input, checks it by the rules of the declaration, converts
// values for the table and back (contract/http-basics.md §8, contract/system-resources.md §0).
import { ExactNumber, type ResourceDefinition, type ResourceField } from '@sluice/contract';
import type { RecordInput } from '../call/payload.ts';
import type { StoredRow, WireRecord } from './resource.ts';

/** Field name → what is wrong with it. */
export type ValidationMessages = Record<string, string[]>;
export type ReportInvalid = (field: string, message: string) => void;

/** A field as texts name it: `_` shown as a space. */
export const fieldLabel = (field: string): string => field.replaceAll('_', ' ');

export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Fields that are columns of the table. */
export const storedFields = ({ fields }: ResourceDefinition): [string, ResourceField][] =>
  Object.entries(fields).filter(([, field]) => !field.rules.computed);

/** Fields that are answered. */
export const visibleFields = ({ fields }: ResourceDefinition): string[] =>
  Object.keys(fields).filter((name) => !fields[name]?.rules.writeOnly);

export const computedFields = ({ fields }: ResourceDefinition): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.rules.computed);

const isWritable = (field: ResourceField) => !field.rules.readOnly && !field.rules.computed;

/**
 * The writable fields of an input, converted. Unknown and read-only keys are left out. Null counts as absent for a field
 * that has a default.
 */
export function readInput(
  { fields }: ResourceDefinition,
  input: RecordInput,
  reportInvalid: ReportInvalid,
): WireRecord {
  const values: WireRecord = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!isWritable(field) || !Object.hasOwn(input, name) || input[name] === undefined) continue;
    const value = convertInput(field, input[name]);
    if (value === null && field.rules.default !== undefined) continue;
    if (value === unreadable) reportInvalid(name, mismatchMessages[field.kind](fieldLabel(name)));
    else values[name] = value;
  }
  return values;
}

const unreadable = Symbol('unreadable');
const mismatchMessages: Record<ResourceField['kind'], (field: string) => string> = {
  id: (field) => `The ${field} must be an integer.`,
  integer: (field) => `The ${field} must be an integer.`,
  flag: (field) => `The ${field} field must be true or false.`,
  text: (field) => `The ${field} must be a string.`,
  date: (field) => `The ${field} is not a valid date.`,
  json: (field) => `The ${field} is not valid.`,
};
const flagValues = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** The flag an input stands for; undefined for what is none. */
export const readFlag = (input: unknown): boolean | undefined =>
  typeof input === 'object' ? undefined : flagValues.get(String(input).toLowerCase());

function convertInput(field: ResourceField, input: unknown): unknown {
  if (input instanceof ExactNumber) return convertInput(field, input.valueOf());
  if (field.kind === 'json' || input === null) return input;
  if (field.kind === 'flag') return readFlag(input) ?? unreadable;
  if (field.kind === 'integer' || field.kind === 'id') {
    if (input === '') return null;
    const number = typeof input === 'number' || typeof input === 'string' ? Number(input) : Number.NaN;
    return Number.isSafeInteger(number) ? number : unreadable;
  }
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  if (typeof input !== 'string') return unreadable;
  // A NUL ends a text early in some databases and is refused by others.
  return input.includes('\0') ? unreadable : input;
}

/** Puts in the defaults of absent fields. */
export function addDefaults({ fields }: ResourceDefinition, values: WireRecord): void {
  for (const [name, { rules }] of Object.entries(fields)) {
    if (rules.default !== undefined && !rules.computed && values[name] === undefined) values[name] = rules.default;
  }
}

/**
 * Reports texts that are longer than their field takes, and answers whether there are any: nothing else is to be done
 * with them, as that costs by their length. A text that is stored already may stay, however long it is.
 */
export function checkLengths(
  { fields }: ResourceDefinition,
  values: WireRecord,
  row: StoredRow | undefined,
  reportInvalid: ReportInvalid,
): boolean {
  let isTooLong = false;
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    const problem = field && !field.rules.cut ? lengthProblem(name, field, value) : undefined;
    if (!field || !problem || toColumn(field, value) === row?.[name]) continue;
    reportInvalid(name, problem);
    isTooLong = true;
  }
  return isTooLong;
}

/** What is wrong with the length of a value; undefined when nothing is. */
function lengthProblem(name: string, field: ResourceField, value: unknown): string | undefined {
  const { max, maxBytes } = field.rules;
  if (max !== undefined && typeof value === 'string' && isLongerThan(value, max))
    return `The ${fieldLabel(name)} may not be greater than ${max} characters.`;
  const text = maxBytes === undefined ? undefined : toColumn(field, value);
  if (maxBytes !== undefined && typeof text === 'string' && Buffer.byteLength(text) > maxBytes)
    return `The ${fieldLabel(name)} may not be greater than ${maxBytes} bytes.`;
  return undefined;
}

/** Checks the rules that do not need the store; texts over a `cut` limit are shortened in place. */
export function checkRules(
  { fields }: ResourceDefinition,
  values: WireRecord,
  isCreate: boolean,
  reportInvalid: ReportInvalid,
  row?: StoredRow,
): void {
  for (const [name, field] of Object.entries(fields)) {
    const { rules } = field;
    if (rules.computed || (rules.readOnly && !isCreate)) continue;
    const value = values[name];
    if (rules.required && isEmpty(value) && (isCreate || Object.hasOwn(values, name)))
      reportInvalid(name, `The ${fieldLabel(name)} field is required.`);
    if (typeof value !== 'string' || value === '') continue;
    if (rules.max !== undefined && isLongerThan(value, rules.max)) {
      if (rules.cut) values[name] = firstCharacters(value, rules.max);
      else if (value !== row?.[name]) {
        reportInvalid(name, lengthProblem(name, field, value)!);
        continue;
      }
    }
    if (rules.min !== undefined && isShorterThan(value, rules.min))
      reportInvalid(name, `The ${fieldLabel(name)} must be at least ${rules.min} characters.`);
    if (rules.solid && /\s/.test(value)) reportInvalid(name, `The ${fieldLabel(name)} format is invalid.`);
    if (rules.email && (!isEmail(value) || invisibleCharacter.test(value)))
      reportInvalid(name, `The ${fieldLabel(name)} must be a valid email address.`);
  }
}

/**
 * Characters that cannot be seen, or that change how others are: controls, formats (direction, joiners), what fonts leave
 * out, blanks, private and unassigned ones. An address with one would be another address that looks the same.
 */
const invisibleCharacter = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufffc\u{1d159}]/u;

/** Characters as people count them, so that a limit does not depend on how they are stored. */
const characterCount = (text: string) => Array.from(text).length;

/** A character is one or two units of a text, so most need not be counted. */
const isLongerThan = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || characterCount(text) > characters);

const isShorterThan = (text: string, characters: number): boolean =>
  text.length < 2 * characters && characterCount(text) < characters;

const firstCharacters = (text: string, characters: number): string =>
  Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join('');

/** Whether a text can be an e-mail address: something, `@`, a domain with a dot. */
export const isEmail = (text: string): boolean =>
  /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)+$/.test(text);

/** A value of the wire as the table stores it. */
export function toColumn(field: ResourceField, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (field.kind === 'flag') return value === true ? 1 : 0;
  return field.kind === 'json' ? JSON.stringify(value) : value;
}

/** A row as a record with every visible stored field; computed ones are added by the resource. */
export function toRecord(definition: ResourceDefinition, row: StoredRow): WireRecord {
  const record: WireRecord = {};
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!field.rules.writeOnly && !field.rules.computed) record[name] = fromColumn(field, row[name]);
  }
  return record;
}

function fromColumn(field: ResourceField, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (field.kind === 'flag') return Number(value) === 1;
  if (field.kind === 'integer' || field.kind === 'id') return Number(value);
  return field.kind === 'json' ? JSON.parse(String(value)) : value;
}
