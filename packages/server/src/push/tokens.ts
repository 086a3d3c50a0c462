// Devices of an app that get notifications by a service: rows of the store, for all processes.
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import type { Store } from '../store/index.ts';
import type { Delivery } from './transport.ts';

export interface DeviceToken {
  id: number;
  service_id: number;
  app_id: number;
  device_token: string;
  created_date: string;
  last_modified_date: string;
}

/** Tokens of an app at a service. */
export const maxTokens = 10_000;
/** Milliseconds that a dead one is listed. */
const deadTime = 30 * 24 * 3_600_000;

export interface DeviceTokens {
  list(appId: number): Promise<DeviceToken[]>;
  /** Those that turned out to be dead in the last 30 days. */
  dead(appId: number): Promise<{ device_token: string; date: string }[]>;
  /** Registers one; throws `push.registered` and `push.tooManyTokens`. Answers its id. */
  add(appId: number, token: string): Promise<number>;
  /** Puts one in the place of another; throws `push.oldTokenUnknown` and `push.registered`. Answers its id. */
  replace(appId: number, old: string, token: string): Promise<number>;
  removeAll(appId: number): Promise<void>;
  /** Takes out those that the push service calls dead, unless they were registered since. */
  buryDead(appId: number, deliveries: readonly Delivery[]): Promise<void>;
  /** The app of an API key that is active. */
  appOfKey(key: string): Promise<{ id: number; name: string } | undefined>;
}

type TokenStore = Pick<Store, 'db' | 'insert' | 'isDuplicate'>;

export function createDeviceTokens(store: TokenStore, serviceId: number): DeviceTokens {
  const { db } = store;
  const rowsOf = (appId: number) =>
    db.selectFrom('device_token').where('service_id', '=', serviceId).where('app_id', '=', appId);
  const living = (appId: number) => rowsOf(appId).where('dead_date', 'is', null);

  async function idOf(appId: number, token: string): Promise<number | undefined> {
    return (await living(appId).select('id').where('hash', '=', hashOf(token)).executeTakeFirst())?.id;
  }

  async function purge(appId: number): Promise<void> {
    await db
      .deleteFrom('device_token')
      .where('service_id', '=', serviceId)
      .where('app_id', '=', appId)
      .where('dead_date', '<', new Date(Date.now() - deadTime).toISOString())
      .execute();
  }

  return {
    list: (appId) =>
      living(appId)
        .select(['id', 'service_id', 'app_id', 'device_token', 'created_date', 'last_modified_date'])
        .orderBy('id')
        .limit(maxTokens)
        .execute(),
    async dead(appId) {
      const since = new Date(Date.now() - deadTime).toISOString();
      const rows = await rowsOf(appId)
        .select(['device_token', 'dead_date'])
        .where('dead_date', '>', since)
        .orderBy('id')
        .limit(maxTokens)
        .execute();
      return rows.map(({ device_token, dead_date }) => ({ device_token, date: dead_date ?? '' }));
    },
    async add(appId, token) {
      if ((await idOf(appId, token)) !== undefined) throw fail('push.registered');
      await purge(appId);
      const count = await living(appId).select(db.fn.countAll().as('count')).executeTakeFirstOrThrow();
      if (Number(count.count) >= maxTokens) throw fail('push.tooManyTokens', { limit: maxTokens });
      // One that was dead lives again.
      await db
        .deleteFrom('device_token')
        .where('service_id', '=', serviceId)
        .where('app_id', '=', appId)
        .where('hash', '=', hashOf(token))
        .where('dead_date', 'is not', null)
        .execute();
      const now = new Date().toISOString();
      const dates = { created_date: now, last_modified_date: now, dead_date: null };
      const row = { service_id: serviceId, app_id: appId, hash: hashOf(token), device_token: token, ...dates };
      return store.insert(db, 'device_token', row).catch((error: unknown) => {
        // Another call registered it meanwhile.
        throw store.isDuplicate(error) ? fail('push.registered') : error;
      });
    },
    async replace(appId, old, token) {
      const id = await idOf(appId, old);
      if (id === undefined) throw fail('push.oldTokenUnknown');
      const other = await rowsOf(appId)
        .select(['id', 'dead_date'])
        .where('hash', '=', hashOf(token))
        .executeTakeFirst();
      if (other && other.id !== id) {
        if (other.dead_date === null) throw fail('push.registered');
        await db.deleteFrom('device_token').where('id', '=', other.id).execute();
      }
      await db
        .updateTable('device_token')
        .set({ hash: hashOf(token), device_token: token, last_modified_date: new Date().toISOString() })
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => {
          throw store.isDuplicate(error) ? fail('push.registered') : error;
        });
      return id;
    },
    async removeAll(appId) {
      await db.deleteFrom('device_token').where('service_id', '=', serviceId).where('app_id', '=', appId).execute();
    },
    async buryDead(appId, deliveries) {
      const now = new Date();
      for (const { token, problem } of deliveries) {
        if (!problem?.isDead) continue;
        await db
          .updateTable('device_token')
          .set({ dead_date: now.toISOString() })
          .where('service_id', '=', serviceId)
          .where('app_id', '=', appId)
          .where('hash', '=', hashOf(token))
          .where('last_modified_date', '<=', (problem.deadSince ?? now).toISOString())
          .execute();
      }
    },
    appOfKey: (key) =>
      db
        .selectFrom('app')
        .select(['id', 'name'])
        .where('api_key', '=', key)
        .where('is_active', '=', 1)
        .executeTakeFirst(),
  };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
