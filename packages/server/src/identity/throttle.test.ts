import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkOf } from '../call/caller-key.ts';
import { createThrottle, queueKeyOf, type Throttle } from './throttle.ts';

const homeAddress = '192.0.2.9';
const jo = 'jo@example.com';

let throttle: Throttle;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  throttle = createThrottle();
});
afterEach(() => void vi.useRealTimers());

interface Attempt {
  account?: string;
  address?: string;
  isRight?: boolean;
  signal?: AbortSignal;
}

/** What becomes of attempts that come at once; those still waiting are in none of the counts. */
async function outcomes(attempts: Attempt[]) {
  const counts = { judged: 0, refused: 0, gone: 0 };
  for (const { account = jo, address = homeAddress, isRight = false, signal } of attempts) {
    const check = async () => {
      counts.judged += 1;
      return isRight;
    };
    throttle.judge({ account, address, call: { signal } }, check).catch((error) => {
      if (error.key === 'session.tooMany') counts.refused += 1;
      else if (error.key === 'session.gone') counts.gone += 1;
      else throw error;
    });
  }
  await vi.advanceTimersByTimeAsync(0);
  return counts;
}
const repeat = (count: number, build: (index: number) => Attempt = () => ({})) =>
  Array.from({ length: count }, (_, index) => build(index));

describe('an account and a network address', () => {
  it('abuse: of two hundred guesses at once five are judged, two wait, the rest is refused', async () => {
    const counts = await outcomes(repeat(200));
    expect(counts).toEqual({ judged: 5, refused: 193, gone: 0 });
    await vi.advanceTimersByTimeAsync(12_000);
    expect(counts).toEqual({ judged: 7, refused: 193, gone: 0 });
  });

  it('abuse: keeps that pace however long somebody goes on', async () => {
    let judged = 0;
    for (let second = 0; second < 600; second++) {
      judged += (await outcomes(repeat(20))).judged;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    // What waits is judged in a later second than it came: all of it is judged by the pace.
    expect(judged).toBeLessThan(5 + 600 / 6 + 2);
  });

  it('refunds right tries, and those that could not be judged', async () => {
    for (let i = 0; i < 50; i++) expect(await outcomes([{ isRight: true }])).toMatchObject({ judged: 1 });
    for (let i = 0; i < 50; i++) {
      const failing = throttle.judge({ account: jo, address: homeAddress }, () => Promise.reject(new Error('away')));
      await expect(failing).rejects.toThrow('away');
    }
    expect(await outcomes(repeat(5))).toMatchObject({ judged: 5 });
  });

  it('admits a waiting try at once when another was right', async () => {
    let settle: (isRight: boolean) => void = () => {};
    const slow = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const first = throttle.judge({ account: jo, address: homeAddress }, () => slow);
    const counts = await outcomes(repeat(5));
    expect(counts.judged).toBe(4);
    settle(true);
    await first;
    await vi.advanceTimersByTimeAsync(0);
    expect(counts.judged).toBe(5);
  });

  it('abuse: is one pair however the account and the address are written', async () => {
    const accounts = [' JO@example.com ', 'jo@example.com', 'ｊｏ@example.com', 'Jo@EXAMPLE.com', 'jo＠example.com'];
    const addresses = ['2001:db8::1', '2001:DB8:0:0::2', '2001:db8:0:0:ffff::3', '2001:0db8::', '2001:db8::1%eth0'];
    await outcomes(accounts.map((account, at) => ({ account, address: addresses[at]! })));
    expect(await outcomes([{ address: '2001:db8::77' }])).toMatchObject({ judged: 0 });
  });

  it('abuse: frees the place of a caller who went away', async () => {
    const controller = new AbortController();
    const counts = await outcomes(repeat(7, () => ({ signal: controller.signal })));
    expect(counts).toEqual({ judged: 5, refused: 0, gone: 0 });
    controller.abort();
    expect(await outcomes(repeat(2))).toMatchObject({ refused: 0 });
    expect(counts).toEqual({ judged: 5, refused: 0, gone: 2 });
  });
});

describe('a network address', () => {
  const spray = (index: number): Attempt => ({ account: `someone-${index}@example.com` });

  it('abuse: meets no budget that others filled when it has not failed for that account', async () => {
    await outcomes(repeat(200));
    for (let i = 0; i < 3; i++) await outcomes(repeat(200, spray));
    expect(await outcomes([{ account: 'other@example.com', isRight: true }])).toMatchObject({ judged: 1 });
    expect(await outcomes([{ address: '198.51.100.1', isRight: true }])).toMatchObject({ judged: 1 });
    expect(await outcomes([{ address: '198.51.100.1' }])).toMatchObject({ judged: 1 });
  });

  it('abuse: holds back somebody who goes through many accounts again, each of them in turn', async () => {
    await outcomes(repeat(40, spray));
    const counts = await outcomes(repeat(40, spray));
    expect(counts).toEqual({ judged: 0, refused: 20, gone: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(counts.judged).toBe(20);
  });

  it('abuse: accounts that fill the queue leave room for another that failed', async () => {
    await outcomes(repeat(40, spray));
    await outcomes([{ account: 'mistyped@example.com' }]);
    await outcomes(repeat(200, (index) => spray(index % 5)));
    const counts = await outcomes([{ account: 'mistyped@example.com', isRight: true }]);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(counts.judged).toBe(1);
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

it('looks at no more characters of an account than its name may have', () => {
  expect(queueKeyOf(homeAddress, 'x'.repeat(100_000))[1]).toHaveLength(255);
});
