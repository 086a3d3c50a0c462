import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** Devices that get the notifications of an app by a service (push/). They go with both. */
export async function deviceTokens(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  await createTable(db, dialect, 'device_token')
    .addColumn('id', id, dialect.countedKey)
    .addColumn('service_id', integer, required)
    .addColumn('app_id', integer, required)
    .addColumn('hash', text(64), required)
    .addColumn('device_token', longText, required)
    .addColumn('created_date', text(32), required)
    .addColumn('last_modified_date', text(32), required)
    .addColumn('dead_date', text(32))
    .addUniqueConstraint('device_token_once', ['service_id', 'app_id', 'hash'])
    .addForeignKeyConstraint('device_token_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint('device_token_app_id_fk', ['app_id'], 'app', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await dialect.createIndex(db, 'device_token', 'app_id');
}
