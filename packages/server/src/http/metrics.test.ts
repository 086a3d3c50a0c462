// GET /metrics: who may read it, and whether its figures are those of real calls.

import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { openSqlite } from '@sluice/sql';
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, type OwnServer, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPlatform, type StartedPlatform } from '../app.ts';
import { readSettings, type Settings } from '../settings/index.ts';
import { createWebServer } from './server.ts';

const token = 'a token for metrics only';
const metricsToken = token.replaceAll(' ', '-');

/** The value of a figure, named with its labels as on the page; undefined when it is not there. */
const figure = (page: string, name: string): number | undefined => {
  const line = page.split('\n').find((line) => line.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

describe('the page', () => {
  let started: StartedPlatform;
  beforeAll(async () => {
    started = await createPlatform({ ...readSettings({}), databaseUrl: 'sqlite::memory:', log: 'silent', secret: 'x' });
  });
  afterAll(() => started.close());

  /** What an address answers, without what differs between two addresses anyway. */
  const answer = async (set: Partial<Settings>, headers: Record<string, string>, from: string, url = '/metrics') => {
    const { platform } = started;
    const settings = { ...platform.settings, consoleFolder: '', ...set };
    const server = await createWebServer({ ...platform, settings });
    const { statusCode, body } = await server.inject({
      url,
      headers: { host: '127.0.0.1:8080', ...headers },
      remoteAddress: from,
    });
    await server.close();
    return { status: statusCode, body: body.replaceAll(url, '').replace(/"request_id":"[^"]*"/, '') };
  };

  it('is not there for HTTP/1.0, as proxies speak it that say nothing of themselves', async () => {
    const { platform } = started;
    const server = await createWebServer({ ...platform, settings: { ...platform.settings, consoleFolder: '' } });
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const statusOf = (version: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.on('close', () => resolve(text.split(' ')[1] ?? ''));
        socket.on('error', reject);
        socket.write(`GET /metrics HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
      });
    expect([await statusOf('1.1'), await statusOf('1.0')]).toEqual(['200', '404']);
    await server.close();
  });

  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  it.each<[string, Partial<Settings>, Record<string, string>, string?]>([
    ['another machine', {}, {}, '192.0.2.7'],
    ['another machine that says it is this one', {}, { 'x-forwarded-for': '127.0.0.1' }, '192.0.2.7'],
    ['another machine where proxies are believed', { trustProxy: true }, { 'x-forwarded-for': '::1' }, '192.0.2.7'],
    ['a proxy here that says X-Forwarded-For', {}, { 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy here that says X-Forwarded-Proto', {}, { 'x-forwarded-proto': 'https' }],
    ['a proxy here that says X-Real-IP', {}, { 'x-real-ip': '127.0.0.1' }],
    ['a proxy here that says Forwarded', {}, { forwarded: 'for=127.0.0.1' }],
    ['a proxy here that says Via', {}, { via: '1.1 proxy' }],
    ['this machine, where proxies are believed', { trustProxy: true }, {}],
    ['this machine, where people come by a public address', { publicUrl: 'https://api.example.com' }, {}],
    ['a page in a browser here, by a name of its own', {}, { host: 'localhost.evil.example:8080' }],
    ['this machine, with a token set', { metricsToken }, {}],
    ['a wrong token', { metricsToken }, bearer(metricsToken.replace('a', 'b'))],
    ['the beginning of the token', { metricsToken }, bearer(metricsToken.slice(0, -1))],
    ['no more than the word', { metricsToken }, { authorization: 'Bearer' }],
    ['the token in another way', { metricsToken }, { authorization: `Basic ${metricsToken}` }],
    ['the token where none is set', {}, bearer(metricsToken), '192.0.2.7'],
  ])('does not exist for %s', async (_who, set, headers, from = '127.0.0.1') => {
    const refused = await answer(set, headers, from);
    expect(refused.status).toBe(404);
    expect(refused).toEqual(await answer(set, headers, from, '/nothing'));
  });

  it.each<[string, Partial<Settings>, Record<string, string>, string]>([
    ['this machine', {}, {}, '127.0.0.1'],
    ['this machine by IPv6', {}, { host: '[::1]:8080' }, '::1'],
    ['this machine by a socket of both', {}, { host: 'localhost' }, '::ffff:127.0.0.1'],
    ['who has the token', { metricsToken }, bearer(metricsToken), '192.0.2.7'],
    ['who has the token, by a proxy', { metricsToken, trustProxy: true }, { ...bearer(metricsToken), via: 'p' }, '::1'],
  ])('is there for %s', async (_who, set, headers, from) => {
    const { status, body } = await answer(set, headers, from);
    expect(status).toBe(200);
    expect(body).toMatch(/^sluice_build_info\{version="[\d.]+",contract="2\.16\.1",store="sqlite"\} 1$/m);
  });
});

describe('the figures', () => {
  let platform: TestPlatform;
  const page = async () => {
    const { status, text, headers } = await platform.ask('GET', '/metrics', { token: null });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    return text;
  };
  beforeAll(async () => {
    platform = await startPlatform({ queryTimeout: 3_000 });
    mkdirSync(`${platform.folder}/db`, { recursive: true });
    const database = openSqlite(`${platform.folder}/db/shop.sqlite`, { create: true });
    database.exec(`pragma journal_mode = wal; create table product (id integer primary key, name text);
      insert into product (name) values ('tea'), ('cup');
      create view endless as with recursive n (i) as (select 1 union all select i + 1 from n) select max(i) as i from n`);
    database.close();
    const config = { database: 'shop.sqlite' };
    await platform.create('service', { name: 'Shop', label: 'Shop', type: 'sqlite', is_active: true, config });
  });
  afterAll(() => platform.stop());

  it('are those of the calls that were made', async () => {
    const before = await page();
    for (let i = 0; i < 3; i++) await platform.ask('GET', 'shop/_table/product');
    await platform.ask('GET', 'SHOP/_table/product/9');
    await platform.ask('POST', 'shop/_table/product', { body: { resource: [{ name: 'pot' }] } });
    await platform.ask('POST', 'shop/_table/product', { headers: { 'x-http-method': 'GET' } });
    await platform.ask('GET', 'shop/_table/product', { token: null });
    await platform.ask('GET', 'shop/_table/product?filter=%ff');
    const after = await page();
    const rise = (name: string) => (figure(after, name) ?? 0) - (figure(before, name) ?? 0);

    const calls = (labels: string) => rise(`sluice_calls_total{${labels}}`);
    expect(calls('service="shop",verb="GET",status="200"')).toBe(4);
    expect(calls('service="shop",verb="GET",status="404"')).toBe(1);
    expect(calls('service="shop",verb="GET",status="400"')).toBe(1);
    expect(calls('service="shop",verb="POST",status="200"')).toBe(1);
    // The address could not be read, so it names no service.
    expect(calls('service="",verb="",status="400"')).toBe(1);
    const took = 'sluice_call_duration_seconds';
    expect(rise(`${took}_count{service="shop",verb="GET"}`)).toBe(6);
    expect(rise(`${took}_bucket{service="shop",verb="GET",le="+Inf"}`)).toBe(6);
    expect(rise(`${took}_bucket{service="shop",verb="GET",le="30"}`)).toBe(6);
    expect(rise(`${took}_sum{service="shop",verb="GET"}`)).toBeGreaterThan(0);
    expect(rise('sluice_failures_total{key="record.notFound"}')).toBe(1);
    expect(rise('sluice_failures_total{key="http.invalidUtf8"}')).toBe(1);
    expect(rise('sluice_http_received_bytes_total')).toBeGreaterThan(1_000);
    expect(rise('sluice_http_sent_bytes_total')).toBeGreaterThan(1_000);
    expect(figure(after, 'sluice_calls_in_flight')).toBe(0);
    expect(figure(after, 'sluice_http_connections')).toBeGreaterThan(0);
    expect(figure(after, 'sluice_store_up')).toBe(1);
    expect(figure(after, 'sluice_service_connections{service="shop",state="busy"}')).toBe(0);
    expect(figure(after, 'sluice_service_connections{service="shop",state="idle"}')).toBeGreaterThan(0);
    expect(figure(after, 'sluice_service_waiting{service="shop"}')).toBe(0);
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(figure(after, name)).toBeGreaterThanOrEqual(0);
  });

  it('name no service that does not exist, and nothing that is secret', async () => {
    const servicesIn = (text: string) => new Set([...text.matchAll(/service="([^"]*)"/g)].map(([, name]) => name));
    const before = await page();
    for (let i = 0; i < 50; i++) {
      await platform.ask('GET', `guess${i}/_table/x`, { token: null });
      await platform.ask('GET', `guess${i}`);
    }
    const after = await page();
    expect(servicesIn(after)).toEqual(new Set([...servicesIn(before), '']));
    expect(figure(after, 'sluice_calls_total{service="",verb="GET",status="404"}')).toBe(50);
    for (const secret of [administrator.email, administrator.password, platform.adminToken, platform.folder, 'product'])
      expect(after).not.toContain(secret);
  });

  it('count sign-ins that worked and those that did not', async () => {
    const ins = async () => {
      const text = await page();
      return ['succeeded', 'failed'].map((result) => figure(text, `sluice_sign_ins_total{result="${result}"}`) ?? 0);
    };
    const [succeeded = 0, failed = 0] = await ins();
    const signIn = (path: string, password: string) =>
      platform.ask('POST', path, { token: null, body: { ...administrator, password } });
    await signIn('system/admin/session', administrator.password);
    await signIn('system/admin/session', 'wrong');
    // Right, but at the other door: the console tries it first, and it counts as neither.
    await signIn('user/session', administrator.password);
    const basic = (password: string) => ({
      token: null,
      headers: { authorization: `Basic ${Buffer.from(`${administrator.email}:${password}`).toString('base64')}` },
    });
    await platform.ask('GET', 'shop/_table', basic('wrong too'));
    // The second one is remembered.
    for (let i = 0; i < 2; i++) await platform.ask('GET', 'shop/_table', basic(administrator.password));
    expect(await ins()).toEqual([succeeded + 2, failed + 2]);
  });

  it('tell queries that took too long, and callers that went away', async () => {
    const slow = 'shop/_table/endless';
    const late = platform.ask('GET', slow);
    const busy = 'sluice_service_connections{service="shop",state="busy"}';
    const during = await vi.waitFor(async () => {
      const text = await page();
      expect(figure(text, busy)).toBe(1);
      return text;
    }, 2_900);
    expect(figure(during, 'sluice_calls_in_flight')).toBe(1);
    expect((await late).status).toBe(503);

    const leaving = request(`${platform.url}/api/v2/${slow}`, {
      headers: { 'x-dreamfactory-session-token': platform.adminToken },
    });
    leaving.on('error', () => {}).end();
    await expect.poll(async () => figure(await page(), busy), { timeout: 2_900 }).toBe(1);
    leaving.destroy();
    await expect
      .poll(async () => figure(await page(), 'sluice_failures_total{key="database.cancelled"}'), { timeout: 10_000 })
      .toBe(1);
    const after = await page();
    expect(figure(after, 'sluice_failures_total{key="database.timeout"}')).toBe(1);
    expect(figure(after, 'sluice_calls_total{service="shop",verb="GET",status="aborted"}')).toBe(1);
    expect(figure(after, 'sluice_calls_total{service="shop",verb="GET",status="503"}')).toBe(1);
    expect(figure(after, 'sluice_calls_in_flight')).toBe(0);
  }, 20_000);

  it('are answered at once to many readers at a time', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, page));
    for (const text of pages) expect(figure(text, 'sluice_store_up')).toBe(1);
  });
});

const engines = ['pgsql', 'mysql'] as const;
for (const engine of engines) {
  const missing = (await engineMissing(engine)) ?? ownServerMissing(engine);
  describe.skipIf(missing)(`a ${engine} server under the platform and as a service, gone`, () => {
    let server: OwnServer;
    let platform: TestPlatform;
    beforeAll(async () => {
      server = await ownServer(engine);
      await server.run('create database sluice_test_store');
      await server.run('create database sluice_test_shop');
      await server.run('create table product (id integer primary key, name varchar(9))', 'sluice_test_shop');
      const { host, port, user, password } = server;
      const scheme = engine === 'pgsql' ? 'postgres' : 'mysql';
      platform = await startPlatform({
        databaseUrl: `${scheme}://${user}:${password}@${host}:${port}/sluice_test_store`,
        databasePool: 4,
      });
      // On MariaDB its account sees the store, too: one database is shown.
      const one = engine === 'mysql' ? { schema: 'default' } : {};
      const config = { host, port, database: 'sluice_test_shop', username: user, password, ...one };
      await platform.create('service', { name: 'shop', label: 'Shop', type: engine, is_active: true, config });
    }, 60_000);
    afterAll(async () => {
      await platform?.stop();
      await server?.remove();
    });
    const page = async () => (await platform.ask('GET', '/metrics', { token: null })).text;

    it('is reported, and reported again when it is back', async () => {
      expect((await platform.ask('GET', 'shop/_table/product')).status).toBe(200);
      const before = await page();
      expect(figure(before, 'sluice_store_up')).toBe(1);
      expect(figure(before, 'sluice_store_connections{state="idle"}')).toBeGreaterThan(0);
      expect(figure(before, 'sluice_store_connections{state="busy"}')).toBeLessThanOrEqual(1);
      expect(figure(before, 'sluice_store_waiting')).toBe(0);
      expect(figure(before, 'sluice_service_connections{service="shop",state="idle"}')).toBeGreaterThan(0);

      await server.stop();
      expect((await platform.ask('GET', 'shop/_table/product')).status).toBe(503);
      const during = await page();
      expect(figure(during, 'sluice_store_up')).toBe(0);
      expect(figure(during, 'sluice_calls_in_flight')).toBe(0);
      expect(figure(during, 'sluice_service_connections{service="shop",state="idle"}')).toBe(0);

      await server.start();
      await expect.poll(async () => figure(await page(), 'sluice_store_up'), { timeout: 20_000 }).toBe(1);
      await expect
        .poll(async () => (await platform.ask('GET', 'shop/_table/product')).status, { timeout: 20_000 })
        .toBe(200);
      expect(figure(await page(), 'sluice_service_connections{service="shop",state="idle"}')).toBeGreaterThan(0);
    }, 60_000);
  });
}
