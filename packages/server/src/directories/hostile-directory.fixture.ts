// Directories that mean harm, and one that says who signs in: bytes on a socket, as an answer to each message of a client.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A value of BER: a tag, and what is in it. */
export const ber = (tag: number, ...content: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  const length = body.length < 0x80 ? Buffer.from([body.length]) : Buffer.alloc(5);
  if (body.length >= 0x80) {
    length[0] = 0x84;
    length.writeUInt32BE(body.length, 1);
  }
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
export const octets = (text: string | Buffer) => ber(0x04, text);
const integer = (value: number) => ber(0x02, Buffer.from([0, 0, value >> 8, value & 0xff]));
export const message = (id: number, ...rest: Buffer[]) => ber(0x30, integer(id), ...rest);
/** The end of an operation: `0x61` of signing in, `0x65` of a search, `0x78` of an extension. */
export const done = (id: number, tag: number, result = 0) =>
  message(id, ber(tag, ber(0x0a, Buffer.from([result])), octets(''), octets('')));
export const entry = (id: number, dn: string, ...attributes: [string, string][]) =>
  message(
    id,
    ber(
      0x64,
      octets(dn),
      ber(0x30, ...attributes.map(([name, value]) => ber(0x30, octets(name), ber(0x31, octets(value))))),
    ),
  );

export interface FakeDirectory {
  port: number;
  /** What it was sent, a message each: id, tag of the operation, and its content. */
  seen: { id: number; tag: number; content: Buffer }[];
  stop(): Promise<void>;
}

/** A server that answers each message with bytes; undefined: with nothing. */
export async function startFakeDirectory(
  answer: (id: number, tag: number, content: Buffer, socket: Socket) => Buffer | undefined,
): Promise<FakeDirectory> {
  const seen: FakeDirectory['seen'] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      // Messages of a client are short, and come one by one.
      const body = content(bytes);
      const id = content(body).readUIntBE(0, content(body).length);
      const operation = body.subarray(2 + content(body).length);
      const tag = operation[0] as number;
      seen.push({ id, tag, content: content(operation) });
      const reply = answer(id, tag, content(operation), socket);
      if (reply) socket.write(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    seen,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What is in a value. */
function content(bytes: Buffer): Buffer {
  const first = bytes[1] as number;
  const size = first < 0x80 ? 0 : first & 0x7f;
  const length = size === 0 ? first : bytes.readUIntBE(2, size);
  return bytes.subarray(2 + size, 2 + size + length);
}

/**
 * A server before another that takes account names to sign in, as an Active Directory does: each stands for the name of an entry.
 */
export async function startNameProxy(
  port: number,
  entryOf: (name: string) => string | undefined,
): Promise<FakeDirectory> {
  const upstreams = new Map<Socket, Socket>();
  return startFakeDirectory((id, tag, operation, socket) => {
    let upstream = upstreams.get(socket);
    if (!upstream) {
      upstream = connect(port, '127.0.0.1');
      upstream.on('error', () => undefined);
      upstream.pipe(socket);
      socket.on('close', () => upstream?.destroy());
      upstreams.set(socket, upstream);
    }
    if (tag !== 0x60) upstream.write(rawMessage(id, tag, operation));
    else {
      const version = operation.subarray(0, 3);
      const name = content(operation.subarray(3));
      const rest = operation.subarray(3 + (operation.length > 3 ? 2 + name.length : 0));
      const mapped = entryOf(name.toString()) ?? name;
      upstream.write(message(id, ber(0x60, version, octets(mapped as string), rest)));
    }
    return undefined;
  });
}

const rawMessage = (id: number, tag: number, operation: Buffer) => message(id, ber(tag, operation));
