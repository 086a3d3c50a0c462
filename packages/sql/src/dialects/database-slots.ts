// The slots of a database (docs/operations.md, "Fair shares"), and the failures of calls that get none.
import { fail } from '@sluice/contract';
import { FairSlots, type SlotFailures, type Waiter } from '../shares/index.ts';

/** Seconds after which a caller who has too much under way may try again. */
const retryAfter = 5;

/** The failures of calls that wait for a database: one for when all slots are taken, one for when those of the caller are. */
const failuresOf = (
  all: 'database.busy' | 'database.exportsBusy',
  own: 'database.ownQueries' | 'database.ownExports',
): SlotFailures => ({
  full: () => fail('database.overloaded'),
  ownFull: (limit) => fail('database.ownWaiting', { limit }, { retryAfter }),
  gone: () => fail('database.cancelled'),
  late({ milliseconds, reason, held }) {
    const seconds = milliseconds / 1000;
    if (reason === 'all') return fail(all, { seconds });
    if (reason === 'own') return fail(own, { seconds, held }, { retryAfter });
    // With a place free it waited for the database itself.
    return fail('database.timeout', { seconds });
  },
});

const queryFailures = failuresOf('database.busy', 'database.ownQueries');
const exportFailures = failuresOf('database.exportsBusy', 'database.ownExports');

/**
 * Shares of queries that run at once: one of several places is kept for a caller who runs none. 2,000 may wait, of one
 * caller 1,000.
 */
export const querySlots = <W>(total: number): FairSlots<W> =>
  new FairSlots({
    total,
    kept: total > 1 ? 1 : 0,
    maxWaiting: 2000,
    maxWaitingOfOne: 1000,
    failures: queryFailures,
  });

/** Shares of answers that last as long as their reader takes: one caller has half of them at most. */
export const exportSlots = <W>(total: number): FairSlots<W> =>
  new FairSlots({
    total,
    kept: total > 1 ? 1 : 0,
    ofOne: Math.ceil(total / 2),
    maxWaiting: 500,
    maxWaitingOfOne: 100,
    failures: exportFailures,
  });

/** Changes of a database's schema: one at a time, and fewer may wait, of one caller 20 of 50. */
export const changeSlots = (): FairSlots<Waiter> =>
  new FairSlots({ total: 1, maxWaiting: 50, maxWaitingOfOne: 20, failures: queryFailures });
