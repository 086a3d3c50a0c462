// Shared by the account handlers: their route, and how they read a body.
import type { Verb } from '@sluice/contract';
import type { Call, Reply } from '../../call/call.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { type Operation, type Route, routesOf } from '../../service/operation.ts';
import type { OpenService } from '../../service/service.ts';
import type { AccountKind } from '../index.ts';

/** Answers calls of one account resource, for `user/<name>` or `system/admin/<name>`. */
export type AccountHandler = (call: Call, kind: AccountKind) => Promise<Reply>;

type DescribedMembers =
  | 'summary'
  | 'parameters'
  | 'token'
  | 'only'
  | 'bodyFields'
  | 'answerFields'
  | 'errors'
  | 'status';

/** What each verb does on an account resource, at either door. */
export type AccountOperations = Partial<
  Record<Verb, Pick<Operation<OpenService>, DescribedMembers> & { handle: AccountHandler }>
>;

/** The only route of an account resource; `publicVerbs` need no credentials. */
export function accountRoute(
  operations: AccountOperations,
  kind: AccountKind,
  publicVerbs: readonly Verb[] = [],
): Route<OpenService> {
  const entries = Object.entries(operations).map(
    ([verb, { handle, only, ...description }]): [string, Operation<OpenService>] => [
      verb,
      {
        ...description,
        // The door of administrators is closed to others.
        ...(only ? { only: kind === 'admin' ? 'administrators' : only } : {}),
        ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: 'object' }),
        answer: 'object',
        handle: (call) => handle(call, kind),
      },
    ],
  );
  return routesOf<OpenService>()('', Object.fromEntries(entries), { public: publicVerbs });
}

/** The fields of a JSON or form body; a body of another shape has none. */
export async function readFields(call: Call): Promise<RecordInput> {
  const body = await call.body();
  return isRecord(body) ? body : {};
}

/** The text of a field; empty for anything else, so that absent and empty are the same. */
export function readTextField(fields: RecordInput, name: string): string {
  const value = fields[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : '';
}
