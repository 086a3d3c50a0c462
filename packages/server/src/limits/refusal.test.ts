import { expect, test } from 'vitest';
import type { CountedLimit } from './matching.ts';
import { refusalOf } from './refusal.ts';

const limit = { id: 7, name: 'per minute', rate: 2, length: 60_000, record: {} } as unknown as CountedLimit;

test.each([
  [60_000, 60],
  // A minute, as the difference of two clocks has it.
  [1_234.1 + 60_000 - 1_234.1 + 1e-8, 60],
  [59_999.9, 60],
  [59_000.01, 60],
  [0, 1],
])('of a limit that ends in %s ms a caller waits %s seconds', (endsIn, seconds) => {
  const { failure, headers } = refusalOf([{ limit, endsIn }], 0);
  expect([failure.retryAfter, Object.fromEntries(headers)]).toMatchObject([
    seconds,
    { 'X-RateLimit-Reset': String(seconds), RateLimit: `"limit-7";r=0;t=${seconds}` },
  ]);
});
