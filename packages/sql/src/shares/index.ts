// Who is next when places are few: turns by caller, a share for each, a place kept for those who hold none, waits that are
// bounded; and one run for all who ask for the same. What those are told who wait in vain, each user says for itself.
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
