import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createResourceTable } from './resource-table.ts';

/** Work that is done later (jobs/). */
export async function jobs(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await createResourceTable(db, dialect, 'job', {
    name: { type: 'text', length: 64, isRequired: true },
    state: { type: 'text', length: 16, isRequired: true },
    attempts: { type: 'integer', isRequired: true },
    run_at: { type: 'text', length: 32, isRequired: true },
    schedule: { type: 'text', length: 64 },
    error: { type: 'text', length: 1000 },
    created_date: { type: 'text', length: 32, isRequired: true },
    payload: { type: 'longText', isRequired: true },
    unique_key: { type: 'text', length: 128, isOnce: true },
    worker: { type: 'text', length: 64 },
    leased_until: { type: 'text', length: 32 },
  });
  await dialect.createIndex(db, 'job', 'run_at');
}
