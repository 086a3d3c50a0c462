// Which cells can be edited, what a text means in them, and whether a draft is valid before the server is asked. Pure.
import type { FieldDescription } from '@sluice/contract';
import { text } from '../../../text/index.ts';
import type { Schema } from '../address/sources.ts';
import { type Draft, inputKind, isRequired, lockOf, toValue, treatsEmptyAsNull } from './values.ts';

const booleanWords = new Map<string, boolean>(
  Object.entries({
    true: true,
    t: true,
    yes: true,
    y: true,
    on: true,
    1: true,
    wahr: true,
    false: false,
    f: false,
    no: false,
    n: false,
    off: false,
    0: false,
    falsch: false,
  }),
);

/** The draft a typed or pasted text means in a field. An empty text is null where it can mean nothing else. */
export function textToDraft(field: FieldDescription, input: string): Draft {
  if (input === '' && treatsEmptyAsNull(field.type)) return null;
  if (inputKind(field.type) === 'boolean') return booleanWords.get(input.trim().toLowerCase()) ?? input;
  return input;
}

/** The only values a field accepts; null when it accepts any. */
export const fixedChoices = (field: FieldDescription): readonly string[] | null =>
  field.picklist && 'picklist' in (field.validation ?? {}) ? field.picklist : null;

/** What is wrong with a draft, in words; null when it is valid. */
export function validateDraft(field: FieldDescription, draft: Draft): string | null {
  if (draft === null && field.auto_increment) return null;
  if (draft === null && !field.allow_null) {
    return text(isRequired(field) ? 'data:wrong.required' : 'data:wrong.notNull');
  }
  const result = toValue(field, draft);
  if ('error' in result) return text(`data:wrong.${result.error}`);
  if (typeof draft !== 'string') return null;
  if (inputKind(field.type) === 'boolean') return text('data:wrong.boolean');
  const choices = fixedChoices(field);
  if (choices && draft !== '' && !choices.includes(draft)) return text('data:wrong.choice');
  const isTooLong = field.type === 'string' && field.length !== null && characterCount(draft) > field.length;
  return isTooLong ? text('data:atMost', { count: field.length ?? 0 }) : null;
}

// Databases count characters, not the two halves some of them have in JavaScript.
const characterCount = (value: string): number => Array.from(value).length;

/** Why a cell cannot be edited in the grid, in words; null when it can. */
export function lockReason(field: FieldDescription, schema: Schema, isNew: boolean): string | null {
  if (schema.primary_key.length === 0) return text(schema.is_view ? 'data:view' : 'data:keyless');
  const lock = lockOf(field, schema, isNew);
  if (lock !== null) return text(`data:lock.${lock}`);
  if (field.auto_increment) return text('data:counted');
  return field.type === 'binary' ? text('data:grid.bytes') : null;
}
