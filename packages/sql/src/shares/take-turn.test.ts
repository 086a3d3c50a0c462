import { expect, test } from 'vitest';
import { takeTurn } from './take-turn.ts';

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
