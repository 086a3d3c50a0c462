// Which caller is next when slots are few: round robin by caller, a share for each, a slot kept for those that hold none, waits
// with a timeout; and one run for all that request the same. Each user of it brings the failures of waits that time out.
export { Bag, type Placed } from './bag.ts';
export {
  acquireSlot,
  FairSlots,
  type FairSlotsOptions,
  type LateWait,
  type SlotCaller,
  type SlotFailures,
} from './fair-slots.ts';
export { pause } from './pause.ts';
export { sharedRun } from './shared-run.ts';

export { type TurnKey, TurnQueue } from './turn-queue.ts';
export { type Waiter, type WaitingRoom, type WaitLimits, waitInTurn } from './wait.ts';
