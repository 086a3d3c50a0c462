// Which script services are called with which events: `service_event_map` of their configurations, in memory, so that a call
// nobody mapped costs a look into a set (contract/event-scripts-and-script-services.md §8).
import { isRecord } from '../call/payload.ts';
import type { ServiceRow } from '../service/registry.ts';
import { createTableCache, type Store } from '../store/index.ts';

/** A service that is called with an event. */
export interface MappedService {
  service: number;
  /** The event as it was fired, and what the mapping says with it; its name where it says nothing. */
  event: string;
  data: string;
  /** The mapping itself, where the service writes the event down and is not called. */
  log?: Record<string, unknown>;
}

export interface EventMap {
  /** Whether an event of a service may be mapped; true while that is being looked up. */
  mayListen(service: string): boolean;
  /** The mappings of events, in the order of the services, each once: by the last name that it fits, the most particular one. */
  find(events: readonly string[]): Promise<MappedService[]>;
}

interface Mapping {
  service: number;
  /** In lower case; `{service}.*` stands for all of a service. */
  event: string;
  data: string;
  log?: Record<string, unknown>;
}

interface Mappings {
  all: readonly Mapping[];
  /** The services whose events are mapped. */
  services: ReadonlySet<string>;
}

/** `logs`: whether services of a type write events down themselves. */
export async function createEventMap(
  { bus }: Pick<Store, 'bus'>,
  rows: () => Promise<ServiceRow[]>,
  logs: (type: string) => boolean,
): Promise<EventMap> {
  const cache = createTableCache(bus, 'service', async () => mappingsOf(await rows(), logs));
  await cache.get();
  return {
    mayListen: (service) => cache.peek()?.services.has(service) ?? true,
    async find(events) {
      const first = events[0]?.split('.')[0];
      const { all, services } = await cache.get();
      if (first === undefined || !services.has(first)) return [];
      return all.flatMap(({ event: mapped, service, data, log }) => {
        const event = events.findLast((name) => name === mapped || mapped === `${first}.*`);
        return event === undefined ? [] : [{ service, event, data: data || event, ...(log ? { log } : {}) }];
      });
    },
  };
}

function mappingsOf(rows: readonly ServiceRow[], logs: (type: string) => boolean): Mappings {
  const all = rows.flatMap(({ id, isActive, type, config: { service_event_map: map } }) =>
    isActive && Array.isArray(map) ? map.flatMap((entry) => mappingOf(id, entry, logs(type))) : [],
  );
  return { all, services: new Set(all.map(({ event }) => event.split('.')[0] as string)) };
}

function mappingOf(service: number, entry: unknown, isLog: boolean): Mapping[] {
  if (!isRecord(entry) || typeof entry.event !== 'string' || entry.event === '') return [];
  const event = entry.event.toLowerCase().replace(/\.queued$/, '');
  const data = typeof entry.data === 'string' ? entry.data : '';
  return [{ service, event, data, ...(isLog ? { log: entry } : {}) }];
}
