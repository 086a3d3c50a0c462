// `system/event`: the events of services, from their definitions, else from the operations of their types (contract/
// event-scripts-and-script-services.md §2).
import { Failure, truthy, type Verb, verbMask } from '@sluice/contract';
import { maskOf, maskOfService } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { naturally } from '../../call/natural-order.ts';
import { listedName } from '../../events/names.ts';
import type { DefinedOperation, DefinedParameter } from '../../openapi/definition.ts';
import type { StoredDefinitions } from '../../openapi/stored.ts';
import type { ServiceRow, Services } from '../../service/registry.ts';

interface EventEntry {
  type: 'api';
  endpoints: string[];
  /** The values of the first placeholder; null where there are none to choose from. */
  parameter: Record<string, string[]> | null;
}

export interface EventParts {
  services: Pick<Services, 'rows' | 'type' | 'open'>;
  definitions: Pick<StoredDefinitions, 'of'>;
}

export async function listEvents(parts: EventParts, call: Call): Promise<Reply> {
  const only = call.query.get('service')?.toLowerCase();
  const isScriptable = truthy(call.query.get('scriptable'));
  const tree: [string, Record<string, EventEntry>][] = [];
  for (const row of await parts.services.rows()) {
    if (!row.isActive || (only !== undefined && only !== '' && row.key !== only)) continue;
    if (maskOfService(call.caller, row.key) === 0) continue;
    tree.push([row.key, await eventsOfService(parts, row, call, isScriptable)]);
  }
  tree.sort(([a], [b]) => naturally(a, b));
  if (!truthy(call.query.get('as_list'))) return answer(Object.fromEntries(tree));
  const names = tree.flatMap(([, entries]) => Object.values(entries).flatMap(({ endpoints }) => endpoints));
  return answer({ resource: [...new Set(names)] });
}

async function eventsOfService(
  { services, definitions }: EventParts,
  row: ServiceRow,
  call: Call,
  isScriptable: boolean,
): Promise<Record<string, EventEntry>> {
  const entries = new Map<string, EventEntry>();
  const names = new Map<string, Promise<string[]>>();
  const namesBelow = (resource: string): Promise<string[]> => {
    // What cannot be opened now has no names to choose from.
    const loading = names.get(resource) ?? openItems(services, row.key, resource);
    names.set(resource, loading);
    return loading;
  };
  const typed = () =>
    services.type(row.type)?.routes.operations.map(({ path, verb }) => ({ path, verb, parameters: [] }));
  for (const { path, verb, parameters } of (await definedOperations(definitions, row.id)) ?? typed() ?? []) {
    if (!isVisible(call, row.key, path, verb)) continue;
    const name = listedName(row.key, { path });
    const entry = entries.get(name) ?? {
      type: 'api',
      endpoints: [],
      parameter: choicesOf(path, parameters) ?? (await parameterOf(path, row.key, call, namesBelow)),
    };
    const endpoint = `${name}.${verb.toLowerCase()}`;
    entry.endpoints.push(
      endpoint,
      ...(isScriptable ? ['pre_process', 'post_process', 'queued'].map((step) => `${endpoint}.${step}`) : []),
    );
    entries.set(name, entry);
  }
  return Object.fromEntries([...entries].sort(([a], [b]) => naturally(a, b)));
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

/** A placeholder matches the rows of a role for whatever stands in its place. */
const isVisible = ({ caller }: Call, service: string, path: string, verb: Verb): boolean =>
  (maskOf(caller, service, path) & verbMask[verb]) !== 0;

async function parameterOf(
  path: string,
  service: string,
  { caller }: Call,
  namesBelow: (resource: string) => Promise<string[]>,
): Promise<EventEntry['parameter']> {
  const [resource = '', first = ''] = path.split('/');
  const placeholder = /^\{(\w+)\}$/.exec(first)?.[1];
  if (placeholder === undefined) return null;
  const visible = (await namesBelow(resource)).filter((name) => maskOf(caller, service, `${resource}/${name}`) !== 0);
  return visible.length === 0 ? null : { [placeholder]: visible };
}
