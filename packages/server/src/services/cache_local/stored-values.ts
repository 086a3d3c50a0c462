// Values in the store of the instance: they last, and all its processes share them.
import { createHash } from 'node:crypto';
import type { CacheEntry, CacheStore } from '../../caches/index.ts';
import type { Db, Store } from '../../store/index.ts';

/** What one service keeps at most; what ends first makes room. */
export const storedBounds = { values: 10_000, bytes: 256 * 1024 * 1024 };

/** So many calls that store come between two looks at what there is. */
const callsBetween = 20;
/** Values that are deleted at once to make room. */
const deletedAtOnce = 500;

/** The end of what is kept forever. */
const never = '9999-12-31T23:59:59.999Z';

type StoreParts = Pick<Store, 'db' | 'transaction'>;

export function openStoredValues(
  { db, transaction }: StoreParts,
  serviceId: number,
  bounds: typeof storedBounds = storedBounds,
): CacheStore {
  const hashOf = (key: string) => createHash('sha256').update(`${serviceId}\0${key}`).digest('hex');
  const now = () => new Date().toISOString();
  let calls = 0;

  const find = (from: Db, keys: readonly string[]) =>
    from
      .selectFrom('cache_value')
      .select(['key', 'value'])
      .where('key', 'in', keys.map(hashOf))
      .where('expires_at', '>', now())
      .execute();

  async function write(to: Db, entries: readonly CacheEntry[], seconds: number | null): Promise<void> {
    const expires_at = seconds === null ? never : new Date(Date.now() + seconds * 1000).toISOString();
    for (const [key, value] of entries) {
      const row = { value, bytes: Buffer.byteLength(value), expires_at };
      const { numUpdatedRows } = await to
        .updateTable('cache_value')
        .set(row)
        .where('key', '=', hashOf(key))
        .executeTakeFirst();
      if (numUpdatedRows === 0n)
        await to
          .insertInto('cache_value')
          .values({ key: hashOf(key), service_id: serviceId, ...row })
          .execute();
    }
  }

  /** Again where another process stored one of the same keys meanwhile. */
  async function storing<T>(work: (to: Db) => Promise<T>): Promise<T> {
    const result = await transaction(work).catch(() => transaction(work));
    if (calls++ % callsBetween === 0) await makeRoom(db, serviceId, bounds);
    return result;
  }

  return {
    get: async (key) => (await find(db, [key]))[0]?.value,
    async take(key) {
      const [row] = await find(db, [key]);
      if (!row) return undefined;
      const { numDeletedRows } = await db.deleteFrom('cache_value').where('key', '=', row.key).executeTakeFirst();
      return numDeletedRows > 0n ? row.value : undefined;
    },
    put: (entries, seconds) => storing((to) => write(to, entries, seconds)),
    add: (entries, seconds) =>
      storing(async (to) => {
        const found = new Set(
          (
            await find(
              to,
              entries.map(([key]) => key),
            )
          ).map(({ key }) => key),
        );
        const existing = entries.map(([key]) => key).filter((key) => found.has(hashOf(key)));
        if (existing.length === 0) await write(to, entries, seconds);
        return existing;
      }),
    async delete(key) {
      const { numDeletedRows } = await db
        .deleteFrom('cache_value')
        .where('key', '=', hashOf(key))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    ping: async () => void (await find(db, [''])),
  };
}

/** Deletes what has ended, and what ends first, until the rest is within the bounds. */
async function makeRoom(db: Db, serviceId: number, { values, bytes }: typeof storedBounds): Promise<void> {
  const ofService = () => db.selectFrom('cache_value').where('service_id', '=', serviceId);
  const measure = async () => {
    const row = await ofService()
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('bytes').as('bytes')])
      .executeTakeFirst();
    return { values: Number(row?.count ?? 0) - values, bytes: Number(row?.bytes ?? 0) - bytes };
  };
  const isOver = (over: { values: number; bytes: number }) => over.values > 0 || over.bytes > 0;
  let over = await measure();
  if (!isOver(over)) return;
  await purgeStoredValues(db);
  for (over = await measure(); isOver(over); over = await measure()) {
    const first = await ofService()
      .select(['key', 'bytes'])
      .orderBy('expires_at')
      .orderBy('key')
      .limit(deletedAtOnce)
      .execute();
    const gone: string[] = [];
    for (const row of first) {
      if (!isOver(over)) break;
      gone.push(row.key);
      over = { values: over.values - 1, bytes: over.bytes - row.bytes };
    }
    if (gone.length === 0) return;
    await db.deleteFrom('cache_value').where('key', 'in', gone).execute();
  }
}

/** Deletes what has ended, of all services. */
export const purgeStoredValues = async (db: Db): Promise<void> =>
  void (await db.deleteFrom('cache_value').where('expires_at', '<', new Date().toISOString()).execute());
