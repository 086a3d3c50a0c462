import { countRounds } from '@sluice/testkit/rounds';
import { expect, test } from 'vitest';
import { pause } from './pause.ts';

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

function work(ms: number): void {
  for (const begin = performance.now(); performance.now() - begin < ms; );
}

test('abuse: a loop over many items lets others in between, each of several at once in rounds of its own', async () => {
  const rounds = countRounds();
  await nextRound();
  const worked: number[][] = [];
  const loop = async () => {
    const own: number[] = [];
    worked.push(own);
    for (let item = 0; item < 20; item += 1) {
      await pause();
      work(3);
      own.push(rounds.current);
    }
  };
  await Promise.all(Array.from({ length: 4 }, loop));
  rounds.stop();
  const perRound = new Map<number, number>();
  for (const round of worked.flat()) perRound.set(round, (perRound.get(round) ?? 0) + 1);
  // Three loops are under way before 8 ms are over, and each ends the item it is at.
  expect(Math.max(...perRound.values())).toBeLessThanOrEqual(6);
});

test('nothing is waited for while the round is young', async () => {
  await nextRound();
  expect(pause()).toBeUndefined();
  expect(pause()).toBeUndefined();
  work(9);
  const waited = pause();
  expect(waited).toBeInstanceOf(Promise);
  await waited;
  expect(pause()).toBeUndefined();
});
