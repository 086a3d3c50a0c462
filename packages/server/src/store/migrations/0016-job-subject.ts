import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { addColumn } from './add-column.ts';

/** What a job is about: which script waits, runs or failed. */
export async function jobSubject(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await addColumn(db, dialect, { table: 'job', column: 'subject', type: dialect.types.text(120) });
}
