import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';

/** Changes told to other processes of the store, where nothing else carries them (store/bus/table.ts). */
export async function changeNotices(db: Kysely<unknown>, { countedKey, tableEnd, types }: StoreDialect): Promise<void> {
  const table = db.schema.createTable('change_notice').ifNotExists();
  await (tableEnd ? table.modifyEnd(tableEnd) : table)
    .addColumn('id', types.id, countedKey)
    .addColumn('source', types.text(36), (column) => column.notNull())
    .addColumn('notice', types.longText, (column) => column.notNull())
    .execute();
}
