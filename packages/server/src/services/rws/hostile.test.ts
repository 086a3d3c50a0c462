// Remote services that mean harm, or are broken.
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Remote, startRemote } from '../engines/remote.fixture.ts';

let platform: TestPlatform;
let remote: Remote;
const mib = 1024 * 1024;
let written = 0;

beforeAll(async () => {
  platform = await startPlatform();
  remote = await startRemote((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/to/')) {
      response.writeHead(302, { Location: decodeURIComponent(path.slice(4)) }).end();
    } else if (path === '/bomb') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(64 * mib, ' ')));
    } else if (path === '/endless') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = () => {
        written += 64 * 1024;
        if (!response.destroyed && response.write(' '.repeat(64 * 1024))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    } else if (path === '/short') {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': '100000' });
      response.write('only this');
      setTimeout(() => response.destroy(), 50);
    } else if (path === '/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
    } else if (path === '/silent') {
      // Nothing comes.
    } else if (path === '/download') {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      for (let count = 0; count < 32; count++) response.write(Buffer.alloc(mib, 'x'));
      response.end();
    } else response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"path":${JSON.stringify(path)}}`);
  });
});
const servers: Server[] = [];
afterAll(async () => {
  await platform.stop();
  await remote.stop();
  for (const server of servers) server.close();
});

let count = 0;
async function make(config: object = {}): Promise<string> {
  count += 1;
  const name = `remote${count}`;
  const full = { base_url: remote.url, ...config };
  await platform.create('service', { name, label: name, type: 'rws', is_active: true, config: full });
  return name;
}
const outcome = async (path: string, options: object = {}) => {
  const { status, body } = await platform.ask('GET', path, options);
  return `${status} ${body?.error?.message ?? ''}`;
};

describe('redirects', () => {
  const to = (address: string) => `to/${encodeURIComponent(encodeURIComponent(address))}`;
  const following = { options: { CURLOPT_FOLLOWLOCATION: 'true' } };

  it('are followed where an option says so, at the address that was configured', async () => {
    const name = await make(following);
    const { body } = await platform.ask('GET', `${name}/${to('/there')}`);
    expect(body).toEqual({ path: '/there' });
    expect(await outcome(`${await make()}/${to('/there')}`)).toBe('302 Found');
    expect(await outcome(`${await make({ options: { CURLOPT_FOLLOWLOCATION: '0' } })}/${to('/there')}`)).toBe(
      '302 Found',
    );
  });

  it.each(['http://169.254.169.254/latest/', 'http://[::1]:80/', 'http://127.0.0.2:1/', 'file:///etc/passwd'])(
    'abuse: to %s lead nowhere',
    async (address) => {
      const name = await make(following);
      expect(await outcome(`${name}/${to(address)}`)).toMatch(/^503 The remote service is not available: it leads/);
    },
  );

  it('abuse: without end, they end', async () => {
    const loop = await startRemote((_request, response) => {
      response.writeHead(302, { Location: '/' }).end();
    });
    const looping = await make({ ...following, base_url: loop.url });
    expect(await outcome(looping)).toBe('302 Found');
    await loop.stop();
  });
});

describe('answers', () => {
  it('abuse: a bomb of JSON that has to be converted is refused', async () => {
    const name = await make({ replace_link: true });
    expect(await outcome(`${name}/bomb`)).toMatch(/^502 .*more than 4194304 bytes/);
  });

  it('abuse: one without end is only read as far as it is wanted', async () => {
    const name = await make({ replace_link: true });
    written = 0;
    expect(await outcome(`${name}/endless`)).toMatch(/^502 .*more than 4194304 bytes/);
    expect(written).toBeLessThan(32 * mib);
  });

  it('that are long go through as they come', async () => {
    const { bytes, headers } = await platform.ask('GET', `${await make()}/download`);
    expect([bytes.length, headers['content-type']]).toEqual([32 * mib, 'application/octet-stream']);
  });

  it('that go on for as long as their caller listens are passed on at once', async () => {
    const { status, headers } = await platform.ask('GET', `${await make()}/events`);
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
  });

  it('to a HEAD are those of the GET without a body', async () => {
    const name = await make();
    for (const path of ['a', 'download']) {
      const { status, text } = await platform.ask('HEAD', `${name}/${path}`);
      expect([path, status, text]).toEqual([path, 200, '']);
    }
  });

  it('abuse: one that ends early does not look whole', async () => {
    await expect(platform.ask('GET', `${await make()}/short`)).rejects.toThrow();
  });

  it('that do not come are a 504, and servers that are away a 503', async () => {
    const late = await make({ options: { CURLOPT_TIMEOUT_MS: '200' } });
    expect(await outcome(`${late}/silent`)).toBe('504 The remote service did not answer in time: it took too long.');
    const away = await make({ base_url: 'http://127.0.0.1:1' });
    expect(await outcome(away)).toBe('503 The remote service is not available: the connection was refused.');
    const unknown = await make({ base_url: 'http://nowhere.invalid' });
    expect(await outcome(unknown)).toBe('503 The remote service is not available: its name is not known.');
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nabcdefghi'],
    ['a length beside chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
  ])('abuse: %s', async (_what, text) => {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(text));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const name = await make({ base_url: `http://127.0.0.1:${(server.address() as { port: number }).port}` });
    expect(await outcome(name)).toMatch(/^503 The remote service is not available: /);
  });
});

it('abuse: a secret that a refusal repeats is hidden', async () => {
  const echo = await startRemote((request, response) => {
    response.writeHead(401).end(`bad credentials: ${request.headers.authorization}`);
  });
  await platform.create('lookup', { name: 'pass', value: 'hunter22', private: true });
  const headers = [{ name: 'Authorization', value: 'Bearer {pass}', action: 1 }];
  expect(await outcome(await make({ base_url: echo.url, headers }))).toBe('401 bad credentials: Bearer **********');
  await echo.stop();
});

it('abuse: a service that leads to this instance does not go round without end', async () => {
  const name = `remote${count + 1}`;
  const rules = [{ name: 'X-DreamFactory-Session-Token', pass_from_client: true, action: 31 }];
  await make({ base_url: `${platform.url}/api/v2/${name}`, headers: rules });
  expect(await outcome(`${name}/a`)).toMatch(/^508 .*it leads to itself/);
  // Also through a script, whose calls inside have headers of their own.
  const script = `remote${count}s`;
  const content = `return platform.api.get('${name}2/a').content;`;
  await platform.create('service', {
    ...{ name: script, label: script, type: 'v8js', is_active: true, config: { content } },
  });
  const config = {
    base_url: `${platform.url}/api/v2/${script}`,
    headers: [{ name: rules[0]?.name, value: platform.adminToken, action: 31 }],
  };
  await platform.create('service', { name: `${name}2`, label: 'x', type: 'rws', is_active: true, config });
  expect((await platform.ask('GET', script)).text).toContain('it leads to itself');
});

it('connections are used again', async () => {
  const other = await startRemote((_request, response) => response.end('{}'));
  const name = await make({ base_url: other.url });
  for (let call = 0; call < 5; call++) await platform.ask('GET', `${name}/a`);
  expect(other.connections()).toBe(1);
  await other.stop();
});
