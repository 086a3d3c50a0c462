// The rules a field may have for what is written into it (contract/database-tables.md §10).
import { batchLimit, type ErrorKey, ExactNumber, type Failure, type FieldDescription, fail } from '@sluice/contract';
import type { Column } from '@sluice/sql';
import { isRecord } from '../../call/payload.ts';
import { isEmail } from '../../resource/fields.ts';
import { matchesPattern, readPattern } from '../pattern.ts';

/** Stands for a value whose field is left out, as if it had not been sent. */
export const omittedField = Symbol('left out');

/** What is wrong with a value, by the key of its failure; those of this file tell the field's name and nothing else. */
type Problem = Exclude<Extract<ErrorKey, `validation.${string}`>, 'validation.told'>;
type Check = (value: unknown, isUpdate: boolean) => Problem | typeof omittedField | undefined;
type Options = Record<string, unknown>;

/** The rules by name; each makes the check of a field that has it. */
const rules: Record<string, (options: Options, field: FieldDescription) => Check> = {
  create_only: () => (_, isUpdate) => (isUpdate ? 'validation.createOnly' : undefined),
  not_null: () => (value) => (value === null ? 'validation.notNull' : undefined),
  not_empty: () => notEmpty,
  not_zero: () => notEmpty,
  email: () => unlessEmpty((value) => (isEmail(valueText(value)) ? undefined : 'validation.email')),
  url: () => unlessEmpty((value) => (isUrl(valueText(value)) ? undefined : 'validation.url')),
  int: (options) => unlessNull((value) => (isInteger(value, options) ? undefined : 'validation.int')),
  float: ({ decimal }) => unlessNull((value) => (isFloat(value, decimal) ? undefined : 'validation.float')),
  boolean: () =>
    unlessNull((value) => (booleanWords.has(valueText(value).toLowerCase()) ? undefined : 'validation.boolean')),
  match({ regexp }) {
    const pattern = readPattern(regexp);
    if (!pattern) return unlessEmpty(() => 'validation.noRegexp');
    return unlessEmpty((value) => (matchesPattern(pattern, valueText(value)) ? undefined : 'validation.invalid'));
  },
  picklist(_, { picklist }) {
    if (!picklist?.length) return unlessEmpty(() => 'validation.noPicklist');
    const items = new Set(picklist);
    return unlessEmpty((value) => (items.has(valueText(value)) ? undefined : 'validation.invalid'));
  },
  multi_picklist: ({ delimiter, min, max }, { picklist }) => {
    if (!picklist?.length) return unlessEmpty(() => 'validation.noPicklist');
    const items = new Set(picklist);
    const [minItems, maxItems] = [numberOr(min, 1), numberOr(max, Number.POSITIVE_INFINITY)];
    return unlessNull((value) => {
      const text = valueText(delimiter ?? '') || ',';
      const parts = Array.isArray(value) ? value.map(valueText) : valueText(value).split(text, batchLimit + 1);
      if (parts.length > batchLimit) return 'validation.tooMany';
      const chosen = parts.map((item) => item.trim()).filter((item) => item !== '');
      if (chosen.length < minItems) return 'validation.tooFew';
      if (chosen.length > maxItems) return 'validation.tooMany';
      return chosen.every((item) => items.has(item)) ? undefined : 'validation.invalid';
    });
  },
};

interface Rule {
  check: Check;
  onFail: string | undefined;
}

const compiledRules = new WeakMap<FieldDescription, Rule[]>();

/**
 * The value a field is to have, or `omittedField`. The rules are checked in the order they are stored in; the first that is
 * broken decides. Throws its failure, all 400 but for rules that are not usable themselves.
 */
