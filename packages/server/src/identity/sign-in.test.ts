import { parseOptions, verify } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { passwordCost } from './passwords.ts';
import { ids, password, people, type TestInstance, testInstance } from './test-instance.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return { ...real, verify: vi.fn(real.verify) };
});

let instance: TestInstance;
beforeAll(async () => {
  instance = await testInstance();
  await people(instance);
  await instance.store.db.updateTable('user').set({ password: null }).where('id', '=', ids.nina).execute();
});
afterAll(() => instance.close());
beforeEach(() => void vi.mocked(verify).mockClear());

// The time of an answer is that of its hashing: whoever is asked for, one hash of today's cost is compared.
it.each([
  ['a wrong password', 'jo@example.com', 'wrong'],
  ['an unknown account', 'nobody@example.com', 'wrong'],
  ['an account without a password', 'nina@example.com', 'wrong'],
  ['an inactive account', 'ivan@example.com', password],
  ['an account of the other kind', 'ada@example.com', password],
  ['an endless password', 'jo@example.com', 'x'.repeat(5000)],
])('works as long for %s', async (_name, email, secret) => {
  const answer = await instance.ask('session', { verb: 'POST', body: { email, password: secret } });
  expect(answer).toMatchObject({ status: 401, message: 'Invalid credentials supplied.' });
  expect(verify).toHaveBeenCalledTimes(1);
  expect(parseOptions(vi.mocked(verify).mock.calls[0]![0])).toMatchObject(passwordCost);
});
