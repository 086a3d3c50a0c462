// A field while it is edited: what its inputs hold, what is wrong with them, and what is sent. Pure.
import type { FieldDescription } from '@sluice/contract';
import { text } from '../../../text/index.ts';
import { type FieldDraft, fieldProblem } from '../draft/field.ts';
import { findJsonError } from '../draft/json-error.ts';
import { optionsOf, patternOf, readValidation, validationToSend, writeValidation } from './rules.ts';
import { hasLength, hasPrecision, isAutomatic, isNumber, moreReturnTypes, returnTypes } from './types.ts';

export interface FieldForm {
  draft: FieldDraft;
  /** Whether the database's own type is typed in place of a simple one. */
  isManual: boolean;
  /** The rules as JSON, while they are typed. */
  validation: string;
}

/** The server's description of a field that it has; null for one that is new to it. */
export type Original = FieldDescription | null;

export const formOf = (draft: FieldDraft): FieldForm => ({
  draft,
  isManual: !draft.type && Boolean(draft.db_type),
  validation: writeValidation(draft.validation ?? {}),
});

// ---- defaults ----

/** Whether a default is SQL that the database evaluates. */
export const isExpression = (value: unknown): value is { expression: string } =>
  typeof value === 'object' && value !== null && 'expression' in value;

export const defaultText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : isExpression(value)
      ? String(value.expression)
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** What is typed as a default, as a value of the field's type; an empty text is none. */
export function readDefault(typed: string, type: string | null): unknown {
  if (typed === '') return null;
  if (type === 'boolean') return /^(true|1)$/i.test(typed) ? true : /^(false|0)$/i.test(typed) ? false : null;
  // A number that would come out as another text stays one.
  return isNumber(type) && String(Number(typed)) === typed ? Number(typed) : typed;
}

// ---- types ----

/** What the type of a field takes with it: with the type it had, the field gets back what it had. */
const typed = [
  'type',
  'db_type',
  'length',
  'precision',
  'scale',
  'fixed_length',
  'supports_multibyte',
  'auto_increment',
  'is_primary_key',
  'is_foreign_key',
  'allow_null',
] as const;

/** A field with another type, and what people who choose it mean by it; null: its database's own, typed in. */
export function withType(form: FieldForm, type: string | null, original: Original): FieldForm {
  const { draft } = form;
  const isManual = type === null;
  if (original && type === original.type) {
    const back = Object.fromEntries(typed.map((key) => [key, original[key]]));
    return { ...form, isManual, draft: { ...draft, ...back, default: readDefault(defaultText(draft.default), type) } };
  }
  const wasId = draft.type === 'id';
  const isId = type === 'id';
  const isReference = type === 'reference';
  const next: FieldDraft = {
    ...draft,
    type,
    db_type: isManual ? (original?.db_type ?? draft.db_type) : null,
    default: isAutomatic(type)
      ? null
      : isExpression(draft.default)
        ? draft.default
        : readDefault(defaultText(draft.default), type),
  };
  if (isId || wasId) {
    next.auto_increment = isId;
    next.is_primary_key = isId || Boolean(original?.is_primary_key);
    if (isId) next.allow_null = next.is_unique = next.is_index = false;
  }
  if (isReference) next.is_foreign_key = true;
  else if (draft.type === 'reference' && !original?.is_foreign_key) {
    Object.assign(next, {
      is_foreign_key: false,
      ref_table: '',
      ref_field: '',
      ref_on_update: null,
      ref_on_delete: null,
    });
  }
  return { ...form, isManual, draft: next };
}

/** A field that has a column, or has none and is computed. */
export function withVirtual(form: FieldForm, isVirtual: boolean): FieldForm {
  const draft = { ...form.draft, is_virtual: isVirtual, is_aggregate: false };
  if (!isVirtual) return { ...form, draft };
  const canReturn = [...returnTypes, ...moreReturnTypes].includes(draft.type ?? '');
  const { draft: stripped } = withType({ ...form, draft }, canReturn ? draft.type : 'string', null);
  const none = { default: null, is_unique: false, is_index: false, auto_increment: false };
  const functions = draft.db_function?.length ? draft.db_function : [{ use: ['SELECT'], function: '' }];
  return { ...form, isManual: false, draft: { ...stripped, ...none, db_type: null, db_function: functions } };
}

// ---- what is sent ----

const trimmed = (value: string | null): string | null => value?.trim() || null;

type Sizes = Pick<
  FieldDraft,
  'type' | 'db_type' | 'length' | 'precision' | 'scale' | 'fixed_length' | 'supports_multibyte'
>;
const sizesOf = ({ type, db_type, length, precision, scale, fixed_length, supports_multibyte }: Sizes): Sizes => ({
  type,
  db_type,
  length,
  precision,
  scale,
  fixed_length,
  supports_multibyte,
});

