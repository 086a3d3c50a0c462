import { fail } from '@sluice/contract';
import { FairSlots, type SlotFailures, type Waiter } from '@sluice/sql';

const busy = () => fail('store.busy');
/** Searches of any caller may hold the slots that a call waits for. */
const failures: SlotFailures = { full: busy, ownFull: busy, gone: () => fail('database.cancelled'), late: busy };

/** The slots of searches: of several one is kept for a caller who has none. 1,000 may wait, of one caller 500. */
export const searchSlots = (total: number): FairSlots<Waiter> =>
  new FairSlots({ total, kept: total > 1 ? 1 : 0, maxWaiting: 1000, maxWaitingOfOne: 500, failures });
