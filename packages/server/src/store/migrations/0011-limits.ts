import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createResourceTable } from './resource-table.ts';

/** How many calls may be made in a period (limits/). A limit goes with the person, role or service it names. */
export async function limits(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await createResourceTable(db, dialect, 'limit', {
    type: { type: 'text', length: 50, isRequired: true },
    key_text: { type: 'text', length: 255, isRequired: true, isOnce: true },
    rate: { type: 'integer', isRequired: true },
    period: { type: 'text', length: 16, isRequired: true },
    user_id: { type: 'integer', references: ['user', 'cascade'] },
    role_id: { type: 'integer', references: ['role', 'cascade'] },
    service_id: { type: 'integer', references: ['service', 'cascade'] },
    name: { type: 'text', length: 255, isRequired: true },
    description: { type: 'text', length: 255 },
    is_active: { type: 'integer', isRequired: true, default: 1 },
    created_date: { type: 'text', length: 32 },
    last_modified_date: { type: 'text', length: 32 },
    endpoint: { type: 'text', length: 160 },
    verb: { type: 'text', length: 16 },
  });
}
