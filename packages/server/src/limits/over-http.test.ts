// Limits as callers meet them (contract/limits.md §4–6).
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let platform: TestPlatform;
let ask: TestPlatform['ask'];
let shop: number;
let key: string;
let jo: { id: number; token: string };

beforeAll(async () => {
  platform = await startPlatform({ metricsToken: 'm'.repeat(20) });
  ask = platform.ask;
  shop = (
    await platform.create('service', {
      ...{ name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } },
    })
  ).id;
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
  ];
  await ask('POST', 'shop/_schema', { body: { resource: [{ name: 'contact', field }] } });
  const role = await platform.create('role', {
    ...{ name: 'all', is_active: true },
    role_service_access_by_role_id: [{ service_id: shop, component: '*', verb_mask: 31, requestor_mask: 1 }],
  });
  const app = await platform.create('app', { name: 'portal', is_active: true, type: 0, role_id: role.id });
  key = String((app as unknown as { api_key: string }).api_key);
  const { id } = await platform.create('user', {
    name: 'Jo',
    email: 'jo@example.com',
    password: 'battery staple',
    is_active: true,
  });
  jo = { id, token: await platform.tokenOf(id) };
  await platform.create('cors', {
    ...{ path: 'api/*', origin: 'https://app.example', method: ['GET'], enabled: true },
  });
});
afterAll(() => platform.stop());
afterEach(async () => {
  await ask('DELETE', 'system/limit?force=true');
});

