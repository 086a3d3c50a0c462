// The rules a field can have for values that are written (contract/database-tables.md §10), as the editor offers them: which are on
// stands in the JSON, which is what is sent.

export type RuleName = (typeof ruleNames)[number];

/** In the order they are offered. */
export const ruleNames = [
  'not_null',
  'not_empty',
  'not_zero',
  'api_read_only',
  'create_only',
  'picklist',
  'multi_picklist',
  'email',
  'url',
  'int',
  'float',
  'boolean',
  'match',
] as const;

/** What is said of a rule besides that it is on. */
export type RuleOptions = Record<string, unknown>;
export type Validation = Record<string, unknown>;

/** The rules a text says; null when it is no JSON object. Empty text: none. */
export function readValidation(text: string): Validation | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Validation) : null;
  } catch {
    return null;
  }
}

export const writeValidation = (validation: Validation): string =>
  Object.keys(validation).length === 0 ? '' : JSON.stringify(validation, null, 2);

/** What is sent of a text that is valid. */
export const validationToSend = (text: string): Validation | null => {
  const validation = readValidation(text) ?? {};
  return Object.keys(validation).length === 0 ? null : validation;
};

export const optionsOf = (validation: Validation, rule: RuleName): RuleOptions => {
  const options = Object.hasOwn(validation, rule) ? validation[rule] : null;
  return typeof options === 'object' && options !== null ? (options as RuleOptions) : {};
};

/** A rule with its options, or without the rule where they are null; the order of the others stays: the first failure counts. */
export function withRule(validation: Validation, rule: RuleName, options: RuleOptions | null): Validation {
  if (options !== null) return { ...validation, [rule]: options };
  return Object.fromEntries(Object.entries(validation).filter(([name]) => name !== rule));
}

/** Options with one of them changed; an empty text leaves it out. */
export function withOption(options: RuleOptions, name: string, value: string): RuleOptions {
  const rest = Object.fromEntries(Object.entries(options).filter(([key]) => key !== name));
  return value === '' ? rest : { ...rest, [name]: value };
}

/** The pattern of `match`, which is kept as base64 of its text, or as it is. */
export function patternOf({ regexp }: RuleOptions): string {
  if (typeof regexp !== 'string' || regexp.startsWith('/')) return String(regexp ?? '');
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(regexp), (letter) => letter.charCodeAt(0)));
  } catch {
    return '';
  }
}

export const encodePattern = (pattern: string): string =>
  pattern === '' ? '' : btoa(String.fromCharCode(...new TextEncoder().encode(pattern)));
