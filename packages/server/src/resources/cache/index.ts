// `system/cache`: what is cached of services, and how to flush it (contract/system-resources.md §15). A flush reaches
// every process of the store, by the bus.
import { fail, truthy } from '@sluice/contract';
import { maskOf } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import type { Services } from '../../service/registry.ts';
import { selectKeys } from '../../service/root.ts';
import type { Store } from '../../store/index.ts';

export interface CacheParts {
  store: Pick<Store, 'bus'>;
  services: Pick<Services, 'rows' | 'type'>;
}

/** Lists the services whose cache can be flushed, of those the caller may touch. */
export async function listCaches(services: CacheParts['services'], call: Call): Promise<Reply> {
  const visible = (await services.rows()).filter(({ key }) => maskOf(call.caller, key, '') !== 0);
  if (truthy(call.query.get('as_list'))) return answer({ resource: visible.map((row) => row.name) });
  const fields = readListQuery(call).fields || 'name';
  return answer({
    resource: visible.map(({ name, label, description, type }) =>
      selectKeys({ name, label, description, type }, fields),
    ),
  });
}

/** Forgets the script of an event, in every process; one there is none of is forgotten just as well. */
export const flushEventScript = ({ bus }: CacheParts['store'], name: string): Promise<void> =>
  bus.publish({ table: 'event_script', keys: [name] });

/** As `flushEventScript`; where a service has the name, its script is forgotten, too. */
export async function flushScript({ store, services }: CacheParts, name: string): Promise<Reply> {
  await flushEventScript(store, name);
  const ids = (await services.rows()).filter(({ key }) => key === name.toLowerCase()).map(({ id }) => id);
  if (ids.length > 0) await store.bus.publish({ table: 'service', ids });
  return answer({ success: true });
}

/** Flushes what is cached of one service, or everything. */
export async function flushCaches({ store, services }: CacheParts, name?: string): Promise<Reply> {
  const rows = await services.rows();
  const flushed = name === undefined ? rows : rows.filter(({ key }) => key === name.toLowerCase());
  if (name !== undefined && flushed.length === 0) throw fail('service.unknown', { service: name });
  // Of files nothing is cached.
  if (name !== undefined && flushed.every(({ type }) => services.type(type)?.can.files)) throw fail('service.noCache');
  // A named service is closed and opened again: with its schema, its connections and its cached answers.
  await store.bus.publish({ table: 'service', ids: flushed.map(({ id }) => id) });
  if (name === undefined) await store.bus.publish({ table: '*' });
  return answer({ success: true });
}
