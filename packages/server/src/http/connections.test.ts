// What connections may hold: requests sent ahead, sockets whose owner never closes them, more of them than there may be.
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RawInstance, startRawInstance } from './answering.fixture.ts';

let instance: RawInstance;
beforeAll(async () => {
  instance = await startRawInstance();
});
afterAll(() => instance.stop());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Connection {
  socket: Socket;
  /** What came, until now. */
  received(): string;
  /** The server wrote its last. */
  ended: Promise<void>;
}

/** A connection that writes `bytes` and never closes its own half. */
function open(bytes: string, port = instance.port): Connection {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk) => (received += chunk)).on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  socket.write(bytes);
  return { socket, received: () => received, ended };
}

const line = (verb: string, path: string) =>
  `${verb} /api/v2/raw/${path} HTTP/1.1\r\nHost: x\r\nX-DreamFactory-Session-Token: ${instance.token}\r\n\r\n`;

describe('requests that are sent ahead on one connection', () => {
  it('are answered one after the other, each begun when the one before it is answered', async () => {
    let running = 0;
    let most = 0;
    instance.answer(async ({ path }) => {
      most = Math.max(most, ++running);
      await wait(5);
      running--;
      return { body: { value: path } };
    });
    const { received } = open(Array.from({ length: 50 }, (_, n) => line('GET', `n${n}`)).join(''));
    await expect.poll(() => received().match(/"n\d+"/g)?.length).toBe(50);
    expect(received().match(/"n\d+"/g)).toEqual(Array.from({ length: 50 }, (_, n) => `"n${n}"`));
    expect(most).toBe(1);
  });

  it('abuse: hold one answer, however many ask for a large one and read nothing', async () => {
    let begun = 0;
    const large = 'x'.repeat(32 * 1024 * 1024);
    instance.answer(() => {
      begun++;
      return { body: { value: large } };
    });
    const { socket } = open('');
    socket.pause();
    socket.write(line('GET', 'large').repeat(60));
    await expect.poll(() => begun).toBe(1);
    await wait(200);
    expect(begun).toBe(1);
    socket.destroy();
    await expect.poll(() => instance.connections(), { timeout: 5_000 }).toBe(0);
    expect(begun).toBe(1);
  });

  it('abuse: close the connection when there are more than a hundred', async () => {
    let begun = 0;
    instance.answer(() => {
      begun++;
      return new Promise(() => {});
    });
    await open(line('GET', 'never').repeat(102)).ended;
    expect(begun).toBe(1);
    await expect.poll(() => instance.connections(), { timeout: 5_000 }).toBe(0);
  });
});

describe('a connection whose input is not HTTP', () => {
  it('abuse: is let go of although the other side never closes its half', async () => {
    const { received, ended } = open('NONSENSE\r\n\r\n');
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 400 Bad Request/);
    await expect.poll(() => instance.connections(), { timeout: 5_000 }).toBe(0);
  });
});

describe('more connections than there may be', () => {
  it('abuse: are closed at once; the others go on, and a place that is left is taken', async () => {
    const small = await startRawInstance({ maxConnections: 2 });
    try {
      small.answer(() => ({ body: { value: 'here' } }));
      const ask = `GET /api/v2/raw/x HTTP/1.1\r\nHost: x\r\nX-DreamFactory-Session-Token: ${small.token}\r\n\r\n`;
      const first = open(ask, small.port);
      const second = open(ask, small.port);
      await expect.poll(() => first.received() + second.received()).toMatch(/here.*here/s);
      const third = open(ask, small.port);
      await third.ended;
      expect(third.received()).toBe('');
      first.socket.destroy();
      await expect.poll(() => small.connections()).toBe(1);
      const fourth = open(ask, small.port);
      await expect.poll(() => fourth.received()).toContain('here');
    } finally {
      for (const socket of sockets.splice(0)) socket.destroy();
      await small.stop();
    }
  });
});
