// Extras in the store: read once for each service and cached until any process changes them.
import type { ExpressionBuilder, Insertable } from 'kysely';
import { auditActorOf, writeAuditEntries } from '../../audit/index.ts';
import { affects, type Db, type Store, type Tables } from '../../store/index.ts';
import { type Extras, parseExtras, type ServiceExtras } from './extras.ts';
import {
  type ExtrasChange,
  type ExtrasTable,
  emptyRows,
  extrasTables,
  hasKey,
  type StoredExtras,
  withChanges,
} from './rows.ts';

/** The topic of changes of extras on the bus; the ids are those of services. */
const busTopic = 'db_extras';

interface CachedExtras {
  /** Undefined while they may have changed. */
  current?: Extras;
  reading?: Promise<Extras>;
  /** The last extras read, and a fingerprint of what they were made of. */
  lastRead?: { fingerprint: string; extras: Extras };
}

/** The extras of services, by their ids. */
export function openExtrasStore(store: Pick<Store, 'db' | 'bus' | 'exclusively'>): (service: number) => ServiceExtras {
  const cache = new Map<number, CachedExtras>();

  const invalidate = (services: Iterable<number>) => {
    for (const id of services) {
      const cached = cache.get(id);
      if (cached) cached.current = cached.reading = undefined;
    }
  };
  store.bus.subscribe((change) => {
    // The name of a service is part of the names of relations that lead there.
    if (affects(change, busTopic)) invalidate(change.ids ?? cache.keys());
    else if (change.table === 'service') invalidate(cache.keys());
  });

  const read = (service: number, cached: CachedExtras): Promise<Extras> => {
    const reading = readStored(store.db, service).then((stored) => {
      const fingerprint = JSON.stringify(stored);
      // The same extras where nothing changed: tables made with them stay.
      const extras = cached.lastRead?.fingerprint === fingerprint ? cached.lastRead.extras : parseExtras(stored);
      if (cached.reading === reading) {
        cached.lastRead = { fingerprint, extras };
        cached.current = extras;
      }
      return extras;
    });
    const finish = () => {
      if (cached.reading === reading) cached.reading = undefined;
    };
    reading.then(finish, finish);
    cached.reading = reading;
    return reading;
  };

  return (service) => {
    const cached = cache.get(service) ?? {};
    cache.set(service, cached);
    return {
      current: () => cached.current ?? cached.reading ?? read(service, cached),
      async change(call, plan) {
        const isChanged = await store.exclusively(async (db) => {
          let current = await readStored(db, service);
          const changes = plan(current);
          for (const change of changes) {
            const before = (current.rows[change.table] as object[]).find(hasKey(change.key));
            if (!before && !change.row) continue;
            await storeChange(db, service, change, before !== undefined);
            await writeAuditEntries(db, { ...auditActorOf(call), ...auditEntryOf(change, before, current) });
            current = withChanges(current, [change]);
          }
          return changes.length > 0;
        });
        if (isChanged) await store.bus.publish({ table: busTopic, ids: [service] });
      },
    };
  };
}

/** What a change leaves in the audit. */
const auditEntryOf = ({ key, row }: ExtrasChange, before: object | undefined, { service, names }: StoredExtras) => ({
  action: 'update' as const,
  resource: 'service',
  record_id: service,
  record_name: `${names[service]}/_schema/${key.table}`,
  ...(before ? { before: { ...before } } : {}),
  ...(row ? { after: row } : {}),
});

async function readStored(db: Db, service: number): Promise<StoredExtras> {
  const rows = emptyRows();
  for (const table of extrasTables) {
    const selected = await db.selectFrom(table).selectAll().where('service_id', '=', service).orderBy('id').execute();
    rows[table] = selected.map(({ id, service_id, ...row }) => row) as never;
  }
  const services = await db.selectFrom('service').select(['id', 'name']).orderBy('id').execute();
  return { service, names: Object.fromEntries(services.map(({ id, name }) => [id, name])), rows };
}

async function storeChange(db: Db, service: number, { table, key, row }: ExtrasChange, exists: boolean): Promise<void> {
  const values = row as Insertable<Tables[ExtrasTable]> | undefined;
  if (values && !exists) {
    await db
      .insertInto(table)
      .values({ ...values, service_id: service })
      .execute();
    return;
  }
  const isSameRow = (expression: ExpressionBuilder<Tables, ExtrasTable>) =>
    expression.and([
      expression('service_id', '=', service),
      ...Object.entries(key).map(([column, value]) =>
        expression(column as 'table', value === null ? 'is' : '=', value as string),
      ),
    ]);
  if (values) await db.updateTable(table).set(values).where(isSameRow).execute();
  else await db.deleteFrom(table).where(isSameRow).execute();
}
