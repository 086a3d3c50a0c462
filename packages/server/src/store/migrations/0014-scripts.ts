import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';
import { createResourceTable } from './resource-table.ts';

/** Scripts around calls, and what scripts keep (scripts/). */
export async function scripts(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { text, longText } = dialect.types;
  await createResourceTable(
    db,
    dialect,
    'event_script',
    {
      name: { type: 'text', length: 80, isRequired: true },
      type: { type: 'text', length: 40, isRequired: true },
      content: { type: 'longText' },
      config: { type: 'longText' },
      is_active: { type: 'integer', isRequired: true, default: 0 },
      allow_event_modification: { type: 'integer', isRequired: true, default: 0 },
      storage_service_id: { type: 'integer' },
      storage_path: { type: 'text' },
      scm_repository: { type: 'text' },
      scm_reference: { type: 'text' },
      created_date: { type: 'text', length: 32 },
      last_modified_date: { type: 'text', length: 32 },
      created_by_id: { type: 'integer' },
      last_modified_by_id: { type: 'integer' },
    },
    'name',
  );
  await createTable(db, dialect, 'script_value')
    .addColumn('key', text(255), (column) => column.primaryKey())
    .addColumn('value', longText, (column) => column.notNull())
    .addColumn('expires_at', text(32), (column) => column.notNull())
    .execute();
  await dialect.createIndex(db, 'script_value', 'expires_at');
}
