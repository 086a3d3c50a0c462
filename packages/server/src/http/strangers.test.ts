// What anybody may send and ask before they are known, and what it leads to (contract/http-basics.md §1, §6).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type AskOptions, administrator, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let platform: TestPlatform;
let pages: string;
beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), 'sluice-pages-'));
  mkdirSync(join(pages, 'assets'));
  writeFileSync(join(pages, 'index.html'), '<html>__CSP_NONCE__</html>');
  writeFileSync(join(pages, 'assets', 'a.txt'), 'ten bytes.');
  platform = await startPlatform({ consoleFolder: pages });
});
afterAll(async () => {
  await platform.stop();
  rmSync(pages, { recursive: true });
});

const stranger = { token: null };
const typed = (type: string, body: string, more: AskOptions = {}): AskOptions => ({
  ...more,
  headers: { 'content-type': type },
  body,
});

describe('a body in tiny chunks', () => {
  it('abuse: of 60,000 chunks is refused before most of them are there, and the connection closed', async () => {
    const { hostname, port } = new URL(platform.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    // The server closes while chunks are still on their way.
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write('POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write('1\r\na\r\n'.repeat(1_001));
    await expect.poll(() => received).toContain('in more than 1000 chunks of less than 16 bytes');
    expect(received).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
    socket.write('1\r\na\r\n'.repeat(59_000));
    await closed;
  });

  it('of a text sent word by word is read', async () => {
    const words = JSON.stringify({ email: administrator.email, password: 'wrong', more: 'x '.repeat(400) }).split(
      /(?= )/,
    );
    const answer = await fetch(`${platform.url}/api/v2/user/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Readable.toWeb(Readable.from(words.map((word) => Buffer.from(word)))) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(401);
  });
});

describe('words that are members of every object', () => {
  it.each([
    ['Accept: constructor', 'system/role', { accept: 'constructor' }, 400],
    ['Accept: __proto__', 'system/role', { accept: '__proto__' }, 400],
    ['Accept: text/csv, toString', 'system/role', { accept: 'text/csv, toString' }, 200],
    ['accept of an error', 'system/nope?accept=__proto__', {}, 404],
    ['the ending of a download', 'system/role?file=x.constructor', {}, 200],
    ['another ending', 'system/role?file=x.__proto__', {}, 200],
    ['a name cut within a character', `system/role?file=${encodeURIComponent('𝒜'.repeat(80))}.json`, {}, 200],
    ['a name cut there by a letter more', `system/role?file=${encodeURIComponent(`${'𝒜'.repeat(80)}x`)}.json`, {}, 200],
    ['half of a character', 'system/role?file=%ED%A0%80.json', {}, 400],
    ['fields of the list of services', '?fields=constructor,toString,name', {}, 200],
  ])('abuse: %s', async (_what, path, headers, status) => {
    const answer = await platform.ask('GET', path, { headers });
    expect([answer.status, answer.text.includes('unction')]).toEqual([status, false]);
  });

  it.each([
    [
      'POST',
      'system/role',
      { resource: [{ name: 'r', is_active: 'constructor' }] },
      /is active field must be true or false/,
    ],
    ['PATCH', 'system/app/1', { is_active: 'constructor' }, /is active field must be true or false/],
    ['PATCH', 'system/app/1', { is_active: { toString: 1 } }, /is active field must be true or false/],
    ['PATCH', 'system/service/1', { is_active: '__proto__' }, /is active field must be true or false/],
    ['POST', 'system/role?method=GET', { limit: { toString: 1 } }, /^The limit must be a number, not an object\.$/],
    ['POST', 'system/role?method=GET', { top: [1] }, /^The top must be a number, not a list\.$/],
    ['POST', 'system/role?method=GET', { filter: { toString: 1 } }, /^The filter must be a text, not an object\.$/],
    [
      'POST',
      'system/role?method=GET',
      { count_only: { toString: 1 } },
      /^The count_only must be true or false, not an object\.$/,
    ],
    ['POST', 'system/service/_test', { type: { toString: 1 } }, /Unsupported service type|^Invalid data/],
  ])('abuse: %s %s %o', async (verb, path, body, message) => {
    const answer = await platform.ask(verb, path, { body });
    expect([answer.status, answer.body.error.message.replace(/^Batch Error.*/, answer.text)]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
    expect((await platform.ask('GET', 'system/app/1?fields=is_active')).body.is_active).toBe(true);
  });

  it('abuse: remember_me', async () => {
    const body = { ...administrator, remember_me: { toString: 1 } };
    const { status, text } = await platform.ask('POST', 'system/admin/session', { ...stranger, body });
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('The remember_me must be true or false, not an object.'),
    ]);
  });
});

describe('bodies of callers who are not known', () => {
  const { email, password } = administrator;
  const json = JSON.stringify(administrator);
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const multipart = `${part('email', email)}${part('password', password)}--b--\r\n`;
  const multipartType = 'multipart/form-data; boundary=b';
  const names = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])));
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

  it.each([
    ['JSON', 'application/json', json],
    ['JSON of no type', 'none', json],
    ['a form', 'application/x-www-form-urlencoded', `email=${email}&password=${encodeURIComponent(password)}`],
    ['multipart', multipartType, multipart],
    ['multipart with a quoted boundary', 'Multipart/Form-Data; charset=utf-8; boundary="b"', multipart],
  ])('abuse: %s is read', async (_what, type, body) => {
    const { status, text } = await platform.ask('POST', 'system/admin/session', typed(type, body, stranger));
    expect([status, text.slice(0, 200)]).toEqual([200, expect.stringContaining('session_token')]);
  });

  const unrecognized = /^Unrecognized payload type$/;
  it.each([
    ['XML', 'application/xml', `<a><email>${email}</email></a>`, 400, unrecognized],
    ['XML of no type', 'none', '<a/>', 400, unrecognized],
    ['CSV', 'text/csv', 'a,b\n1,2\n', 400, unrecognized],
    ['CSV of no type', 'none', 'a,b\n1,2\n', 400, unrecognized],
    ['a text', 'text/plain', json, 400, unrecognized],
    ['bytes', 'application/octet-stream', json, 400, unrecognized],
    ['a file', multipartType, `${part('email', email)}${part('f', 'x', '; filename="f.txt"')}--b--`, 400, unrecognized],
    ['201 names', 'application/json', names(201), 400, /more than 200 names/],
    ['201 pairs', 'application/x-www-form-urlencoded', 'a=1&'.repeat(201), 400, /more than 200 names/],
    ['201 parts', multipartType, `${part('a', '1').repeat(201)}--b--`, 400, /more than 200 names/],
    ['too many names below', 'application/json', `{"a":[${names(150)},${names(60)}]}`, 400, /more than 200 names/],
    ['depth 21', 'application/json', nested(21), 400, /nested more than 20 levels/],
    ['64 KiB and a byte', 'application/json', `"${'x'.repeat(65_535)}"`, 413, /larger than the limit of 65536/],
    [
      'multipart that breaks off',
      multipartType,
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      400,
      /Malformed multipart/,
    ],
    ['multipart without a boundary', 'multipart/form-data', multipart, 400, /Malformed multipart/],
    ['a part without a name', multipartType, '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--', 400, /no name/],
  ])('abuse: %s is refused', async (_what, type, body, status, message) => {
    for (const address of ['system/admin/session', 'user/session']) {
      const answer = await platform.ask('POST', address, typed(type, body, stranger));
      expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(message)]);
    }
  });

  it.each([
    ['200 names', names(200)],
    ['depth 20', nested(20)],
  ])('%s are read', async (_what, body) => {
    const answer = await platform.ask('POST', 'system/admin/session', typed('application/json', body, stranger));
    expect(answer.text).not.toMatch(/names|nested/);
  });

  it('those who are known send what they like', async () => {
    const xml = await platform.ask(
      'POST',
      'system/role',
      typed('text/xml', '<a><resource><name>by xml</name></resource></a>'),
    );
    expect(xml.status).toBe(201);
    const wide = JSON.stringify({
      resource: Array.from({ length: 150 }, (_, at) => ({ name: `r${at}`, description: 'd' })),
    });
    expect((await platform.ask('POST', 'system/role', typed('application/json', wide))).status).toBe(201);
  });

  it('multipart without files is a form to every call, of whose names the first counts', async () => {
    const { id } = await platform.create('role', { name: 'formed' });
    const body = `${part('description', 'é by parts')}${part('description', 'second')}--b--`;
    expect((await platform.ask('PATCH', `system/role/${id}`, typed(multipartType, body))).status).toBe(200);
    expect((await platform.ask('GET', `system/role/${id}`)).body.description).toBe('é by parts');
    const file = `${part('description', 'x', '; filename="a"')}--b--`;
    const refused = await platform.ask('PATCH', `system/role/${id}`, typed(multipartType, file));
    expect([refused.status, refused.body.error.message]).toEqual([400, 'Unrecognized payload type']);
  });
});

describe('pages beside the API', () => {
  it('abuse: /status tells nothing of administrators but to one', async () => {
    const limited = await platform.create('user', {
      email: 'l@example.com',
      first_name: 'L',
      last_name: 'M',
      is_active: true,
    });
    const asks: AskOptions[] = [stranger, { token: 'nonsense' }, { token: await platform.tokenOf(limited.id) }];
    for (const ask of asks) {
      const { status, body } = await platform.ask('GET', '/status', ask);
      expect([status, body.last_admin_login, body.resources]).toEqual([
        200,
        null,
        expect.objectContaining({ admin: 0, user: 1 }),
      ]);
    }
    const { body, headers } = await platform.ask('GET', '/status');
    expect([body.resources.admin, body.last_admin_login]).toEqual([1, expect.stringMatching(/^\d{4}-.*Z$/)]);
    expect(headers).toMatchObject({
      'x-request-id': expect.any(String),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it.each(['/healthz', '/readyz', '/status', '/console.json', '/', '/index.html', '/assets/a.txt', '/roles'])(
    'abuse: HEAD %s is as GET, without a body',
    async (path) => {
      const headers = { accept: 'text/html' };
      const [got, headed] = [
        await platform.ask('GET', path, { headers }),
        await platform.ask('HEAD', path, { headers }),
      ];
      expect([got.status, headed.status, headed.text]).toEqual([200, 200, '']);
      for (const name of ['content-type', 'content-length', 'cache-control'])
        expect([name, headed.headers[name]]).toEqual([name, got.headers[name]]);
    },
  );

  it('abuse: a range beyond the end is a 416 that tells the size', async () => {
    const answer = await platform.ask('GET', '/assets/a.txt', { headers: { range: 'bytes=10-' } });
    expect([answer.status, answer.headers['content-range'], answer.body.error.code]).toEqual([416, 'bytes */10', 416]);
    const part = await platform.ask('GET', '/assets/a.txt', { headers: { range: 'bytes=4-' } });
    expect([part.status, part.text]).toEqual([206, 'bytes.']);
  });
});

it('abuse: /readyz logs when the store goes and comes, not each time it is asked', async () => {
  const errors = vi.spyOn(platform.log, 'error');
  const notices = vi.spyOn(platform.log, 'info');
  const ping = vi.spyOn(platform.store, 'ping').mockRejectedValue(new Error('gone'));
  const ask = async () => (await platform.ask('GET', '/readyz', stranger)).status;
  expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 503]);
  expect(errors.mock.calls.map(([, text]) => text)).toEqual(['the store does not answer']);
  ping.mockRestore();
  expect([await ask(), await ask()]).toEqual([200, 200]);
  expect(notices.mock.calls.map(([text]) => text)).toEqual(['the store answers again']);
  expect(errors).toHaveBeenCalledTimes(1);
  errors.mockRestore();
  notices.mockRestore();
});

it.each([
  [false, '127.0.0.1', 'http'],
  [true, '1.1.1.1', 'https'],
  [1, '3.3.3.3', 'https'],
  [2, '2.2.2.2', 'https'],
  [['127.0.0.1'], '3.3.3.3', 'https'],
  [['127.0.0.0/8', '3.3.0.0/16'], '2.2.2.2', 'https'],
  [['10.0.0.0/8', 'fd00::/8'], '127.0.0.1', 'http'],
])('abuse: with SLUICE_TRUST_PROXY %o a caller comes from %s by %s', async (trustProxy, ip, protocol) => {
  const behind = await startPlatform({ trustProxy });
  try {
    const headers = { 'x-forwarded-for': '1.1.1.1, 2.2.2.2, 3.3.3.3', 'x-forwarded-proto': 'https' };
    const environment = await behind.ask('GET', 'system/environment', { headers });
    expect(environment.body.client.ip_address).toBe(ip);
    expect((await behind.ask('GET', '/status', { headers })).body.uri).toMatch(new RegExp(`^${protocol}:`));
  } finally {
    await behind.stop();
  }
});
