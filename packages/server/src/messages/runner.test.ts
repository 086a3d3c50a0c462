// Floods: what waits is bounded, what is beyond it is dropped and counted, and calls are made in order and not too fast.
import { expect, it } from 'vitest';
import { createMessageRunner, type RunnerBounds } from './runner.ts';
import type { Counts, Subscription } from './stored.ts';

const bounds: RunnerBounds = { places: 2, interval: 1, burst: 1_000, waiting: 10, bytes: 1_000, time: 60_000 };
const subscription = (id: number) => ({ id, topic: `t/${id}` }) as Subscription;
const message = (text: string, generation = 0) => ({ topic: 't', content: Buffer.from(text), generation });

function aRunner(makeCall: (id: number, text: string) => Promise<void>, more: Partial<RunnerBounds> = {}) {
  const counts = new Map<number, Counts>();
  const lines: string[] = [];
  const runner = createMessageRunner({
    makeCall: ({ id }, { content }) => makeCall(id, String(content)),
    saveCounts: async (id, of) => void counts.set(id, of),
    log: { warn: (_, line) => void lines.push(line) },
    bounds: { ...bounds, ...more },
  });
  return { runner, counts, lines };
}

it('abuse: beyond what may wait, messages are dropped, with a count and one line', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const made: string[] = [];
  const { runner, counts, lines } = aRunner(async (_, text) => {
    await held;
    made.push(text);
  });
  for (let index = 0; index < 50; index++) runner.add(subscription(1), message(String(index)));
  release();
  await expect.poll(() => made.length).toBeGreaterThanOrEqual(10);
  await runner.flush();
  // One was being made already, ten waited.
  expect(made).toEqual(made.toSorted((a, b) => Number(a) - Number(b)));
  expect(made.length).toBeLessThanOrEqual(11);
  expect(counts.get(1)?.dropped).toBe(50 - made.length);
  expect(lines).toEqual(['Messages come faster than their calls are made: some are dropped.']);
  await runner.close();
});

it('abuse: the bytes of all that waits are bounded', async () => {
  const { runner, counts } = aRunner(() => new Promise(() => {}), { waiting: 1_000 });
  for (let id = 1; id <= 4; id++)
    for (let count = 0; count < 3; count++) runner.add(subscription(id), message('x'.repeat(200)));
  await runner.flush();
  const dropped = [...counts.values()].reduce((sum, of) => sum + of.dropped, 0);
  expect(dropped).toBeGreaterThanOrEqual(3);
});

it('abuse: a subscription makes no more calls in a second than it may, and no more at once than there are places', async () => {
  let [made, under, most] = [0, 0, 0];
  const { runner } = aRunner(
    async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 1));
      under -= 1;
      made += 1;
    },
    { interval: 50, burst: 2, waiting: 100, bytes: 10_000 },
  );
  for (let id = 1; id <= 5; id++) for (let index = 0; index < 20; index++) runner.add(subscription(id), message('x'));
  const began = Date.now();
  await expect.poll(() => made).toBeGreaterThanOrEqual(15);
  expect(made).toBeLessThanOrEqual(5 * (2 + 1 + Math.ceil((Date.now() - began) / 50)));
  expect(most).toBeLessThanOrEqual(2);
  await runner.close();
});

it('what fails is counted, and keeps nothing else from its call; what others led to too often is dropped', async () => {
  const made: string[] = [];
  const { runner, counts } = aRunner(async (_, text) => {
    if (text === 'bad') throw new Error('odd');
    made.push(text);
  });
  for (const text of ['a', 'bad', 'b']) runner.add(subscription(1), message(text));
  runner.add(subscription(1), message('loop', 5));
  await expect.poll(() => made).toEqual(['a', 'b']);
  await runner.flush();
  expect(counts.get(1)).toMatchObject({ calls: 3, failures: 1, dropped: 1 });
  expect(counts.get(1)?.lastError).toContain('odd');
  await runner.close();
});
