// `_proc` and `_func`: the stored procedures and functions of a database, listed, described and called
// (contract/database-schema.md §10). The values of a call are read in values.ts, its answer is shaped in result.ts.
import { fail } from '@sluice/contract';
import type { RoutineKind } from '@sluice/sql';
import { sessionLookup } from '../../access/lookups.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { callerKey } from '../../call/caller-key.ts';
import { isRecord } from '../../call/payload.ts';
import { type DatabaseParts, queryTimeoutOf } from '../parts.ts';
import { isAddressable, parseAddress } from './address.ts';
import { requireRoutines } from './list.ts';
import { shapeResult } from './result.ts';
import { chooseRoutine, readInput } from './values.ts';

export { listRoutines, routineDescriber, routineNames, routineResources } from './list.ts';

/**
 * `GET` and `POST` of `{db}/_proc/{name}` and `{db}/_func/{name}`; `address` is the name, with values in parentheses or
 * without.
 */
export async function callRoutine(
  call: Call,
  kind: RoutineKind,
  address: string,
  parts: DatabaseParts,
): Promise<Reply> {
  const { name, inline } = parseAddress(address);
  if (name === '') throw fail('routine.noName', { kind });
  const payload = await call.body();
  if (payload !== undefined && !isRecord(payload)) throw fail('routine.parameters');
  const routines = requireRoutines(await parts.database());
  if (!isAddressable(name)) throw fail('routine.unknown', { kind, name: name.slice(0, 200) });
  const candidates = await routines.findAll(kind, name);
  const lookup = sessionLookup(call);
  const { routine, values } = chooseRoutine(candidates, readInput(payload?.params, inline, call.query, lookup));
  const timeout = queryTimeoutOf(parts.config, parts.context);
  const result = await routines.call(routine, values, { signal: call.signal, timeout, caller: callerKey(call) });
  return answer(shapeResult(result, payload ?? {}, call.query));
}
