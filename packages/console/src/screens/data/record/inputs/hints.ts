// What a field's validation requires, as hints before one types (contract/database-tables.md §10). Pure.
import type { FieldDescription } from '@sluice/contract';
import { text } from '../../../../text/index.ts';
import { multiPicklistRules } from './picklist.ts';

type Options = Record<string, unknown>;

const hints: Record<string, (options: Options) => string> = {
  not_empty: () => text('data:hint.notEmpty'),
  not_zero: () => text('data:hint.notEmpty'),
  email: () => text('data:hint.email'),
  url: () => text('data:hint.url'),
  int: ({ range }) => rangeHint(isOptions(range) ? range : {}),
  match: () => text('data:hint.match'),
  multi_picklist: (options) => {
    const { min, max } = multiPicklistRules(options);
    return max === null ? text('data:hint.atLeast', { count: min }) : text('data:hint.choices', { min, max });
  },
};

/** The rules a person can follow, in words, in stored order; the others concern the server only. */
export const hintsOf = (field: FieldDescription): string[] =>
  Object.entries(field.validation ?? {}).flatMap(([rule, options]) => {
    const hint = Object.hasOwn(hints, rule) ? hints[rule] : undefined;
    return hint ? [hint(isOptions(options) ? options : {})] : [];
  });

function rangeHint({ min, max }: Options): string {
  const isLimit = (limit: unknown) => typeof limit === 'number' || (typeof limit === 'string' && limit !== '');
  if (isLimit(min) && isLimit(max)) return text('data:hint.between', { min: String(min), max: String(max) });
  if (isLimit(min)) return text('data:hint.from', { min: String(min) });
  return isLimit(max) ? text('data:hint.to', { max: String(max) }) : text('data:wrong.integer');
}

const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