/**
 * The type and its sizes so that they do not contradict each other: the server takes the first size it gets, and a `db_type`
 * that is more precise than the type.
 */
function typeToSend({ draft, isManual }: FieldForm, original: Original): Sizes {
  const nothing = { length: null, precision: null, scale: null, fixed_length: false, supports_multibyte: false };
  const scale = original ? null : 0;
  if (draft.is_virtual)
    return original
      ? sizesOf({ ...original, type: draft.type })
      : { ...nothing, scale, type: draft.type, db_type: null };
  if (isManual) {
    const db_type = trimmed(draft.db_type);
    return original && db_type === original.db_type ? sizesOf(original) : { ...nothing, scale, type: null, db_type };
  }
  const { type } = draft;
  const isOther = type !== original?.type;
  const sizes = { ...sizesOf(draft), db_type: isOther ? null : draft.db_type };
  if (hasPrecision(type)) return { ...sizes, length: draft.precision };
  if (!isOther) return { ...sizes, precision: draft.length === original?.length ? draft.precision : null };
  if (!hasLength(type)) return { ...nothing, scale, type, db_type: null };
  const isText = type === 'string';
  const flags = { fixed_length: isText && draft.fixed_length, supports_multibyte: isText && draft.supports_multibyte };
  return { ...sizes, ...flags, precision: null, scale };
}

/** The field as it is sent or kept: whole, as the documents say (OPEN-172), without what does not belong to its type. */
export function fieldToSend(form: FieldForm, original: Original): FieldDraft {
  const { draft } = form;
  const picklist = (draft.picklist ?? []).map((item) => item.trim()).filter(Boolean);
  const functions = (draft.db_function ?? [])
    .filter((item) => item.function.trim() !== '')
    .map((item) => ({ ...item, function: item.function.trim() }));
  return {
    ...draft,
    ...typeToSend(form, original),
    name: draft.name.trim(),
    alias: trimmed(draft.alias),
    label: draft.label.trim(),
    description: trimmed(draft.description),
    picklist: picklist.length === 0 ? null : picklist,
    validation: validationToSend(form.validation),
    db_function: functions.length === 0 ? null : functions,
  };
}

/** The order of keys says nothing, except among rules: the first that fails counts. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

// ---- what is wrong ----

/** Inputs that can be wrong. */
export type ProblemPlace =
  | 'name'
  | 'type'
  | 'db_type'
  | 'length'
  | 'default'
  | 'ref_table'
  | 'validation'
  | 'picklist'
  | 'db_function';
export type Problems = Partial<Record<ProblemPlace, string>>;

/** What of a column can differ from what it is, so that its default is taken along. */
const columnKeys = [
  'db_type',
  'length',
  'precision',
  'scale',
  'fixed_length',
  'supports_multibyte',
  'type',
  'allow_null',
  'auto_increment',
  'is_unique',
  'is_index',
] as const;

export function findProblems(form: FieldForm, others: readonly { name: string }[], original: Original): Problems {
  const { draft, isManual } = form;
  const field = fieldToSend(form, original);
  const problems: Problems = {};
  const required = text('schema:field.nameAndType');
  const typeOrDbType = { type: field.type || 'string' };
  const nameProblem = original ? null : fieldProblem({ ...field, ...typeOrDbType }, others);
  if (nameProblem) problems.name = nameProblem;
  if (isManual && !draft.is_virtual) {
    if (!field.type && !field.db_type) problems.db_type = required;
  } else if (!field.type) problems.type = required;
  if (draft.is_virtual) {
    if (!field.db_function?.some(({ use }) => use.includes('SELECT')))
      problems.db_function = text('schema:field.problem.noSelect');
  } else {
    if ((field.type === 'reference' || field.is_foreign_key) && !field.ref_table)
      problems.ref_table = text('schema:field.problem.refTable');
    if (
      original &&
      field.type === original.type &&
      original.length !== null &&
      field.length === null &&
      field.db_type === original.db_type
    )
      problems.length = text('schema:field.problem.length');
    if (
      original &&
      !isSame(field.default, original.default) &&
      columnKeys.every((key) => isSame(field[key], original[key]))
    )
      problems.default = text('schema:field.problem.defaultAlone');
  }
  if (field.db_function?.some(({ use }) => use.length === 0)) problems.db_function = text('schema:field.problem.noUse');
  const validation = readValidation(form.validation);
  if (validation === null) {
    const place = findJsonError(form.validation);
    problems.validation = place
      ? text('schema:field.problem.validationAt', { ...place })
      : text('schema:field.problem.validation');
  } else if ('match' in validation && !/^\/.+\/[a-z]*$/is.test(patternOf(optionsOf(validation, 'match'))))
    problems.validation = text('schema:field.problem.pattern');
  else if (('picklist' in validation || 'multi_picklist' in validation) && !field.picklist)
    problems.picklist = text('schema:field.problem.picklist');
  return problems;
}
