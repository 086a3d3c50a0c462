// Calls of scripts to other servers, by v8js, against servers of this machine that SLUICE_FETCH_PRIVATE names.
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
const servers: Server[] = [];
let echo = '';

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 3, fetchPrivate: '127.0.0.1' });
  await platform.create('service', {
    ...{ name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } },
  });
  echo = await serve(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const { method, url, headers } = request;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-Seen', 'yes');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(body).toString() }));
  });
});
afterAll(async () => {
  await platform.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server; answers its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const name = 'shop.get.pre_process';
const save = (content: string, on: TestPlatform) =>
  on.ask('POST', `system/event_script/${name}`, {
    body: { name, type: 'v8js', content, is_active: true, allow_event_modification: true },
  });
/** What `platform.api` answers to a call with these arguments. */
async function made(call: string, { on = platform, ...options }: { on?: TestPlatform; key?: string } = {}) {
  await save(`event.response = { content: { answer: platform.api.${call} } };`, on);
  const { body, text } = await on.ask('GET', 'shop', options);
  return body?.answer ?? text;
}
afterEach(() => platform.ask('DELETE', `system/event_script/${name}`));

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}
const seen = async (call: string, options = {}): Promise<Seen> => (await made(call, options)).content;

describe('calls to other servers', () => {
  it('answer status, content, type and headers', async () => {
    expect(await made(`get('${echo}/a?b=1')`)).toMatchObject({
      ...{ status_code: 200, content_type: 'application/json', format: 201, headers: { 'x-seen': 'yes' } },
      content: { method: 'GET', url: '/a?b=1', body: '' },
    });
  });

  it.each([
    ["post('ECHO', { a: [1] })", 'POST', '{"a":[1]}', 'application/json'],
    ["put('ECHO', 'as it is')", 'PUT', 'as it is', 'text/plain; charset=utf-8'],
    ["patch('ECHO', { a: 1 }, { headers: { 'Content-Type': 'application/vnd.x+json' } })", 'PATCH', '{"a":1}', /vnd/],
    ["delete('ECHO', [1])", 'DELETE', '[1]', 'application/json'],
    [
      "post('ECHO', { a: 'x y', b: 2 }, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })",
      ...(['POST', 'a=x+y&b=2', /form/] as const),
    ],
    ["call('post', 'ECHO', null)", 'POST', '', undefined],
  ] as const)('%s', async (call, method, body, type) => {
    const request = await seen(call.replace('ECHO', echo));
    expect(request).toMatchObject({ method, body });
    if (type === undefined) expect(request.headers).not.toHaveProperty('content-type');
    else expect(request.headers['content-type']).toMatch(type);
  });

  it('take headers and parameters, in the names that the contract has', async () => {
    const request = await seen(
      `get('${echo}/a?b=1#c', null, { headers: { 'X-One': 1 }, parameters: { 'd e': '&', f: ['g'] } })`,
    );
    expect([request.url, request.headers['x-one']]).toEqual(['/a?b=1&d+e=%26&f=%5B%22g%22%5D', '1']);
    expect((await seen(`get('${echo}', null, { 'X-Plain': 'y' })`)).headers['x-plain']).toBe('y');
  });

  it('take options of curl, by name and by number', async () => {
    const request = await seen(
      `post('${echo}', { ignored: 1 }, { CURLOPT_HTTPHEADER: ['X-One: a: b', 'Content-Type: text/csv'], CURLOPT_USERPWD: 'ada:pw', CURLOPT_TIMEOUT: 5, CURLOPT_CUSTOMREQUEST: 'put', CURLOPT_POSTFIELDS: 'a,b', CURLOPT_USERAGENT: 'me', CURLOPT_RETURNTRANSFER: true, 10022: 'c=d' })`,
    );
    expect(request).toMatchObject({
      ...{ method: 'PUT', body: 'a,b' },
      headers: {
        ...{ 'x-one': 'a: b', 'content-type': 'text/csv', 'user-agent': 'me', cookie: 'c=d' },
        authorization: `Basic ${Buffer.from('ada:pw').toString('base64')}`,
      },
    });
    for (const [option, value] of [
      ['CURLOPT_PROXY', "'http://10.0.0.1'"],
      ['CURLOPT_RESOLVE', "['a:80:127.0.0.1']"],
      ['CURLOPT_UNIX_SOCKET_PATH', "'/var/run/docker.sock'"],
      ['CURLOPT_SSL_VERIFYPEER', 'false'],
      ['10004', "'http://10.0.0.1'"],
    ] as const) {
      const refused = await made(`get('${echo}', null, { '${option}': ${value} })`);
      expect(refused).toMatchObject({
        status_code: 400,
        content: { error: { message: expect.stringContaining(option) } },
      });
    }
  });

  it('an error of the other server is an error value with its body as the message', async () => {
    const failing = await serve((_request, response) =>
      response.writeHead(418, { 'content-type': 'x/y' }).end('short'),
    );
    expect(await made(`get('${failing}')`)).toMatchObject({
      ...{ status_code: 418, content_type: 'x/y', content: { error: { message: 'short', code: 418 } } },
    });
  });

  it('what is no text is base64', async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0, 1]);
    const picture = await serve((_request, response) => response.setHeader('content-type', 'image/jpeg').end(bytes));
    expect((await made(`get('${picture}')`)).content).toBe(bytes.toString('base64'));
    const empty = await serve((_request, response) => response.writeHead(204).end());
    expect(await made(`delete('${empty}')`)).toMatchObject({ status_code: 204, content: '' });
  });
});

