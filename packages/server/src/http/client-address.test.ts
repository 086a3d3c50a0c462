import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareAddresses } from './client-address.ts';

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['1.2.3.4:5678', '1.2.3.4'],
  ['1.2.3.4:', '1.2.3.4'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[fe80::1%eth0]:443', 'fe80::1'],
  ['fe80::1%25eth0', 'fe80::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:1.2.3.4:5678', '1.2.3.4'],
  ['[::ffff:1.2.3.4]:5678', '1.2.3.4'],
  ['9.9.9.9:1, [2001:db8::1]:2,3.3.3.3:4', '9.9.9.9, 2001:db8::1, 3.3.3.3'],
  ['1.1.1.1, unknown, 3.3.3.3', '3.3.3.3'],
  ['unknown', ''],
  ['', ''],
  ['_hidden:80', ''],
  ['1.2.3.4:5678:9', ''],
  ['256.1.1.1', ''],
  ['[1.2.3.4', ''],
  ['01.2.3.4', ''],
])('%j is %j', (list, addresses) => expect(bareAddresses(list)).toBe(addresses));

describe('guesses by a proxy', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startPlatform({ trustProxy: 1 });
  });
  afterAll(() => platform.stop());

  it.each([
    ['a port', (n: number) => `1.2.3.4:${1000 + n}`],
    ['a port of IPv6', (n: number) => `[2001:db8::${n + 1}]:${1000 + n}`],
    ['IPv4 in IPv6 and a port', (n: number) => `::ffff:1.2.3.5:${1000 + n}`],
    ['nonsense', (n: number) => `nonsense-${n}`],
  ])('abuse: with %s they are of one network', async (what, forwardedFor) => {
    const leaving = new AbortController();
    let refused = 0;
    const guess = async (n: number) => {
      const { status } = await fetch(`${platform.url}/api/v2/user/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor(n) },
        body: JSON.stringify({ email: `${what}@example.com`, password: `guess ${n}` }),
        signal: leaving.signal,
      });
      if (status === 429) refused++;
    };
    const guesses = Array.from({ length: 20 }, (_, n) => guess(n).catch(() => {}));
    // Five are judged and two wait.
    await expect.poll(() => refused).toBe(13);
    leaving.abort();
    await Promise.all(guesses);
  });
});

it('the address of a caller behind two proxies has no port, and that of one who hides is the proxy nearest to it', async () => {
  const platform = await startPlatform({ trustProxy: 2 });
  try {
    const addressFor = async (list: string) => {
      const { body } = await platform.ask('GET', 'system/environment', { headers: { 'x-forwarded-for': list } });
      return body.client.ip_address;
    };
    expect(await addressFor('7.7.7.7, 1.2.3.4:80, 5.6.7.8:90')).toBe('1.2.3.4');
    expect(await addressFor('7.7.7.7, hidden, 5.6.7.8:90')).toBe('5.6.7.8');
    expect(await addressFor('hidden')).toMatch(/127\.0\.0\.1$/);
  } finally {
    await platform.stop();
  }
});
