import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { password, people, testInstance } from './instance.fixture.ts';
import { createThrottle, delayOf } from './throttle.ts';

const from = '192.0.2.9';

afterEach(() => void vi.useRealTimers());

it.each([
  [0, 0],
  [2, 0],
  [3, 250],
  [4, 500],
  [6, 2000],
  [7, 4000],
  [1000, 4000],
])('after %i failures of an account the delay is %i ms', (failures, delay) => {
  expect(delayOf(failures, 3)).toBe(delay);
});

/** A throttle whose waits end at once, and the milliseconds an attempt would have waited. */
function noted() {
  let slept = 0;
  const throttle = createThrottle(async (milliseconds) => {
    slept = milliseconds;
  });
  const waits = async (account: string, address: string) => {
    slept = 0;
    await throttle.wait(account, address);
    return slept;
  };
  return { throttle, waits };
}

it('slows an account from every address, however it is spelled, until it succeeds', async () => {
  const { throttle, waits } = noted();
  for (let i = 0; i < 3; i++) throttle.failed('jo@example.com', `192.0.2.${i}`);
  expect(await waits('ada@example.com', from)).toBe(0);
  expect(await waits(' JO@example.com', from)).toBe(250);
  throttle.succeeded('jo@example.com');
  expect(await waits('jo@example.com', from)).toBe(0);
});

it('slows an address, an IPv6 network as one', async () => {
  const { throttle, waits } = noted();
  for (let i = 0; i < 20; i++) throttle.failed(`someone-${i}`, `2001:db8::${i}`);
  expect(await waits('another', '2001:db8:0:0:ffff::1')).toBe(250);
  expect(await waits('another', '2001:db9::1')).toBe(0);
});

it('forgets failures with time', async () => {
  const { throttle, waits } = noted();
  for (let i = 0; i < 4; i++) throttle.failed('jo', from);
  expect(await waits('jo', from)).toBe(500);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  expect(await waits('jo', from)).toBe(250);
  vi.setSystemTime(Date.now() + 30_000);
  expect(await waits('jo', from)).toBe(0);
});

it('refuses an address that piles up attempts, and lets it try again', async () => {
  const throttle = createThrottle();
  for (let i = 0; i < 3; i++) throttle.failed('jo', from);
  const attempts = await Promise.allSettled(Array.from({ length: 15 }, () => throttle.wait('jo', from)));
  const refused = attempts.filter((it) => it.status === 'rejected');
  expect(refused).toHaveLength(5);
  expect(refused[0]).toMatchObject({ reason: { status: 401, message: 'Invalid credentials supplied.' } });
  await expect(throttle.wait('jo', from)).resolves.toBeUndefined();
});

/** Signs in at an instance with people and tells the status and how long it took. */
async function timedSignIn() {
  const instance = await testInstance();
  onTestFinished(() => instance.close());
  await people(instance);
  return async (email: string, secret: string, ip: string) => {
    const start = performance.now();
    const { status } = await instance.ask('session', { verb: 'POST', body: { email, password: secret }, ip });
    return { status, took: performance.now() - start };
  };
}

it('answers 401 all the same, never locks, and lets the right password through', async () => {
  const timed = await timedSignIn();
  for (let i = 0; i < 4; i++) expect((await timed('jo@example.com', 'wrong', from)).status).toBe(401);
  const right = await timed('jo@example.com', password, '198.51.100.1');
  expect(right.status).toBe(200);
  expect(right.took).toBeGreaterThan(400);
});

it('does not count an administrator who tries the door of users first', async () => {
  const timed = await timedSignIn();
  for (let i = 0; i < 7; i++) await timed('ada@example.com', password, from);
  // Seven counted failures would be four seconds.
  expect((await timed('ada@example.com', password, from)).took).toBeLessThan(3_500);
});
