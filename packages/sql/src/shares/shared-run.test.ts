import { expect, it } from 'vitest';
import { sharedRun } from './shared-run.ts';

/** A run whose work ends on command. */
function heldRun() {
  const ends: ((error?: Error) => void)[] = [];
  const run = sharedRun(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length + 1;
        ends.push((error) => (error ? reject(error) : resolve(number)));
      }),
  );
  return { run, ends };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('is one for all who ask at once, and another for those who ask while it runs', async () => {
  const { run, ends } = heldRun();
  const first = [run(), run(), run()];
  await nextTurn();
  const second = [run(), run()];
  await nextTurn();
  expect(ends).toHaveLength(1);
  ends[0]!();
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  await nextTurn();
  ends[1]!();
  expect(await Promise.all(second)).toEqual([2, 2]);
  expect(ends).toHaveLength(2);
});

it('fails for those who shared it, and not for those who come after', async () => {
  const { run, ends } = heldRun();
  const failing = [run(), run()];
  await nextTurn();
  const later = run();
  ends[0]!(new Error('away'));
  const results = await Promise.allSettled(failing);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await nextTurn();
  ends[1]!();
  expect(await later).toBe(2);
});
