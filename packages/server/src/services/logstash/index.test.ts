// Events and messages at a Logstash server: real sockets of each protocol.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let platform: TestPlatform;
const releases: (() => unknown)[] = [];

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  await platform.stop();
  for (const release of releases) await release();
});

let count = 0;
/** Makes a service that leads to a port of this machine; answers its name. */
async function make(port: number, config: object = {}): Promise<string> {
  count += 1;
  const name = `log${count}`;
  const full = { host: '127.0.0.1', port, ...config };
  await platform.create('service', { name, label: name, type: 'logstash', is_active: true, config: full });
  return name;
}

/** A socket, and the datagrams that it got. */
async function listenUdp(): Promise<{ port: number; got: Buffer[]; socket: UdpSocket }> {
  const socket = createSocket('udp4');
  const got: Buffer[] = [];
  socket.on('message', (message) => got.push(message));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  releases.push(() => socket.close());
  return { port: socket.address().port, got, socket };
}

/** Messages of GELF, put together. */
function gelfIn(datagrams: Buffer[]): Record<string, unknown>[] {
  const chunked = new Map<string, Buffer[]>();
  const whole: Buffer[] = [];
  for (const datagram of datagrams) {
    if (datagram[0] !== 0x1e || datagram[1] !== 0x0f) {
      whole.push(datagram);
      continue;
    }
    const id = datagram.subarray(2, 10).toString('hex');
    const chunks = chunked.get(id) ?? [];
    chunks[datagram[10] as number] = datagram.subarray(12);
    chunked.set(id, chunks);
    if (chunks.filter(Boolean).length === datagram[11]) whole.push(Buffer.concat(chunks));
  }
  return whole.map((bytes) => JSON.parse(bytes.toString()));
}

const arrived = async <T>(of: () => T[], wanted = 1): Promise<T[]> => {
  await vi.waitFor(() => expect(of().length).toBeGreaterThanOrEqual(wanted), { timeout: 5_000 });
  return of();
};

describe('messages', () => {
  it('are sent as GELF', async () => {
    const { port, got } = await listenUdp();
    const name = await make(port);
    const { status, body } = await platform.ask('POST', name, {
      body: { message: 'Paid', level: 'notice', context: { order: 7 } },
    });
    expect([status, body]).toEqual([200, { success: true }]);
    const [message] = await arrived(() => gelfIn(got));
    expect(message).toMatchObject({
      version: '1.1',
      short_message: 'Paid',
      level: 5,
      _level_name: 'NOTICE',
      _order: 7,
    });
    expect(message?.timestamp).toBeCloseTo(Date.now() / 1000, -1);
  });

  it('longer than a datagram are sent in chunks', async () => {
    const { port, got } = await listenUdp();
    const context = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`part${index}`, 'x'.repeat(3_000)]));
    await platform.ask('POST', await make(port), { body: { message: 'Long', context } });
    const [message] = await arrived(() => gelfIn(got));
    expect(message).toMatchObject({ short_message: 'Long', _part9: 'x'.repeat(3_000) });
    expect(got.length).toBeGreaterThan(20);
    expect(Math.max(...got.map(({ length }) => length))).toBeLessThanOrEqual(1_420);
  });

  it('abuse: are bounded, however much a caller sends', async () => {
    const { port, got } = await listenUdp();
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ inner }), {});
    const context = {
      ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, 'é'.repeat(9_000)])),
      deep,
    };
    const { status } = await platform.ask('POST', await make(port, { protocol: 'udp' }), {
      body: { message: 'm'.repeat(100_000), context },
    });
    expect(status).toBe(200);
    const [datagram] = await arrived(() => got);
    expect(datagram?.length).toBeLessThanOrEqual(60_000);
    expect(JSON.parse(String(datagram)).message.length).toBeLessThanOrEqual(8_000);
  });

  it.each<[string, object, string]>([
    ['without a text', { level: 'INFO' }, 'A message is required.'],
    [
      'of another level',
      { message: 'a', level: 'LOUD' },
      'The level must be one of EMERGENCY, ALERT, CRITICAL, ERROR, WARNING, NOTICE, INFO, DEBUG.',
    ],
    [
      'of a level of all objects',
      { message: 'a', level: 'constructor' },
      'The level must be one of EMERGENCY, ALERT, CRITICAL, ERROR, WARNING, NOTICE, INFO, DEBUG.',
    ],
  ])('%s are a 400', async (_what, body, message) => {
    const answer = await platform.ask('POST', await make(9), { body });
    expect([answer.status, answer.body.error.message]).toEqual([400, message]);
  });

  it('are lines of JSON over TCP, on one connection, and again on another', async () => {
    const lines: string[] = [];
    const sockets: Socket[] = [];
    const server: Server = createServer((socket) => {
      sockets.push(socket);
      let text = '';
      socket
        .on('error', () => {})
        .on('data', (chunk) => {
          text += chunk;
          lines.push(...text.split('\n').slice(0, -1));
          text = text.slice(text.lastIndexOf('\n') + 1);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    releases.push(() => server.close());
    const name = await make((server.address() as AddressInfo).port, { protocol: 'tcp' });
    for (const message of ['one', 'two\nlines']) await platform.ask('POST', name, { body: { message } });
    expect((await arrived(() => lines, 2)).map((line) => JSON.parse(line).message)).toEqual(['one', 'two\nlines']);
    expect(sockets.length).toBe(1);
    sockets[0]?.destroy();
    await vi.waitFor(async () => {
      await platform.ask('POST', name, { body: { message: 'three' } });
      expect(lines.length).toBeGreaterThan(2);
    }, 5_000);
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ '@version': '1', level: 'INFO', message: 'three' });
  });

  it('are JSON by HTTP; those that a server refuses are sent again', async () => {
    const bodies: string[] = [];
    let refusals = 1;
    const server = createHttpServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      refusals -= 1;
      if (refusals >= 0) return response.writeHead(503).end('busy');
      bodies.push(body);
      return response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    releases.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    const name = await make((server.address() as AddressInfo).port, { protocol: 'http' });
    await platform.ask('POST', name, { body: { message: 'one' } });
    expect(JSON.parse((await arrived(() => bodies))[0] as string).message).toBe('one');
  });
});

