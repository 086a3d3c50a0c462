// The transport against a server that answers as Apple documents it, with TLS and the certificate of the service.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedPair } from '@sluice/testkit/mail-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openApple } from './apple.ts';
import { type AppleServer, startApple } from './apple-server.fixture.ts';

const server = selfSignedPair();
/** The certificate of an app as Apple gives it out: its id is the UID of the subject. */
let certificate = '';
let apple: AppleServer;
const open: { close?(): Promise<void> }[] = [];

/** The certificate of an app and its key, which wants a passphrase. */
function certificateOf(subject: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-apns-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-passout', 'pass:open sesame', '-days', '2'];
  execFileSync('openssl', [...made, '-subj', subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pem = `${readFileSync(cert, 'utf8')}\n${readFileSync(key, 'utf8')}`;
  rmSync(folder, { recursive: true });
  return pem;
}

beforeAll(async () => {
  certificate = certificateOf('/UID=com.example.shop/CN=Apple Push Services: com.example.shop');
  apple = await startApple({ ...server, ca: certificate });
});
afterEach(async () => {
  for (const transport of open.splice(0)) await transport.close?.();
  apple.answers.clear();
  apple.pushes.splice(0);
});
afterAll(() => apple.stop());

const transportOf = (more: Partial<Parameters<typeof openApple>[0]> = {}) => {
  const options = { certificate, passphrase: 'open sesame', address: apple.address, ca: server.cert, ...more };
  const transport = openApple(options, { connect: 2_000, answer: 500, idle: 5_000 });
  open.push(transport);
  return transport;
};
const token = (index: number) => index.toString(16).padStart(64, '0');
const signal = AbortSignal.timeout(60_000);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    ({ status, key, message }) => `${status} ${key}: ${message}`,
  );

it('notifications go out as Apple wants them, by one connection that the certificate opens', async () => {
  const { sessions } = apple;
  const transport = transportOf();
  const all = {
    message: 'Hi',
    badge: 3,
    sound: 'bell',
    'loc-key': 'K',
    'loc-args': ['a'],
    custom: { aps: 'x', mine: 1 },
  };
  await transport.send([token(1)], { message: 'Hi' }, signal);
  await transport.send(
    Array.from({ length: 120 }, (_, index) => token(index + 2)),
    all,
    signal,
  );
  expect(apple.sessions - sessions).toBe(1);
  expect(apple.pushes).toHaveLength(121);
  expect(apple.pushes[0]).toMatchObject({
    ...{ token: token(1), subject: 'Apple Push Services: com.example.shop' },
    headers: { 'apns-topic': 'com.example.shop', 'apns-push-type': 'alert' },
    payload: { aps: { alert: 'Hi', badge: 1, sound: 'default' } },
  });
  expect(apple.pushes[1]?.payload).toEqual({
    ...{ mine: 1, aps: { alert: { body: 'Hi', 'loc-key': 'K', 'loc-args': ['a'] }, badge: 3, sound: 'bell' } },
  });
});

it('a dead device is one that Apple calls unregistered, since when it says', async () => {
  const timestamp = Date.parse('2026-01-02T03:04:05Z');
  apple.answers.set(token(1), { status: 410, body: { reason: 'Unregistered', timestamp } });
  apple.answers.set(token(2), { status: 400, body: { reason: 'BadDeviceToken' } });
  const deliveries = await transportOf().send([token(1), token(2), token(3)], { message: 'x' }, signal);
  expect(deliveries).toEqual([
    { token: token(1), problem: { text: 'Unregistered', isDead: true, deadSince: new Date(timestamp) } },
    { token: token(2), problem: { text: 'BadDeviceToken', isDead: false } },
    { token: token(3) },
  ]);
});

it('after GOAWAY the next notification has a new connection', async () => {
  const transport = transportOf();
  await transport.send([token(1)], { message: 'x' }, signal);
  const { sessions } = apple;
  apple.goAway();
  await expect.poll(() => failure(transport.send([token(2)], { message: 'x' }, signal))).toBe('none');
  expect(apple.sessions - sessions).toBe(1);
});

it('a certificate or a passphrase that is wrong is named, and never shown', async () => {
  const wrong = await failure(transportOf({ passphrase: 'not the one' }).send([token(1)], { message: 'x' }, signal));
  expect(wrong).toMatch(/^500 push\.badCertificate: .*passphrase is wrong/);
  expect(wrong).not.toContain('not the one');
  expect(await failure(transportOf({ certificate: 'x' }).test())).toMatch(/holds no certificate/);
  expect(await failure(transportOf({ certificate: server.cert }).test())).toMatch(/holds no private key/);
  apple.answers.set(token(1), { status: 403, body: { reason: 'BadCertificateEnvironment' } });
  expect(await failure(transportOf().send([token(1)], { message: 'x' }, signal))).toMatch(
    /^500 push\.loginRefused: .*BadCertificateEnvironment/,
  );
  // Another certificate than Apple knows.
  const stranger = transportOf({ certificate: certificateOf('/CN=nobody') });
  expect(await failure(stranger.send([token(1)], { message: 'x' }, signal))).toMatch(/^(500|503) push\./);
  expect(apple.pushes).toHaveLength(1);
});

it('once the certificate is refused, no further device is asked for', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => token(index + 1));
  for (const each of many) apple.answers.set(each, { status: 403, body: { reason: 'Forbidden' } });
  expect(await failure(transportOf().send(many, { message: 'x' }, signal))).toMatch(/^500 push\.loginRefused/);
  expect(apple.pushes.length).toBeLessThanOrEqual(100);
});

