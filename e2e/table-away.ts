// A table of the instance's own store that cannot be read for a while.
import type { Instance } from './instance.ts';
import { openStore } from './store.ts';

/** Renames a table, does `work`, and names it as it was. */
export async function withTableAway(instance: Instance, table: string, work: () => Promise<void>): Promise<void> {
  const store = openStore(instance);
  store.exec(`alter table "${table}" rename to "${table}_away"`);
  try {
    await work();
  } finally {
    store.exec(`alter table "${table}_away" rename to "${table}"`);
    store.close();
  }
}