const limit = async (set: object): Promise<Record<string, never> & { id: number }> => {
  const record = { name: 'L', type: 'instance', rate: 1, period: 'minute', ...set };
  const { status, body } = await ask('POST', 'system/limit?fields=*', { body: { resource: [record] } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.resource[0];
};
const asStranger = { token: null };
const asApp = () => ({ token: null, key });
const asJo = () => ({ token: jo.token, key });
const environment = (options: object = asStranger) => ask('GET', 'system/environment', options);

describe('the 429', () => {
  test('has the envelope and the headers of the contract and of the standard, which no other answer has', async () => {
    const made = await limit({ name: 'per minute', rate: 2 });
    const first = await environment();
    expect(first.status).toBe(200);
    await environment();
    const { status, headers, body } = await environment();
    expect(status).toBe(429);
    expect(body.error).toEqual({
      ...{ code: 429, message: 'API limit(s) exceeded. ', status_code: 429, request_id: expect.any(String) },
      context: [{ id: made.id, name: 'per minute', object: made }],
    });
    expect(Object.keys(body.error.context[0].object)).toHaveLength(15);
    const wait = Number(headers['retry-after']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(Math.abs(Number(headers['x-ratelimit-reset']) - (Date.now() / 1000 + wait))).toBeLessThan(3);
    expect(headers).toMatchObject({
      ...{ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' },
      ratelimit: `"limit-${made.id}";r=0;t=${wait}`,
      'ratelimit-policy': `"limit-${made.id}";q=2;w=60`,
    });
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit', 'retry-after'])
      expect(first.headers).not.toHaveProperty(name);
  });

  test('names every limit that is exceeded, by id, and its headers are those of the first', async () => {
    const two = [await limit({ rate: 1, period: 'hour' }), await limit({ rate: 1 })];
    await limit({ rate: 5, period: 'day' });
    await environment();
    const { body, headers } = await environment();
    expect(body.error.context.map(({ id }: { id: number }) => id)).toEqual(two.map(({ id }) => id));
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    // What refused counts nothing; what did not refuse has counted both.
    const entries = (await ask('GET', 'system/limit_cache')).body.resource;
    expect(entries.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1, 2]);
  });

  test('is XML where the caller takes that, has no body for HEAD, and what a page of another origin may read', async () => {
    await limit({});
    await environment();
    const xml = await environment({ token: null, headers: { accept: 'application/xml' } });
    expect([xml.status, xml.headers['content-type'], xml.text]).toEqual([
      429,
      expect.stringContaining('xml'),
      expect.stringContaining('<message>API limit(s) exceeded.&#32;</message>'),
    ]);
    const head = await ask('HEAD', 'system/environment', asStranger);
    expect([head.status, head.text, head.headers['retry-after']]).toEqual([429, '', expect.any(String)]);
    const cross = await environment({ token: null, headers: { origin: 'https://app.example' } });
    expect([cross.status, cross.headers['access-control-allow-origin'], cross.headers.vary]).toEqual([
      429,
      'https://app.example',
      expect.stringContaining('Origin'),
    ]);
  });

  test('comes before anything is done', async () => {
    await limit({ type: 'instance.service', service_id: shop, verb: 'POST' });
    const add = () => ask('POST', 'shop/_table/contact', { ...asApp(), body: { resource: [{ name: 'a' }] } });
    expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(429);
    expect((await ask('GET', 'shop/_table/contact')).body.resource).toHaveLength(1);
  });
});

describe('who is counted', () => {
  test('not administrators, by token or by Basic, who can always look and set back', async () => {
    const { id } = await limit({});
    await environment();
    expect((await environment()).status).toBe(429);
    const basic = Buffer.from(`${administrator.email}:${administrator.password}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    for (let at = 0; at < 3; at++) expect((await environment({ token: null, headers })).status).toBe(200);
    expect((await ask('DELETE', `system/limit_cache/${id}`, { token: null, headers })).status).toBe(200);
    expect((await environment()).status).toBe(200);
  });

  test('the list of services, a sign-in and the environment are; what the access check refuses is not', async () => {
    const { id } = await limit({ rate: 9 });
    const attempts = async () => (await ask('GET', `system/limit_cache/${id}`)).body.attempts;
    expect((await ask('GET', 'system/role', asStranger)).status).toBe(400);
    expect((await ask('GET', 'nothing/x', asApp())).status).not.toBe(429);
    expect((await ask('GET', 'system/role', asApp())).status).toBeGreaterThan(400);
    expect(await attempts()).toBe(0);
    await ask('GET', '', asStranger);
    await ask('POST', 'user/session', { token: null, body: { email: 'jo@example.com', password: 'wrong' } });
    await environment();
    expect(await attempts()).toBe(3);
    // An address that leads nowhere is one of its service.
    expect((await ask('GET', 'shop/_table/nothing', asApp())).status).toBe(404);
    expect(await attempts()).toBe(4);
  });

  test('each person by themselves, and nobody who has a key alone', async () => {
    const { id } = await limit({ type: 'instance.each_user.service', service_id: shop });
    const list = (options: object) => ask('GET', 'shop/_table', options);
    for (let at = 0; at < 3; at++) expect((await list(asApp())).status).toBe(200);
    expect((await list(asJo())).status).toBe(200);
    expect((await list(asJo())).status).toBe(429);
    expect((await ask('GET', 'SHOP/_table', asJo())).status).toBe(429);
    expect((await ask('GET', `system/limit_cache?ids=${id}`)).body.resource).toEqual([
      { id, key: `instance.each_user:${jo.id}.service:${shop}.minute`, max: 1, attempts: 1, remaining: 0 },
    ]);
    // A limit of their own, for whatever period, is in its place.
    await limit({ type: 'instance.user.service', user_id: jo.id, service_id: shop, rate: 50, period: 'day' });
    expect((await list(asJo())).status).toBe(200);
  });
});

test('a limit acts with the next call; a rate that is changed while it locks lets callers in again', async () => {
  const { id } = await limit({});
  await environment();
  expect((await environment()).status).toBe(429);
  // Flushing caches forgets no counter.
  await ask('DELETE', 'system/cache');
  expect((await environment()).status).toBe(429);
  await ask('PATCH', `system/limit/${id}`, { body: { description: 'the same rate' } });
  expect((await environment()).status).toBe(429);
  await ask('PATCH', `system/limit/${id}`, { body: { rate: 2 } });
  expect((await environment()).status).toBe(200);
  await ask('PATCH', `system/limit/${id}`, { body: { is_active: false } });
  for (let at = 0; at < 4; at++) expect((await environment()).status).toBe(200);
});

test('an explanation says what a call counts under, how much is left, and what would refuse it; it counts nothing', async () => {
  const one = await limit({ name: 'tight', type: 'instance.user', user_id: jo.id });
  const two = await limit({ name: 'wide', rate: 9, period: 'hour' });
  const app = (await ask('GET', `system/app?filter=name=portal`)).body.resource[0].id;
  const explain = async (set: object = {}) =>
    (
      await ask('POST', 'system/access/explain', {
        body: { verb: 'GET', path: 'shop/_table', app_id: app, user_id: jo.id, ...set },
      })
    ).body;
  const before = await explain();
  expect(before).toMatchObject({
    allowed: true,
    limits: [
      { id: one.id, max: 1, remaining: 1, refuses: false },
      { id: two.id, remaining: 9 },
    ],
  });
  expect(before.reasons).toContain('It counts under the limit "wide": 9 of 9 calls are left (per hour).');
  expect((await explain()).limits).toEqual(before.limits);
  await ask('GET', 'shop/_table', asJo());
  expect(await explain()).toMatchObject({
    ...{ allowed: false, refusal: { status: 429, message: 'API limit(s) exceeded. ' } },
    limits: [
      { remaining: 0, locked_for: null, refuses: true },
      { remaining: 8, refuses: false, is_overridden: false },
    ],
  });
  await ask('GET', 'shop/_table', asJo());
  const locked = await explain();
  expect(locked.limits[0].locked_for).toBeGreaterThan(50);
  expect(locked.reasons.join('\n')).toMatch(/The limit "tight" refuses it: .* is locked for \d+ more seconds\./);
  expect((await explain({ user_id: 1 })).limits).toEqual([]);
});

test('a preview says what a limit would have refused of the calls of the last hour, and saves nothing', async () => {
  for (let at = 0; at < 4; at++) await ask('GET', 'shop/_table/contact', asJo());
  await ask('GET', 'shop/_table/contact', asApp());
  const preview = (record: object, options: object = {}) =>
    ask('POST', 'system/limit/_preview', { body: record, ...options });
  const endpoint = { type: 'instance.each_user.service.endpoint', service_id: shop, endpoint: '_table/con*' };
  const { status, body } = await preview({ name: 'L', ...endpoint, rate: 3, period: 'hour', verb: 'GET' });
  expect([status, body]).toEqual([
    200,
    {
      ...{ since: expect.stringMatching(/^\d{4}-.*Z$/), calls: 4, refused: 1 },
      callers: [{ user_id: jo.id, role_id: expect.any(Number), calls: 4, refused: 1 }],
    },
  ]);
  expect((await ask('GET', 'system/limit')).body.resource).toEqual([]);
  expect(await preview({ ...endpoint, period: 'hour' })).toMatchObject({
    ...{ status: 400, body: { error: { context: { rate: ['The rate field is required.'] } } } },
  });
  expect(await preview({ ...endpoint, service_id: 999, rate: 1, period: 'hour' })).toMatchObject({ status: 400 });
  expect((await preview({ type: 'instance', rate: 1, period: 'hour' }, asJo())).status).toBeGreaterThanOrEqual(401);
});

test('one of a type or a period that this version does not know is listed and changed, and counts nothing', async () => {
  const { id } = await limit({ name: 'of later', rate: 1 });
  for (const unknown of [{ type: 'instance.country' }, { type: 'instance', period: 'fortnight' }]) {
    await platform.store.db.updateTable('limit').set(unknown).where('id', '=', id).execute();
    // Another one that is written has all of them read again.
    const other = await limit({ name: 'other', type: 'instance.service', service_id: shop, rate: 100 });
    expect((await environment()).status).toBe(200);
    expect((await environment()).status).toBe(200);
    const { status, body } = await ask('GET', 'system/limit?related=limit_cache_by_limit_id');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.resource[0]).toMatchObject({ id, limit_cache_by_limit_id: [], ...unknown });
    expect((await ask('GET', 'system/limit_cache')).body.resource).toHaveLength(1);
    expect((await ask('GET', `system/limit_cache/${id}`)).status).toBe(200);
    await ask('DELETE', `system/limit/${other.id}`);
  }
  const { status } = await ask('PATCH', `system/limit/${id}`, { body: { type: 'instance', period: 'minute' } });
  expect(status).toBe(200);
});

test('/metrics has refusals and locks by limit, and where limits are counted', async () => {
  const { id } = await limit({});
  for (let at = 0; at < 3; at++) await environment();
  const { text } = await ask('GET', '/metrics', {
    token: null,
    headers: { authorization: `Bearer ${'m'.repeat(20)}` },
  });
  expect(text).toContain(`sluice_limit_refused_total{limit="${id}"} 2`);
  expect(text).toContain(`sluice_limit_exceeded_total{limit="${id}"} 1`);
  expect(text).toContain('sluice_limit_counting{where="memory"} 1');
  expect(text).toContain('sluice_limit_store_away 0');
  expect(text).toMatch(/sluice_failures_total\{key="limit.exceeded"\} \d+/);
});
