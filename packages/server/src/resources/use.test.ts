// `system/service/_use` and `system/app/_use`: what is counted, by whom it is read, and that it survives and adds up.
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { openStorePlace, type TestStorePlace } from '@sluice/testkit/store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testJobs } from '../jobs/jobs.fixture.ts';
import { openStore, type Store } from '../store/index.ts';
import { createUse } from '../use/index.ts';

describe('over HTTP', () => {
  let platform: TestPlatform;
  let key: string;
  let app: number;
  beforeAll(async () => {
    platform = await startPlatform();
    const field = [{ name: 'id', type: 'id' }];
    await platform.ask('POST', 'db/_schema', { body: { resource: [{ name: 'contact', field }] } });
    const made = await platform.ask('POST', 'system/app/_key', {
      body: { name: 'shop', access: 'read', service: 'db' },
    });
    key = made.body.api_key;
    app = made.body.app_id;
  });
  afterAll(() => platform.stop());

  const serviceUse = async (name: string, query = '') =>
    (await platform.ask('GET', `system/service/_use${query}`)).body.resource.find(
      (service: { name: string }) => service.name === name,
    );
  const appUse = async (id: number) =>
    (await platform.ask('GET', 'system/app/_use')).body.resource.find((each: { id: number }) => each.id === id);

  test('counts calls that were let through, with those answered with an error, at once', async () => {
    const before = await serviceUse('db');
    const shop = { id: app, name: 'shop', is_active: true, created_date: expect.any(String) };
    expect(await appUse(app)).toEqual({ ...shop, last_used: null, calls: 0 });
    const started = new Date().toISOString();
    for (const [path, options] of [
      ['db/_table/contact', { key, token: null }],
      ['db/_table/contact/4711', { key, token: null }],
      ['db/_table/contact', {}],
      // Refused, unknown, and no service: none of these is use.
      ['db/_schema', { token: null }],
      ['system/role', { key, token: null }],
      ['nothing/here', {}],
      ['', {}],
    ] as const)
      await platform.ask('GET', path, options);
    const after = await serviceUse('db');
    expect([after.calls - before.calls, after.failures - before.failures]).toEqual([3, 1]);
    expect(after.last_call >= started).toBe(true);
    expect(after.hours.at(-1).hour).toMatch(/T\d\d:00:00\.000Z$/);
    const total = (field: 'calls' | 'failures') =>
      after.hours.reduce((sum: number, hour: Record<string, number>) => sum + Number(hour[field]), 0);
    expect([total('calls'), total('failures')]).toEqual([after.calls, after.failures]);
    const used = await appUse(app);
    expect(used).toEqual({ ...shop, last_used: expect.any(String), calls: 2 });
    expect(used.last_used >= started).toBe(true);
  });

  test('lists services without calls', async () => {
    expect(await serviceUse('user')).toMatchObject({ id: 7, calls: 0, failures: 0, last_call: null, hours: [] });
  });

  test('is not in the records themselves', async () => {
    expect(Object.keys((await platform.ask('GET', `system/app/${app}`)).body)).not.toContain('last_used');
  });

  test('goes with the service and the app', async () => {
    const config = { database: 'gone.sqlite' };
    const gone = await platform.create('service', { name: 'gone', type: 'sqlite', is_active: true, config });
    const other = await platform.ask('POST', 'system/app/_key', {
      body: { name: 'other', access: 'read', service: 'gone' },
    });
    await platform.ask('GET', 'gone/_table', { key: other.body.api_key, token: null });
    expect(await serviceUse('gone')).toMatchObject({ calls: 1 });
    expect(await appUse(other.body.app_id)).toMatchObject({ calls: 1 });
    await platform.ask('GET', 'gone/_table', { key: other.body.api_key, token: null });
    expect((await platform.ask('DELETE', `system/service/${gone.id}`)).status).toBe(200);
    expect((await platform.ask('DELETE', `system/app/${other.body.app_id}`)).status).toBe(200);
    expect(await serviceUse('gone')).toBeUndefined();
    expect(await appUse(other.body.app_id)).toBeUndefined();
  });

  test.each(['0', '169', '1.5', '-1', 'x', '24x'])('refuses hours=%s', async (hours) => {
    const { status, body } = await platform.ask('GET', `system/service/_use?hours=${hours}`);
    expect([status, body.error.context]).toEqual([400, { hours: [expect.stringMatching(/from 1 to 168/)] }]);
  });

  test('a sign-in that goes on to the other door is no failure, one that fails there is', async () => {
    const { email, password } = administrator;
    const signIn = (door: string, secret: string) =>
      platform.ask('POST', `${door}/session`, { token: null, body: { email, password: secret } });
    const failuresOf = async () => [(await serviceUse('user')).failures, (await serviceUse('system')).failures];
    const [user, system] = await failuresOf();
    expect((await signIn('user', password)).status).toBe(401);
    expect((await signIn('system/admin', password)).status).toBe(200);
    expect(await failuresOf()).toEqual([user, system]);
    expect((await signIn('user', 'wrong')).status).toBe(401);
    expect((await signIn('system/admin', 'wrong')).status).toBe(401);
    expect(await failuresOf()).toEqual([user + 1, system + 1]);
  });

  test('tells the last calls that failed, with the refusal, and not where they were only refused', async () => {
    const failedCalls = async (name: string) =>
      (await platform.ask('GET', `system/service/_failures?service=${name}`)).body.resource;
    const { headers } = await platform.ask('GET', 'db/_table/contact/4712?filter=secret', { key, token: null });
    expect((await failedCalls('db'))[0]).toEqual({
      at: expect.stringMatching(/Z$/),
      verb: 'GET',
      path: '_table/contact/4712',
      status: 404,
      message: expect.stringContaining('4712'),
      user_email: null,
      app: 'shop',
      ip_address: '127.0.0.1',
      request_id: headers['x-request-id'],
    });
    await platform.ask('GET', 'db/_schema', { token: null });
    await platform.ask('GET', 'user/session', { token: null });
    expect(await failedCalls('user')).toMatchObject([
      { status: 401, verb: 'GET', path: 'session' },
      { status: 401, verb: 'POST', path: 'session' },
    ]);
    expect((await failedCalls('db'))[0]).toMatchObject({ path: '_table/contact/4712' });
    for (let count = 0; count < 60; count++) await platform.ask('GET', 'db/_table/contact/1');
    expect(await failedCalls('db')).toHaveLength(50);
    expect((await platform.ask('GET', 'system/service/_failures?service=none')).status).toBe(404);
  });

  test('is for administrators, whatever a role gives', async () => {
    const rows = [{ service_id: 1, component: '*', verb_mask: 31, requestor_mask: 1 }];
    const role = await platform.create('role', { name: 'all', is_active: true, role_service_access_by_role_id: rows });
    const { api_key, id } = await platform.create('app', { name: 'all', is_active: true, role_id: role.id });
    expect(id).toBeGreaterThan(0);
    for (const path of ['service/_use', 'app/_use', 'service/_failures?service=db'])
      expect((await platform.ask('GET', `system/${path}`, { key: api_key, token: null })).status).toBe(401);
  });

  test('is kept over a restart', async () => {
    const first = await startPlatform({ data: platform.folder, databaseUrl: platform.settings.databaseUrl });
    try {
      const before = await serviceUse('db');
      await first.ask('GET', 'db/_table');
      await first.stop();
      expect((await serviceUse('db')).calls).toBe(before.calls + 1);
    } finally {
      await first.stop().catch(() => {});
    }
  });
});

