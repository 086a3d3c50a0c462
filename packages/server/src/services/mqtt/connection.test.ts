// Brokers that mean harm, or are old, or silent: what a connection to one comes to.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MqttBroker, remoteServerMissing, startMosquitto } from '@sluice/testkit/remote-servers';
import { generate, type Packet, parser } from 'mqtt-packet';
import { afterAll, describe, expect, it } from 'vitest';
import type { BrokerMessage } from '../../messages/broker.ts';
import { type BrokerOptions, openConnection } from './connection.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

/** A broker that does with each packet what a test says. */
async function brokerThat(
  react: (packet: Packet, say: (packet: Packet | Buffer) => void, socket: Socket) => void,
  protocolVersion = 5,
): Promise<BrokerOptions> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const packets = parser({ protocolVersion });
    packets.on('error', () => socket.destroy());
    packets.on('packet', (packet) =>
      react(packet, (said) => void socket.write('cmd' in said ? generate(said, { protocolVersion }) : said), socket),
    );
    socket.on('data', (chunk) => packets.parse(chunk));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return optionsOf({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
}

const optionsOf = (more: Partial<BrokerOptions>): BrokerOptions => ({
  ...{
    host: 'localhost',
    port: 1,
    clientId: 'me',
    username: '',
    password: '',
    useTls: false,
    caPath: '/etc/ssl/certs',
  },
  ...more,
});
const short = { connect: 300, answer: 200, idle: 50 };
const connack = (returnCode = 0): Packet => ({
  cmd: 'connack',
  sessionPresent: false,
  reasonCode: returnCode,
  returnCode,
});

/** How a promise failed. */
const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    ({ key, message }) => `${key}: ${message}`,
  );
const publish = async (options: BrokerOptions, times = short) => {
  const connection = openConnection(options, times);
  try {
    return await failure(connection.publish('a', Buffer.from('x'), 0));
  } finally {
    await connection.close();
  }
};

