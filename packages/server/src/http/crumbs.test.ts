// Bodies that come in crumbs, over real connections, read at once, late or never.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { countRounds } from '@sluice/testkit/rounds';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBytes } from './body.ts';
import { joinCrumbs } from './crumbs.ts';

let server: Server;
let client: Socket;
let open: Set<Socket>;
beforeEach(async () => {
  open = new Set();
  server = createServer((request) => joinCrumbs(request, open)).listen(0, '127.0.0.1');
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port);
});
afterEach(() => {
  client.destroy();
  server.close();
});

/** A request of which the headers are there. */
const begin = async (framing: string) => {
  client.write(`POST / HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  return request;
};
const chunked = (parts: string[]) => parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
/** Parts of so many bytes each, each byte another than the one before. */
const partsOf = (sizes: number[]) => {
  let position = 0;
  return sizes.map((size) => Array.from({ length: size }, () => 'abcdefghijk'[position++ % 11]).join(''));
};
const limit = 10_000_000;

describe('a body that nobody reads yet', () => {
  it('abuse: of a byte a chunk is held in a few buffers, and read whole afterwards', async () => {
    const request = await begin('transfer-encoding: chunked');
    const before = queryObjects(Buffer) as unknown as number;
    const parts = partsOf(Array(60_000).fill(1));
    client.write(chunked(parts));
    await expect.poll(() => request.readableLength, { timeout: 10_000 }).toBeGreaterThan(10_000);
    expect(queryObjects(Buffer) as unknown as number).toBeLessThan(before + 100);
    client.write('0\r\n\r\n');
    expect((await readBytes(request, limit)).toString()).toBe(parts.join(''));
  });

  it('holds the connection up when it has more than fits', async () => {
    const request = await begin('transfer-encoding: chunked');
    const parts = partsOf(Array(400_000).fill(2));
    const isSent = new Promise((resolve) => client.write(`${chunked(parts)}0\r\n\r\n`, resolve));
    await expect.poll(() => request.readableLength, { timeout: 10_000 }).toBeGreaterThan(request.readableHighWaterMark);
    await sleep(100);
    expect(request.readableLength).toBeLessThan(100_000);
    expect((await readBytes(request, 80_000_000)).toString()).toBe(parts.join(''));
    await isSent;
  });
});

describe('a body', () => {
  it.each([
    ['of large and small chunks', [5000, 1, 70_000, 4095, 4096, 4097, 3, 16_384, 16_383, 1]],
    ['that is empty', []],
    ['of one small chunk', [1]],
    ['of small chunks', [1, 2, 3]],
    ['of large and small chunks in turn', [5000, 1, 5000, 1]],
    ['of chunks about as long as those that are joined', [1, 5000, 10, 4095, 4096, 4097, 1]],
    ['of many sizes', Array.from({ length: 300 }, (_, n) => (n * 331) % 5003 || 1)],
  ])('%s is what was sent, in chunks', async (_, sizes) => {
    const request = await begin('transfer-encoding: chunked');
    const parts = partsOf(sizes);
    const reading = readBytes(request, limit);
    client.write(`${chunked(parts)}0\r\n\r\n`);
    expect((await reading).toString()).toBe(parts.join(''));
  });

  it('abuse: of a byte a chunk is held in a few buffers while it is read', async () => {
    const request = await begin('transfer-encoding: chunked');
    const reading = readBytes(request, limit);
    let received = 0;
    request.on('data', ({ length }: Buffer) => (received += length));
    const parts = partsOf(Array(20_000).fill(1));
    const before = queryObjects(Buffer) as unknown as number;
    client.write(chunked(parts));
    await expect.poll(() => received).toBe(parts.length);
    expect(queryObjects(Buffer) as unknown as number).toBeLessThan(before + 1000);
    client.write('0\r\n\r\n');
    expect((await reading).toString()).toBe(parts.join(''));
  });

  it('is what was sent, in packets of a few bytes', async () => {
    client.setNoDelay();
    const parts = partsOf(Array.from({ length: 300 }, (_, n) => 17 + (n % 5)));
    const whole = parts.join('');
    const request = await begin(`content-length: ${whole.length}`);
    const reading = readBytes(request, limit);
    for (const part of parts) await new Promise((resolve) => client.write(part, resolve));
    expect((await reading).toString()).toBe(whole);
  });

  it('abuse: of too many crumbs is refused, and those of tokens are not', async () => {
    const tokens = await begin('transfer-encoding: chunked');
    const parts = partsOf(Array(60_000).fill(3));
    client.write(`${chunked(parts)}0\r\n\r\n`);
    expect((await readBytes(tokens, limit)).toString()).toBe(parts.join(''));
    client.destroy();
    client = connect((server.address() as AddressInfo).port);
    const crumbs = await begin('transfer-encoding: chunked');
    client.write(chunked(parts.slice(0, 1_001)));
    await expect(readBytes(crumbs, 65_536)).rejects.toMatchObject({ key: 'http.chunksTooSmall' });
  });

  it('whose caller goes away in the midst of crumbs is broken', async () => {
    const request = await begin('transfer-encoding: chunked');
    request.on('error', () => {});
    const reading = readBytes(request, limit);
    client.end(chunked(['a', 'b']));
    await expect(reading).rejects.toMatchObject({ key: 'http.bodyBroken' });
  });
});

/** So many connections that the server has accepted, and what is called for each chunk of theirs. */
async function connectMany(count: number, onChunk: (request: IncomingMessage) => void): Promise<Socket[]> {
  server.removeAllListeners('request').on('request', (request: IncomingMessage) => {
    joinCrumbs(request, open);
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null) => {
      if (chunk) onChunk(request);
      return push(chunk);
    };
    request.resume();
  });
  const others = open.size;
  const clients = Array.from({ length: count }, () => connect((server.address() as AddressInfo).port));
  await expect.poll(() => open.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(others + count);
  return clients;
}

const headers = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';

it('abuse: of those who send crumbs, one is read in a round of the event loop', async () => {
  const rounds = countRounds();
  const roundsOf = new Map<IncomingMessage, Set<number>>();
  const clients = await connectMany(20, (request) => {
    const its = roundsOf.get(request) ?? new Set();
    roundsOf.set(request, its.add(rounds.current));
  });
  try {
    const firstCrumbs = chunked(Array(300).fill('a'));
    for (const each of clients) each.write(headers + firstCrumbs);
    await expect.poll(() => roundsOf.size, { timeout: 20_000 }).toBe(20);
    await sleep(100);
    for (const its of roundsOf.values()) its.clear();
    for (const each of clients) each.write(chunked(Array(30_000).fill('a')));
    const leastRounds = () => Math.min(...[...roundsOf.values()].map(({ size }) => size));
    await expect.poll(leastRounds, { timeout: 20_000 }).toBeGreaterThan(2);
    // The first of it came while all were waited for.
    const all = [...roundsOf.values()].flatMap((its) => [...its].slice(1));
    expect(new Set(all).size).toBe(all.length);
  } finally {
    rounds.stop();
    for (const each of clients) each.destroy();
  }
});

it('abuse: crumbs that many begin with at the same moment are read in different rounds, and all are read', async () => {
  const rounds = countRounds();
  const crumbsIn = new Map<number, number>();
  const crumbsOf = new Map<IncomingMessage, number>();
  const clients = await connectMany(20, (request) => {
    crumbsIn.set(rounds.current, (crumbsIn.get(rounds.current) ?? 0) + 1);
    crumbsOf.set(request, (crumbsOf.get(request) ?? 0) + 1);
  });
  try {
    for (const each of clients) each.write(headers + chunked(Array(20_000).fill('a')));
    await expect
      .poll(() => [...crumbsOf.values()].filter((count) => count === 20_000).length, { timeout: 20_000 })
      .toBe(20);
    // What one reading of 64 KB holds, behind what may come before it.
    expect(Math.max(...crumbsIn.values())).toBeLessThan(2000 + 65_536 / 6);
  } finally {
    rounds.stop();
    for (const each of clients) each.destroy();
  }
});
