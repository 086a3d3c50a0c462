// Calls by pages of other origins (contract/http-basics.md §11), over HTTP.
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer as createTlsServer, request as tlsRequest } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const platform = await startPlatform();
afterAll(() => platform.stop());
afterEach(async () => {
  await platform.ask('DELETE', 'system/cors?force=true');
});

const rule = (set: object) => platform.create('cors', { path: '*', origin: '*', ...set } as never);
const page = 'https://shop.example';
const from = (origin: string, headers: Record<string, string> = {}) => ({ headers: { origin, ...headers } });
const preflight = (path: string, origin = page, method = 'GET', headers?: string) =>
  platform.ask('OPTIONS', path, {
    token: null,
    headers: {
      origin,
      'access-control-request-method': method,
      ...(headers === undefined ? {} : { 'access-control-request-headers': headers }),
    },
  });
const allowOrigin = 'access-control-allow-origin';

describe('a call of another origin', () => {
  it('SRV-051 is refused without a rule, and with one that is off; it never runs', async () => {
    const refused = { status: 403, text: 'Not allowed in CORS policy.' };
    await rule({ enabled: false });
    const body = { resource: [{ name: 'made' }] };
    const answer = await platform.ask('POST', 'system/role', { body, ...from(page) });
    expect(answer).toMatchObject(refused);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers.vary).toBe('Origin');
    expect(answer.headers).not.toHaveProperty(allowOrigin);
    expect((await platform.ask('GET', "system/role?filter=name='made'")).body.resource).toEqual([]);
    expect(await preflight('system/role')).toMatchObject({ status: 403, text: 'Origin not allowed' });
  });

  it('SRV-051 is answered to its origin where a rule allows it, with the next call after the rule is written', async () => {
    const { id } = await rule({ origin: `${page},https://other.example`, exposed_header: 'etag,x-request-id' });
    const answer = await platform.ask('GET', 'system/role', from(page));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      [allowOrigin]: page,
      vary: 'Origin',
      'access-control-expose-headers': 'etag,x-request-id',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    // Each origin gets its own; one is not given the answer of another.
    const other = await platform.ask('GET', 'system/role', from('https://other.example'));
    expect(other.headers[allowOrigin]).toBe('https://other.example');
    await platform.ask('PATCH', `system/cors/${id}`, { body: { supports_credentials: true, origin: '*' } });
    const any = await platform.ask('GET', 'system/role', from('https://any.example'));
    expect(any.headers).toMatchObject({
      [allowOrigin]: 'https://any.example',
      'access-control-allow-credentials': 'true',
    });
    await platform.ask('DELETE', `system/cors/${id}`);
    expect((await platform.ask('GET', 'system/role', from(page))).status).toBe(403);
  });

  it('has the headers on errors, too, whatever refuses it', async () => {
    await rule({});
    const large = 'x'.repeat(platform.settings.bodyLimit + 1);
    const answers = [
      await platform.ask('GET', 'system/role?session_token=junk', { token: null, ...from(page) }),
      await platform.ask('GET', 'system/role/77', from(page)),
      await platform.ask('PATCH', 'system/environment', { body: {}, ...from(page) }),
      await platform.ask('POST', 'system/role', { body: large, ...from(page, { 'content-type': 'application/json' }) }),
      await platform.ask('GET', 'system/role', from(page, { accept: 'image/png' })),
      await platform.ask('GET', 'nothing/x', from(page)),
      await platform.ask('OPTIONS', 'system/role', from(page)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 405, 413, 400, 404, 405]);
    for (const { headers } of answers) expect(headers).toMatchObject({ [allowOrigin]: page, vary: 'Origin' });
  });

  const service = (name: string, type: string, config: object) =>
    platform.create('service', { name, label: name, type, is_active: true, config } as never);

  it('has the headers where a database is away, and where a server does not answer in time', async () => {
    await rule({});
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const login = { host: '127.0.0.1', username: 'a', password: 'a' };
    await service('away', 'pgsql', { ...login, port: 9, database: 'a' });
    await service('slow', 'sftp_file', { ...login, port, timeout: 1, container: 'a' });
    const answers = [
      await platform.ask('GET', 'away/_table', from(page)),
      await platform.ask('GET', 'slow/', from(page)),
    ];
    silent.close();
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    for (const { headers } of answers)
      expect(headers).toMatchObject({ [allowOrigin]: page, vary: 'Origin', 'retry-after': expect.any(String) });
    expect(answers[1]?.body.error.message).toBe('The storage did not answer within 1 seconds.');
  });

  it('has the headers where a caller asks too much', async () => {
    const proxied = await startPlatform({ trustProxy: true });
    const leave = new AbortController();
    try {
      await proxied.create('cors', { path: '*', origin: '*' });
      const guess = (count: number) =>
        fetch(`${proxied.url}/api/v2/user/session`, {
          method: 'POST',
          body: JSON.stringify({ email: 'ada@example.com', password: `guess ${count}` }),
          headers: { origin: page, 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
          signal: leave.signal,
        });
      const refused = await new Promise<Response>((resolve) => {
        for (let count = 0; count < 60; count++)
          guess(count).then(
            (answer) => answer.status === 429 && resolve(answer),
            () => {},
          );
      });
      expect(Object.fromEntries(refused.headers)).toMatchObject({ [allowOrigin]: page, vary: 'Origin' });
    } finally {
      leave.abort();
      await proxied.stop();
    }
  });

  it('has the headers on what is refused before it is a call', async () => {
    await rule({});
    const answers = [
      await platform.ask('GET', 'system/%ff', from(page)),
      await platform.ask('GET', 'system/role', { token: null, ...from(page) }),
      await platform.ask('GET', 'system/role', { token: null, key: 'none', ...from(page) }),
      await platform.ask('POST', 'system/role', { token: null, body: '{', ...from(page) }),
      await platform.ask('GET', '/api/v2/../system', from(page)),
      await platform.ask('GET', '/nothing/there', from(page)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 404]);
    for (const { headers } of answers) expect(headers).toMatchObject({ [allowOrigin]: page, vary: 'Origin' });
  });

  it('has them on exports, on answers that did not change, and on files', async () => {
    await rule({});
    const csv = await platform.ask('GET', 'system/role?file=roles.csv', from(page));
    expect(csv.headers).toMatchObject({ [allowOrigin]: page, 'content-disposition': expect.stringContaining('roles') });
    await platform.ask('POST', 'files/a.txt', { body: 'text', headers: { 'content-type': 'text/plain' } });
    const file = await platform.ask('GET', 'files/a.txt', from(page));
    const again = await platform.ask('GET', 'files/a.txt', from(page, { 'if-none-match': String(file.headers.etag) }));
    expect([file.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [file, again]) expect(headers).toMatchObject({ [allowOrigin]: page, vary: 'Origin' });
  });

  it('tells caches that answers without an origin differ, where a rule applies and only there', async () => {
    await rule({ path: 'api/v2/system/*' });
    const [covered, free] = [await platform.ask('GET', 'system/role'), await platform.ask('GET', 'files/')];
    expect(covered.headers.vary).toBe('Origin');
    expect(covered.headers).not.toHaveProperty(allowOrigin);
    expect(free.headers).not.toHaveProperty('vary');
  });

  it('reads public files where a rule allows it', async () => {
    await platform.ask('GET', 'files/');
    mkdirSync(join(platform.folder, 'files/pages'), { recursive: true });
    writeFileSync(join(platform.folder, 'files/pages/a.txt'), 'text');
    const { config } = (await platform.ask('GET', 'system/service/3')).body;
    await platform.ask('PATCH', 'system/service/3', {
      body: { config: { ...config, container: 'pages', public_path: ['a.txt'] } },
    });
    const ask = (path: string) => platform.ask('GET', path, { token: null, ...from(page) });
    expect((await ask('/files/a.txt')).status).toBe(403);
    await rule({ path: 'files/*' });
    const [file, missing] = [await ask('/files/a.txt'), await ask('/files/none.txt')];
    expect([file.status, file.text, missing.status]).toEqual([200, 'text', 403]);
    expect(missing.text).toBe('Access denied, please contact your system administrator.');
    for (const { headers } of [file, missing]) expect(headers).toMatchObject({ [allowOrigin]: page, vary: 'Origin' });
    await platform.ask('PATCH', 'system/service/3', { body: { config } });
  });
});

it('rules are for those whose role has them, and their changes are in the audit', async () => {
  const { id } = await platform.create('role', {
    name: 'rules',
    is_active: true,
    role_service_access_by_role_id: [{ service_id: 1, component: 'cors/*', verb_mask: 1, requestor_mask: 1 }],
  });
  const { api_key: key } = await platform.create('app', { name: 'rules', is_active: true, role_id: id });
  const made = await rule({ path: 'api/v2/x' });
  const ask = (verb: string, path: string) => platform.ask(verb, path, { token: null, key: String(key) });
  expect((await ask('GET', `system/cors/${made.id}`)).body.path).toBe('api/v2/x');
  expect((await ask('DELETE', `system/cors/${made.id}`)).status).toBe(401);
  expect((await ask('GET', 'system/role')).status).toBe(401);
  const { resource } = (await platform.ask('GET', "system/audit?filter=resource='cors'&order=id%20desc&limit=1")).body;
  expect(resource[0]).toMatchObject({ action: 'create', record_name: 'api/v2/x' });
});

describe('which rule applies', () => {
  const status = async (path: string, origin = page) => (await platform.ask('GET', path, from(origin))).status;

  it('is the longest path, whatever allows more', async () => {
    await rule({ path: '*' });
    await rule({ path: 'api/v2/system/*', origin: 'https://own.example' });
    expect([await status('system/role'), await status('files/')]).toEqual([403, 200]);
    expect(await status('system/role', 'https://own.example')).toBe(200);
  });

  it('is not one for what lies below', async () => {
    await rule({ path: 'api/v2/system/*' });
    expect([await status('system/role'), await status('system'), await status('system/')]).toEqual([200, 403, 403]);
    await rule({ path: 'api/v2/system' });
    expect(await status('system')).toBe(200);
  });

  it('is found by a regular expression on the path with its slash, in any letter case', async () => {
    await rule({ path: '^/API/v2/(files|system)(/.*)?$' });
    expect([await status('system'), await status('system/role'), await status('user/session')]).toEqual([
      200, 200, 403,
    ]);
  });

  it('abuse: is the same however the address is written', async () => {
    await rule({ path: '*' });
    await rule({ path: 'api/v2/system/role*', origin: 'https://own.example' });
    for (const path of [
      '/api/v2/system/role',
      '/api/v2/SYSTEM/Role',
      '/api/v2/%73ystem/rol%65',
      '/api/system/role',
      '/api/v2.0/system/role/',
      '/api/v2/system//role',
      `/api/v2/system/role?x=${'y'.repeat(3_000)}`,
      `/api/v2/system/role/${'y'.repeat(3_000)}`,
    ])
      expect(await status(path), path).toBe(403);
  });

  it('abuse: a long path is refused where a rule would have been tried', async () => {
    await rule({ path: '*' });
    expect(await status(`files/${'y'.repeat(1_000)}/`)).not.toBe(403);
    expect(await status(`files/${'y'.repeat(1_100)}/`)).toBe(403);
  });
});

describe('a preflight', () => {
  it('SRV-051 needs no credentials, and has what the rule says', async () => {
    await rule({
      header: '*',
      method: ['DELETE', 'GET', 'POST'],
      max_age: 600,
      exposed_header: 'etag',
      supports_credentials: true,
    });
    const { status, text, headers } = await preflight('system/role', page, 'POST', 'content-type,x-a');
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      [allowOrigin]: page,
      vary: 'Origin',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type,x-a',
      'access-control-max-age': '600',
      'access-control-allow-credentials': 'true',
    });
    expect(headers).not.toHaveProperty('access-control-expose-headers');
  });

  it('names the configured headers where not any is allowed, and no age of zero', async () => {
    await rule({ header: 'Content-Type,X-A', method: 31 });
    const { status, headers } = await preflight('system/role', page, 'PUT', 'x-a');
    expect([status, headers['access-control-allow-headers']]).toEqual([204, 'Content-Type,X-A']);
    expect(headers).not.toHaveProperty('access-control-max-age');
    expect((await preflight('system/role', page, 'PUT')).status).toBe(204);
  });

  it.each([
    ['an origin', 'https://evil.example', 'GET', 'x-a', 403, 'Origin not allowed'],
    ['a method', page, 'DELETE', 'x-a', 405, 'Method not allowed'],
    ['a header', page, 'GET', 'x-a, x-b', 403, 'Header not allowed'],
  ])('is refused for %s that is not allowed', async (_, origin, method, headers, status, text) => {
    await rule({ origin: page, method: ['GET'], header: 'x-a' });
    const answer = await preflight('system/role', origin, method, headers);
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers).toMatchObject({ vary: 'Origin', 'content-type': 'text/plain; charset=utf-8' });
    expect(answer.headers).not.toHaveProperty(allowOrigin);
  });
});