describe('abuse: a broker', () => {
  it('that says nothing is not waited for', async () => {
    expect(await publish(await brokerThat(() => {}))).toBe(
      'message.unreachable: The broker is not available: it took too long.',
    );
    const silent = await brokerThat((packet, say) => packet.cmd === 'connect' && say(connack()));
    expect(await publish(silent)).toMatch(/^message\.timeout/);
  });

  it('that speaks something else, or hangs up, is not available', async () => {
    const noise = await brokerThat((_, say) => say(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await publish(noise)).toMatch(/^message\.unreachable/);
    expect(await publish(await brokerThat((_packet, _say, socket) => socket.destroy()))).toMatch(
      /^message\.unreachable/,
    );
  });

  it('that announces a packet without end is left before it is read', async () => {
    let written = 0;
    const endless = await brokerThat((packet, say, socket) => {
      if (packet.cmd !== 'connect') return;
      say(connack());
      // A message of 256 MB.
      say(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const connection = openConnection(endless, { ...short, connect: 3_000 });
    const link = await connection.listen(() => {}).catch(() => undefined);
    expect(await link?.closed).toMatch(/too long/);
    expect(written).toBeLessThan(16 * 1024 * 1024);
    await connection.close();
  });

  it('that answers a login with the password does not get it shown', async () => {
    const options = {
      ...(await brokerThat((_, say) => say({ ...connack(134), properties: { reasonString: 'secret-word' } } as never))),
    };
    expect(await publish({ ...options, username: 'u', password: 'secret-word' })).toMatch(/^message\.loginRefused/);
    expect(await publish({ ...options, username: 'u', password: 'secret-word' })).not.toContain('secret-word');
  });

  it('that makes up numbers of filters and of calls leads to no call too many', async () => {
    const got: BrokerMessage[] = [];
    const liar = await brokerThat((packet, say) => {
      if (packet.cmd === 'connect') say(connack());
      if (packet.cmd !== 'subscribe') return;
      say({ cmd: 'suback', messageId: packet.messageId as number, granted: [1] });
      const message = { cmd: 'publish', topic: 'a', payload: 'x', qos: 0, dup: false, retain: false } as const;
      const generationOf = (text: string) => ({ userProperties: { 'sluice-generation': text } });
      say({ ...message, properties: { subscriptionIdentifier: 99 } });
      say(message);
      for (const text of ['2', '-1', '1e9', '999999', 'x'])
        say({ ...message, properties: { subscriptionIdentifier: 1, ...generationOf(text) } });
    });
    const connection = openConnection(liar, short);
    const link = await connection.listen((message) => got.push(message));
    await link.setFilters(['a']);
    await expect.poll(() => got.length).toBe(7);
    expect(got.map(({ filters, generation }) => [filters, generation])).toEqual([
      ...[
        [[], 0],
        [[], 0],
      ],
      ...[2, 5, 5, 5, 5].map((generation) => [['a'], generation]),
    ]);
    await connection.close();
  });
});

it('a topic that the broker refuses is named, others are listened to; one that it hangs up over is known', async () => {
  const strict = await brokerThat((packet, say, socket) => {
    if (packet.cmd === 'connect') say(connack());
    if (packet.cmd !== 'subscribe') return;
    const topic = packet.subscriptions[0]?.topic;
    if (topic === 'worse') return void socket.destroy();
    say({ cmd: 'suback', messageId: packet.messageId as number, granted: [topic === 'bad' ? 135 : 1] });
  });
  const connection = openConnection(strict, short);
  const link = await connection.listen(() => {});
  expect([...(await link.setFilters(['a', 'bad', 'b']))].map(([topic]) => topic)).toEqual(['bad']);
  expect([await failure(link.setFilters(['a', 'b', 'worse'])), link.pending]).toEqual([
    expect.stringMatching(/^message\.unreachable/),
    'worse',
  ]);
  await connection.close();
});

it('an older broker is spoken to as one, whether it refuses the version or closes', async () => {
  for (const refuse of [
    (say: (packet: Buffer) => void, _: Socket) => say(Buffer.from([0x20, 0x02, 0x00, 0x01])),
    (_: unknown, socket: Socket) => void socket.destroy(),
  ]) {
    const versions: unknown[] = [];
    const old = await brokerThat((packet, say, socket) => {
      if (packet.cmd === 'connect') {
        versions.push(packet.protocolVersion);
        if (packet.protocolVersion === 5) refuse(say, socket);
        else say(Buffer.from([0x20, 0x02, 0x00, 0x00]));
      }
      if (packet.cmd === 'publish')
        say(Buffer.from([0x40, 0x02, ((packet.messageId ?? 0) >> 8) & 255, (packet.messageId ?? 0) & 255]));
    }, 4);
    expect(await publish(old, { ...short, connect: 2_000, answer: 2_000 })).toBe('none');
    expect(versions).toEqual([5, 4]);
  }
});

const missing = remoteServerMissing('mqtt');
describe.skipIf(missing)(missing ?? 'with TLS', () => {
  it('a broker is known by an authority of the path, a file or a folder, and by no other', async () => {
    const broker: MqttBroker = await startMosquitto({ tls: true });
    const folder = mkdtempSync(join(tmpdir(), 'sluice-authorities-'));
    try {
      writeFileSync(join(folder, 'broker.pem'), broker.certificate);
      const { port, username, password } = broker;
      const options = optionsOf({ port, username, password, useTls: true });
      const long = { connect: 5_000, answer: 5_000, idle: 50 };
      for (const caPath of [folder, join(folder, 'broker.pem')])
        expect(await publish({ ...options, caPath }, long)).toBe('none');
      expect(await publish(options, long)).toBe(
        'message.unreachable: The broker is not available: its certificate is not trusted.',
      );
      expect(await publish({ ...options, useTls: false }, long)).toMatch(/^message\.unreachable/);
      const elsewhere = { ...options, host: '127.0.0.1', caPath: folder };
      expect(await publish(elsewhere, long)).toMatch(/its certificate is for another name/);
    } finally {
      await broker.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
