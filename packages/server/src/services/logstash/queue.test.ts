// What waits for a log server is bounded.
import { expect, it, vi } from 'vitest';
import { createLogQueue } from './queue.ts';
import { chunksOf } from './transport.ts';

it('abuse: what is beyond the bound is dropped, counted, and told when the server is there again', async () => {
  let isThere = false;
  const sent: string[] = [];
  const warnings: object[] = [];
  const queue = createLogQueue({
    transport: {
      async send(message) {
        if (!isThere) throw new Error('away');
        sent.push(String(message));
      },
      close: () => {},
    },
    dropped: (count) => Buffer.from(`${count} dropped`),
    log: { warn: (details) => void warnings.push(details) },
    ...{ maxMessages: 3, maxBytes: 1_000, firstPause: 1 },
  });
  for (let index = 0; index < 10; index++) queue.add(Buffer.from(`m${index}`));
  queue.add(Buffer.alloc(2_000));
  await vi.waitFor(() => expect(warnings.length).toBe(1));
  isThere = true;
  await vi.waitFor(() => expect(sent).toEqual(['m0', '8 dropped', 'm1', 'm2']));
  queue.add(Buffer.from('after'));
  await vi.waitFor(() => expect(sent.at(-1)).toBe('after'));
  await queue.close();
  queue.add(Buffer.from('too late'));
  expect(sent.at(-1)).toBe('after');
});

it('GELF: a message of more than 128 chunks is none', () => {
  expect(chunksOf(Buffer.alloc(1_420)).length).toBe(1);
  expect(chunksOf(Buffer.alloc(60_000)).length).toBe(43);
  expect(() => chunksOf(Buffer.alloc(200_000))).toThrow('more chunks than GELF allows');
});
