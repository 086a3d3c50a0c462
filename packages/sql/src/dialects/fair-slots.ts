// Slots that callers share: one that comes often does not make the others wait. Whoever waits is served in turn by
// caller, and first come first served within one; some slots are kept for callers who hold none.
import { type Failure, fail } from '@sluice/contract';

/** Opaque; `undefined` is the platform itself, whose calls take turns with the others' and may have every slot. */
export type SlotCaller = string | undefined;

export interface FairSlotsOptions {
  total: number;
  /** Of these, how many only a caller gets who holds none. */
  kept?: number;
  /** How many one caller may hold; all but those kept when absent. */
  ofOne?: number;
  maxWaiting: number;
  /** How many of them may be one caller's. */
  maxWaitingOfOne: number;
}

/** `W` is what waits for a slot. Whoever frees one asks for `next` until nobody may have it. */
export class FairSlots<W> {
  private readonly total: number;
  private readonly kept: number;
  private readonly ofOne: number;
  private readonly maxWaiting: number;
  private readonly maxWaitingOfOne: number;
  private used = 0;
  private readonly heldBy = new Map<SlotCaller, number>();
  /** Callers in the order of their turns: who had one goes to the end. */
  private readonly queues = new Map<SlotCaller, Set<W>>();
  private waitingCount = 0;

  constructor({ total, kept = 0, ofOne = total, maxWaiting, maxWaitingOfOne }: FairSlotsOptions) {
    this.total = total;
    this.kept = kept;
    this.ofOne = ofOne;
    this.maxWaiting = maxWaiting;
    this.maxWaitingOfOne = maxWaitingOfOne;
  }

  get waiting(): number {
    return this.waitingCount;
  }

  /** How many slots a caller holds. */
  held(caller: SlotCaller): number {
    return this.heldBy.get(caller) ?? 0;
  }

  isFreeFor(caller: SlotCaller): boolean {
    const held = this.heldBy.get(caller);
    if (held === undefined || caller === undefined) return this.used < this.total;
    return this.used < this.total - this.kept && held < this.ofOne;
  }

  /** Takes a slot if one is free for the caller. Nobody is passed over: whoever waits may not have it. */
  take(caller: SlotCaller): boolean {
    if (!this.isFreeFor(caller)) return false;
    this.used += 1;
    this.heldBy.set(caller, this.held(caller) + 1);
    return true;
  }

  release(caller: SlotCaller): void {
    this.used -= 1;
    const held = this.held(caller) - 1;
    if (held > 0) this.heldBy.set(caller, held);
    else this.heldBy.delete(caller);
    this.endTurn(caller);
  }

  /** Throws `database.overloaded` (503), and `database.ownWaiting` (429) where the caller's own calls leave no room. */
  enqueue(caller: SlotCaller, waiter: W): void {
    const queue = this.queues.get(caller) ?? new Set();
    if (this.waitingCount >= this.maxWaiting) throw fail('database.overloaded');
    if (queue.size >= this.maxWaitingOfOne) {
      if (caller === undefined) throw fail('database.overloaded');
      throw fail('database.ownWaiting', { limit: this.maxWaitingOfOne }, { retryAfter });
    }
    this.queues.set(caller, queue.add(waiter));
    this.waitingCount += 1;
  }

  /** Takes one that waits no more out of the queue; false when it is not there. */
  leave(caller: SlotCaller, waiter: W): boolean {
    const queue = this.queues.get(caller);
    if (!queue?.delete(waiter)) return false;
    if (queue.size === 0) this.queues.delete(caller);
    this.waitingCount -= 1;
    return true;
  }

  /** The next that may have a slot, which is then its; undefined when nobody may. */
  next(): W | undefined {
    if (this.used >= this.total) return undefined;
    // Passes over callers who hold slots already: there are no more of them than slots.
    for (const [caller, queue] of this.queues) {
      if (!this.take(caller)) continue;
      const [waiter] = queue;
      this.leave(caller, waiter as W);
      this.endTurn(caller);
      return waiter;
    }
    return undefined;
  }

  private endTurn(caller: SlotCaller): void {
    if (this.queues.size < 2) return;
    const queue = this.queues.get(caller);
    if (queue && this.queues.delete(caller)) this.queues.set(caller, queue);
  }

  /** Empties the queue. */
  drain(): W[] {
    const waiters = [...this.queues.values()].flatMap((queue) => [...queue]);
    this.queues.clear();
    this.waitingCount = 0;
    return waiters;
  }

  /** Why a caller has to wait; undefined when a slot is free for it. */
  reasonToWait(caller: SlotCaller): 'own' | 'all' | undefined {
    if (this.isFreeFor(caller)) return undefined;
    return this.used < this.total ? 'own' : 'all';
  }
}

/** Seconds after which a caller who has too much under way may try again. */
const retryAfter = 5;

/**
 * Shares of queries that run at once: one of several places is kept for a caller who runs none. 2,000 may wait, of one
 * caller 1,000.
 */
export const querySlots = <W>(total: number): FairSlots<W> =>
  new FairSlots({ total, kept: total > 1 ? 1 : 0, maxWaiting: 2000, maxWaitingOfOne: 1000 });

/** Shares of answers that last as long as their reader takes: one caller has half of them at most. */
export const exportSlots = <W>(total: number): FairSlots<W> =>
  new FairSlots({
    total,
    kept: total > 1 ? 1 : 0,
    ofOne: Math.ceil(total / 2),
    maxWaiting: 500,
    maxWaitingOfOne: 100,
  });

/** What waits for a slot as a promise. */
export interface SlotWaiter {
  admit(): void;
  reject(error: Error): void;
}

/** Limits of a wait: none when absent. */
export interface WaitOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
}

/**
 * Takes a slot that lasts as long as an export, waiting for its turn; `release` it and `admitNext`. Throws what `enqueue`
 * does, `database.cancelled`, and when its time is over what `waitFailure` says.
 */
export async function acquireSlot(
  slots: FairSlots<SlotWaiter>,
  caller: SlotCaller,
  { signal, timeout }: WaitOptions = {},
): Promise<void> {
  if (slots.take(caller)) return;
  if (signal?.aborted) throw fail('database.cancelled');
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    await new Promise<void>((admit, reject) => {
      const waiter = { admit, reject };
      slots.enqueue(caller, waiter);
      const giveUp = (failure: Failure) => slots.leave(caller, waiter) && reject(failure);
      onAbort = () => giveUp(fail('database.cancelled'));
      signal?.addEventListener('abort', onAbort, { once: true });
      if (timeout !== undefined)
        timer = setTimeout(() => giveUp(waitFailure('export', slots, caller, timeout)), timeout);
    });
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}

/** Lets those have free slots whose turn it is. */
export function admitNext(slots: FairSlots<SlotWaiter>): void {
  for (let waiter = slots.next(); waiter; waiter = slots.next()) waiter.admit();
}

/** What a call is told that waited in vain for `milliseconds`: whether its caller's own calls were in the way, or all. */
export function waitFailure<W>(
  kind: 'query' | 'export',
  slots: FairSlots<W>,
  caller: SlotCaller,
  milliseconds: number,
): Failure {
  const seconds = milliseconds / 1000;
  const reason = slots.reasonToWait(caller);
  // A place is free: what it waits for is the database.
  if (!reason) return fail('database.timeout', { seconds });
  const isQuery = kind === 'query';
  if (reason === 'all') return fail(isQuery ? 'database.busy' : 'database.exportsBusy', { seconds });
  const held = slots.held(caller);
  return fail(isQuery ? 'database.ownQueries' : 'database.ownExports', { seconds, held }, { retryAfter });
}
