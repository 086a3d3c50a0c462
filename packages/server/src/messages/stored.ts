// Subscriptions in the store: they outlive the process, and all processes see the same.
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import type { Caller } from '../call/call.ts';
import type { CallOrigin } from '../scripts/detached-call.ts';
import type { CallerNote } from '../scripts/noted-caller.ts';
import type { Store } from '../store/index.ts';
import type { MessageCall } from './message-call.ts';

export interface Subscription {
  id: number;
  topic: string;
  call: MessageCall;
  caller: CallerNote;
  origin: CallOrigin;
}

export interface ListedSubscription extends Subscription {
  created_date: string;
  user_id: number | null;
  app_id: number | null;
  calls: number;
  failures: number;
  dropped: number;
  last_error: string | null;
}

/** Whose subscriptions are meant: those of a person, or of an app that calls by its key alone. */
export type Owner = { user_id: number } | { app_id: number };

export const ownerOf = ({ user, app }: Caller): Owner | undefined =>
  user ? { user_id: user.id } : app ? { app_id: app.id } : undefined;

export interface NewSubscription extends Pick<Subscription, 'topic' | 'call' | 'caller' | 'origin'> {
  owner: Owner;
}

/** What became of the messages of a subscription. */
export interface Counts {
  calls: number;
  failures: number;
  dropped: number;
  lastError?: string;
}

/** Subscriptions of a service, and those of one owner among them. */
export const maxSubscriptions = { service: 200, owner: 50 };
/** Characters of an error that is kept. */
const maxError = 500;

export interface StoredSubscriptions {
  /** Those of a service, or of one owner. */
  list(serviceId: number, owner?: Owner): Promise<ListedSubscription[]>;
  /** Adds all that are not there yet. Throws `message.tooManySubscriptions`, and adds none. */
  add(serviceId: number, list: readonly NewSubscription[]): Promise<void>;
  /** Removes those of a topic, or all; answers how many. */
  remove(serviceId: number, owner: Owner | undefined, topic: string | undefined): Promise<number>;
  /** The services that have some. */
  services(): Promise<number[]>;
  count(id: number, counts: Counts): Promise<void>;
}

export function createStoredSubscriptions(
  store: Pick<Store, 'db' | 'transaction' | 'insert' | 'isDuplicate'>,
  secrets: { encrypt(text: string): string; decrypt(text: string): string },
): StoredSubscriptions {
  const { db } = store;

  async function list(serviceId: number, owner?: Owner): Promise<ListedSubscription[]> {
    let query = db.selectFrom('message_subscription').selectAll().where('service_id', '=', serviceId);
    if (owner && 'user_id' in owner) query = query.where('user_id', '=', owner.user_id);
    else if (owner) query = query.where('app_id', '=', owner.app_id).where('user_id', 'is', null);
    const rows = await query.orderBy('id').execute();
    return rows.map(({ content, fingerprint: _, service_id: _service, ...row }) => ({
      ...row,
      ...(JSON.parse(secrets.decrypt(content)) as Pick<Subscription, 'topic' | 'call' | 'caller' | 'origin'>),
    }));
  }

  return {
    list,
    async add(serviceId, added) {
      const rows = added.map(({ owner, topic, call, caller, origin }) => ({
        ...{ service_id: serviceId, user_id: null, app_id: caller.app?.id ?? null, ...owner },
        fingerprint: fingerprintOf([serviceId, owner, topic, call]),
        content: secrets.encrypt(JSON.stringify({ topic, call, caller, origin })),
        created_date: new Date().toISOString(),
      }));
      const unique = [...new Map(rows.map((row) => [row.fingerprint, row])).values()];
      const before = await list(serviceId);
      const known = await db
        .selectFrom('message_subscription')
        .select('fingerprint')
        .where('service_id', '=', serviceId)
        .execute();
      const fresh = unique.filter((row) => !known.some(({ fingerprint }) => fingerprint === row.fingerprint));
      const isOwners = (row: { user_id: number | null; app_id: number | null }) =>
        added.some(({ owner }) =>
          'user_id' in owner ? row.user_id === owner.user_id : row.user_id === null && row.app_id === owner.app_id,
        );
      const checkCounts = (all: readonly { user_id: number | null; app_id: number | null }[], more: number): void => {
        for (const [count, limit] of [
          [all.filter(isOwners).length + more, maxSubscriptions.owner],
          [all.length + more, maxSubscriptions.service],
        ] as const)
          if (count > limit) throw fail('message.tooManySubscriptions', { limit });
      };
      checkCounts(before, fresh.length);
      const ids: number[] = [];
      for (const row of fresh)
        await store.insert(db, 'message_subscription', row).then(
          (id) => ids.push(id),
          (error: unknown) => {
            // Another call made the same one meanwhile.
            if (!store.isDuplicate(error)) throw error;
          },
        );
      try {
        // Of calls at the same time, each saw the others' not yet.
        checkCounts(await list(serviceId), 0);
      } catch (error) {
        if (ids.length > 0) await db.deleteFrom('message_subscription').where('id', 'in', ids).execute();
        throw error;
      }
    },
    async remove(serviceId, owner, topic) {
      const ids = (await list(serviceId, owner))
        .filter((subscription) => topic === undefined || subscription.topic === topic)
        .map(({ id }) => id);
      if (ids.length > 0) await db.deleteFrom('message_subscription').where('id', 'in', ids).execute();
      return ids.length;
    },
    async services() {
      const rows = await db.selectFrom('message_subscription').select('service_id').distinct().execute();
      return rows.map(({ service_id }) => service_id);
    },
    async count(id, { calls, failures, dropped, lastError }) {
      await db
        .updateTable('message_subscription')
        .set((row) => ({
          calls: row('calls', '+', calls),
          failures: row('failures', '+', failures),
          dropped: row('dropped', '+', dropped),
          ...(lastError === undefined ? {} : { last_error: lastError.slice(0, maxError) }),
        }))
        .where('id', '=', id)
        .execute();
    },
  };
}

const fingerprintOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
