// The lists of routines, and their descriptions.
import { fail, verbMask, verbsOf } from '@sluice/contract';
import type { Database, Routine, RoutineEntry, RoutineKind, Routines } from '@sluice/sql';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { listQuery } from '../../call/list-query.ts';
import { recordsOf, wordOf } from '../../call/payload.ts';
import { callerMask, project, withAccess } from '../../service/root.ts';
import { isAsked } from '../names.ts';
import type { DatabaseParts } from '../parts.ts';
import { isSayable } from './address.ts';

/** The resource whose items routines of a kind are. */
export const routineResources = { procedure: '_proc', function: '_func' } as const satisfies Record<
  RoutineKind,
  string
>;

/** Types of services that have `_proc` open databases that have routines. */
export function routinesOf({ routines }: Database): Routines {
  if (!routines) throw new Error('the service offers routines that its database does not have');
  return routines;
}

/** The names of the routines that can be called, in natural order. */
export async function routineNames(kind: RoutineKind, parts: DatabaseParts): Promise<string[]> {
  return (await entriesOf(kind, false, parts)).map(({ name }) => name);
}

async function entriesOf(kind: RoutineKind, refresh: boolean, parts: DatabaseParts): Promise<RoutineEntry[]> {
  const entries = await routinesOf(await parts.database()).list(kind, { refresh });
  return entries.filter(({ name }) => isSayable(name));
}

/** `GET {db}/_proc` and `GET {db}/_func`: the routines the caller may call in any way, or descriptions of some. */
export async function listRoutines(call: Call, kind: RoutineKind, parts: DatabaseParts): Promise<Reply> {
  const resource = routineResources[kind];
  const payload = await call.body();
  const query = listQuery(call, payload);
  const names = query.ids?.map(wordOf) ?? recordsOf(payload).map(({ name }) => wordOf(name));
  if (names.length > 0) return describeRoutines(call, kind, names, query.refresh, parts);
  const shown = (await entriesOf(kind, query.refresh, parts)).filter(
    ({ name }) => isAsked(name, [], call.query.get('schema')) && callerMask(call, `${resource}/${name}`) !== 0,
  );
  if (query.asList) return answer({ resource: shown.map(({ name }) => name) });
  const fields = query.fields ?? 'name';
  return answer({
    resource: shown.map(({ name, label, description }) => {
      const component = `${resource}/${name}`;
      const access = verbsOf(callerMask(call, component));
      const record = { alias: null, name, label, description, native: [], access };
      return withAccess(call, project(record, fields), component);
    }),
  });
}

async function describeRoutines(
  call: Call,
  kind: RoutineKind,
  names: string[],
  refresh: boolean,
  parts: DatabaseParts,
): Promise<Reply> {
  const routines = routinesOf(await parts.database());
  if (refresh) await routines.list(kind, { refresh });
  const described: unknown[] = [];
  for (const name of names) {
    const component = `${routineResources[kind]}/${name}`;
    const mask = callerMask(call, component);
    if ((mask & verbMask.GET) === 0)
      throw fail('access.deniedInside', { verb: call.verb, component, service: call.service });
    if (!isSayable(name)) throw fail('routine.unknown', { kind, name: name.slice(0, 200) });
    for (const routine of await routines.named(kind, name)) described.push(describedRoutine(routine, mask));
  }
  return answer({ resource: described });
}

/** Routines of one name have a description each. */
const describedRoutine = ({ name, label, description, returns, parameters }: Routine, access: number) => ({
  alias: null,
  name,
  label,
  description,
  native: [],
  return_type: returns,
  return_schema: [],
  params: parameters.map(({ name: parameter, position, direction, column }) => {
    const { type, db_type, length, precision, scale, default: value } = column.description;
    return {
      name: parameter,
      position,
      param_type: direction,
      type,
      db_type,
      length,
      precision,
      scale,
      default: value,
    };
  }),
  access,
});
