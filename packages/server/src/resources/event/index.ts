// `system/event`: the events of services, from their definitions, else from the operations of their types (contract/
// event-scripts-and-script-services.md §2).
import { Failure, truthy, type Verb, verbMask } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { maskOf, maskOfService } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { naturally } from '../../call/natural-order.ts';
import { listedName } from '../../events/names.ts';
import type { DefinedOperation, DefinedParameter } from '../../openapi/definition.ts';
import type { StoredDefinitions } from '../../openapi/stored.ts';
import type { ServiceRow, Services } from '../../service/registry.ts';
import type { ServiceEvent } from '../../service/service.ts';

interface EventEntry {
  /** Of a call, or raised by the service itself. */
  type: 'api' | 'service';
  endpoints: string[];
  /** The values of the first placeholder; null where there are none to choose from. */
  parameter: Record<string, (string | number)[]> | null;
}

export interface EventParts {
  services: Pick<Services, 'rows' | 'type' | 'open'>;
  definitions: Pick<StoredDefinitions, 'of'>;
}

export async function listEvents(parts: EventParts, call: Call): Promise<Reply> {
  const only = call.query.get('service')?.toLowerCase();
  const isList = truthy(call.query.get('as_list'));
  const shown = { isScriptable: truthy(call.query.get('scriptable')), hasParameters: !isList };
  const rows = (await parts.services.rows()).filter(
    ({ isActive, key }) => isActive && (!only || key === only) && maskOfService(call.caller, key) !== 0,
  );
  const found = await Promise.all(
    rows.map(async (row) => {
      try {
        return [[row.key, await eventsOfService(parts, row, call, shown)] as const];
      } catch (error) {
        // The others are listed all the same (contract §2).
        if (error instanceof Failure) return [];
        throw error;
      }
    }),
  );
  const tree = found.flat().sort(([a], [b]) => naturally(a, b));
  if (!isList) return answer(Object.fromEntries(tree));
  const names = tree.flatMap(([, entries]) => Object.values(entries).flatMap(({ endpoints }) => endpoints));
  return answer({ resource: [...new Set(names)] });
}

interface Shown {
  isScriptable: boolean;
  /** Whether values of placeholders are looked up, which opens the service. */
  hasParameters: boolean;
}

async function eventsOfService(
  { services, definitions }: EventParts,
  row: ServiceRow,
  call: Call,
  { isScriptable, hasParameters }: Shown,
): Promise<Record<string, EventEntry>> {
  const entries = new Map<string, EventEntry>();
  const items = itemsOf(services, row.key, call);
  const typed = () =>
    services.type(row.type)?.routes.operations.map(({ path, verb }) => ({ path, verb, parameters: [] }));
  for (const { path, verb, parameters } of (await definedOperations(definitions, row.id)) ?? typed() ?? []) {
    if (!(await isVisible(call, row.key, path, verb, items))) continue;
    const name = listedName(row.key, { path });
    const entry = entries.get(name) ?? {
      type: 'api',
      endpoints: [],
      parameter: hasParameters ? (choicesOf(path, parameters) ?? (await parameterOf(path, items))) : null,
    };
    const endpoint = `${name}.${verb.toLowerCase()}`;
    entry.endpoints.push(
      endpoint,
      ...(isScriptable ? ['pre_process', 'post_process', 'queued'].map((step) => `${endpoint}.${step}`) : []),
    );
    entries.set(name, entry);
  }
  for (const { name, component, values } of services.type(row.type)?.events ?? []) {
    if (maskOf(call.caller, row.key, component) === 0) continue;
    const event = `${row.key}.${name}`;
    const endpoints = isScriptable ? [event, `${event}.queued`] : [event];
    const parameter = hasParameters ? await eventValues(name, values) : null;
    entries.set(event, { type: 'service', endpoints, parameter });
  }
  return Object.fromEntries([...entries].sort(([a], [b]) => naturally(a, b)));
}

async function eventValues(name: string, values: ServiceEvent['values']): Promise<EventEntry['parameter']> {
  const placeholder = /\{(\w+)\}/.exec(name)?.[1];
  const found = placeholder === undefined ? undefined : await values?.();
  return placeholder !== undefined && found && found.length > 0 ? { [placeholder]: found } : null;
}

/** The operations of a definition; one that cannot be read counts as none. */
async function definedOperations(
  definitions: EventParts['definitions'],
  id: number,
): Promise<readonly DefinedOperation[] | undefined> {
  try {
    return (await definitions.of(id))?.operations;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The names below a resource that the caller may see, with the verbs they have there; looked up once. */
type Items = (resource: string) => Promise<ReadonlyMap<string, number>>;

function itemsOf(services: EventParts['services'], service: string, { caller }: Call): Items {
  const found = new Map<string, Promise<ReadonlyMap<string, number>>>();
  const load = async (resource: string) => {
    const visible = new Map<string, number>();
    for (const name of await openItems(services, service, resource)) {
      // Thousands of tables, and of rows of the role.
      await pause();
      const mask = maskOf(caller, service, resource === '' ? name : `${resource}/${name}`);
      if (mask !== 0) visible.set(name, mask);
    }
    return visible;
  };
  return (resource) => {
    const loading = found.get(resource) ?? load(resource);
    found.set(resource, loading);
    return loading;
  };
}

/** What cannot be opened now has no names to choose from. */
async function openItems(services: EventParts['services'], service: string, resource: string): Promise<string[]> {
  try {
    return await (await services.open(service)).itemNames(resource);
  } catch {
    return [];
  }
}

/** The values that a definition lists for the first placeholder of a path. */
function choicesOf(path: string, parameters: readonly DefinedParameter[]): EventEntry['parameter'] | undefined {
  const placeholder = /\{([^{}]+)\}/.exec(path)?.[1];
  const values = parameters.find((parameter) => parameter.in === 'path' && parameter.name === placeholder)?.values;
  return placeholder !== undefined && values && values.length > 0 ? { [placeholder]: values } : undefined;
}

/** The resource of a path and the placeholder that follows it: `_table/{table_name}/{id}`; of `{operation}` there is no resource. */
function placeholderOf(path: string): { resource: string; placeholder: string } | undefined {
  const [resource = '', first = ''] = path.startsWith('{') ? ['', path.split('/')[0]] : path.split('/');
  const placeholder = /^\{(\w+)\}$/.exec(first)?.[1];
  return placeholder === undefined ? undefined : { resource, placeholder };
}

/** Where a role names single tables, the events of all are those of at least one of them. */
async function isVisible({ caller }: Call, service: string, path: string, verb: Verb, items: Items): Promise<boolean> {
  if ((maskOf(caller, service, path) & verbMask[verb]) !== 0) return true;
  const place = placeholderOf(path);
  if (!place) return false;
  for (const mask of (await items(place.resource)).values()) if ((mask & verbMask[verb]) !== 0) return true;
  return false;
}

async function parameterOf(path: string, items: Items): Promise<EventEntry['parameter']> {
  const place = placeholderOf(path);
  const names = place ? [...(await items(place.resource)).keys()] : [];
  return place && names.length > 0 ? { [place.placeholder]: names } : null;
}
