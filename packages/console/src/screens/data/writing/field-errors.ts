// What speaks against a record, in words: the server's objections and the console's own. Pure.
import { ApiError } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import type { Schema } from '../address/sources.ts';
import { fieldOfMessage, type Payload } from '../values/values.ts';

/** By field name; what belongs to none stands under ''. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The server's, beside their fields; what belongs to none stands above them. */
export function fieldErrorsOf(error: unknown, schema: Schema | undefined): FieldErrors {
  if (!(error instanceof ApiError)) return { '': text('common:unknownError') };
  const byField = Object.entries(error.fieldMessages()).map(([name, all]) => [name, all.join(' ')]);
  if (byField.length > 0) return Object.fromEntries(byField);
  return Object.fromEntries(
    error.messages().map((message) => [fieldOfMessage(message, schema?.field ?? []) ?? '', message]),
  );
}

/** Of a record that can not be sent as it is. */
export const payloadErrors = (errors: Extract<Payload, { errors: unknown }>['errors']): FieldErrors =>
  Object.fromEntries([
    ['', text('data:wrongFields', { count: Object.keys(errors).length })],
    ...Object.entries(errors).map(([name, reason]) => [name, text(`data:wrong.${reason}`)]),
  ]);

/** Which record of a batch failed first (contract/database-tables.md §7). */
export function firstFailedIndex(error: unknown): number {
  const context = error instanceof ApiError ? (error.context as { error?: unknown } | null)?.error : undefined;
  return Array.isArray(context) && typeof context[0] === 'number' ? context[0] : 0;
}
