// How messages reach a Logstash server: GELF in chunks over UDP, JSON over UDP, JSON lines over TCP, JSON by HTTP.
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect, isIPv6, type Socket } from 'node:net';
import type { PrivateTargets } from '../../settings/index.ts';
import { createOutside } from '../engines/outside.ts';
import type { Protocol } from './config.ts';

export interface Transport {
  /** Sends a message; rejects where it certainly did not arrive. */
  send(message: Buffer): Promise<void>;
  close(): void;
}

export interface Target {
  host: string;
  port: number;
}

/** Milliseconds to connect, and for one message. */
const timeout = 5_000;
/** Bytes of a datagram that fit any network, and of its head. */
const chunkSize = 1_420;
const chunkHead = 12;
const maxChunks = 128;

export const openTransport = (protocol: Protocol, target: Target, privateTargets: PrivateTargets): Transport =>
  protocol === 'http'
    ? openHttp(target, privateTargets)
    : protocol === 'tcp'
      ? openTcp(target)
      : openUdp(target, protocol === 'gelf' ? chunksOf : (message) => [message]);

/** A message of GELF as datagrams: chunked where it is longer than one (GELF, "Chunking"). */
export function chunksOf(message: Buffer): Buffer[] {
  if (message.length <= chunkSize) return [message];
  const size = chunkSize - chunkHead;
  const count = Math.ceil(message.length / size);
  if (count > maxChunks) throw new Error('the message has more chunks than GELF allows');
  const id = randomBytes(8);
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([
      Buffer.from([0x1e, 0x0f]),
      id,
      Buffer.from([index, count]),
      message.subarray(index * size, (index + 1) * size),
    ]),
  );
}

function openUdp({ host, port }: Target, split: (message: Buffer) => Buffer[]): Transport {
  let socket: UdpSocket | undefined;
  let address: { address: string; until: number } | undefined;
  /** A name is looked up again from time to time. */
  const find = async (): Promise<string> => {
    if (!address || address.until < Date.now())
      address = { address: (await lookup(host)).address, until: Date.now() + 60_000 };
    return address.address;
  };
  return {
    async send(message) {
      const to = await find();
      const type = isIPv6(to) ? 'udp6' : 'udp4';
      if (!socket) {
        socket = createSocket(type).unref();
        // Now and then word comes that nobody listens there; datagrams get lost anyway.
        socket.on('error', () => {
          socket?.close();
          socket = undefined;
        });
      }
      const current = socket;
      for (const part of split(message))
        await new Promise<void>((resolve, reject) =>
          current.send(part, port, to, (error) => (error ? reject(error) : resolve())),
        );
    },
    close: () => {
      socket?.close();
      socket = undefined;
    },
  };
}

function openTcp({ host, port }: Target): Transport {
  let socket: Socket | undefined;
  const drop = () => {
    socket?.destroy();
    socket = undefined;
  };
  const connected = () =>
    new Promise<Socket>((resolve, reject) => {
      const opening = connect({ host, port });
      const timer = setTimeout(() => opening.destroy(new Error('no connection in time')), timeout);
      opening.once('connect', () => {
        clearTimeout(timer);
        opening.unref();
        resolve(opening);
      });
      opening.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      opening.on('close', () => {
        if (socket === opening) socket = undefined;
      });
      // It has nothing to say.
      opening.resume();
    });
  return {
    async send(message) {
      socket ??= await connected();
      const current = socket;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          drop();
          reject(new Error('the server takes nothing'));
        }, timeout);
        current.write(Buffer.concat([message, Buffer.from('\n')]), (error) => {
          clearTimeout(timer);
          if (error) drop();
          if (error) reject(error);
          else resolve();
        });
      });
    },
    close: drop,
  };
}

function openHttp({ host, port }: Target, privateTargets: PrivateTargets): Transport {
  const address = new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/`);
  const outside = createOutside(privateTargets);
  return {
    async send(message) {
      const response = await outside.to(address)({
        ...{ verb: 'POST', address: address.href, body: message, maxRedirects: 0 },
        headers: new Map([['content-type', 'application/json']]),
        ...{ connectTimeout: timeout, totalTimeout: timeout },
      });
      // Its words are read so that the connection can be used again.
      await response.bytes(64 * 1024).catch(() => response.discard());
      if (response.status >= 300) throw new Error(`the server answered with the status ${response.status}`);
    },
    close: () => outside.close(),
  };
}

/** Tries what can be tried without a message: a connection, or the name. */
export async function tryTarget(protocol: Protocol, { host, port }: Target): Promise<void> {
  if (protocol === 'gelf' || protocol === 'udp') {
    await lookup(host);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), timeout);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
  });
}
