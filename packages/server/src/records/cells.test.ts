import { countRounds } from '@sluice/testkit/rounds';
import { expect, it } from 'vitest';
import { readTextCells } from './cells.ts';

const call = { header: () => 'text/csv' };

it('makes values of words, leaves empty cells out, and other bodies as they are', async () => {
  const payload = { resource: [{ a: 'true', b: '', c: ['null', 'x'] }] };
  expect(await readTextCells(call, payload)).toEqual({ resource: [{ a: true, c: [null, 'x'] }] });
  expect(readTextCells({ header: () => 'application/json' }, payload)).toBe(payload);
});

it('abuse: others have their turn while hundreds of thousands of cells are read, wherever they stand', async () => {
  const cells = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`c${n}`, n % 2 ? 'true' : '']));
  const typed = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`c${2 * n + 1}`, true]));
  for (const payload of [
    { resource: Array.from({ length: 200 }, () => cells) },
    { resource: { deep: [{ list: Array.from({ length: 200 }, () => cells) }] } },
  ]) {
    const rounds = countRounds();
    const read = await readTextCells(call, payload);
    rounds.stop();
    expect(rounds.current).toBeGreaterThan(2);
    expect(JSON.stringify(read)).toBe(JSON.stringify(payload, (_, value) => (value === cells ? typed : value)));
  }
});

it('abuse: a cell is read once, however deep it stands', async () => {
  let reads = 0;
  const cells = new Proxy(Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`c${n}`, 'true'])), {
    get: (target, name: string) => {
      reads += 1;
      return target[name];
    },
  });
  let payload: unknown = Array.from({ length: 10 }, () => cells);
  for (let depth = 0; depth < 90; depth++) payload = { deep: payload };
  await readTextCells(call, payload);
  expect(reads).toBe(20_000);
});
