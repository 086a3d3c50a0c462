// The lists of routines, and their descriptions.
import { fail, verbMask, verbsOf } from '@sluice/contract';
import type { Database, Routine, RoutineEntry, RoutineKind, Routines } from '@sluice/sql';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { recordsOf, stringifyInput } from '../../call/payload.ts';
import type { DescribeItem } from '../../service/operation.ts';
import { callerMask, selectKeys, withAccess } from '../../service/root.ts';
import { filterByName } from '../name-filter.ts';
import type { DatabaseParts } from '../parts.ts';
import { isAddressable } from './address.ts';

/** The resource whose items routines of a kind are. */
export const routineResources = { procedure: '_proc', function: '_func' } as const satisfies Record<
  RoutineKind,
  string
>;

/** A type of services with `_proc` opens databases with routines. */
export function requireRoutines({ routines }: Database): Routines {
  if (!routines) throw new Error('the service offers routines that its database does not have');
  return routines;
}

/** The names of the routines that can be called, in natural order. */
export async function routineNames(kind: RoutineKind, parts: DatabaseParts, refresh = false): Promise<string[]> {
  return (await listEntries(kind, refresh, parts)).map(({ name }) => name);
}

/** What describes routines by their names, for API docs; those of one name have one description together. */
export const routineDescriber =
  (kind: RoutineKind, parts: DatabaseParts): DescribeItem =>
  async (name) => {
    const routines = await requireRoutines(await parts.database()).findAll(kind, name);
    const taken = routines.flatMap(({ parameters }) => parameters.filter(({ direction }) => direction !== 'OUT'));
    const byName = new Map(taken.map((parameter) => [parameter.name, parameter]));
    const parameters = [...byName.values()].map(({ name: parameter, column, hasDefault }) => ({
      name: parameter,
      field: column.description,
      isRequired: !hasDefault && routines.length === 1,
    }));
    return { routine: { description: routines[0].description, parameters } };
  };

async function listEntries(kind: RoutineKind, refresh: boolean, parts: DatabaseParts): Promise<RoutineEntry[]> {
  const entries = await requireRoutines(await parts.database()).list(kind, { refresh });
  return entries.filter(({ name }) => isAddressable(name));
}

/** `GET {db}/_proc` and `GET {db}/_func`: the routines the caller may call in any way, or descriptions of some. */
export async function listRoutines(call: Call, kind: RoutineKind, parts: DatabaseParts): Promise<Reply> {
  const resource = routineResources[kind];
  const payload = await call.body();
  const query = readListQuery(call, payload);
  const names = query.ids?.map(stringifyInput) ?? recordsOf(payload).map(({ name }) => stringifyInput(name));
  if (names.length > 0) return describeRoutines(call, kind, names, query.refresh, parts);
  const entries = filterByName(await listEntries(kind, query.refresh, parts), [], call.query.get('schema'));
  const visibleEntries = entries.filter(({ name }) => callerMask(call, `${resource}/${name}`) !== 0);
  if (query.asList) return answer({ resource: visibleEntries.map(({ name }) => name) });
  const fields = query.fields ?? 'name';
  return answer({
    resource: visibleEntries.map(({ name, label, description }) => {
      const component = `${resource}/${name}`;
      const access = verbsOf(callerMask(call, component));
      const record = { alias: null, name, label, description, native: [], access };
      return withAccess(call, selectKeys(record, fields), component);
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
  const routines = requireRoutines(await parts.database());
  if (refresh) await routines.list(kind, { refresh });
  const descriptions: unknown[] = [];
  for (const name of names) {
    const component = `${routineResources[kind]}/${name}`;
    const mask = callerMask(call, component);
    if ((mask & verbMask.GET) === 0)
      throw fail('access.deniedInside', { verb: call.verb, component, service: call.service });
    if (!isAddressable(name)) throw fail('routine.unknown', { kind, name: name.slice(0, 200) });
    for (const routine of await routines.findAll(kind, name)) descriptions.push(describeRoutine(routine, mask));
  }
  return answer({ resource: descriptions });
}

/** Each routine of a name has a description of its own. */
const describeRoutine = ({ name, label, description, returns, parameters }: Routine, access: number) => ({
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
