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

/** Things to do one after the other, each of them short, as fields of a table are; after so many others have their turn. */
export async function* inTurns<T>(things: Iterable<T>, perTurn = 200): AsyncGenerator<T> {
  let done = 0;
  for (const thing of things) {
    if (done > 0 && done % perTurn === 0) await takeTurn();
    yield thing;
    done += 1;
  }
}
