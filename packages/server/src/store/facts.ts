// Facts of the instance that are made once and kept in the table `instance`.
import type { Db } from './index.ts';

/**
 * The fact of that name; made by `make` when there is none yet. Two processes that make it at once both get the same. Not
 * inside a transaction, which some databases abort when the second insert is refused.
 */
export async function instanceFact(db: Db, name: string, make: () => string): Promise<string> {
  const existing = await storedFact(db, name);
  if (existing !== undefined) return existing;
  const value = make();
  try {
    await db.insertInto('instance').values({ name, value }).execute();
    return value;
  } catch (error) {
    const concurrent = await storedFact(db, name);
    if (concurrent === undefined) throw error;
    return concurrent;
  }
}

export async function storedFact(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Deletes the fact; false when it was gone by then. Of two transactions that try at once, one gets true. */
export async function takeFact(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('instance').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