describe('events', () => {
  const map = (event: string, more: object = {}) => [{ event, level: 'WARNING', message: 'Seen', ...more }];

  it('of the map are logged once they are over, with what was chosen', async () => {
    const { port, got } = await listenUdp();
    await make(port, {
      context: [
        '_event.request.method',
        '_event.request.parameters',
        '_event.response.status_code',
        '_event.resource',
        '_platform.session.user',
        '_platform.config',
      ],
      service_event_map: map('db._table.{table_name}.get'),
    });
    await platform.ask('GET', 'db/_table/nothing?limit=1');
    const [message] = await arrived(() => gelfIn(got));
    expect(message).toMatchObject({
      ...{ short_message: 'Seen', level: 4, _event: 'db._table.{table_name}.get' },
      ...{ '_event.request.method': 'GET', '_event.response.status_code': 404 },
    });
    expect(JSON.parse(message?.['_event.request.parameters'] as string)).toEqual({ limit: '1' });
    expect(JSON.parse(message?.['_platform.session.user'] as string)).toMatchObject({ is_sys_admin: true });
    expect(JSON.parse(message?.['_platform.config'] as string)).toHaveProperty('platform');
  });

  it('of all of a service; others are not', async () => {
    const { port, got } = await listenUdp();
    await make(port, { protocol: 'udp', service_event_map: map('files.*', { message: null, level: null }) });
    await platform.ask('GET', 'system/environment');
    await platform.ask('GET', 'files/');
    const [datagram] = await arrived(() => got);
    expect(JSON.parse(String(datagram))).toMatchObject({ level: 'INFO', message: 'files.get', event: 'files.get' });
    expect(got.length).toBe(1);
  });

  it('abuse: passwords, keys, tokens and cookies are in no message', async () => {
    const { port, got } = await listenUdp();
    await make(port, {
      protocol: 'udp',
      context: ['_event.request', '_event.response', '_platform.session'],
      service_event_map: [...map('system.user.post'), ...map('user.session.post')],
    });
    const secrets = { password: 'hunter2-secret', api_key: 'k'.repeat(64) };
    const body = {
      resource: [
        { email: 'ann@example.com', name: 'Ann', password: secrets.password, note: { api_key: secrets.api_key } },
      ],
    };
    const made = await platform.ask('POST', `system/user?session_token=${platform.adminToken}`, {
      body,
      headers: { Cookie: 'a=cookie-secret', 'X-Partner-Secret': 'bearer-secret', 'X-Custom-Token': 'custom-secret' },
    });
    expect(made.status).toBe(201);
    const signedIn = await platform.ask('POST', 'user/session', {
      token: '',
      body: { email: 'ann@example.com', password: secrets.password },
    });
    const texts = (await arrived(() => got, 2)).map(String);
    for (const text of texts) {
      const all = [
        secrets.password,
        secrets.api_key,
        'cookie-secret',
        'bearer-secret',
        'custom-secret',
        platform.adminToken,
      ];
      for (const secret of [...all, signedIn.body.session_token].filter(Boolean)) expect(text).not.toContain(secret);
    }
    expect(texts[0]).toContain('ann@example.com');
  });

  it('abuse: a service that does not answer holds up no call, and loses with a count', async () => {
    const away = createServer();
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
    const { port } = away.address() as AddressInfo;
    await new Promise((resolve) => away.close(resolve));
    const name = await make(port, { protocol: 'tcp', service_event_map: map('files.*') });
    for (let call = 0; call < 20; call++) expect((await platform.ask('GET', 'files/')).status).toBe(200);
    expect((await platform.ask('POST', name, { body: { message: 'a' } })).status).toBe(200);
  });
});

describe('a configuration', () => {
  it.each<[object, string]>([
    [{ port: null }, 'port'],
    [{ port: 70_000 }, 'port'],
    [{ host: 'a b', port: 1 }, 'host'],
    [{ port: 1, protocol: 'carrier pigeon' }, 'protocol'],
    [{ port: 1, service_event_map: [{ event: 'a', level: 'LOUD' }] }, 'service_event_map'],
    [{ port: 1, context: 'all' }, 'context'],
  ])('%j is refused at %s', async (config, field) => {
    const record = { name: 'bad', label: 'bad', type: 'logstash', config };
    const { status, body } = await platform.ask('POST', 'system/service', { body: { resource: [record] } });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('is described as documents have it, and tried', async () => {
    const { body } = await platform.ask('GET', 'system/service_type/logstash');
    const fields = new Map(body.config_schema.map((field: { name: string }) => [field.name, field]));
    expect([...fields.keys()]).toEqual(['host', 'port', 'protocol', 'context', 'service_event_map']);
    expect(fields.get('context')).toMatchObject({
      type: 'multi_picklist',
      columns: 3,
      legend: 'Select data object(s) to capture',
    });
    const test = async (config: object) =>
      (await platform.ask('POST', 'system/service/_test', { body: { type: 'logstash', config } })).status;
    const { port } = await listenUdp();
    expect(await test({ host: '127.0.0.1', port })).toBe(200);
    expect(await test({ host: '127.0.0.1', port: 1, protocol: 'tcp' })).toBeGreaterThanOrEqual(400);
  });
});
