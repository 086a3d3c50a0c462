// Devices of an app, and their notifications, through the wire: apns and gcm have the same calls.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { selfSignedPair } from '@sluice/testkit/mail-server';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppleServer, startApple } from '../services/apns/apple-server.fixture.ts';

let platform: TestPlatform;
let apple: AppleServer;
let google: Server;
let googleBase: string;
let key: string;
let app: number;
/** What Google was sent, and what it answers by the token of the device. */
const requests: { path: string; headers: IncomingHttpHeaders; text: string }[] = [];
const answers = new Map<string, { status: number; body: unknown }>();
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const account = {
  ...{ type: 'service_account', project_id: 'shop-1', client_email: 'push@shop-1.iam', private_key: privateKey },
  token_uri: 'https://evil.example/token',
};

function answerOf(path: string, text: string): { status: number; body: unknown } {
  if (path === '/token')
    return answers.get('/token') ?? { status: 200, body: { access_token: 'granted', expires_in: 3600 } };
  const { message, registration_ids } = JSON.parse(text);
  if (message) return answers.get(message.token) ?? { status: 200, body: { name: 'projects/shop-1/messages/1' } };
  const results = registration_ids.map((token: string) => answers.get(token)?.body ?? { message_id: '1' });
  return answers.get('/fcm/send') ?? { status: 200, body: { results } };
}

