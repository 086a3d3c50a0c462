import { takeTurn } from '@sluice/sql';

/** Milliseconds of work after which other calls get a turn, and how many writes are in it at most. */
const turn = { ms: 10, writes: 20 };

let turnBegan = 0;

/** A store on the main thread answers at once, so many writes in one call would let no other call in between them. */
export async function yieldToEventLoop(index: number): Promise<void> {
  if (index % turn.writes !== turn.writes - 1 && performance.now() - turnBegan < turn.ms) return;
  await takeTurn();
  turnBegan = performance.now();
}
