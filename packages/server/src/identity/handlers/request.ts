// What the account handlers share in reading a request.
import { fail, verbs } from '@sluice/contract';
import type { Call, Reply } from '../../call/call.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import type { AccountKind } from '../index.ts';

/** Answers calls of one account resource, for `user/<name>` or `system/admin/<name>`. */
export type AccountHandler = (call: Call, kind: AccountKind) => Promise<Reply>;

export type Verbs = Partial<Record<Call['verb'], AccountHandler>>;

/** One handler out of one for each verb; any other verb is the 405 that names the resource. */
export function byVerb(name: string, handlers: Verbs): AccountHandler {
  const allow = verbs.filter((verb) => handlers[verb]);
  return async (call, kind) => {
    const handler = handlers[call.verb];
    if (!handler) throw fail('http.verbNotSupported', { verb: call.verb, path: '', service: name }, { allow });
    return handler(call, kind);
  };
}

/** The fields of a JSON or form body; a body of another shape has none. */
export async function fieldsOf(call: Call): Promise<RecordInput> {
  const body = await call.body();
  return isRecord(body) ? body : {};
}

/** A field's text; empty for anything else, so that absent and empty are one. */
export function textOf(fields: RecordInput, name: string): string {
  const value = fields[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : '';
}