describe('abuse: a push service', () => {
  it('that hangs, resets, or answers without end fails the call', async () => {
    apple.answers.set(token(1), 'hang');
    expect(await failure(transportOf().send([token(1)], { message: 'x' }, signal))).toMatch(/^504 push\.timeout/);
    apple.answers.set(token(1), 'reset');
    expect(await failure(transportOf().send([token(1)], { message: 'x' }, signal))).toMatch(/^503 push\.unreachable/);
    apple.answers.set(token(1), 'endless');
    expect(await failure(transportOf().send([token(1)], { message: 'x' }, signal))).toMatch(
      /^502 push\.refused: .*too long/,
    );
  });

  it('that takes nothing now, or is not Apple, is told apart', async () => {
    for (const [status, reason] of [
      [429, 'TooManyRequests'],
      [503, 'ServiceUnavailable'],
    ] as const) {
      apple.answers.set(token(1), { status, body: { reason } });
      expect(await failure(transportOf().send([token(1)], { message: 'x' }, signal))).toMatch(/^503 push\.deferred/);
    }
    const { ca: _, ...unknown } = { ca: '', certificate, passphrase: 'open sesame', address: apple.address };
    const transport = openApple(unknown, { connect: 2_000, answer: 500, idle: 5_000 });
    open.push(transport);
    expect(await failure(transport.test())).toMatch(/its certificate is not trusted/);
    expect(await failure(transportOf({ address: 'https://localhost:1' }).test())).toMatch(/it refuses connections/);
  });

  it('gets no token that is an address, and no notification that is too long or odd', () => {
    const transport = transportOf();
    for (const odd of ['', '../x', 'a/b', 'zz', 'a'.repeat(500), `${token(1)}?x`])
      expect(() => transport.checkToken(odd)).toThrow(/device token/);
    for (const more of [
      { badge: 'x' },
      { badge: -1 },
      { sound: {} },
      { custom: [] },
      { 'loc-args': [1] },
      { 'loc-key': 5 },
    ])
      expect(() => transport.check({ message: 'x', ...more })).toThrow(/must be/);
    expect(() => transport.check({ message: 'x'.repeat(4_096) })).toThrow(/4096 bytes/);
  });
});
