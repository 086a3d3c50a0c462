import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ bodyLimit: 200_000 });
});
afterAll(() => platform.stop());

const json = { 'content-type': 'application/json' };

describe('what the edge refuses, always in the envelope (contract/http-basics.md §8)', () => {
  it.each([
    ['malformed JSON', 'POST', 'system/role', '{"resource":[}', json, 400, /line 1, column 14/],
    ['malformed CSV', 'POST', 'system/role', 'name,b\n"x\n', { 'content-type': 'text/csv' }, 400, /Malformed CSV/],
    ['malformed XML', 'POST', 'system/role', '<a><b></a>', { 'content-type': 'text/xml' }, 400, /Malformed XML/],
    [
      'an unquoted integer past 2^53',
      'POST',
      'system/role',
      '{"resource":[{"name":"x","id":12345678901234567890}]}',
      json,
      400,
      /'resource\[0\].id'/,
    ],
    [
      'a body with bytes that are no UTF-8',
      'POST',
      'system/role',
      Buffer.from([0x7b, 0xff, 0x7d]),
      json,
      400,
      /body is not valid UTF-8/,
    ],
    [
      'an address with bytes that are no UTF-8',
      'GET',
      'system/role?filter=%ff',
      undefined,
      {},
      400,
      /query is not valid UTF-8/,
    ],
    [
      'a body over the limit',
      'POST',
      'system/role',
      `{"a":"${'x'.repeat(200_001)}"}`,
      json,
      413,
      /larger than the limit of 200000 bytes/,
    ],
    ['a body of a kind nobody knows', 'POST', 'system/role', 'hello world', {}, 400, /^Unrecognized payload type$/],
    [
      'a tunnelled verb nobody knows',
      'POST',
      'system/role',
      undefined,
      { 'x-http-method': 'BREW' },
      400,
      /"BREW" is not supported/,
    ],
    [
      'XML with an element no object can have',
      'POST',
      'system/role',
      '<a><resource><__proto__>1</__proto__></resource></a>',
      { 'content-type': 'text/xml' },
      400,
      /^Malformed XML/,
    ],
    ['an address without a service', 'GET', '/api/v2//system/role', undefined, {}, 404, /^Could not find a service/],
    ['a bare object on a collection', 'POST', 'system/role', '{"name":"x"}', json, 400, /^No record\(s\) detected/],
    ['an unknown service', 'GET', 'nowhere/x', undefined, {}, 404, /^Could not find a service for nowhere$/],
    [
      'an unknown resource',
      'GET',
      'system/nowhere',
      undefined,
      {},
      404,
      /^Resource 'nowhere' not found for service 'system'\.$/,
    ],
    [
      'a method of HTTP that the API does not have',
      'OPTIONS',
      'system/role',
      undefined,
      {},
      405,
      /^OPTIONS requests for resource 'role'/,
    ],
  ])('%s', async (_title, verb, path, body, headers, status, message) => {
    const answer = await platform.ask(verb, path, { body, headers });
    expect(answer.body.error).toEqual({
      code: answer.body.error.code,
      context: null,
      message: expect.stringMatching(message),
      status_code: status,
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.status).toBe(status);
    if (status === 405) expect(answer.headers.allow).toContain('GET');
  });

  it('writes nothing for any of them', async () => {
    expect((await platform.ask('GET', 'system/role')).body).toEqual({ resource: [] });
  });

  it('answers an over-long address with 431', async () => {
    const answer = await platform.ask('GET', `system/role?filter=${'x'.repeat(40_000)}`);
    expect(answer.status).toBe(431);
    expect(answer.body.error).toMatchObject({ code: 431, status_code: 431, request_id: expect.any(String) });
  });

  it('tells a body over the limit before it has arrived', async () => {
    const { hostname, port } = new URL(platform.url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/v2/system/role HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
            `X-DreamFactory-Session-Token: ${platform.adminToken}\r\nContent-Length: 90000000\r\n\r\n{"reso`,
        );
      });
      socket.once('data', (data) => {
        resolve(String(data));
        socket.destroy();
      });
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('reads no large body of someone who can only sign in', async () => {
    const body = { email: 'x@example.com', password: 'x'.repeat(70_000) };
    const answer = await platform.ask('POST', 'user/session', { body, token: null });
    expect([answer.status, answer.body.error.message]).toEqual([413, expect.stringMatching(/limit of 65536 bytes/)]);
  });

  it('guesses a body whose content type is none', async () => {
    for (const type of ['', 'json']) {
      const headers = { 'content-type': type, 'x-http-method': 'GET' };
      const answer = await platform.ask('POST', 'system/service', { body: '{"fields":"id","limit":1}', headers });
      expect([type, answer.body]).toEqual([type, { resource: [{ id: 1 }] }]);
    }
  });

  it('keeps browsers from taking an answer for a page', async () => {
    for (const path of ['system/role', 'nowhere'])
      expect((await platform.ask('GET', path)).headers['x-content-type-options']).toBe('nosniff');
  });

  it('answers what is no HTTP with an envelope', async () => {
    const { hostname, port } = new URL(platform.url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
      socket.once('data', (data) => resolve(String(data)));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!).error).toMatchObject({ status_code: 400 });
  });
});

