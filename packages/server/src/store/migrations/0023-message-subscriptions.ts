import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** Calls that are made when messages arrive (messages/). They go with their service, and with the person or app they are of. */
export async function messageSubscriptions(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const counted = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
  await createTable(db, dialect, 'message_subscription')
    .addColumn('id', id, dialect.countedKey)
    .addColumn('service_id', integer, required)
    .addColumn('user_id', integer)
    .addColumn('app_id', integer)
    .addColumn('fingerprint', text(64), required)
    .addColumn('content', longText, required)
    .addColumn('created_date', text(32), required)
    .addColumn('calls', integer, counted)
    .addColumn('failures', integer, counted)
    .addColumn('dropped', integer, counted)
    .addColumn('last_error', longText)
    .addUniqueConstraint('message_subscription_once', ['fingerprint'])
    .addForeignKeyConstraint('message_subscription_service_id_fk', ['service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint('message_subscription_user_id_fk', ['user_id'], 'user', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint('message_subscription_app_id_fk', ['app_id'], 'app', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  for (const column of ['service_id', 'user_id', 'app_id'])
    await dialect.createIndex(db, 'message_subscription', column);
}
