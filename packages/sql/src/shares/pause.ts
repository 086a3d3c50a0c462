import { setImmediate as nextImmediate } from 'node:timers/promises';

/** Milliseconds that loops work in one round of the event loop. */
const workPerRound = 8;

/** When the first pause of this round was, by the clock of `performance.now()`. */
let roundBegan: number | undefined;
let lastPause: Promise<unknown> = Promise.resolve();

/**
 * To be awaited at each item of a loop over many. Resolves at once, as undefined, while this round of the event loop has worked
 * for less than 8 ms since its first pause; else in a later round, one loop after the other: those who pause at once would
 * otherwise all work in one round.
 */
export function pause(): Promise<unknown> | undefined {
  if (hasTime()) return undefined;
  lastPause = lastPause.then(() => (hasTime() ? undefined : nextImmediate()));
  return lastPause;
}

function hasTime(): boolean {
  if (roundBegan !== undefined) return performance.now() - roundBegan < workPerRound;
  roundBegan = performance.now();
  setImmediate(() => {
    roundBegan = undefined;
  });
  return true;
}
