import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** How services and keys are used (store/tables.ts). Figures go with the service or the app they are of. */
export async function use(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { integer, text } = dialect.types;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const key = (column: ColumnDefinitionBuilder) => column.primaryKey();

  await createTable(db, dialect, 'service_use')
    .addColumn('service_id', integer, key)
    .addColumn('last_call', text(32), required)
    .addForeignKeyConstraint('service_use_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();

  // The hour comes first: what is read and what is purged is a range of hours.
  await createTable(db, dialect, 'service_use_hour')
    .addColumn('service_id', integer, required)
    .addColumn('hour', integer, required)
    .addColumn('calls', integer, required)
    .addColumn('failures', integer, required)
    .addPrimaryKeyConstraint('service_use_hour_pk', ['hour', 'service_id'])
    .addForeignKeyConstraint('service_use_hour_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await dialect.createIndex(db, 'service_use_hour', 'service_id');

  await createTable(db, dialect, 'app_use')
    .addColumn('app_id', integer, key)
    .addColumn('calls', integer, required)
    .addColumn('last_call', text(32), required)
    .addForeignKeyConstraint('app_use_app_id_fk', ['app_id'], 'app', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
}
