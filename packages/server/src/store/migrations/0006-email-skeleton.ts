import type { Kysely } from 'kysely';
import type { AnyDb, StoreDialect } from '../dialects/index.ts';
import { skeletonOf } from '../skeleton.ts';
import { addColumn } from './add-column.ts';

/** Addresses read at once. */
const batch = 1_000;

/** What an address looks like, beside it, so that look-alikes are found by an index (store/skeleton.ts). */
export async function emailSkeleton(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await addColumn(db, dialect, { table: 'user', column: 'email_skeleton', type: dialect.types.text(64) });
  await dialect.createIndex(db, 'user', 'email_skeleton');
  const users = db as unknown as AnyDb;
  for (let last = 0; ; ) {
    const rows = await users
      .selectFrom('user')
      .select(['id', 'email'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(batch)
      .execute();
    if (rows.length === 0) return;
    for (const { id, email } of rows)
      await users
        .updateTable('user')
        .set({ email_skeleton: skeletonOf(String(email)) })
        .where('id', '=', id)
        .execute();
    last = Number(rows.at(-1)?.id);
  }
}
