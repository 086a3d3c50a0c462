import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** What services of the type `cache_local` keep; it goes with its service. */
export async function cacheValues(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { integer, text, longText } = dialect.types;
  await createTable(db, dialect, 'cache_value')
    .addColumn('key', text(64), (column) => column.primaryKey())
    .addColumn('service_id', integer, (column) => column.notNull())
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('expires_at', text(32), (column) => column.notNull())
    .addColumn('value', longText, (column) => column.notNull())
    .addForeignKeyConstraint('cache_value_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await dialect.createIndex(db, 'cache_value', 'service_id');
  await dialect.createIndex(db, 'cache_value', 'expires_at');
}