describe('the refusal chain (contract/http-basics.md §4)', () => {
  const noKey = /^No API Key provided\. Please provide/;
  const noToken = /^No session token \(JWT\) provided\. Please provide/;
  const nothing = /^No session token \(JWT\) or API Key detected in request\./;
  let userToken: string;
  let key: string;
  beforeAll(async () => {
    await platform.create('user', { email: 'bob@example.com', password: 'bob password' });
    const session = await platform.ask('POST', 'user/session', {
      token: null,
      body: { email: 'bob@example.com', password: 'bob password' },
    });
    userToken = session.body.session_token;
    key = ((await platform.create('app', { name: 'plain', is_active: true })) as unknown as { api_key: string })
      .api_key;
  });

  it('refuses in the contract’s order', async () => {
    const cases: [Parameters<TestPlatform['ask']>[2], number, RegExp][] = [
      [{ token: null }, 400, nothing],
      [{ token: userToken }, 400, noKey],
      [{ token: null, key }, 400, noToken],
      [{ token: null, key: 'unknown' }, 400, noToken],
      [{ token: userToken, key }, 403, /^Role not found\./],
      [{ token: userToken, key: 'unknown' }, 403, /^Role not found\./],
      [{ token: 'a.b.c', key }, 401, /^Invalid token: /],
      [
        { token: null, headers: { authorization: `Basic ${btoa('bob@example.com:wrong')}` } },
        401,
        /^Unauthorized\. User credentials did not match\.$/,
      ],
    ];
    for (const [options, status, message] of cases) {
      for (const path of ['db/_table', 'nowhere', 'system/role']) {
        const answer = await platform.ask('GET', path, options);
        expect([path, answer.status, answer.body.error.message]).toEqual([
          path,
          status,
          expect.stringMatching(message),
        ]);
      }
    }
  });

  it('names the verb and the component a role lacks, and 401 without a user', async () => {
    const role = await platform.create('role', {
      name: 'reader',
      is_active: true,
      role_service_access_by_role_id: [{ service_id: 5, component: '_table/*', verb_mask: 1, requestor_mask: 1 }],
    });
    const app = (await platform.create('app', { name: 'reading', is_active: true, role_id: role.id })) as unknown as {
      api_key: string;
    };
    const denied = await platform.ask('POST', 'db/_table/Contact', { token: userToken, key: app.api_key, body: {} });
    expect([denied.status, denied.body.error.message]).toEqual([
      403,
      "Access Forbidden. POST access to component '_table/contact' of service 'db' is not allowed by this user's role.",
    ]);
    expect(
      (await platform.ask('POST', 'db/_table/x', { token: null, key: app.api_key, body: {} })).body.error,
    ).toMatchObject({
      code: 401,
      message: 'Unauthorized. User is not authenticated.',
    });
    expect((await platform.ask('GET', 'db/_table', { token: null, key: app.api_key })).status).toBe(200);

    await platform.ask('PATCH', `system/role/${role.id}`, { body: { is_active: false } });
    const inactive = await platform.ask('GET', 'db/_table', { token: userToken, key: app.api_key });
    expect([inactive.status, inactive.body.error.message]).toEqual([403, expect.stringMatching(/is not active\.$/)]);
  });

  it('lets the exceptions pass with nothing', async () => {
    expect((await platform.ask('GET', 'system/environment', { token: null })).status).toBe(200);
    expect((await platform.ask('GET', 'user/session', { token: null })).body.error.message).toBe(
      'There is no valid session for the current request.',
    );
    expect((await platform.ask('GET', '', { token: null })).body.services).toEqual([]);
  });

  it('a token that is no good beats even public addresses', async () => {
    expect((await platform.ask('GET', 'system/environment', { token: 'junk' })).status).toBe(401);
  });
});