beforeAll(async () => {
  google = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { url: path = '', headers } = request;
    requests.push({ path, headers, text });
    const { status, body } = answerOf(path, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  googleBase = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
  [apple, platform] = await Promise.all([startApple(), startPlatform()]);
  const { key: privatePem, cert } = selfSignedPair();
  const config = { certificate: `${cert}\n${privatePem}`, environment: 'dev', endpoint: apple.address };
  await makeService('apple', 'apns', config);
  await makeService('fcm', 'gcm', { api_key: JSON.stringify(account), environment: 'dev', endpoint: googleBase });
  await makeService('legacy', 'gcm', { api_key: 'plain-key', environment: 'prod', endpoint: googleBase });
  const role = await platform.create('role', {
    ...{ name: 'app', is_active: true },
    role_service_access_by_role_id: [{ service_id: null, component: '*', verb_mask: 31, requestor_mask: 1 }],
  });
  ({ api_key: key, id: app } = (await platform.create('app', {
    name: 'shop',
    type: 0,
    is_active: true,
    role_id: role.id,
  })) as never);
});
afterAll(async () => {
  await platform?.stop();
  await apple?.stop();
  google?.closeAllConnections();
  google?.close();
});
beforeEach(async () => {
  answers.clear();
  apple.answers.clear();
  apple.pushes.splice(0);
  requests.splice(0);
  for (const service of ['apple', 'fcm', 'legacy']) await ask('DELETE', `${service}/register`);
});

const makeService = (name: string, type: string, config: object) =>
  platform.create('service', { name, label: name, type, is_active: true, config });
const ask = async (verb: string, path: string, body?: unknown, options: AskOptions = { token: null, key }) => {
  const answer = await platform.ask(verb, path, { body, ...options });
  return [answer.status, answer.body?.error?.message ?? answer.body];
};
const token = (index: number) => index.toString(16).padStart(64, '0');
const register = (service: string, ...tokens: string[]) =>
  Promise.all(tokens.map((device_token) => ask('POST', `${service}/register`, { device_token })));
const registered = async (service: string) => {
  const { body } = await platform.ask('GET', `${service}/register`, { token: null, key });
  return body.resource.map((row: { device_token: string }) => row.device_token).sort();
};

describe.each(['apple', 'fcm'])('devices of the service %s', (service) => {
  it('are registered, listed, replaced and forgotten, for each app its own', async () => {
    expect(await ask('POST', `${service}/register`, { device_token: token(1) })).toEqual([
      201,
      { id: expect.any(Number) },
    ]);
    expect(await ask('POST', `${service}/register`, { device_token: token(1) })).toEqual([
      409,
      'The Device Token is already registered for you application.',
    ]);
    const { body } = await platform.ask('GET', `${service}/register`, { token: null, key });
    expect(body.resource).toEqual([
      {
        ...{ id: expect.any(Number), service_id: expect.any(Number), app_id: app, device_token: token(1) },
        ...{ created_date: expect.any(String), last_modified_date: expect.any(String) },
      },
    ]);
    const { id } = body.resource[0];
    expect(await ask('PUT', `${service}/register`, { old_token: token(1), new_token: token(2) })).toEqual([
      200,
      { id },
    ]);
    expect(await ask('PATCH', `${service}/register`, { old_token: token(2), device_token: token(3) })).toEqual([
      200,
      { id },
    ]);
    expect(await ask('PUT', `${service}/register`, { old_token: token(1), new_token: token(4) })).toEqual([
      404,
      'No existing record found for the old token provided.',
    ]);
    await register(service, token(5));
    expect((await ask('PUT', `${service}/register`, { old_token: token(5), new_token: token(3) }))[0]).toBe(409);
    // The administrator brings no key of an app, or names that of one.
    expect(await ask('GET', `${service}/register`, undefined, {})).toEqual([
      400,
      'No API Key found. Please provide a valid API Key.',
    ]);
    expect((await platform.ask('GET', `${service}/register?api_key=${key}`, {})).body.resource).toHaveLength(2);
    expect((await ask('POST', `${service}/register`, { device_token: token(6), api_key: 'nonsense' }, {}))[0]).toBe(
      400,
    );
    expect(await ask('DELETE', `${service}/register`)).toEqual([200, { success: true }]);
    expect(await registered(service)).toEqual([]);
  });

  it('get the notification of their app, all or those that are named', async () => {
    const count = () =>
      service === 'apple' ? apple.pushes.length : requests.filter(({ path }) => path !== '/token').length;
    expect(await ask('POST', `${service}/push`, {})).toEqual([
      400,
      'No message found. Please provide a message for your push notification.',
    ]);
    expect(await ask('POST', `${service}/push`, { message: 'x' }, {})).toEqual([
      400,
      'No API Key found. Please provide a valid API Key.',
    ]);
    expect(await ask('POST', `${service}/push`, { message: 'x' })).toEqual([
      404,
      'Failed to send push notification. No registered devices found for your application [shop]',
    ]);
    for (const device_token of ['', [], [''], [null]])
      expect(await ask('POST', `${service}/push`, { message: 'x', device_token })).toEqual([
        400,
        'No Device Token found. Please provide a valid Device Token.',
      ]);
    for (const device_token of ['a b', '../x', 5, ['x\u0000'], 'ü', 'x'.repeat(5_000)])
      expect((await ask('POST', `${service}/push`, { message: 'x', device_token }))[0]).toBe(400);
    await register(service, token(1), token(2));
    expect(count()).toBe(0);
    expect(await ask('POST', `${service}/push`, { message: 'Hi' })).toEqual([200, { success: true }]);
    expect(count()).toBe(2);
    await ask('POST', `${service}/push`, { message: 'Hi', device_token: [token(9), token(9)] });
    expect(count()).toBe(3);
  });

  it('are kept no more once the push service calls them dead; the others get theirs', async () => {
    const dead = service === 'apple' ? { status: 410, body: { reason: 'Unregistered' } } : unregistered;
    await register(service, token(1), token(2), token(3));
    for (const map of [apple.answers, answers]) map.set(token(2), dead);
    expect(await ask('POST', `${service}/push`, { message: 'x' })).toEqual([200, { success: true }]);
    expect(await registered(service)).toEqual([token(1), token(3)]);
    if (service === 'apple')
      expect(await ask('GET', 'apple/feedback')).toEqual([
        200,
        { resource: [{ device_token: token(2), date: expect.any(String) }] },
      ]);
    // It comes back when it is registered again.
    expect((await ask('POST', `${service}/register`, { device_token: token(2) }))[0]).toBe(201);
    expect(await registered(service)).toEqual([token(1), token(2), token(3)]);
    for (const index of [1, 2, 3]) for (const map of [apple.answers, answers]) map.set(token(index), dead);
    expect((await ask('POST', `${service}/push`, { message: 'x' }))[0]).toBe(404);
    expect(await registered(service)).toEqual([]);
  });
});

const unregistered = {
  status: 404,
  body: {
    error: {
      ...{ code: 404, status: 'NOT_FOUND', message: 'Requested entity was not found.' },
      details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }],
    },
  },
};

