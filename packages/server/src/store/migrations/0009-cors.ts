import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createResourceTable } from './resource-table.ts';

/** Which other origins may call this instance (store/tables.ts). */
export async function cors(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await createResourceTable(db, dialect, 'cors', {
    path: { type: 'text', length: 255, isRequired: true, isUnique: true },
    description: { type: 'text', length: 255 },
    origin: { type: 'longText', isRequired: true },
    header: { type: 'longText' },
    exposed_header: { type: 'longText' },
    method: { type: 'longText' },
    max_age: { type: 'integer', isRequired: true, default: 0 },
    supports_credentials: { type: 'integer', isRequired: true, default: 0 },
    enabled: { type: 'integer', isRequired: true, default: 1 },
    created_date: { type: 'text', length: 32 },
    last_modified_date: { type: 'text', length: 32 },
    created_by_id: { type: 'integer' },
    last_modified_by_id: { type: 'integer' },
  });
}
