// How many calls a service makes at once of a server elsewhere: callers wait for their turn, each with a share.
import type { Failure } from '@sluice/contract';
import { acquireSlot, FairSlots, type Waiter } from '@sluice/sql';
import type { Call } from './call.ts';
import { callerKey } from './caller-key.ts';

export interface CallSlots {
  /** Does `work` in a slot for the caller; throws the failure of the slots for a call that gets none. */
  run<T>(call: Call, work: () => Promise<T>): Promise<T>;
}

export interface CallSlotsOptions {
  total: number;
  /** Slots that callers who hold none find free. */
  kept: number;
  /** Calls that wait; those of one caller are half of them at most. */
  maxWaiting: number;
  /** Milliseconds that one waits. */
  waitTime: number;
  /** Whatever keeps a call from its turn. */
  busy(): Failure;
}

export function createCallSlots({ total, kept, maxWaiting, waitTime, busy }: CallSlotsOptions): CallSlots {
  const slots = new FairSlots<Waiter>({
    ...{ total, kept, maxWaiting, maxWaitingOfOne: maxWaiting / 2 },
    failures: { full: busy, ownFull: busy, late: busy, gone: busy },
  });
  return {
    async run(call, work) {
      const release = await acquireSlot(slots, callerKey(call), { signal: call.signal, timeout: waitTime });
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
