// `_proc` and `_func`: the stored procedures and functions of a database, listed, described and called
// (contract/database-schema.md §10). What a call may bring is in values.ts, what it answers in result.ts.
import { fail, type Verb } from '@sluice/contract';
import type { RoutineKind } from '@sluice/sql';
import { sessionLookup } from '../../access/lookups.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';
import type { Operation } from '../../service/service.ts';
import { type DatabaseParts, queryTimeoutOf } from '../parts.ts';
import { addressed, isSayable } from './address.ts';
import { listRoutines, type RoutineResource, routinesOf } from './list.ts';
import { shaped } from './result.ts';
import { chosen, givenValues } from './values.ts';

export { type RoutineResource, routineNames } from './list.ts';

export const routineKinds: Record<RoutineResource, RoutineKind> = { _proc: 'procedure', _func: 'function' };

export const routineOperations: Operation[] = [
  { verb: 'GET', path: '_proc', summary: 'List the stored procedures, or describe those of ids=' },
  { verb: 'GET', path: '_proc/{procedure_name}', summary: 'Call a stored procedure' },
  { verb: 'POST', path: '_proc/{procedure_name}', summary: 'Call a stored procedure with parameters' },
  { verb: 'GET', path: '_func', summary: 'List the stored functions, or describe those of ids=' },
  { verb: 'GET', path: '_func/{function_name}', summary: 'Call a stored function' },
  { verb: 'POST', path: '_func/{function_name}', summary: 'Call a stored function with parameters' },
];

const listVerbs: Verb[] = ['GET'];
const callVerbs: Verb[] = ['GET', 'POST'];

/** A call on `_proc` or `_func`; `below` is what the path says behind it, undefined for the list. */
export function onRoutines(
  call: Call,
  resource: RoutineResource,
  below: string | undefined,
  parts: DatabaseParts,
): Promise<Reply> {
  const kind = routineKinds[resource];
  const allowed = below === undefined ? listVerbs : callVerbs;
  if (!allowed.includes(call.verb)) {
    const allow = [...allowed, 'HEAD'];
    throw fail('http.verbNotSupported', { verb: call.verb, path: below ?? '', service: resource }, { allow });
  }
  if (below === undefined) return listRoutines(call, resource, kind, parts);
  const { name, inline } = addressed(below);
  if (name === '') throw fail('routine.noName', { kind });
  return callRoutine(call, kind, name, inline, parts);
}

async function callRoutine(
  call: Call,
  kind: RoutineKind,
  name: string,
  inline: string | undefined,
  parts: DatabaseParts,
): Promise<Reply> {
  const payload = await call.body();
  if (payload !== undefined && !isRecord(payload)) throw fail('routine.parameters');
  const routines = routinesOf(await parts.database());
  if (!isSayable(name)) throw fail('routine.unknown', { kind, name: name.slice(0, 200) });
  const known = await routines.named(kind, name);
  const { routine, values } = chosen(known, givenValues(payload?.params, inline, call.query, sessionLookup(call)));
  const { signal } = call;
  const result = await routines.call(routine, values, { signal, timeout: queryTimeoutOf(parts.config, parts.context) });
  return answer(shaped(result, payload ?? {}, call.query));
}