describe('redirects', () => {
  const to = (location: () => string, status: number) =>
    serve((_request, response) => response.writeHead(status, { location: location() }).end('moved'));

  it('are followed, with the verb and body that their status keeps', async () => {
    let address = '';
    const server = createServer(async (request, response) => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk);
      const status = /^\/(\d+)/.exec(request.url ?? '')?.[1];
      if (status) response.writeHead(Number(status), { location: '/end' }).end();
      else response.end(`${request.method} ${Buffer.concat(body)} ${request.headers.authorization}`);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = "{ headers: { authorization: 'own' } }";
    const post = async (status: number) => (await made(`post('${address}/${status}', 'x', ${options})`)).content;
    expect([await post(302), await post(303), await post(307), await post(308)]).toEqual([
      ...['GET  own', 'GET  own', 'POST x own', 'POST x own'],
    ]);
    expect(await made(`get('${address}/302', null, { CURLOPT_FOLLOWLOCATION: false })`)).toMatchObject({
      ...{ status_code: 302, headers: { location: '/end' } },
    });
  });

  it('take no credentials and no body to another server', async () => {
    const moved = await to(() => `${echo}/other`, 307);
    const options = "{ headers: { Authorization: 'a', Cookie: 'b=c', 'X-Api-Key': 'd', Accept: 'x/y' } }";
    const request = await seen(`get('${moved}', null, ${options})`);
    expect(request.url).toBe('/other');
    expect(request.headers).toEqual({
      ...{ accept: 'x/y', 'user-agent': 'Sluice', 'cdn-loop': 'sluice', 'accept-encoding': 'identity' },
      ...{ host: echo.slice('http://'.length), connection: expect.any(String) },
    });
    expect(await made(`post('${moved}', { client_secret: 'x' })`)).toMatchObject({
      status_code: 502,
      content: {
        error: {
          message: 'The call to the other server failed: the server redirects what was sent to another server.',
        },
      },
    });
  });

  it('end', async () => {
    let own = '';
    own = await to(() => own, 302);
    expect(await made(`get('${own}')`)).toMatchObject({ status_code: 302 });
  });
});

describe('abuse:', () => {
  it('abuse: addresses of private networks are refused where no setting names them, also behind a redirect', async () => {
    const closed = await startPlatform({ scriptSeconds: 3 });
    await closed.create('service', {
      ...{ name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } },
    });
    const refused = {
      status_code: 400,
      content: { error: { message: expect.stringContaining('does not fetch from') } },
    };
    for (const address of [echo, 'http://169.254.169.254/latest/meta-data', 'http://[::1]/', 'http://localhost:1/'])
      expect(await made(`get('${address}')`, { on: closed }), address).toMatchObject(refused);
    await closed.stop();
    const inwards = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    expect(await made(`get('${inwards}')`)).toMatchObject(refused);
    expect(await made("get('http://')")).toMatchObject({ status_code: 400 });
  });

  it('abuse: key and token of the caller stay here, although the script passes on its headers', async () => {
    const app = await platform.create('app', { name: 'outward', is_active: true });
    const key = (app as unknown as { api_key: string }).api_key;
    await save(
      `event.request.headers['x-kept'] = 'y'; event.request.headers.authorization = 'Bearer ' + platform.session.session_token; event.response = { content: { answer: platform.api.post('${echo}', 'x', { headers: event.request.headers }) } };`,
      platform,
    );
    const { body } = await platform.ask('GET', 'shop', { key, headers: { TE: 'trailers' } });
    const { headers } = body.answer.content as Seen;
    expect(headers['x-kept']).toBe('y');
    expect(JSON.stringify(headers)).not.toMatch(new RegExp(`${key}|eyJ|x-dreamfactory`));
    expect(headers.host).toBe(echo.slice('http://'.length));
  });

  it('abuse: headers that would begin another request are refused', async () => {
    for (const header of ["{ 'X-A': 'b\\r\\nX-C: d' }", "{ 'X A': 'b' }"])
      expect(await made(`get('${echo}', null, { headers: ${header} })`)).toMatchObject({ status_code: 502 });
  });

  it('abuse: an answer of 100 MB, one that never ends and one that never begins end with the bound', async () => {
    const piece = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const large = await serve((_request, response) => {
      const write = () => {
        sent += 1;
        if (sent > 100 || response.destroyed) response.end();
        else response.write(piece, write);
      };
      write();
    });
    expect(await made(`get('${large}')`)).toMatchObject({
      content: { error: { message: 'The answer of the other server has more than 10485760 bytes.' } },
    });
    expect(sent).toBeLessThan(100);
    const silent = await serve(() => {});
    expect(await made(`get('${silent}', null, { CURLOPT_TIMEOUT_MS: 100 })`)).toMatchObject({ status_code: 502 });
    await save(`platform.api.get('${silent}');`, platform);
    const ended = await platform.ask('GET', 'shop');
    expect(ended.body.error.message).toMatch(/was ended: the scripts of its call took more than 3 seconds/);
  });

  it('abuse: a payload of 20 MB is refused, inside and outside', async () => {
    for (const target of ['system/lookup', echo])
      expect(await made(`post('${target}', { resource: [{ name: 'x'.repeat(20 * 1024 * 1024) }] })`)).toMatchObject({
        status_code: 413,
      });
  });
});
