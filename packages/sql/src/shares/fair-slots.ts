// Slots that callers share: a caller that comes often does not make the others wait. Those that wait are served by round robin
// of callers, and first come first served within a caller; some slots are kept for callers that hold none.
import type { Failure } from '@sluice/contract';
import { TurnQueue } from './turn-queue.ts';
import { type Waiter, waitInTurn } from './wait.ts';

/** Opaque; `undefined` is the platform itself, whose calls have their place in the round robin and may have every slot. */
export type SlotCaller = string | undefined;

/** A wait that reached its timeout. */
export interface LateWait {
  milliseconds: number;
  /** What it was for: `own`, one of the slots the caller holds; `all`, one of anybody's. Undefined where one is free. */
  reason: 'own' | 'all' | undefined;
  /** How many slots the caller holds. */
  held: number;
}

/** The failures of callers that get no slot. */
export interface SlotFailures {
  /** As many wait as may. */
  full(): Failure;
  /** As many of this caller wait as may of one. */
  ownFull(limit: number): Failure;
  gone(): Failure;
  late(wait: LateWait): Failure;
}

export interface FairSlotsOptions {
  total: number;
  /** Of these, how many only a caller gets who holds none. */
  kept?: number;
  /** How many one caller may hold; all but those kept when absent. */
  ofOne?: number;
  maxWaiting: number;
  /** How many of them may be one caller's. */
  maxWaitingOfOne: number;
  failures: SlotFailures;
}

/** `W` is what waits for a slot. After a slot is freed, `next` is called until no waiter may have one. */
export class FairSlots<W> {
  private readonly options: Required<FairSlotsOptions>;
  private used = 0;
  private readonly heldBy = new Map<SlotCaller, number>();
  private readonly queue = new TurnQueue<W>();

  constructor(options: FairSlotsOptions) {
    const { total, kept = 0 } = options;
    const notKept = total - kept;
    this.options = { ...options, kept, ofOne: Math.min(options.ofOne ?? notKept, notKept) };
  }

  get failures(): SlotFailures {
    return this.options.failures;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** How many slots a caller holds. */
  held(caller: SlotCaller): number {
    return this.heldBy.get(caller) ?? 0;
  }

  isFreeFor(caller: SlotCaller): boolean {
    const { total, kept, ofOne } = this.options;
    const held = this.heldBy.get(caller);
    if (held === undefined || caller === undefined) return this.used < total;
    return this.used < total - kept && held < ofOne;
  }

  /** Takes a slot if one is free for the caller. It passes no waiter over: none of those could have it. */
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
    this.queue.endTurn(caller);
  }

  /** Throws the failure `full`, and `ownFull` where the caller's own leave no room. */
  enqueue(caller: SlotCaller, waiter: W): void {
    const { maxWaiting, maxWaitingOfOne, failures } = this.options;
    if (this.queue.size >= maxWaiting) throw failures.full();
    if (this.queue.sizeOf(caller) >= maxWaitingOfOne)
      throw caller === undefined ? failures.full() : failures.ownFull(maxWaitingOfOne);
    this.queue.add([caller], waiter);
  }

  /** Takes one that waits no more out of the queue; false when it is not there. */
  leave(caller: SlotCaller, waiter: W): boolean {
    return this.queue.remove([caller], waiter);
  }

  /** The next that may have a slot, which is then its; undefined when nobody may. */
  next(): W | undefined {
    if (this.used >= this.options.total) return undefined;
    // Passes over callers who hold slots already: there are no more of them than slots.
    return this.queue.next((caller) => this.take(caller));
  }

  /** Empties the queue. */
  drain(): W[] {
    return this.queue.drain();
  }

  /** The failure of a caller whose wait of `milliseconds` reached its timeout. */
  lateFailure(caller: SlotCaller, milliseconds: number): Failure {
    return this.failures.late({ milliseconds, reason: this.reasonToWait(caller), held: this.held(caller) });
  }

  private reasonToWait(caller: SlotCaller): LateWait['reason'] {
    if (this.isFreeFor(caller)) return undefined;
    if (caller === undefined) return 'all';
    const { total, ofOne } = this.options;
    return this.used < total || this.held(caller) >= ofOne ? 'own' : 'all';
  }
}

/**
 * Takes a slot, waiting for its turn at most `timeout` milliseconds; the function it answers gives the slot back. Throws what
 * `enqueue` does, and the failures `gone` and `late`.
 */
export async function acquireSlot(
  slots: FairSlots<Waiter>,
  caller: SlotCaller,
  { signal, timeout }: { signal?: AbortSignal | undefined; timeout?: number } = {},
): Promise<() => void> {
  if (!slots.take(caller)) {
    const room = {
      join: (waiter: Waiter) => slots.enqueue(caller, waiter),
      leave: (waiter: Waiter) => slots.leave(caller, waiter),
      goneFailure: slots.failures.gone,
    };
    const deadline = timeout === undefined ? undefined : { timeout, failure: () => slots.lateFailure(caller, timeout) };
    await waitInTurn(room, { signal, deadline });
  }
  return () => {
    slots.release(caller);
    for (let waiter = slots.next(); waiter; waiter = slots.next()) waiter.admit();
  };
}