export function validateValue(column: Column, value: unknown, isUpdate: boolean): unknown {
  const { description } = column;
  if (description.validation === null) return value;
  const fieldRules = compiledRules.get(description) ?? compileRules(description);
  compiledRules.set(description, fieldRules);
  for (const { check, onFail } of fieldRules) {
    const problem = check(value, isUpdate);
    if (problem === undefined) continue;
    if (problem === omittedField || onFail?.toLowerCase() === 'ignore_field') return omittedField;
    throw failureOf(problem, column.name, onFail);
  }
  return value;
}

function compileRules(field: FieldDescription): Rule[] {
  return Object.entries(field.validation ?? {}).flatMap(([name, config]) => {
    const options = isRecord(config) ? config : {};
    const onFail = typeof options.on_fail === 'string' && options.on_fail !== '' ? options.on_fail : undefined;
    if (name === 'api_read_only')
      return [{ check: () => (config === null ? 'validation.readOnly' : omittedField), onFail }];
    return Object.hasOwn(rules, name) ? [{ check: rules[name]!(options, field), onFail }] : [];
  });
}

/** Wrong settings of a rule are no fault of the caller: the message of the rule does not hide them. */
function failureOf(problem: Problem, field: string, onFail: string | undefined): Failure {
  const failure = fail(problem, { field });
  return onFail === undefined || failure.status >= 500 ? failure : fail('validation.told', { text: onFail });
}

// ---- what rules look at ----

/** As a column of texts would store it; an object has no other way to become a text. */
const valueText = (value: unknown): string => {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
};

/** What a rule takes for empty: text and number alike. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === '0' || value === 0 || value === false || isEmptyList(value);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const unlessEmpty =
  (check: (value: unknown) => Problem | undefined): Check =>
  (value) =>
    isEmpty(value) ? undefined : check(value);

const unlessNull =
  (check: (value: unknown) => Problem | undefined): Check =>
  (value) =>
    value === null || isEmptyList(value) ? undefined : check(value);

const notEmpty: Check = (value) => (value !== null && isEmpty(value) ? 'validation.notEmpty' : undefined);

const booleanWords = new Set(['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no']);

/** An address with a scheme and a host, or of a mailbox. */
const isUrl = (text: string): boolean =>
  /^([a-z][a-z\d+.-]*:\/\/[^\s/]|mailto:\S)\S*$/i.test(text) && URL.canParse(text);

function isInteger(value: unknown, { range, formats }: Options): boolean {
  const number = parseInteger(valueText(value).trim(), parseFormats(formats));
  if (number === undefined) return false;
  const { min, max } = isRecord(range) ? range : {};
  return number >= numberOr(min, Number.NEGATIVE_INFINITY) && number <= numberOr(max, Number.POSITIVE_INFINITY);
}

const parseFormats = (formats: unknown): string[] =>
  (Array.isArray(formats) ? formats.map(valueText) : valueText(formats ?? '').split(',')).map((item) =>
    item.trim().toLowerCase(),
  );

/** Of 64 bits, as databases keep them. */
function parseInteger(text: string, formats: string[]): bigint | undefined {
  const isHex = formats.includes('hex') && /^0x[\da-f]{1,16}$/i.test(text);
  const isOctal = formats.includes('octal') && /^0o?[0-7]{1,22}$/i.test(text);
  if (isHex) return BigInt(text);
  if (isOctal && text.length > 1) return BigInt(`0o${text.replace(/^0o?/i, '')}`);
  if (!/^[+-]?(0|[1-9]\d{0,18})$/.test(text)) return undefined;
  const number = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

/** Numbers by the sign between their digits. */
const floats = {
  '.': /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?\s*$/i,
  ',': /^\s*[+-]?(\d+,?\d*|,\d+)(e[+-]?\d{1,4})?\s*$/i,
};

const isFloat = (value: unknown, decimal: unknown): boolean =>
  typeof value === 'number' ||
  (valueText(value).length <= 1000 && floats[decimal === ',' ? ',' : '.'].test(valueText(value)));

function numberOr(value: unknown, fallback: number): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
  return Number.isNaN(number) ? fallback : number;
}