describe('formats and tunnelling on the wire (contract/http-basics.md §5–6)', () => {
  it('HEAD answers the headers of GET without a body', async () => {
    const get = await platform.ask('GET', 'system/service');
    const head = await platform.ask('HEAD', 'system/service');
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', get.headers['content-type']]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });

  it('a POST that stands for a GET carries its parameters in the body', async () => {
    const answer = await platform.ask('POST', 'system/service', {
      headers: { 'X-HTTP-Method': 'GET' },
      body: { filter: 'name = "db"', fields: 'name' },
    });
    expect(answer.body.resource.map((record: { name: string }) => record.name)).toEqual(['db']);
  });

  it.each([
    ['?accept=text/csv&fields=id,name&filter=id=5', {}, 'text/csv; charset=UTF-8', /^id,name\n5,db\n$/],
    [
      '?fields=id,name&filter=id=5',
      { accept: 'application/xml' },
      'application/xml; charset=utf-8',
      /<dfapi><resource><id>5<\/id><name>db<\/name><\/resource><\/dfapi>/,
    ],
    [
      '?fields=id,name&filter=id=5',
      { accept: 'text/html,*/*' },
      'application/json; charset=utf-8',
      /^\{"resource":\[\{"id":5,"name":"db"\}\]\}$/,
    ],
  ])('%s %o', async (query, headers, type, text) => {
    const answer = await platform.ask('GET', `system/service${query}`, { headers });
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text).toMatch(text);
  });

  it('a download has its name and format', async () => {
    const answer = await platform.ask('GET', 'system/service?file=my%20services.csv&fields=id');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="my services.csv";');
    expect(answer.text).toMatch(/^id\n1\n/);
  });

  it('says in plain text that an answer cannot have the requested type', async () => {
    const answer = await platform.ask('GET', 'system/service', { headers: { accept: 'image/png' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(answer.text).toMatch(
      /^Content in response can not be resolved to acceptable content type\. Original content: /,
    );
  });

  it('errors come in the asked format too, and in JSON when it is none of ours', async () => {
    const csv = await platform.ask('GET', 'system/nope', { headers: { accept: 'text/csv' } });
    expect(csv.text).toMatch(/^code,context,message,status_code,request_id\n404,,/);
    const other = await platform.ask('GET', 'system/nope', { headers: { accept: 'image/png' } });
    expect(other.body.error.code).toBe(404);
  });

  it('credentials in a small body count only when nothing else was sent', async () => {
    const answer = await platform.ask('POST', 'system/service?method=GET', {
      token: null,
      body: { session_token: platform.adminToken },
    });
    expect(answer.status).toBe(200);
  });
});

describe('addresses beside the API', () => {
  it.each([
    ['/healthz', 200],
    ['/readyz', 200],
    ['/status', 200],
    ['/console.json', 200],
    ['/nothing/here', 404],
  ])('%s', async (path, status) => {
    const answer = await platform.ask('GET', path, { token: null });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(platform.folder);
  });
});

it('stops when the calls in flight are answered, though their connections are kept alive', async () => {
  const stopping = await startPlatform();
  const agent = new Agent({ keepAlive: true });
  const body = '{"email":"nobody@example.com"}';
  const headers = { ...json, 'content-length': body.length };
  const request = httpRequest(`${stopping.url}/api/v2/user/session`, { method: 'POST', agent, headers });
  const answered = new Promise<number>((resolve, reject) => {
    request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    request.on('error', reject);
  });
  // The second half of the body comes when the server is stopping already.
  request.write(body.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const start = performance.now();
  const stopped = stopping.stop();
  await new Promise((resolve) => setTimeout(resolve, 100));
  request.end(body.slice(10));
  await stopped;
  expect(performance.now() - start).toBeLessThan(3000);
  expect(await answered).toBe(400);
  agent.destroy();
});
