// A cache in Memcached, over a real server, and over servers in this process that answer as no real one should.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { remoteServerMissing, startMemcached } from '@sluice/testkit/remote-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeCache } from '../../caches/cache-suite.fixture.ts';
import { connectMemcached } from './connection.ts';

const missing = remoteServerMissing('memcached');
describeCache('cache_memcached', missing);

describe.skipIf(missing)(missing ?? 'values in Memcached', () => {
  let platform: TestPlatform;
  let server: Awaited<ReturnType<typeof startMemcached>>;
  let id: number;
  beforeAll(async () => {
    server = await startMemcached();
    platform = await startPlatform();
    const config = { host: server.host, port: server.port };
    const record = { name: 'one', label: 'One', type: 'cache_memcached', is_active: true, config };
    ({ id } = await platform.create('service', record));
  });
  afterAll(async () => {
    await platform?.stop();
    await server?.stop();
  });

  const ask = async (verb: string, path: string, body?: unknown) => {
    const answer = await platform.ask(verb, path, { body });
    return [answer.status, answer.body?.error?.message ?? answer.body];
  };
  /** What the server says to a command, sent past the service. */
  const say = (command: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(server.port, server.host, () => socket.write(`${command}\r\n`));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (/(END|OK|STORED|DELETED|FOUND|ERROR)\r\n$/.test(text)) socket.destroy();
      });
      socket.on('close', () => resolve(text));
    });
  /** The keys of the server, with when they end. */
  const entries = async () => {
    const dump = await say('lru_crawler metadump all');
    return new Map(
      [...dump.matchAll(/key=(\S+) exp=(-?\d+)/g)].map(([, key, exp]) => [decodeURIComponent(key ?? ''), Number(exp)]),
    );
  };

  it('have the name of the instance and of the service before their key, and end when they are to', async () => {
    await ask('PUT', 'one/usual', { a: 1 });
    await ask('PUT', 'one/year?ttl=525600', { a: 1 });
    await ask('PUT', 'one/always?forever=true', { a: 1 });
    const found = await entries();
    const prefix = [...found.keys()][0]?.replace(/[^:]*$/, '') ?? '';
    expect(prefix).toMatch(new RegExp(`^sluice:[0-9a-f-]{36}:cache:${id}:$`));
    const minutes = (key: string) => Math.round(((found.get(prefix + key) ?? 0) - Date.now() / 1000) / 60);
    expect(minutes('usual')).toBe(300);
    expect(minutes('year')).toBe(525_600);
    expect(found.get(`${prefix}always`)).toBe(-1);
    expect(await ask('GET', 'one/year')).toEqual([200, { a: 1 }]);
  });

  it('abuse: no key leads beside the prefix or says a command', async () => {
    await say('set plain 0 0 8\r\n"hidden"');
    for (const key of ['plain', 'a%20b', 'a%0d%0aflush_all', '..%2Fplain', 'x%20plain']) {
      expect((await ask('GET', `one/${key}`))[0]).toBeGreaterThanOrEqual(400);
      await ask('PUT', `one/${key}`, { mine: 1 });
      await ask('DELETE', `one/${key}`);
    }
    expect(await say('get plain')).toContain('"hidden"');
  });

  it('say when the server is gone, and go on when it is back', async () => {
    await server.kill();
    expect(await ask('GET', 'one/usual')).toEqual([503, expect.stringMatching(/^The cache is not available: /)]);
    const { status } = await platform.ask('POST', `system/service/${id}/_test`, { body: {} });
    expect(status).not.toBe(200);
    await server.start();
    expect(await ask('GET', 'one/usual')).toEqual([404, "No value found for key 'usual'."]);
    expect((await ask('PUT', 'one/usual', { b: 1 }))[0]).toBe(200);
    expect(await ask('GET', 'one/usual')).toEqual([200, { b: 1 }]);
  });
});

describe('a server that answers as none should', () => {
  let fake: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    fake?.close();
  });

  /** A connection to a server that does this with what comes. */
  async function connectTo(serve: (socket: Socket, text: string) => void) {
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (chunk) => serve(socket, chunk.toString()));
    });
    fake = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return connectMemcached({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  }

  it('abuse: fails the calls under way, whatever it sends', async () => {
    const value = `VALUE k 0 ${2 ** 31}\r\n`;
    for (const text of ['x'.repeat(5_000), value, 'END\r\nEND\r\n', '']) {
      const connection = await connectTo((socket) => (text ? socket.write(text) : socket.destroy()));
      const answers = Promise.allSettled([connection.send('get a')]);
      const [first] = await answers;
      if (text.startsWith('END')) {
        expect(first).toMatchObject({ status: 'fulfilled' });
        // The second answer belongs to nothing: the connection is closed, and opened again for the next.
        expect(await connection.send('get b')).toEqual({ line: 'END' });
      } else expect(first).toMatchObject({ status: 'rejected', reason: { key: 'cache.unreachable' } });
      connection.close();
      fake?.close();
    }
  });

  it('reads values that come in pieces, also with line ends in them', async () => {
    const data = 'END\r\nVALUE x 0 1\r\n';
    const connection = await connectTo((socket) => {
      const text = `VALUE k 0 ${data.length}\r\n${data}\r\nEND\r\n`;
      for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) socket.write(piece);
    });
    const answers = await Promise.all([connection.send('get k')]);
    expect(String(answers[0]?.data)).toBe(data);
    connection.close();
  });
});
