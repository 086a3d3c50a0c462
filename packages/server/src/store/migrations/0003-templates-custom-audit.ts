import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

/** Mail templates, values clients keep by name, and the audit (store/tables.ts). */
export async function templatesCustomAudit(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const table = (name: string) => createTable(db, dialect, name);
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const counted = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(1);

  await table('email_template')
    .addColumn('id', id, dialect.countedKey)
    .addColumn('version', integer, counted)
    .addColumn('name', text(64), (column) => column.notNull().unique())
    .addColumn('name_folded', text(64), (column) => column.generatedAlwaysAs(dialect.folded('name')).stored().unique())
    .addColumn('description', text(255))
    .addColumn('to', longText)
    .addColumn('cc', longText)
    .addColumn('bcc', longText)
    .addColumn('subject', text(80))
    .addColumn('attachment', longText)
    .addColumn('body_text', longText)
    .addColumn('body_html', longText)
    .addColumn('from_name', text(80))
    .addColumn('from_email', text(255))
    .addColumn('reply_to_name', text(80))
    .addColumn('reply_to_email', text(255))
    .addColumn('defaults', longText)
    .addColumn('created_date', text(32))
    .addColumn('last_modified_date', text(32))
    .addColumn('created_by_id', integer)
    .addColumn('last_modified_by_id', integer)
    .execute();

  await table('custom')
    .addColumn('name', text(255), (column) => column.primaryKey())
    .addColumn('version', integer, counted)
    .addColumn('value', longText)
    .addColumn('created_date', text(32))
    .addColumn('last_modified_date', text(32))
    .addColumn('created_by_id', integer)
    .addColumn('last_modified_by_id', integer)
    .execute();

  // A person named here may be deleted since: there are no references.
  await table('audit')
    .addColumn('id', id, dialect.countedKey)
    .addColumn('created_date', text(32), required)
    .addColumn('action', text(16), required)
    .addColumn('resource', text(64), required)
    .addColumn('record_id', text(255))
    .addColumn('record_name', text(255))
    .addColumn('user_id', integer)
    .addColumn('user_email', text(255))
    .addColumn('app_id', integer)
    .addColumn('ip_address', text(64))
    .addColumn('user_agent', text(255))
    .addColumn('outcome', text(255), required)
    .addColumn('request_id', text(64))
    .addColumn('before', longText)
    .addColumn('after', longText)
    .execute();
  for (const column of ['created_date', 'resource', 'record_id', 'user_id'])
    await dialect.createIndex(db, 'audit', column);
}
