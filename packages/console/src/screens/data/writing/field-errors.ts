// What is wrong with a record, in words: the server's errors and the console's own. Pure.
import { ApiError } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import { fieldOfMessage } from '../values/values.ts';
import { missingReferenceErrors } from './reference-refusals.ts';

/** Messages by field name; those of no field have the name ''. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The server's messages, by field where they name one. `sent` is the record that failed, and its place in the call. */
export function fieldErrorsOf(
  error: unknown,
  schema: Schema | undefined,
  sent: { index: number; record: Row | undefined },
): FieldErrors {
  if (!(error instanceof ApiError)) return { '': text('common:unknownError') };
  const missing = schema && sent.record && missingReferenceErrors(error, sent.index, schema, sent.record);
  if (missing) return missing;
  const byField = Object.entries(error.fieldMessages()).map(([name, all]) => [name, all.join(' ')]);
  if (byField.length > 0) return Object.fromEntries(byField);
  return Object.fromEntries(
    error.messages().map((message) => [fieldOfMessage(message, schema?.field ?? []) ?? '', message]),
  );
}

/** The index of the first record of a batch that failed (contract/database-tables.md §7). */
export function firstFailedIndex(error: unknown): number {
  const context = error instanceof ApiError ? (error.context as { error?: unknown } | null)?.error : undefined;
  return Array.isArray(context) && typeof context[0] === 'number' ? context[0] : 0;
}
