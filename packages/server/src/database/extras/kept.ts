// Extras in the store: read once for each service and kept until they change, in whichever process.
import type { ExpressionBuilder, Insertable } from 'kysely';
import { record, whoOf } from '../../audit/index.ts';
import { concerns, type Db, type Store, type Tables } from '../../store/index.ts';
import { type Extras, extrasOf, type ServiceExtras } from './extras.ts';
import { type ExtrasTable, extrasTables, noRows, type Put, type StoredExtras, withKey, withPuts } from './rows.ts';

/** What the bus calls changes of extras; the ids are those of services. */
const changes = 'db_extras';

interface Kept {
  /** Undefined while it has to be looked whether they changed. */
  fresh?: Extras;
  reading?: Promise<Extras>;
  /** Those last read, and to tell whether they changed, what they were made of. */
  last?: { as: string; extras: Extras };
}

/** The extras of services, by their ids. */
export function storedExtras(store: Pick<Store, 'db' | 'bus' | 'exclusively'>): (service: number) => ServiceExtras {
  const kept = new Map<number, Kept>();

  const drop = (services: Iterable<number>) => {
    for (const id of services) {
      const it = kept.get(id);
      if (it) it.fresh = it.reading = undefined;
    }
  };
  store.bus.subscribe((change) => {
    // The name of a service is part of the names of relations that lead there.
    if (concerns(change, changes)) drop(change.ids ?? kept.keys());
    else if (change.table === 'service') drop(kept.keys());
  });

  const read = (service: number, it: Kept): Promise<Extras> => {
    const reading = readStored(store.db, service).then((stored) => {
      const as = JSON.stringify(stored);
      // Tables that are dressed already stay so where nothing changed.
      const extras = it.last?.as === as ? it.last.extras : extrasOf(stored);
      if (it.reading === reading) {
        it.last = { as, extras };
        it.fresh = extras;
      }
      return extras;
    });
    const done = () => {
      if (it.reading === reading) it.reading = undefined;
    };
    reading.then(done, done);
    it.reading = reading;
    return reading;
  };

  return (service) => {
    const it = kept.get(service) ?? {};
    kept.set(service, it);
    return {
      current: () => it.fresh ?? it.reading ?? read(service, it),
      async change(call, work) {
        const isChanged = await store.exclusively(async (db) => {
          let now = await readStored(db, service);
          const puts = work(now);
          for (const put of puts) {
            const before = (now.rows[put.in] as object[]).find(withKey(put.key));
            if (!before && !put.row) continue;
            await putRow(db, service, put, before !== undefined);
            await record(db, { ...whoOf(call), ...entryOf(put, before, now) });
            now = withPuts(now, [put]);
          }
          return puts.length > 0;
        });
        if (isChanged) await store.bus.publish({ table: changes, ids: [service] });
      },
    };
  };
}

/** What a change leaves in the audit. */
const entryOf = ({ key, row }: Put, before: object | undefined, { service, names }: StoredExtras) => ({
  action: 'update' as const,
  resource: 'service',
  record_id: service,
  record_name: `${names[service]}/_schema/${key.table}`,
  ...(before ? { before: { ...before } } : {}),
  ...(row ? { after: row } : {}),
});

async function readStored(db: Db, service: number): Promise<StoredExtras> {
  const rows = noRows();
  for (const table of extrasTables) {
    const found = await db.selectFrom(table).selectAll().where('service_id', '=', service).orderBy('id').execute();
    rows[table] = found.map(({ id, service_id, ...row }) => row) as never;
  }
  const services = await db.selectFrom('service').select(['id', 'name']).orderBy('id').execute();
  return { service, names: Object.fromEntries(services.map(({ id, name }) => [id, name])), rows };
}

async function putRow(db: Db, service: number, { in: table, key, row }: Put, isThere: boolean): Promise<void> {
  const values = row as Insertable<Tables[ExtrasTable]> | undefined;
  if (values && !isThere) {
    await db
      .insertInto(table)
      .values({ ...values, service_id: service })
      .execute();
    return;
  }
  const isIt = (it: ExpressionBuilder<Tables, ExtrasTable>) =>
    it.and([
      it('service_id', '=', service),
      ...Object.entries(key).map(([column, value]) =>
        it(column as 'table', value === null ? 'is' : '=', value as string),
      ),
    ]);
  if (values) await db.updateTable(table).set(values).where(isIt).execute();
  else await db.deleteFrom(table).where(isIt).execute();
}