it('an event pushes its message to the devices of the app that it comes from', async () => {
  const { body } = await platform.ask('GET', 'system/service?filter=name=apple');
  const map = [
    { event: 'db._table.{table_name}.post', data: 'A record came' },
    { event: 'files.*', data: '' },
  ];
  const patched = await platform.ask('PATCH', `system/service/${body.resource[0].id}`, {
    body: { config: { service_event_map: map } },
  });
  expect(patched.status).toBe(200);
  await register('apple', token(1));
  await platform.ask('POST', 'db/_schema', {
    body: {
      resource: [
        {
          name: 'note',
          field: [
            { name: 'id', type: 'id' },
            { name: 'a', type: 'string' },
          ],
        },
      ],
    },
  });
  expect((await ask('POST', 'db/_table/note', { resource: [{ a: 'x' }] }))[0]).toBe(200);
  await expect.poll(() => apple.pushes.length, { timeout: 10_000 }).toBe(1);
  await ask('GET', 'files/');
  await expect.poll(() => apple.pushes.length, { timeout: 10_000 }).toBe(2);
  expect(apple.pushes.map(({ payload }) => (payload.aps as { alert: string }).alert)).toEqual([
    'A record came',
    expect.stringMatching(/^files\./),
  ]);
  // The event of a call without an app has nobody to tell, and a dead device leaves the call alone.
  apple.answers.set(token(1), { status: 410, body: { reason: 'Unregistered' } });
  await platform.ask('POST', 'db/_table/note', { body: { resource: [{ a: 'y' }] } });
  expect((await ask('POST', 'db/_table/note', { resource: [{ a: 'z' }] }))[0]).toBe(200);
  await expect.poll(() => registered('apple'), { timeout: 10_000 }).toEqual([]);
});

