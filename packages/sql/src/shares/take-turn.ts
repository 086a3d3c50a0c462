import { setImmediate } from 'node:timers/promises';

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a round of the event loop of one's own. To be awaited before each piece of long work, whatever it is, in all of the
 * process: what many callers do in pieces would otherwise all be done in one round.
 */
export function takeTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
