// The platform's own store is no service's, whatever address leads there (SECURITY.md, Databases).
import { Failure, fail } from '@sluice/contract';
import type { Database } from '@sluice/sql';

/** What shows the store: a random text in its table `instance`, under this name. */
export const storeIdFact = 'instance_id';

/** Answers the database; one that `checkNotOwnStore` refuses is closed. */
export async function refuseOwnStore(database: Database, storeId: string): Promise<Database> {
  try {
    await checkNotOwnStore(database, storeId);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Throws `service.ownStore` if the store is among what a database shows, in any schema or other database of its server. */
export async function checkNotOwnStore(database: Database, storeId: string): Promise<void> {
  for (const { name } of await database.tables())
    if (/(^|\.)instance$/i.test(name) && (await holdsStoreId(database, name, storeId)))
      throw fail('service.ownStore', { table: name });
}

async function holdsStoreId(database: Database, tableName: string, storeId: string): Promise<boolean> {
  try {
    const table = await database.table(tableName);
    const value = table.column('value');
    if (!value) return false;
    const where = {
      kind: 'compare',
      column: value,
      operator: '=',
      negated: false,
      value: { kind: 'value', value: storeId },
    } as const;
    return (await database.count({ table, where })) > 0;
  } catch (error) {
    // What this account may not read it cannot read for others.
    if (error instanceof Failure && error.status < 500) return false;
    throw error;
  }
}
