// `system/cache`: what is remembered of services, and how to make an instance forget it
// (contract/system-resources.md §15). In every process of the store: the bus tells them.
import { fail, truthy } from '@sluice/contract';
import { maskOf } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { listQuery } from '../../call/list-query.ts';
import type { Services } from '../../service/registry.ts';
import { project } from '../../service/root.ts';
import type { Store } from '../../store/index.ts';

export interface CacheParts {
  store: Pick<Store, 'bus'>;
  services: Pick<Services, 'rows'>;
}

/** Lists the services whose memory can be flushed, of those the caller may touch. */
export async function listCaches(services: CacheParts['services'], call: Call): Promise<Reply> {
  const seen = (await services.rows()).filter(({ key }) => maskOf(call.caller, key, '') !== 0);
  if (truthy(call.query.get('as_list'))) return answer({ resource: seen.map((row) => row.name) });
  const fields = listQuery(call).fields || 'name';
  return answer({
    resource: seen.map(({ name, label, description, type }) => project({ name, label, description, type }, fields)),
  });
}

/** Flushes what is remembered of one service, or everything. */
export async function flushCaches({ store, services }: CacheParts, name?: string): Promise<Reply> {
  const rows = await services.rows();
  const flushed = name === undefined ? rows : rows.filter(({ key }) => key === name.toLowerCase());
  if (name !== undefined && flushed.length === 0) throw fail('service.unknown', { service: name });
  // A service that is named is closed and opened anew: its schema, its connections and kept answers with it.
  await store.bus.publish({ table: 'service', ids: flushed.map(({ id }) => id) });
  if (name === undefined) await store.bus.publish({ table: '*' });
  return answer({ success: true });
}
