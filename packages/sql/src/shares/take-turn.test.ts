import { expect, test } from 'vitest';
import { inTurns, takeTurn } from './take-turn.ts';

test('abuse: those who take turns at once have one in each round of the event loop', async () => {
  let round = 0;
  let isOver = false;
  const count = () => {
    round += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const rounds = await Promise.all(Array.from({ length: 10 }, () => takeTurn().then(() => round)));
  isOver = true;
  expect(new Set(rounds).size).toBe(10);
});

test('abuse: of many things others have their turn after so many', async () => {
  let round = 0;
  const roundOf: number[] = [];
  const count = () => {
    round += 1;
    if (roundOf.length < 5) setImmediate(count);
  };
  setImmediate(count);
  const things: string[] = [];
  for await (const thing of inTurns(['a', 'b', 'c', 'd', 'e'], 2)) {
    things.push(thing);
    roundOf.push(round);
  }
  expect(things.join('')).toBe('abcde');
  expect(roundOf[0]).toBe(roundOf[1]);
  expect(roundOf[2]).toBeGreaterThan(roundOf[1] as number);
  expect(roundOf[4]).toBeGreaterThan(roundOf[3] as number);
});
