// The answer to a call above a limit: the envelope of the contract, its headers, and those of the standard to come
// (contract/limits.md §5; https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
import { type Failure, fail } from '@sluice/contract';
import type { CountedLimit } from './matching.ts';

/** A limit that refuses a call, and for how many milliseconds. */
export interface Exceeded {
  limit: CountedLimit;
  endsIn: number;
}

/** The failure and its headers; they describe the first limit, in order of id. `now` in milliseconds since 1970. */
export function refusalOf(
  exceeded: readonly Exceeded[],
  now: number,
): { failure: Failure; headers: [name: string, value: string][] } {
  const sorted = exceeded.toSorted((a, b) => a.limit.id - b.limit.id);
  const { limit, endsIn } = sorted[0]!;
  const seconds = secondsOf(endsIn);
  const context = sorted.map(({ limit: { id, name, record } }) => ({ id, name, object: record }));
  return {
    failure: fail('limit.exceeded', undefined, { context, retryAfter: seconds }),
    headers: [
      ['X-RateLimit-Limit', String(limit.rate)],
      ['X-RateLimit-Remaining', '0'],
      ['X-RateLimit-Reset', String(Math.ceil(now / 1000) + seconds)],
      ['RateLimit', sorted.map((item) => `${nameOf(item.limit)};r=0;t=${secondsOf(item.endsIn)}`).join(', ')],
      [
        'RateLimit-Policy',
        sorted.map(({ limit }) => `${nameOf(limit)};q=${limit.rate};w=${limit.length / 1000}`).join(', '),
      ],
    ],
  };
}

/** Who waits as long as this is let through: never a fraction short. What a difference of clocks has in its last digits is none. */
const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000 - 1e-6));

/** People give limits names with any letters; the header takes ASCII alone. */
const nameOf = ({ id }: CountedLimit) => `"limit-${id}"`;
