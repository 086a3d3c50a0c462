// Calls that are made when messages arrive on topics of a broker (docs/adr/0035). Subscriptions are rows of the store; of all
// processes one listens for a service, which is a job that goes on (jobs/). message-call.ts says what a call is made of,
// runner.ts bounds the calls, make-call.ts makes one. What a broker is, its service says (broker.ts).
import { fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { createKey } from '../call/typed-map.ts';
import type { Platform } from '../gateway/platform.ts';
import { createJobKind, type Jobs } from '../jobs/index.ts';
import { originOf } from '../scripts/detached-call.ts';
import { noteOf } from '../scripts/noted-caller.ts';
import type { Services } from '../service/registry.ts';
import { affects, type Store } from '../store/index.ts';
import { type BrokerMessage, type Listening, messageBroker } from './broker.ts';
import { callForMessage } from './make-call.ts';
import type { MessageCall } from './message-call.ts';
import { createMessageRunner } from './runner.ts';
import {
  createStoredSubscriptions,
  type ListedSubscription,
  type Owner,
  ownerOf,
  type Subscription,
} from './stored.ts';
import { matchesTopic } from './topics.ts';

/** What services of brokers offer their callers. */
export interface Subscriptions {
  /** Those of the caller; of all for administrators. */
  list(serviceId: number, call: Call): Promise<ListedSubscription[]>;
  /** Subscribes the caller. */
  add(serviceId: number, call: Call, list: readonly { topic: string; call: MessageCall }[]): Promise<void>;
  /** Ends those of the caller, of all for administrators, on one topic or on every one; answers how many. */
  remove(serviceId: number, call: Call, topic: string | undefined): Promise<number>;
}

/** For services that are connected to a broker. */
export const subscriptions = createKey<Subscriptions>('the subscriptions of the instance');

export interface StartedSubscriptions extends Subscriptions {
  /** Has somebody listen for each service with subscriptions; once jobs are taken. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface SubscriptionParts {
  store: Store;
  secrets: { encrypt(text: string): string; decrypt(text: string): string };
  jobs: Jobs;
  services: () => Pick<Services, 'rows' | 'openById'>;
  platform: () => Platform;
  log: { warn(details: object, message: string): void };
}

/** A service of a broker that is listened to; it goes on until it has no subscriptions. */
const listening = createJobKind<{ service: number }>('listen for messages', {
  ...{ places: 50, attempts: Number.MAX_SAFE_INTEGER, isOngoing: true },
});
const table = 'message_subscription';
/** Milliseconds after which a service without subscriptions is listened to no more. */
const graceTime = 20_000;
/** Milliseconds that a topic is left out over which the broker closed the connection. */
const shunTime = 5 * 60_000;
/** Milliseconds before a broker is called again. */
const pauses = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
/** Milliseconds between two looks for services that nobody listens for, and between two that counts are written. */
const lookInterval = 30_000;
const flushInterval = 1_000;

export function createSubscriptions(parts: SubscriptionParts): StartedSubscriptions {
  const { store, secrets, jobs, services, platform, log } = parts;
  const stored = createStoredSubscriptions(store, secrets);
  const runner = createMessageRunner({
    makeCall: (subscription, message, signal) => callForMessage(subscription, message, signal, platform()),
    saveCounts: (id, counts) => stored.count(id, counts),
    log,
  });
  /** Wakes those who listen in this process. */
  const watchers = new Set<() => void>();
  let isStarted = false;

  jobs.handle(listening, ({ service }, { signal }) => listen(service, signal));
  jobs.repeat(lookInterval, 'Looking for services with subscriptions', ensureAll);
  jobs.repeat(flushInterval, 'Counting messages', () => runner.flush());
  store.bus.subscribe((change) => {
    // Subscriptions go with their service, their person and their app.
    if (![table, 'service', 'user', 'app'].some((name) => affects(change, name))) return;
    for (const wake of watchers) wake();
    // One that was switched on again, for instance.
    if (isStarted && affects(change, 'service')) void ensureAll().catch(() => {});
  });

  /** Has somebody listen for a service. */
  async function ensure(service: number): Promise<void> {
    const row = (await services().rows()).find(({ id }) => id === service);
    if (!row?.isActive) return;
    await jobs.add(listening, { service }, { uniqueKey: `${listening.name} ${service}`, subject: row.name });
  }

  async function ensureAll(): Promise<void> {
    for (const service of await stored.services()) await ensure(service);
  }

  async function listen(service: number, signal: AbortSignal): Promise<void> {
    const changes = createChanges(watchers, signal);
    /** Topics over which the broker closed the connection, and until when they are left out. */
    const shunned = new Map<string, number>();
    let attempt = 0;
    let problem = '';
    try {
      while (!signal.aborted) {
        let reason: string | undefined;
        try {
          const row = (await services().rows()).find(({ id }) => id === service);
          if (!row?.isActive) return;
          if ((await stored.list(service)).length === 0) {
            if (!(await changes.within(graceTime))) return;
            continue;
          }
          reason = await listenOnce(service, changes, shunned, () => {
            attempt = 0;
            problem = '';
          });
        } catch (error) {
          // A job that fails is given up some day; this one never is.
          reason = (error as Error).message;
        }
        if (signal.aborted) break;
        if (reason === undefined) continue;
        if (reason !== problem) log.warn({ service }, `No messages are received: ${reason}`);
        problem = reason;
        await changes.within(pauses[Math.min(attempt++, pauses.length - 1)] as number);
      }
      // The job is given back, so that another process listens.
      throw signal.reason;
    } finally {
      changes.end();
    }
  }

  /** Listens until the connection is gone, and answers why, or the process ends, or nothing is subscribed to any more. */
  async function listenOnce(
    service: number,
    changes: Changes,
    shunned: Map<string, number>,
    onReady: () => void,
  ): Promise<string | undefined> {
    const isShunned = (topic: string) => (shunned.get(topic) ?? 0) > Date.now();
    const broker = (await services().openById(service)).provided(messageBroker);
    if (!broker) throw new Error('the service has no broker');
    let current: Subscription[] = [];
    const link: Listening = await broker.listen((message) => deliver(current, message));
    const refuse = (topic: string, text: string): void => {
      for (const subscription of current)
        if (subscription.topic === topic) runner.refuse(subscription, `No messages come of the topic: ${text}`);
    };
    try {
      const closed = link.closed.then((reason) => ({ reason }));
      for (;;) {
        const list = await stored.list(service);
        runner.keep(
          list.map(({ id }) => id),
          current.map(({ id }) => id),
        );
        current = list;
        if (list.length === 0) return undefined;
        const topics = [...new Set(list.map(({ topic }) => topic))].filter((topic) => !isShunned(topic));
        for (const [topic, text] of await link.setFilters(topics)) refuse(topic, text);
        onReady();
        const ended = await Promise.race([closed, changes.next()]);
        if (ended) return ended.reason;
        if (changes.isOver) return undefined;
      }
    } catch (error) {
      if (link.pending !== undefined) {
        shunned.set(link.pending, Date.now() + shunTime);
        refuse(link.pending, (error as Error).message);
      }
      throw error;
    } finally {
      await link.close();
    }
  }

  function deliver(list: readonly Subscription[], { topic, content, generation, filters }: BrokerMessage): void {
    for (const subscription of list)
      if (filters.includes(subscription.topic) && matchesTopic(subscription.topic, topic))
        runner.add(subscription, { topic, content, generation });
  }

  const meant = (call: Call): Owner | undefined => {
    if (call.caller.user?.isAdmin) return undefined;
    const owner = ownerOf(call.caller);
    // Who has neither is refused before.
    if (!owner) throw fail('message.noCaller');
    return owner;
  };

  return {
    list: (serviceId, call) => stored.list(serviceId, meant(call)),
    async add(serviceId, call, list) {
      const owner = ownerOf(call.caller);
      if (!owner) throw fail('message.noCaller');
      const [caller, origin] = [noteOf(call.caller), originOf(call)];
      await stored.add(
        serviceId,
        list.map((entry) => ({ ...entry, caller, origin, owner })),
      );
      await store.bus.publish({ table, ids: [] });
      await ensure(serviceId);
    },
    async remove(serviceId, call, topic) {
      const count = await stored.remove(serviceId, meant(call), topic);
      if (count > 0) await store.bus.publish({ table, ids: [] });
      return count;
    },
    async start() {
      isStarted = true;
      await ensureAll();
    },
    async close() {
      await runner.close();
      await runner.flush().catch((error: unknown) => log.warn({ err: error }, 'Counts of messages are lost.'));
    },
  };
}

interface Changes {
  /** Resolves with nothing at the next change, or at the end; at once where one came since the last. */
  next(): Promise<undefined>;
  /** Whether a change comes within so many milliseconds. */
  within(milliseconds: number): Promise<boolean>;
  readonly isOver: boolean;
  end(): void;
}

/** Changes that those who listen wait for: none is missed between two waits. */
function createChanges(watchers: Set<() => void>, signal: AbortSignal): Changes {
  let hasChanged = false;
  let waiting: (() => void) | undefined;
  const wake = () => {
    hasChanged = true;
    waiting?.();
  };
  watchers.add(wake);
  signal.addEventListener('abort', wake, { once: true });
  const next = async (): Promise<undefined> => {
    if (!hasChanged && !signal.aborted)
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    hasChanged = false;
  };
  return {
    next,
    async within(milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), milliseconds).unref();
      });
      const first = await Promise.race([next(), late]);
      clearTimeout(timer);
      return first !== 'late';
    },
    get isOver() {
      return signal.aborted;
    },
    end: () => void watchers.delete(wake),
  };
}