describe('Google', () => {
  it('is sent a token that the service account signed for, once, at its own address', async () => {
    const service = 'fresh';
    await makeService(service, 'gcm', { api_key: JSON.stringify(account), environment: 'dev', endpoint: googleBase });
    const push = { message: 'Hi', data: { n: 5, text: 'x' }, device_token: [token(1), token(2)] };
    expect(await ask('POST', `${service}/push`, push)).toEqual([200, { success: true }]);
    const [first, ...rest] = requests;
    expect(first?.path).toBe('/token');
    const assertion = String(new URLSearchParams(first?.text).get('assertion'));
    expect(decodeProtectedHeader(assertion).alg).toBe('RS256');
    expect(decodeJwt(assertion)).toMatchObject({
      ...{ iss: 'push@shop-1.iam', aud: `${googleBase}/token` },
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    });
    expect(rest.map(({ path, headers }) => [path, headers.authorization])).toEqual(
      Array(2).fill(['/v1/projects/shop-1/messages:send', 'Bearer granted']),
    );
    expect(JSON.parse(rest[0]?.text ?? '')).toEqual({
      message: { token: token(1), notification: { body: 'Hi' }, data: { n: '5', text: 'x', message: 'Hi' } },
    });
  });

  it('gets up to a thousand devices at once by the older protocol, with the key', async () => {
    answers.set(token(2), { status: 200, body: { error: 'NotRegistered' } });
    answers.set(token(3), { status: 200, body: { error: 'InvalidRegistration' } });
    await register('legacy', token(1), token(2), token(3));
    expect(await ask('POST', 'legacy/push', { message: 'Hi', data: { n: 5 } })).toEqual([200, { success: true }]);
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/fcm/send', 'key=plain-key'],
    ]);
    const sent = JSON.parse(requests[0]?.text ?? '');
    expect(sent.data).toEqual({ n: 5, message: 'Hi' });
    expect(sent.registration_ids.sort()).toEqual([token(1), token(2), token(3)]);
    expect(await registered('legacy')).toEqual([token(1), token(3)]);
  });

  it('abuse: what it refuses has a status that fits, and shows no key', async () => {
    const said = async (service: string, at: string, status: number, body: unknown) => {
      answers.set(at, { status, body });
      const answer = (await ask('POST', `${service}/push`, { message: 'x', device_token: token(1) })).join(' ');
      answers.delete(at);
      return answer;
    };
    expect(await said('legacy', '/fcm/send', 401, 'plain-key is wrong')).toMatch(/^500 .*does not accept the login/);
    expect(await said('legacy', '/fcm/send', 401, 'plain-key is wrong')).not.toContain('plain-key');
    expect(await said('legacy', '/fcm/send', 503, 'Unavailable')).toMatch(/^503 /);
    expect(await said('legacy', '/fcm/send', 404, '<html>')).toMatch(/^502 /);
    expect(await said('legacy', '/fcm/send', 200, { results: 'x' })).toMatch(/^502 /);
    expect(await said('fcm', token(1), 400, { error: { status: 'INVALID_ARGUMENT', message: 'odd' } })).toMatch(
      /^502 .*INVALID_ARGUMENT odd/,
    );
    expect(await said('fcm', token(1), 429, { error: { status: 'RESOURCE_EXHAUSTED' } })).toMatch(/^503 /);
    expect(await said('fcm', token(1), 403, { error: { status: 'PERMISSION_DENIED' } })).toMatch(/^500 /);
    expect(await said('fcm', '/token', 400, { error: 'invalid_grant', error_description: 'no' })).toMatch(
      /^500 .*invalid_grant no/,
    );
    expect(await said('fcm', '/token', 200, { access_token: 'a\r\nb' })).toMatch(/^500 /);
  });

  it('abuse: an account that is none, or leads elsewhere, is refused; secrets stay hidden', async () => {
    const secrets = { fcm: 'BEGIN PRIVATE KEY', legacy: 'plain-key', apple: 'BEGIN' };
    for (const [name, secret] of Object.entries(secrets)) {
      const { text, body } = await platform.ask('GET', `system/service?filter=name=${name}`);
      expect([name, text.includes(secret)]).toEqual([name, false]);
      const moved = await platform.ask('PATCH', `system/service/${body.resource[0].id}`, {
        body: { config: { endpoint: 'http://127.0.0.1:1' } },
      });
      expect([name, moved.status]).toEqual([name, 400]);
    }
    const odd = [
      { ...account, project_id: '../../x' },
      { ...account, type: 'user' },
      { ...account, private_key: 'x' },
      '{',
    ];
    for (const [index, value] of odd.entries()) {
      const api_key = typeof value === 'string' ? value : JSON.stringify(value);
      await makeService(`odd${index}`, 'gcm', { api_key, environment: 'dev', endpoint: googleBase });
      const [status, message] = await ask('POST', `odd${index}/push`, { message: 'x', device_token: 'a' });
      expect([status, message]).toEqual([500, expect.stringContaining('The service account in api_key')]);
    }
    expect(requests).toEqual([]);
  });
});

it('roles name push, register and feedback', async () => {
  const list = async (service: string) => (await ask('GET', `${service}/?as_access_list=true`))[1];
  expect(await list('apple')).toEqual({ resource: ['', '*', 'push/', 'register/', 'feedback/'] });
  expect(await list('fcm')).toEqual({ resource: ['', '*', 'push/', 'register/'] });
  expect(await ask('GET', 'apple')).toEqual([
    200,
    { resource: [{ name: 'push' }, { name: 'register' }, { name: 'feedback' }] },
  ]);
});
