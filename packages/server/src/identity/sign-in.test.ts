import * as argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ids, password, type TestInstance } from './instance.fixture.ts';
import { passwordCost } from './passwords.ts';

const verify = vi.fn(argon2.verify);

let instance: TestInstance;
beforeAll(async () => {
  // A file that ran before in the same process has loaded the real module: all modules are loaded again.
  vi.resetModules();
  vi.doMock('@node-rs/argon2', () => ({ ...argon2, verify }));
  const fixture = await import('./instance.fixture.ts');
  instance = await fixture.openTestInstance();
  await fixture.insertPeople(instance);
  await instance.store.db.updateTable('user').set({ password: null }).where('id', '=', ids.nina).execute();
});
afterAll(async () => {
  await instance.close();
  vi.doUnmock('@node-rs/argon2');
  vi.resetModules();
});
beforeEach(() => void verify.mockClear());

// The time of an answer is that of its hashing: for any account, one hash of the current cost is compared.
it.each([
  ['a wrong password', 'jo@example.com', 'wrong'],
  ['an unknown account', 'nobody@example.com', 'wrong'],
  ['an account without a password', 'nina@example.com', 'wrong'],
  ['an inactive account', 'ivan@example.com', password],
  ['an account of the other kind', 'ada@example.com', password],
  ['an endless password', 'jo@example.com', 'x'.repeat(5000)],
])('takes as long for %s', async (_name, email, secret) => {
  const answer = await instance.ask('session', { verb: 'POST', body: { email, password: secret } });
  expect(answer).toMatchObject({ status: 401, message: 'Invalid credentials supplied.' });
  expect(verify).toHaveBeenCalledTimes(1);
  expect(argon2.parseOptions(verify.mock.calls[0]![0])).toMatchObject(passwordCost);
});
