// What every service answers at its root: the resources it consists of, alike for all (contract/http-basics.md §9).
import { truthy, verbsOf } from '@sluice/contract';
import { maskOf } from '../access/gate.ts';
import { answer, type Call, type Reply } from '../call/call.ts';
import { commaList, listQuery } from '../call/list-query.ts';

/** A resource as `fields=*` lists it; its name is the component roles know it by. */
export type RootEntry = { name: string } & Record<string, unknown>;

/**
 * Answers the list of a service's resources: names alone unless fields were asked for; `as_list`, `include_access`, and
 * `as_access_list`, which is `accessList` asked with the caller's masks.
 */
export async function listResources(
  call: Call,
  resources: RootEntry[],
  accessList: (allowed: (component: string) => number) => string[] | Promise<string[]>,
): Promise<Reply> {
  const { query } = call;
  if (truthy(query.get('as_access_list')))
    return answer({ resource: await accessList((component) => callerMask(call, component)) });
  if (truthy(query.get('as_list'))) return answer({ resource: resources.map(({ name }) => name) });
  const fields = listQuery(call).fields || 'name';
  return answer({ resource: resources.map((it) => withAccess(call, project(it, fields), it.name)) });
}

/** The verbs the caller has on a component of the service called. */
export const callerMask = (call: Call, component: string): number => maskOf(call.caller, call.service, component);

/** Keeps the asked keys in the order they have; names nothing has are left out. */
export function project(record: Record<string, unknown>, fields: string | string[]): Record<string, unknown> {
  const asked = typeof fields === 'string' ? (commaList(fields) ?? []) : fields;
  if (asked.includes('*')) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => asked.includes(key)));
}

/** Adds the caller's verbs on a component where `include_access` asks for them. */
export function withAccess(call: Call, record: Record<string, unknown>, component: string): Record<string, unknown> {
  return truthy(call.query.get('include_access'))
    ? { ...record, access: verbsOf(callerMask(call, component)) }
    : record;
}
