import type { Store } from '../../../store/index.ts';
import { ensureWorld } from './index.ts';

/** Adds the sample database as the service `world`, unless a service has that name already (SLUICE_DEMO). */
export async function addWorld(store: Store, dataFolder: string): Promise<void> {
  const exists = async () => {
    const row = await store.db.selectFrom('service').select('id').where('name', '=', 'world').executeTakeFirst();
    return row !== undefined;
  };
  if (await exists()) return;
  const database = await ensureWorld(dataFolder);
  const now = new Date().toISOString();
  const row = {
    name: 'world',
    label: 'World',
    description: 'Sample data: countries, cities, companies, people, orders and their items.',
    is_active: 1,
    type: 'sqlite',
    mutable: 1,
    deletable: 1,
    config: JSON.stringify({ database }),
    created_date: now,
    last_modified_date: now,
    created_by_id: null,
    last_modified_by_id: null,
  };
  try {
    const id = await store.insert(store.db, 'service', row);
    await store.bus.publish({ table: 'service', ids: [id] });
  } catch (error) {
    // Another process of the same store added it at the same moment.
    if (!(await exists())) throw error;
  }
}
