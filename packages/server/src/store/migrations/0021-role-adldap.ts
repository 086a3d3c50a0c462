import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createResourceTable } from './resource-table.ts';

/** The group of a directory whose people get a role. It goes with its role. */
export async function roleAdldap(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const columns = {
    role_id: { type: 'integer', isRequired: true, references: ['role', 'cascade'] },
    dn: { type: 'text', length: 2048, isRequired: true },
  } as const;
  await createResourceTable(db, dialect, 'role_adldap', columns, 'role_id');
}
