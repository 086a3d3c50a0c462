// Extras in the store: read once for each service and cached until any process changes them.
import type { MaybePromise } from '@sluice/contract';
import { auditActorOf, writeAuditEntries } from '../../audit/index.ts';
import { affects, type Change, type Db, type Store } from '../../store/index.ts';
import { type ChangeActor, type Extras, parseExtras, type ServiceExtras } from './extras.ts';
import { countUnfinished, prepareChange, unfinishedChanges } from './pending.ts';
import type { ExtrasChange, StoredExtras } from './rows.ts';
import { readShownExtras, readStored, storeChanges } from './stored.ts';

/** The topic of changes of extras on the bus; the ids are those of services. */
const busTopic = 'db_extras';
/** Milliseconds until extras are re-read when a change is left that may still be under way in another process. */
const unfinishedPause = 10_000;

interface CachedExtras {
  /** Undefined while they may have changed. */
  current?: Extras;
  reading?: Promise<Extras>;
  /** The last extras read, and a fingerprint of what they were made of. */
  lastRead?: { fingerprint: string; extras: Extras };
  /** How often the schema of its database was changed, when that was last read. */
  schemaVersion?: number;
  onSchemaChange?: () => void;
  onExtrasChange?: () => void;
  onUnfinished?: () => Promise<void>;
}

/** The extras of services, by their ids. */
export function openExtrasStore(
  store: Pick<Store, 'db' | 'bus' | 'exclusively' | 'refusal'>,
): (service: number) => ServiceExtras {
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

  /** A change that somebody else left is settled first: what is read then is as before it, or as after it. */
  const readFinished = async (service: number, cached: CachedExtras) => {
    const first = await readAll(store.db, service);
    if (first.unfinished === 0 || !cached.onUnfinished) return first;
    await cached.onUnfinished();
    const all = await readAll(store.db, service);
    if (all.unfinished > 0) setTimeout(() => invalidate([service]), unfinishedPause).unref();
    return all;
  };
  const read = (service: number, cached: CachedExtras): Promise<Extras> => {
    const reading = readFinished(service, cached).then(({ stored, schemaVersion }) => {
      if (cached.schemaVersion !== undefined && cached.schemaVersion !== schemaVersion) cached.onSchemaChange?.();
      cached.schemaVersion = schemaVersion;
      const fingerprint = JSON.stringify(stored);
      // The same extras where nothing changed: tables made with them stay.
      const isSame = cached.lastRead?.fingerprint === fingerprint;
      if (cached.lastRead && !isSame) cached.onExtrasChange?.();
      const extras = isSame && cached.lastRead ? cached.lastRead.extras : parseExtras(stored);
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
      async change(call, plan, follow) {
        let publish = async () => {};
        const isChanged = await store.exclusively((db) =>
          changeStored(call, db, service, async (stored) => {
            const { changes, moved } = await plan(stored);
            // What moves comes first: it is looked up by the old names.
            publish = await follow(
              call,
              db,
              moved.filter(({ moves }) => moves.length > 0),
            );
            return changes;
          }),
        );
        if (!isChanged) return;
        await store.bus.publish(extrasNotice([service]));
        await publish();
      },
      async prepareSchemaChange(call, plan, facts, describe, follow) {
        const prepared = await prepareChange(store, service, call, plan, facts, describe, follow);
        const finish = async () => {
          const publish = await prepared.finish();
          // Others hear of it when all is done: `announceSchemaChange`.
          invalidate([service]);
          return publish;
        };
        return { ...prepared, finish };
      },
      unfinished: () => unfinishedChanges(store, service),
      async check(plan) {
        return plan(await readStored(store.db, service));
      },
      async announceSchemaChange() {
        await store.exclusively(async (db) => {
          const version = await readSchemaVersion(db, service);
          const { service_id, ...values } = { service_id: service, version: version + 1 };
          if (version === 0)
            await db
              .insertInto('db_schema_version')
              .values({ service_id, ...values })
              .execute();
          else await db.updateTable('db_schema_version').set(values).where('service_id', '=', service_id).execute();
        });
        await store.bus.publish(extrasNotice([service]));
      },
      onSchemaChange(listener) {
        cached.onSchemaChange = listener;
      },
      onExtrasChange(listener) {
        cached.onExtrasChange = listener;
      },
      onUnfinished(listener) {
        cached.onUnfinished = listener;
      },
    };
  };
}

/** The notice on the bus once changes of extras are committed. */
export const extrasNotice = (services: number[]): Change => ({ table: busTopic, ids: services });

/**
 * Changes the extras of a service in a transaction of `store.exclusively`, each change an entry of the audit. Answers whether
 * there was anything to change.
 */
export async function changeStored(
  call: ChangeActor,
  db: Db,
  service: number,
  plan: (stored: StoredExtras) => MaybePromise<ExtrasChange[]>,
): Promise<boolean> {
  const stored = await readStored(db, service);
  const changes = await plan(stored);
  await storeChanges(db, stored, changes, (change, before, current) =>
    writeAuditEntries(db, { ...auditActorOf(call), ...auditEntryOf(change, before, current) }),
  );
  return changes.length > 0;
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

async function readAll(db: Db, service: number) {
  // These first: what changes in between is noticed by the next reading.
  const schemaVersion = await readSchemaVersion(db, service);
  const unfinished = await countUnfinished(db, service);
  return { stored: await readShownExtras(db, service), schemaVersion, unfinished };
}

/** How often the schema of a service's database was changed by this platform. */
async function readSchemaVersion(db: Db, service: number): Promise<number> {
  const row = await db
    .selectFrom('db_schema_version')
    .select('version')
    .where('service_id', '=', service)
    .executeTakeFirst();
  return row?.version ?? 0;
}
