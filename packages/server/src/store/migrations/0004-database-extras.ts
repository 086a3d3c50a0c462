import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** What describes tables of services beyond their databases (store/tables.ts); it goes with its service. */
export async function databaseExtras(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const flag = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
  const ofService = (name: string) =>
    createTable(db, dialect, name)
      .addColumn('id', id, dialect.countedKey)
      .addColumn('service_id', integer, required)
      .addColumn('table', text(255), required)
      .addForeignKeyConstraint(`${name}_service_id_fk`, ['service_id'], 'service', ['id'], (constraint) =>
        constraint.onDelete('cascade'),
      );

  await ofService('db_table_extras')
    .addColumn('alias', text(255))
    .addColumn('label', text(255))
    .addColumn('plural', text(255))
    .addColumn('description', longText)
    .addColumn('name_field', text(255))
    .addUniqueConstraint('db_table_extras_once', ['service_id', 'table'])
    .execute();

  await ofService('db_field_extras')
    .addColumn('field', text(255), required)
    .addColumn('alias', text(255))
    .addColumn('label', text(255))
    .addColumn('description', longText)
    .addColumn('picklist', longText)
    .addColumn('validation', longText)
    .addColumn('client_info', longText)
    .addColumn('db_function', longText)
    .addColumn('is_virtual', integer, flag)
    .addColumn('is_aggregate', integer, flag)
    .addColumn('extra_type', text(40))
    .addUniqueConstraint('db_field_extras_once', ['service_id', 'table', 'field'])
    .execute();

  await ofService('db_relationship_extras')
    .addColumn('relationship', text(255), required)
    .addColumn('alias', text(255))
    .addColumn('label', text(255))
    .addColumn('description', longText)
    .addColumn('always_fetch', integer, flag)
    .addColumn('flatten', integer, flag)
    .addColumn('flatten_drop_prefix', integer, flag)
    .addUniqueConstraint('db_relationship_extras_once', ['service_id', 'table', 'relationship'])
    .execute();

  // A relation goes with any of the services it joins.
  await ofService('db_virtual_relationship')
    .addColumn('type', text(16), required)
    .addColumn('field', text(255), required)
    .addColumn('ref_service_id', integer, required)
    .addColumn('ref_table', text(255), required)
    .addColumn('ref_field', text(255), required)
    .addColumn('ref_on_update', text(40))
    .addColumn('ref_on_delete', text(40))
    .addColumn('junction_service_id', integer)
    .addColumn('junction_table', text(255))
    .addColumn('junction_field', text(255))
    .addColumn('junction_ref_field', text(255))
    .addForeignKeyConstraint('db_virtual_relationship_ref_fk', ['ref_service_id'], 'service', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'db_virtual_relationship_junction_fk',
      ['junction_service_id'],
      'service',
      ['id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  for (const column of ['service_id', 'ref_service_id', 'junction_service_id'])
    await dialect.createIndex(db, 'db_virtual_relationship', column);
}
