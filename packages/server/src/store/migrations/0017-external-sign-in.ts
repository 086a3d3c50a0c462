import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** People of sign-in providers, and sign-ins that are under way there (identity/external). */
export async function externalSignIn(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  await createTable(db, dialect, 'external_identity')
    .addColumn('id', id, dialect.countedKey)
    // No reference: what is left of a deleted service keeps its people from being taken over by another of its name.
    .addColumn('service_id', integer, required)
    .addColumn('subject', text(64), required)
    .addColumn('user_id', integer, required)
    .addUniqueConstraint('external_identity_once', ['service_id', 'subject'])
    .addForeignKeyConstraint('external_identity_user_id_fk', ['user_id'], 'user', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await dialect.createIndex(db, 'external_identity', 'user_id');
  await createTable(db, dialect, 'pending_sign_in')
    .addColumn('state', text(64), (column) => column.primaryKey())
    .addColumn('service_id', integer, required)
    .addColumn('browser', text(64), required)
    .addColumn('network', text(64), required)
    .addColumn('proof', longText, required)
    .addColumn('expires_at', text(32), required)
    .execute();
  await dialect.createIndex(db, 'pending_sign_in', 'network');
  await dialect.createIndex(db, 'pending_sign_in', 'expires_at');
}
