import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** Changes told to other processes of the store, where nothing else carries them (store/bus/table.ts). */
export async function changeNotices(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { countedKey, types } = dialect;
  await createTable(db, dialect, 'change_notice')
    .addColumn('id', types.id, countedKey)
    .addColumn('source', types.text(36), (column) => column.notNull())
    .addColumn('notice', types.longText, (column) => column.notNull())
    .execute();
}
