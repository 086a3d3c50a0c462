// What a save sends of a record, and what of it would be refused. Every edit is checked before any is sent: nothing that is marked as
// wrong leaves the console, wherever the edit comes from. Pure.
import type { FieldDescription } from '@sluice/contract';
import { text } from '../../../text/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import { validateDraft } from '../values/check.ts';
import { type Drafts, dirtyDrafts, isRequired, lockOf, ownValue, toValue } from '../values/values.ts';
import type { Edits, RowDraft } from './edits.ts';
import type { FieldErrors } from './field-errors.ts';

/** The fields a PATCH sends: the changed ones, so that nobody else's changes are overwritten (TBL-025). */
const patchedFields = (schema: Schema, dirty: Drafts) => schema.field.filter(({ name }) => Object.hasOwn(dirty, name));

/** The fields a POST sends: those with a draft. A null is left out in a key that the database counts up itself (TBL-023). */
const postedFields = (schema: Schema, drafts: Drafts) =>
  schema.field.filter(
    (field) =>
      lockOf(field, schema, true) === null &&
      (ownValue(drafts, field.name) !== undefined || isRequired(field)) &&
      !(field.auto_increment && !field.allow_null && (ownValue(drafts, field.name) ?? '') === ''),
  );

const errorsOf = (fields: readonly FieldDescription[], drafts: Drafts): FieldErrors =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const error = validateDraft(field, ownValue(drafts, field.name));
      return error === null ? [] : [[field.name, error]];
    }),
  );

/** What is wrong with the changes of a record, by field. */
export function patchErrors(schema: Schema, original: Row, drafts: Drafts): FieldErrors {
  const dirty = dirtyDrafts(original, drafts);
  return errorsOf(patchedFields(schema, dirty), dirty);
}

/** What is wrong with a new record, by field. */
export const postErrors = (schema: Schema, drafts: Drafts): FieldErrors =>
  errorsOf(postedFields(schema, drafts), drafts);

function toRecord(fields: readonly FieldDescription[], drafts: Drafts): Row {
  const record: Row = {};
  for (const field of fields) {
    const result = toValue(field, ownValue(drafts, field.name));
    if ('error' in result) throw new Error(`${field.name} was not checked before it was sent`);
    record[field.name] = result.value;
  }
  return record;
}

/** The body of a PATCH: the key and the changed fields. */
export function toPatch(schema: Schema, original: Row, drafts: Drafts): Row {
  const dirty = dirtyDrafts(original, drafts);
  const key = Object.fromEntries(schema.primary_key.map((name) => [name, original[name]]));
  return { ...key, ...toRecord(patchedFields(schema, dirty), dirty) };
}

/** The body of a POST. */
export const toPost = (schema: Schema, drafts: Drafts): Row => toRecord(postedFields(schema, drafts), drafts);

/** The same errors with one of the whole record, which says how many there are. */
export const withSummary = (errors: FieldErrors): FieldErrors => ({
  '': text('data:wrongFields', { count: Object.keys(errors).length }),
  ...errors,
});

/** Edits with what is wrong with each typed value, as if they had been typed now. */
export function checkTyped(schema: Schema | undefined, edits: Edits): Edits {
  const check = <T extends RowDraft>(edit: T): T => {
    const typed = (schema?.field ?? []).filter(({ name }) => ownValue(edit.drafts, name) !== undefined);
    return { ...edit, errors: errorsOf(typed, edit.drafts) };
  };
  return {
    ...edits,
    recordEdits: new Map([...edits.recordEdits].map(([id, edit]) => [id, check(edit)])),
    newRows: new Map([...edits.newRows].map(([id, rowDraft]) => [id, check(rowDraft)])),
  };
}
