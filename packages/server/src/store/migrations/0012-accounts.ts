import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { addColumn } from './add-column.ts';
import { createTable } from './new-table.ts';

/** The sessions of people, values they keep with the instance, and two fields of older consoles (store/tables.ts). */
export async function accounts(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();

  await createTable(db, dialect, 'session')
    .addColumn('id', id, dialect.countedKey)
    .addColumn('user_id', integer, required)
    .addColumn('jti', text(64), (column) => column.notNull().unique())
    .addColumn('issued_at', integer, required)
    .addColumn('ends_at', integer, required)
    .addColumn('created_date', text(32), required)
    .addColumn('last_use_date', text(32), required)
    .addColumn('ip_address', text(64))
    .addColumn('user_agent', text(255))
    .addForeignKeyConstraint('session_user_id_fk', ['user_id'], 'user', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  await dialect.createIndex(db, 'session', 'user_id');
  await dialect.createIndex(db, 'session', 'ends_at');

  await createTable(db, dialect, 'user_custom')
    .addColumn('id', id, dialect.countedKey)
    .addColumn('user_id', integer, required)
    .addColumn('name', text(255), required)
    .addColumn('value', longText, required)
    .addColumn('created_date', text(32), required)
    .addColumn('last_modified_date', text(32), required)
    .addUniqueConstraint('user_custom_once', ['user_id', 'name'])
    .addForeignKeyConstraint('user_custom_user_id_fk', ['user_id'], 'user', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();

  const zero = (column: ColumnDefinitionBuilder) => column.defaultTo(0);
  await addColumn(db, dialect, { table: 'user', column: 'user_source', type: integer }, zero);
  await addColumn(db, dialect, { table: 'user', column: 'user_data', type: longText });
}
