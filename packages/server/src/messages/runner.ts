// Makes the calls of messages: those of one subscription one after the other, few at once, no faster than so many in a second. What
// comes faster waits; beyond what may wait, messages are dropped and counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { maxGenerations } from './broker.ts';
import type { Message } from './message-call.ts';
import type { Counts, Subscription } from './stored.ts';

export interface RunnerParts {
  /** Makes the call of a message; throws why it was not made, or failed. */
  makeCall(subscription: Subscription, message: Message, signal: AbortSignal): Promise<void>;
  saveCounts(id: number, counts: Counts): Promise<void>;
  log: { warn(details: object, message: string): void };
  bounds?: RunnerBounds;
}

export interface RunnerBounds {
  /** Calls at once, of a process. */
  places: number;
  /** Milliseconds between the beginnings of two calls of a subscription, on the average of the last ones. */
  interval: number;
  /** Calls that a subscription may make at once after a pause. */
  burst: number;
  /** Messages of a subscription that wait, and their bytes in the whole process. */
  waiting: number;
  bytes: number;
  /** Milliseconds that a call may take. */
  time: number;
}

const usualBounds: RunnerBounds = {
  ...{ places: 8, interval: 20, burst: 200, time: 60_000 },
  ...{ waiting: 1_000, bytes: 32 * 1024 * 1024 },
};
/** Milliseconds between two lines in the log about the same subscription. */
const logInterval = 60_000;

export interface MessageRunner {
  add(subscription: Subscription, message: Message): void;
  /** Notes that no messages come for a subscription. */
  refuse(subscription: Subscription, reason: string): void;
  /** Forgets what waits of subscriptions that are not among these ids any more. */
  keep(serviceSubscriptions: readonly number[], all: readonly number[]): void;
  /** Writes down what became of messages. */
  flush(): Promise<void>;
  /** Ends what runs, forgets what waits. */
  close(): Promise<void>;
}

interface Lane {
  subscription: Subscription;
  waiting: Message[];
  isRunning: boolean;
  /** Calls that may begin at once, and when that was counted. */
  allowance: number;
  countedAt: number;
}

export function createMessageRunner({ makeCall, saveCounts, log, bounds = usualBounds }: RunnerParts): MessageRunner {
  const stop = new AbortController();
  const lanes = new Map<number, Lane>();
  const counts = new Map<number, Counts>();
  const loggedAt = new Map<number, number>();
  const running = new Set<Promise<void>>();
  /** Of calls under way. */
  const ends = new Set<AbortController>();
  const turns: (() => void)[] = [];
  let free = bounds.places;
  let bytes = 0;

  const countsOf = (id: number): Counts => {
    const found = counts.get(id) ?? { calls: 0, failures: 0, dropped: 0 };
    counts.set(id, found);
    return found;
  };

  function note(subscription: Subscription, error: string, details: object): void {
    countsOf(subscription.id).lastError = error;
    if (Date.now() - (loggedAt.get(subscription.id) ?? 0) < logInterval) return;
    loggedAt.set(subscription.id, Date.now());
    log.warn({ subscription: subscription.id, topic: subscription.topic, ...details }, error);
  }

  function drop(subscription: Subscription, reason: string): void {
    countsOf(subscription.id).dropped += 1;
    note(subscription, reason, {});
  }

  async function takePlace(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => turns.push(resolve));
  }
  function givePlace(): void {
    const next = turns.shift();
    if (next) next();
    else free += 1;
  }

  /** Waits until a subscription may begin another call. */
  async function pace(lane: Lane): Promise<void> {
    const now = Date.now();
    lane.allowance = Math.min(bounds.burst, lane.allowance + (now - lane.countedAt) / bounds.interval);
    lane.countedAt = now;
    lane.allowance -= 1;
    if (lane.allowance >= 0) return;
    await sleep(-lane.allowance * bounds.interval, undefined, { signal: stop.signal }).catch(() => {});
  }

  async function run(lane: Lane): Promise<void> {
    for (;;) {
      await pace(lane);
      const message = stop.signal.aborted ? undefined : lane.waiting.shift();
      if (!message) break;
      bytes -= message.content.length;
      await takePlace();
      try {
        if (stop.signal.aborted) break;
        countsOf(lane.subscription.id).calls += 1;
        await callInTime(lane.subscription, message);
      } catch (error) {
        countsOf(lane.subscription.id).failures += 1;
        note(lane.subscription, `The call of a message failed: ${(error as Error).message}`, { err: error });
      } finally {
        givePlace();
      }
    }
    lane.isRunning = false;
  }

  async function callInTime(subscription: Subscription, message: Message): Promise<void> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), bounds.time);
    ends.add(end);
    try {
      await makeCall(subscription, message, end.signal);
    } finally {
      clearTimeout(timer);
      ends.delete(end);
    }
  }

  function begin(lane: Lane): void {
    if (lane.isRunning) return;
    lane.isRunning = true;
    const ended = run(lane).finally(() => running.delete(ended));
    running.add(ended);
  }

  function forget(id: number): void {
    const lane = lanes.get(id);
    for (const { content } of lane?.waiting.splice(0) ?? []) bytes -= content.length;
    lanes.delete(id);
    loggedAt.delete(id);
  }

  return {
    add(subscription, message) {
      if (stop.signal.aborted) return;
      if (message.generation >= maxGenerations) {
        drop(subscription, `Messages led to each other more than ${maxGenerations} times: no call is made.`);
        return;
      }
      let lane = lanes.get(subscription.id);
      if (!lane) {
        lane = { subscription, waiting: [], isRunning: false, allowance: bounds.burst, countedAt: Date.now() };
        lanes.set(subscription.id, lane);
      }
      lane.subscription = subscription;
      if (lane.waiting.length >= bounds.waiting || bytes + message.content.length > bounds.bytes) {
        drop(subscription, 'Messages come faster than their calls are made: some are dropped.');
        return;
      }
      lane.waiting.push(message);
      bytes += message.content.length;
      begin(lane);
    },
    refuse: (subscription, reason) => note(subscription, reason, {}),
    keep(ids, all) {
      for (const id of all) if (!ids.includes(id)) forget(id);
    },
    async flush() {
      const changed = [...counts];
      counts.clear();
      for (const [id, of] of changed) await saveCounts(id, of);
    },
    async close() {
      stop.abort();
      for (const end of ends) end.abort();
      for (const id of [...lanes.keys()]) forget(id);
      await Promise.all(running);
    },
  };
}