describe('in the store', () => {
  const hourLength = 3_600_000;
  const noon = Date.UTC(2026, 0, 20, 12, 30);
  const service = { label: 's', type: 'sqlite', is_active: 1, mutable: 1, deletable: 1, config: '{}' };
  let place: TestStorePlace;
  let store: Store;
  let ids: number[];

  beforeEach(async () => {
    vi.useFakeTimers({ now: noon, toFake: ['Date'] });
    place = await openStorePlace();
    store = await openStore({
      url: place.url || 'sqlite::memory:',
      dataFolder: '',
      log: { info() {}, warn() {} },
    });
    ids = [];
    for (const name of ['a', 'b']) ids.push(await store.insert(store.db, 'service', { ...service, name } as never));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    place.free();
  });

  const open = (part: Partial<Store> = {}, warn = () => {}) =>
    createUse({ store: { ...store, ...part }, jobs: testJobs(store, { warn }), log: { warn }, interval: 1_000_000 });

  test('what several processes count adds up', async () => {
    const processes = [open(), open(), open()];
    for (const [index, use] of processes.entries()) {
      vi.setSystemTime(noon + index);
      for (let count = 0; count < 10; count++) use.count(ids[0]!, undefined, count === 0);
      use.count(ids[1]!, undefined, false);
    }
    await Promise.all([...processes].reverse().map((use) => use.services(24)));
    const last_call = new Date(noon + 2).toISOString();
    const hour = '2026-01-20T12:00:00.000Z';
    expect(await processes[0]!.services(1)).toEqual([
      { id: ids[0], name: 'a', calls: 30, failures: 3, last_call, hours: [{ hour, calls: 30, failures: 3 }] },
      { id: ids[1], name: 'b', calls: 3, failures: 0, last_call, hours: [{ hour, calls: 3, failures: 0 }] },
    ]);
    await Promise.all(processes.map((use) => use.close()));
  });

  test('the hours that are asked for are answered, older ones are deleted after a while', async () => {
    vi.useRealTimers();
    const past = Math.floor(Date.now() / hourLength);
    for (const age of [0, 23, 24, 167, 168, 191, 192, 193, 1000])
      await store.db
        .insertInto('service_use_hour')
        .values({ service_id: ids[0]!, hour: past - age, calls: 1, failures: 0 })
        .execute();
    const jobs = testJobs(store);
    const use = createUse({ store, jobs, log: { warn() {} }, interval: 5 });
    await jobs.start();
    expect((await use.services(24))[0]).toMatchObject({ calls: 2 });
    expect((await use.services(168))[0]).toMatchObject({ calls: 4 });
    const count = async () => (await store.db.selectFrom('service_use_hour').select('hour').execute()).length;
    await vi.waitFor(async () => expect(await count()).toBeLessThanOrEqual(7), 10_000);
    expect((await use.services(168))[0]).toMatchObject({ calls: 4 });
    await jobs.close();
    await use.close();
  });

  test('a store that is away gets the counts later', async () => {
    let isAway = true;
    const use = open({
      transaction: (work) => (isAway ? Promise.reject(new Error('away')) : store.transaction(work)),
    });
    use.count(ids[0]!, undefined, false);
    await expect(use.services(24)).rejects.toThrow('away');
    use.count(ids[0]!, undefined, true);
    isAway = false;
    expect((await use.services(24))[0]).toMatchObject({ calls: 2, failures: 1 });
    await use.close();
  });

  test('what is counted of a service that is gone is left out, the rest written', async () => {
    const use = open();
    use.count(4711, 4712, false);
    use.count(ids[1]!, undefined, false);
    expect((await use.services(24)).map(({ calls }) => calls)).toEqual([0, 1]);
    await use.close();
  });

  test('the end of a process writes what is left, and never fails', async () => {
    const use = open();
    use.count(ids[0]!, undefined, false);
    await use.close();
    const warn = vi.fn();
    const away = open({ transaction: () => Promise.reject(new Error('away')) }, warn);
    away.count(ids[0]!, undefined, false);
    await away.close();
    expect(warn).toHaveBeenCalledOnce();
    const again = open();
    expect((await again.services(24))[0]).toMatchObject({ calls: 1 });
    await again.close();
  });
});
