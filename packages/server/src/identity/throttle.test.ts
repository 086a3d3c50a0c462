import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrottle, laneOf, networkOf, type Throttle } from './throttle.ts';

const here = '192.0.2.9';
const jo = 'jo@example.com';

let throttle: Throttle;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  throttle = createThrottle();
});
afterEach(() => void vi.useRealTimers());

interface Try {
  account?: string;
  address?: string;
  right?: boolean;
  signal?: AbortSignal;
}

/** What becomes of tries that come at once: judged, refused, or still waiting when all that does not wait is done. */
async function outcomes(tries: Try[]) {
  const seen = { judged: 0, refused: 0, gone: 0 };
  for (const { account = jo, address = here, right = false, signal } of tries) {
    const check = async () => {
      seen.judged += 1;
      return right;
    };
    throttle.judge({ account, address, from: { signal } }, check).catch((error) => {
      if (error.key === 'session.tooMany') seen.refused += 1;
      else if (error.key === 'session.gone') seen.gone += 1;
      else throw error;
    });
  }
  await vi.advanceTimersByTimeAsync(0);
  return seen;
}
const times = (count: number, of: (at: number) => Try = () => ({})) => Array.from({ length: count }, (_, at) => of(at));

describe('an account and a network address', () => {
  it('abuse: of two hundred guesses at once five are judged, two wait, the rest is refused', async () => {
    const seen = await outcomes(times(200));
    expect(seen).toEqual({ judged: 5, refused: 193, gone: 0 });
    await vi.advanceTimersByTimeAsync(12_000);
    expect(seen).toEqual({ judged: 7, refused: 193, gone: 0 });
  });

  it('abuse: keeps that pace however long somebody goes on', async () => {
    let judged = 0;
    for (let second = 0; second < 600; second++) {
      judged += (await outcomes(times(20))).judged;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    // What waits is judged in a later second than it came: all of it is judged by the pace.
    expect(judged).toBeLessThan(5 + 600 / 6 + 2);
  });

  it('takes right tries back, and what could not be judged', async () => {
    for (let i = 0; i < 50; i++) expect(await outcomes([{ right: true }])).toMatchObject({ judged: 1 });
    for (let i = 0; i < 50; i++) {
      const away = throttle.judge({ account: jo, address: here }, () => Promise.reject(new Error('away')));
      await expect(away).rejects.toThrow('away');
    }
    expect(await outcomes(times(5))).toMatchObject({ judged: 5 });
  });

  it('lets who waits go on at once when a try was right', async () => {
    let answer: (isRight: boolean) => void = () => {};
    const slow = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const first = throttle.judge({ account: jo, address: here }, () => slow);
    const seen = await outcomes(times(5));
    expect(seen.judged).toBe(4);
    answer(true);
    await first;
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.judged).toBe(5);
  });

  it('abuse: is one pair however the account and the address are written', async () => {
    const accounts = [' JO@example.com ', 'jo@example.com', 'ｊｏ@example.com', 'Jo@EXAMPLE.com', 'jo＠example.com'];
    const addresses = ['2001:db8::1', '2001:DB8:0:0::2', '2001:db8:0:0:ffff::3', '2001:0db8::', '2001:db8::1%eth0'];
    await outcomes(accounts.map((account, at) => ({ account, address: addresses[at]! })));
    expect(await outcomes([{ address: '2001:db8::77' }])).toMatchObject({ judged: 0 });
  });

  it('abuse: frees the place of a caller who went away', async () => {
    const leaving = new AbortController();
    const seen = await outcomes(times(7, () => ({ signal: leaving.signal })));
    expect(seen).toEqual({ judged: 5, refused: 0, gone: 0 });
    leaving.abort();
    expect(await outcomes(times(2))).toMatchObject({ refused: 0 });
    expect(seen).toEqual({ judged: 5, refused: 0, gone: 2 });
  });
});

describe('a network address', () => {
  const spray = (at: number): Try => ({ account: `someone-${at}@example.com` });

  it('abuse: meets no budget that others filled when it has not failed for that account', async () => {
    await outcomes(times(200));
    for (let i = 0; i < 3; i++) await outcomes(times(200, spray));
    expect(await outcomes([{ account: 'other@example.com', right: true }])).toMatchObject({ judged: 1 });
    expect(await outcomes([{ address: '198.51.100.1', right: true }])).toMatchObject({ judged: 1 });
    expect(await outcomes([{ address: '198.51.100.1' }])).toMatchObject({ judged: 1 });
  });

  it('abuse: holds back who goes through many accounts again, each of them in turn', async () => {
    await outcomes(times(40, spray));
    const seen = await outcomes(times(40, spray));
    expect(seen).toEqual({ judged: 0, refused: 20, gone: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen.judged).toBe(20);
  });

  it('abuse: accounts that fill the queue leave room for another that failed', async () => {
    await outcomes(times(40, spray));
    await outcomes([{ account: 'mistyped@example.com' }]);
    await outcomes(times(200, (at) => spray(at % 5)));
    const seen = await outcomes([{ account: 'mistyped@example.com', right: true }]);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(seen.judged).toBe(1);
  });
});

it.each([
  ['192.0.2.9', '192.0.2.9'],
  ['::ffff:192.0.2.9', '192.0.2.9'],
  ['::FFFF:c000:0209', '192.0.2.9'],
  ['0:0:0:0:0:ffff:192.0.2.9', '192.0.2.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is of the network %s', (address, network) => expect(networkOf(address)).toBe(network));

it('looks at no more of an account than accounts have', () => {
  expect(laneOf(here, 'x'.repeat(100_000))[1]).toHaveLength(255);
});