describe('abuse: an origin that only resembles an allowed one', () => {
  it.each([
    'null',
    'https://shop.example.evil.example',
    'https://evil-shop.example',
    'https://shop.exampl',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example/',
    'https://shop.example,https://evil.example',
    'https://other.example',
    '*',
    '',
  ])('%j is refused, credentials and all', async (origin) => {
    // A blank behind a comma belongs to the second one.
    await rule({ origin: `${page}, https://other.example`, supports_credentials: true, method: 31, header: '*' });
    const answer = await platform.ask('GET', 'system/role', from(origin));
    expect(answer).toMatchObject({ status: 403, text: 'Not allowed in CORS policy.' });
    for (const name of [allowOrigin, 'access-control-allow-credentials'])
      expect(answer.headers).not.toHaveProperty(name);
    expect((await preflight('system/role', origin, 'GET')).status).toBe(403);
  });
});

describe('the own origin', () => {
  const ask = (on: TestPlatform, headers: Record<string, string>) =>
    on.ask('POST', 'system/admin/session', { body: { email: 'a@b.c', password: 'x' }, token: null, headers });

  it('needs no rule: scheme and host of the request', async () => {
    const { host, port } = new URL(platform.url);
    expect((await ask(platform, { origin: platform.url })).status).toBe(401);
    expect((await ask(platform, { origin: `https://${host}` })).status).toBe(403);
    expect((await ask(platform, { origin: `http://127.0.0.1:${Number(port) + 1}` })).status).toBe(403);
    // Nobody is trusted to be a proxy.
    expect(
      (await ask(platform, { origin: page, 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' })).status,
    ).toBe(403);
    // The browser says that the page is of this address, which it can know and the server cannot.
    expect((await ask(platform, { origin: page, 'sec-fetch-site': 'same-origin' })).status).toBe(401);
    expect((await ask(platform, { origin: page, 'sec-fetch-site': 'same-site' })).status).toBe(403);
  });

  it('is the public address where that is set', async () => {
    const named = await startPlatform({ publicUrl: 'https://api.example.com:443' });
    expect((await ask(named, { origin: 'https://api.example.com' })).status).toBe(401);
    expect((await ask(named, { origin: named.url })).status).toBe(403);
    await named.stop();
  });
});

describe('the console behind a proxy with TLS', () => {
  let behind: TestPlatform;
  const proxy = createTlsServer(
    // Without a certificate: nobody is to be convinced here.
    { ciphers: 'AECDH-AES256-SHA@SECLEVEL=0', maxVersion: 'TLSv1.2' },
    (incoming, outgoing) => {
      const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
      const { hostname, port } = new URL(behind.url);
      const { method = 'GET', url = '/' } = incoming;
      incoming.pipe(
        httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(outgoing);
        }),
      );
    },
  );
  beforeAll(async () => {
    behind = await startPlatform({ trustProxy: ['127.0.0.1'] });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    proxy.close();
    await behind.stop();
  });

  const signIn = (origin: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify({ email: behind.settings.adminEmail, password: behind.settings.adminPassword });
      const { port } = proxy.address() as AddressInfo;
      const headers = { host: 'api.example.com', origin, 'content-type': 'application/json' };
      const options = { host: '127.0.0.1', port, path: '/api/v2/system/admin/session', method: 'POST', headers };
      const tls = { ciphers: 'AECDH-AES256-SHA@SECLEVEL=0', maxVersion: 'TLSv1.2', rejectUnauthorized: false } as const;
      tlsRequest({ ...options, ...tls, agent: false }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(body);
    });

  it('signs in without a rule; other origins do not', async () => {
    expect(await signIn('https://api.example.com')).toBe(200);
    expect(await signIn('http://api.example.com')).toBe(403);
    expect(await signIn('https://api.example.com.evil.example')).toBe(403);
  });
});
