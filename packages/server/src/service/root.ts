// What a service answers at its root: its resources, the same for all types (contract/http-basics.md §9).
import { truthy, verbsOf } from '@sluice/contract';
import { maskOf } from '../access/gate.ts';
import { answer, type Call, type Reply } from '../call/call.ts';
import { parseCommaList, readListQuery } from '../call/list-query.ts';
import { type Resource, type Route, routesOf } from './operation.ts';

/** The route of the root, which lists the resources that are not hidden; `hasAccessList`: roles may name them, too. */
export function rootRoute<Opened>(resources: readonly Resource<Opened>[], hasAccessList: boolean): Route<Opened> {
  const visible = resources.filter(({ isHidden }) => !isHidden);
  return routesOf<Opened>()('', {
    GET: {
      summary: 'List the resources of the service',
      parameters: ['fields', 'as_list', 'as_access_list', 'include_access'],
      answer: 'records',
      handle: (call, _values, service) => listResources(call, visible, hasAccessList ? visible : [], service),
    },
  });
}

/**
 * Answers the list: names alone unless `fields` says otherwise; with `as_list`, `include_access`, or `as_access_list`, which
 * lists what roles may name.
 */
async function listResources<Opened>(
  call: Call,
  resources: readonly Resource<Opened>[],
  nameable: readonly Resource<Opened>[],
  service: Opened,
): Promise<Reply> {
  const { query } = call;
  if (truthy(query.get('as_access_list')))
    return answer({ resource: await accessList(nameable, service, (component) => callerMask(call, component)) });
  if (truthy(query.get('as_list'))) return answer({ resource: resources.map(({ entry }) => entry.name) });
  const fields = readListQuery(call).fields || 'name';
  return answer({ resource: resources.map(({ entry }) => withAccess(call, selectKeys(entry, fields), entry.name)) });
}

/** The components roles may name, as far as `componentMask` has verbs on them (contract/role-access.md §4). */
export async function accessList<Opened>(
  resources: readonly Resource<Opened>[],
  service: Opened,
  componentMask: (component: string) => number,
): Promise<string[]> {
  const list = componentMask('') === 0 ? [] : ['', '*'];
  for (const { entry, components, accessComponent, items } of resources) {
    const { name } = entry;
    if (componentMask(accessComponent ?? name) === 0) continue;
    list.push(...(components ?? componentsBelow(name)));
    if (!items) continue;
    for (const item of await items.names(service)) {
      const component = `${name}/${item}`;
      if (componentMask(component) !== 0) list.push(...(items.components?.(component) ?? componentsBelow(component)));
    }
  }
  return list;
}

const componentsBelow = (component: string): string[] => [`${component}/`, `${component}/*`];

/** The verbs the caller has on a component of the service called. */
export const callerMask = (call: Call, component: string): number => maskOf(call.caller, call.service, component);

/** Keeps the selected keys in their own order; unknown names are left out. */
export function selectKeys(record: Record<string, unknown>, fields: string | string[]): Record<string, unknown> {
  const names = typeof fields === 'string' ? (parseCommaList(fields) ?? []) : fields;
  if (names.includes('*')) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => names.includes(key)));
}

/** Adds the caller's verbs on a component where `include_access` asks for them. */
export function withAccess(call: Call, record: Record<string, unknown>, component: string): Record<string, unknown> {
  return truthy(call.query.get('include_access'))
    ? { ...record, access: verbsOf(callerMask(call, component)) }
    : record;
}
