import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { addColumn } from './add-column.ts';
import { createResourceTable } from './resource-table.ts';

/**
 * The group of a directory whose people get a role, which goes with its role; and the role that a person of a directory was given
 * last by their groups, or for want of one.
 */
export async function roleAdldap(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const columns = {
    role_id: { type: 'integer', isRequired: true, references: ['role', 'cascade'] },
    dn: { type: 'text', length: 2048, isRequired: true },
  } as const;
  await createResourceTable(db, dialect, 'role_adldap', columns, 'role_id');
  const { integer } = dialect.types;
  await addColumn(db, dialect, { table: 'external_identity', column: 'given_role_id', type: integer });
}
