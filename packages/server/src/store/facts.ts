// Facts of the instance that are made once and then kept, in the table `instance`.
import type { Db } from './index.ts';

/**
 * The fact of that name; when there is none yet, the one `make` gives. Of two processes that make it at once both get
 * the same. Not inside a transaction, which some databases give up at the second's refused insert.
 */
export async function instanceFact(db: Db, name: string, make: () => string): Promise<string> {
  const known = await storedFact(db, name);
  if (known !== undefined) return known;
  const value = make();
  try {
    await db.insertInto('instance').values({ name, value }).execute();
    return value;
  } catch (error) {
    const other = await storedFact(db, name);
    if (other === undefined) throw error;
    return other;
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
