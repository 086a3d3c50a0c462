// What the account handlers share: where they answer, and how they read a request.
import type { Verb } from '@sluice/contract';
import type { Call, Reply } from '../../call/call.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { type Operation, type Route, routesOf } from '../../service/operation.ts';
import type { OpenService } from '../../service/service.ts';
import type { AccountKind } from '../index.ts';

/** Answers calls of one account resource, for `user/<name>` or `system/admin/<name>`. */
export type AccountHandler = (call: Call, kind: AccountKind) => Promise<Reply>;

/** What each verb does on an account resource, at either door. */
export type AccountOperations = Partial<
  Record<Verb, Pick<Operation<OpenService>, 'summary' | 'parameters' | 'token'> & { handle: AccountHandler }>
>;

/** The one address of an account resource; `isPublic` are the verbs that need no credentials. */
export function accountRoute(
  operations: AccountOperations,
  kind: AccountKind,
  isPublic: readonly Verb[] = [],
): Route<OpenService> {
  const entries = Object.entries(operations).map(([verb, { handle, ...said }]): [string, Operation<OpenService>] => [
    verb,
    {
      ...said,
      ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: 'object' }),
      answer: 'object',
      handle: (call) => handle(call, kind),
    },
  ]);
  return routesOf<OpenService>()('', Object.fromEntries(entries), { public: isPublic });
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
