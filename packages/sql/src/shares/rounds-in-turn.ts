import { setImmediate } from 'node:timers/promises';

/**
 * A function that waits for a round of the event loop of one's own: what many callers do in pieces would otherwise all be done
 * in one round.
 */
export function roundsInTurn(): () => Promise<void> {
  let lastTurn: Promise<void> = Promise.resolve();
  return () => {
    lastTurn = lastTurn.then(() => setImmediate());
    return lastTurn;
  };
}
