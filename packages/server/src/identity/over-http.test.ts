// Signing in over HTTP, by people and by those who guess passwords.
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const secret = 'jo pass word';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ trustProxy: true });
  for (const name of ['jo', 'eve', 'sam']) {
    const email = `${name}@example.com`;
    await platform.create('user', { email, password: secret, is_active: true });
  }
});
afterAll(() => platform.stop());

let address = 0;
/** A network address that no call came from before. */
const newAddress = () => {
  address += 1;
  return `198.51.100.${address}`;
};
const signIn = (email: string, password: string, ip: string, path = 'user/session') =>
  platform.ask('POST', path, { body: { email, password }, token: null, headers: { 'x-forwarded-for': ip } });
const withBasic = (email: string, password: string, ip: string) =>
  platform.ask('GET', 'user/profile', {
    token: null,
    headers: {
      authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
      'x-forwarded-for': ip,
    },
  });

/** Makes many guesses at once; answers what was answered so far, and a function by which the waiting ones go away. */
async function flood(
  path: string,
  bodyOf: (guess: string) => object,
  headers: Record<string, string>,
  answerCount: number,
) {
  const controller = new AbortController();
  const answers: { status: number; retryAfter: string | null; message: string }[] = [];
  for (let index = 0; index < 60; index++)
    fetch(`${platform.url}/api/v2/${path}`, {
      method: 'POST',
      body: JSON.stringify(bodyOf(`guess ${index}`)),
      headers: { 'content-type': 'application/json', ...headers },
      signal: controller.signal,
    })
      .then(async (response) => {
        const { error } = (await response.json()) as { error: { message: string } };
        const retryAfter = response.headers.get('retry-after');
        answers.push({ status: response.status, retryAfter, message: error.message });
      })
      .catch(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(answerCount), { timeout: 10_000 });
  return { answers, leave: () => controller.abort() };
}

const tooMany = { status: 429, retryAfter: '6', message: 'Too many attempts. Please try again in a moment.' };

it.each(['jo@example.com', 'nobody@example.com'])(
  'abuse: of sixty guesses at %s at once five are judged',
  async (email) => {
    const ip = newAddress();
    const bodyOf = (password: string) => ({ email, password });
    const { answers, leave } = await flood('user/session', bodyOf, { 'x-forwarded-for': ip }, 58);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toEqual(Array(53).fill(tooMany));
    // Basic credentials and the other door meet the same count.
    expect((await withBasic(email, secret, ip)).status).toBe(429);
    expect((await signIn(email, secret, ip, 'system/admin/session')).status).toBe(429);
    // Others, here and elsewhere, do not.
    expect((await signIn('eve@example.com', secret, ip)).status).toBe(200);
    expect((await withBasic('sam@example.com', secret, ip)).status).toBe(200);
    expect((await signIn(email, secret, newAddress())).status).toBe(email.startsWith('jo') ? 200 : 401);
    leave();
  },
);

it('refunds right passwords, an administrator’s at the door of users too', async () => {
  const ip = newAddress();
  for (let i = 0; i < 12; i++) {
    expect((await signIn(administrator.email, administrator.password, ip)).status).toBe(401);
    expect((await signIn(administrator.email, administrator.password, ip, 'system/admin/session')).status).toBe(200);
  }
});

it('many calls at once with the same right credentials are one guess', async () => {
  const ip = newAddress();
  const forms = await Promise.all(Array.from({ length: 40 }, () => signIn('jo@example.com', secret, ip)));
  expect(new Set(forms.map(({ status }) => status))).toEqual(new Set([200]));
  const basics = await Promise.all(Array.from({ length: 40 }, () => withBasic('eve@example.com', secret, ip)));
  expect(new Set(basics.map(({ status }) => status))).toEqual(new Set([200]));
});

it('abuse: guesses at the old password of a change count too', async () => {
  const ip = newAddress();
  const { body } = await signIn('sam@example.com', secret, ip);
  const headers = { 'x-forwarded-for': ip, 'x-dreamfactory-session-token': body.session_token };
  const bodyOf = (old_password: string) => ({ old_password, new_password: secret });
  const { answers, leave } = await flood('user/password', bodyOf, headers, 58);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toEqual(Array(53).fill(tooMany));
  leave();
});

it('abuse: an address is looked up as it is written, and else in its normal form', async () => {
  const ip = newAddress();
  expect((await signIn('ｊｏ@ｅxample.com', secret, ip)).body).toMatchObject({ email: 'jo@example.com' });
});

it("abuse: a NUL behind a login makes it nobody's, and no other account to guess at", async () => {
  const ip = newAddress();
  for (const login of ['jo@example.com\0', 'jo@example.com\u00001', '\0jo@example.com'])
    expect((await signIn(login, secret, ip)).status, JSON.stringify(login)).toBe(401);
  expect((await withBasic('jo@example.com\u00001', secret, ip)).status).toBe(401);
  expect((await signIn('jo@example.com', secret, newAddress())).status).toBe(200);
});
