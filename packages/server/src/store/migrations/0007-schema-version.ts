import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/**
 * How often this platform changed the schema of a service's database, so that other processes notice, and the changes whose
 * outcome is not saved yet (database/extras).
 */
export async function schemaVersion(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { integer, text, longText } = dialect.types;
  await createTable(db, dialect, 'db_schema_version')
    .addColumn('service_id', integer, (column) => column.primaryKey())
    .addColumn('version', integer, (column) => column.notNull())
    .addForeignKeyConstraint('db_schema_version_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await createTable(db, dialect, 'db_schema_pending')
    .addColumn('id', text(36), (column) => column.primaryKey())
    .addColumn('service_id', integer, (column) => column.notNull())
    .addColumn('owner', text(300), (column) => column.notNull())
    .addColumn('created', integer, (column) => column.notNull())
    .addColumn('is_saved', integer, (column) => column.notNull())
    .addColumn('content', longText, (column) => column.notNull())
    .addForeignKeyConstraint('db_schema_pending_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
}
