import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const addApp = async (set: object) =>
  (await ask('POST', 'app?fields=*', { resource: [{ name: 'shop', ...set }] })).body.resource[0];

test('an app without a key gets one, with its defaults', async () => {
  expect(await addApp({})).toMatchObject({
    id: 4,
    name: 'shop',
    api_key: expect.stringMatching(/^[0-9a-f]{64}$/),
    is_active: false,
    type: 0,
    requires_fullscreen: false,
    allow_fullscreen_toggle: true,
    toggle_location: 'top',
    role_id: null,
    launch_url: '',
  });
});

test('a key of its own must be long and plain', async () => {
  const ownKey = 'A1'.repeat(32);
  expect((await addApp({ api_key: ownKey })).api_key).toBe(ownKey);
  for (const [api_key, text] of [
    ['short', 'The api key must be at least 64 characters.'],
    ['A-'.repeat(40), 'The api key may only contain letters and numbers.'],
  ])
    expect((await ask('PATCH', 'app/4', { api_key })).body.error.message).toBe(`Invalid data supplied. ${text}`);
  expect((await ask('GET', 'app/4')).body.api_key).toBe(ownKey);
});

test('a key another app has is replaced by a new one', async () => {
  const { api_key } = await addApp({});
  const other = await addApp({ name: 'other', api_key });
  expect(other.api_key).toMatch(/^[0-9a-f]{64}$/);
  expect(other.api_key).not.toBe(api_key);
  await ask('PATCH', 'app/5', { api_key });
  expect((await ask('GET', 'app/5')).body.api_key).not.toBe(api_key);
});

test('regenerate=true makes a new key for this app only; an empty key leaves it', async () => {
  const { api_key } = await addApp({});
  const admin = (await ask('GET', 'app/1')).body.api_key;
  await ask('PATCH', 'app/4', { api_key: '' });
  await ask('PATCH', 'app/4', { description: 'x' });
  expect((await ask('GET', 'app/4')).body.api_key).toBe(api_key);
  const { body } = await ask('PATCH', 'app/4?regenerate=true&fields=api_key', {});
  expect(body.api_key).toMatch(/^[0-9a-f]{64}$/);
  expect(body.api_key).not.toBe(api_key);
  expect((await ask('GET', 'app/1')).body.api_key).toBe(admin);
});

test.each([
  [{ type: 0, url: 'https://x.example', path: 'y' }, ''],
  [{ type: 2, url: 'https://x.example/a' }, 'https://x.example/a'],
  [{ type: 2 }, ''],
  [{ type: 3, path: 'shop/index.html' }, 'http://test.local/shop/index.html'],
  [{ type: 3, path: '/shop' }, 'http://test.local/shop'],
  [{ type: 3 }, 'http://test.local/'],
  [
    { type: 1, storage_service_id: 5, storage_container: 'shop', path: 'index.html' },
    'http://test.local/db/shop/index.html',
  ],
])('%j opens at %s', async (set, url) => {
  expect((await addApp(set)).launch_url).toBe(url);
  expect((await ask('GET', 'app/4?fields=id')).body).toEqual({ id: 4, launch_url: url });
});

test.each([{ type: 4 }, { type: -1 }, { storage_service_id: 77 }, { role_id: 77 }])('%j is refused', async (set) => {
  expect((await ask('POST', 'app', { resource: [{ name: 'x', ...set }] })).status).toBe(400);
});

test.each([
  [{ name: 'other' }, 'name'],
  [{ is_active: false }, 'is_active'],
])('the app of the console stays found and active: %j', async (change, field) => {
  const { status, body } = await ask('PATCH', 'app/1', change);
  expect([status, body.error.message]).toEqual([
    403,
    `The app 'admin' holds the API key of the console: ${field} can not be changed.`,
  ]);
  expect((await ask('PATCH', 'app/1', { name: 'admin', is_active: true, description: 'x' })).status).toBe(200);
});

test('the app of the console is there', async () => {
  const { body } = await ask('GET', 'app/1');
  expect(body).toMatchObject({ name: 'admin', type: 3, is_active: true, launch_url: 'http://test.local/' });
});
