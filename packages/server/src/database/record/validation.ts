// The rules a field may have for what is written into it (contract/database-tables.md §10).
import { type ErrorKey, type Failure, type FieldDescription, fail } from '@sluice/contract';
import type { Column } from '@sluice/sql';
import { isRecord } from '../../call/payload.ts';
import { isEmail } from '../../resource/fields.ts';
import { matches, readPattern } from '../pattern.ts';

/** In place of a value: the field is left out, as if it had not been sent. */
export const leftOut = Symbol('left out');

/** What is wrong with a value, by the key of its failure; those of this file tell the field's name and nothing else. */
type Problem = Exclude<Extract<ErrorKey, `validation.${string}`>, 'validation.told'>;
type Check = (value: unknown, isUpdate: boolean) => Problem | typeof leftOut | undefined;
type Options = Record<string, unknown>;

/** One entry for each rule: makes the check of a field that has it. */
const rules: Record<string, (options: Options, field: FieldDescription) => Check> = {
  create_only: () => (_, isUpdate) => (isUpdate ? 'validation.createOnly' : undefined),
  not_null: () => (value) => (value === null ? 'validation.notNull' : undefined),
  not_empty: () => notEmpty,
  not_zero: () => notEmpty,
  email: () => filled((value) => (isEmail(textOf(value)) ? undefined : 'validation.email')),
  url: () => filled((value) => (isUrl(textOf(value)) ? undefined : 'validation.url')),
  int: (options) => present((value) => (isInteger(value, options) ? undefined : 'validation.int')),
  float: ({ decimal }) => present((value) => (isFloat(value, decimal) ? undefined : 'validation.float')),
  boolean: () => present((value) => (truths.has(textOf(value).toLowerCase()) ? undefined : 'validation.boolean')),
  match({ regexp }) {
    const pattern = readPattern(regexp);
    if (!pattern) return filled(() => 'validation.noRegexp');
    return filled((value) => (matches(pattern, textOf(value)) ? undefined : 'validation.invalid'));
  },
  picklist(_, { picklist }) {
    if (!picklist?.length) return filled(() => 'validation.noPicklist');
    const items = new Set(picklist);
    return filled((value) => (items.has(textOf(value)) ? undefined : 'validation.invalid'));
  },
  multi_picklist: ({ delimiter, min, max }, { picklist }) => {
    if (!picklist?.length) return filled(() => 'validation.noPicklist');
    const items = new Set(picklist);
    const [least, most] = [numberOr(min, 1), numberOr(max, Number.POSITIVE_INFINITY)];
    return present((value) => {
      const text = textOf(delimiter ?? '') || ',';
      const chosen = (Array.isArray(value) ? value.map(textOf) : textOf(value).split(text))
        .map((it) => it.trim())
        .filter((it) => it !== '');
      if (chosen.length < least) return 'validation.tooFew';
      if (chosen.length > most) return 'validation.tooMany';
      return chosen.every((it) => items.has(it)) ? undefined : 'validation.invalid';
    });
  },
};

interface Rule {
  check: Check;
  onFail: string | undefined;
}

const known = new WeakMap<FieldDescription, Rule[]>();

/**
 * The value a field is to have, or `leftOut`. The rules are asked in the order they are stored in; the first that is
 * broken decides. Throws its failure, all 400 but for rules that are not usable themselves.
 */
export function validated(column: Column, value: unknown, isUpdate: boolean): unknown {
  const { description } = column;
  if (description.validation === null) return value;
  const made = known.get(description) ?? rulesOf(description);
  known.set(description, made);
  for (const { check, onFail } of made) {
    const problem = check(value, isUpdate);
    if (problem === undefined) continue;
    if (problem === leftOut || onFail?.toLowerCase() === 'ignore_field') return leftOut;
    throw failureOf(problem, column.name, onFail);
  }
  return value;
}

function rulesOf(field: FieldDescription): Rule[] {
  return Object.entries(field.validation ?? {}).flatMap(([name, config]) => {
    const options = isRecord(config) ? config : {};
    const onFail = typeof options.on_fail === 'string' && options.on_fail !== '' ? options.on_fail : undefined;
    if (name === 'api_read_only') return [{ check: () => (config === null ? 'validation.readOnly' : leftOut), onFail }];
    return Object.hasOwn(rules, name) ? [{ check: rules[name]!(options, field), onFail }] : [];
  });
}

/** The wrong settings of a rule are not the caller's: what the rule would tell them does not hide that. */
function failureOf(problem: Problem, field: string, onFail: string | undefined): Failure {
  const failure = fail(problem, { field });
  return onFail === undefined || failure.status >= 500 ? failure : fail('validation.told', { text: onFail });
}

// ---- what rules look at ----

/** As a column of texts would keep it; an object may not be made a text in any other way. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** What a rule takes for nothing: text and number alike. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === '0' || value === 0 || value === false || isEmptyList(value);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const filled =
  (check: (value: unknown) => Problem | undefined): Check =>
  (value) =>
    isEmpty(value) ? undefined : check(value);

const present =
  (check: (value: unknown) => Problem | undefined): Check =>
  (value) =>
    value === null || isEmptyList(value) ? undefined : check(value);

const notEmpty: Check = (value) => (value !== null && isEmpty(value) ? 'validation.notEmpty' : undefined);

const truths = new Set(['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no']);

/** An address with a scheme and a host, or of a mailbox. */
const isUrl = (text: string): boolean =>
  /^([a-z][a-z\d+.-]*:\/\/[^\s/]|mailto:\S)\S*$/i.test(text) && URL.canParse(text);

function isInteger(value: unknown, { range, formats }: Options): boolean {
  const number = integerOf(textOf(value).trim(), formatsOf(formats));
  if (number === undefined) return false;
  const { min, max } = isRecord(range) ? range : {};
  return number >= numberOr(min, Number.NEGATIVE_INFINITY) && number <= numberOr(max, Number.POSITIVE_INFINITY);
}

const formatsOf = (formats: unknown): string[] =>
  (Array.isArray(formats) ? formats.map(textOf) : textOf(formats ?? '').split(',')).map((it) =>
    it.trim().toLowerCase(),
  );

/** Of 64 bits, as databases keep them. */
function integerOf(text: string, formats: string[]): bigint | undefined {
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
  (textOf(value).length <= 1000 && floats[decimal === ',' ? ',' : '.'].test(textOf(value)));

function numberOr(value: unknown, other: number): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
  return Number.isNaN(number) ? other : number;
}
