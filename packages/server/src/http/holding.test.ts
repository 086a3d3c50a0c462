// What bodies may hold together, over real connections: who has to wait, and who has to go for another.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBytes } from './body.ts';
import { type BodyBounds, BodyMemory } from './holding.ts';

const size = 40_000;
/** Room for one body of a caller, and for two together. */
const bounds: BodyBounds = { share: 60_000, slowRate: 0, patience: 0 };

let server: Server;
let clients: Socket[];
beforeEach(async () => {
  clients = [];
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const client of clients) client.destroy();
  server.close();
});

/** A body of `caller` of which `sent` bytes have come; it is `reading` until `rest` is called. */
const begin = async (memory: BodyMemory, caller: string, sent = size) => {
  const client = connect((server.address() as AddressInfo).port);
  clients.push(client);
  client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const hold = memory.hold(caller, size);
  const reading = readBytes(request, size, hold);
  const outcome = reading.then(
    ({ length }) => length,
    ({ key }) => key,
  );
  void outcome.finally(() => request.resume());
  client.write(Buffer.alloc(sent));
  const rest = () => client.write(Buffer.alloc(size - sent));
  return { hold, outcome, rest };
};

const arrived = (body: { hold: { bytes: number } }, bytes: number) =>
  expect.poll(() => body.hold.bytes, { interval: 5 }).toBe(bytes);

describe('bodies that are held together', () => {
  it('of one caller are no more than its share, and make room again', async () => {
    const memory = new BodyMemory(bounds);
    const first = await begin(memory, 'ada');
    expect(await first.outcome).toBe(size);
    expect(await (await begin(memory, 'ada')).outcome).toBe('http.tooManyOwnBodies');
    first.hold.release();
    const second = await begin(memory, 'ada');
    expect(await second.outcome).toBe(size);
  });

  it('of all are no more than twice that: a further one is refused, the others are read', async () => {
    const memory = new BodyMemory(bounds);
    const held = [await begin(memory, 'ada'), await begin(memory, 'ben')];
    for (const { outcome } of held) expect(await outcome).toBe(size);
    const third = await begin(memory, 'cem', size - 100);
    await arrived(third, size - 100);
    const fourth = await begin(memory, 'dov');
    expect(await fourth.outcome).toBe('http.tooManyBodies');
    fourth.hold.release();
    third.rest();
    expect(await third.outcome).toBe(size);
    for (const { hold } of [...held, third]) hold.release();
    expect(await (await begin(memory, 'dov')).outcome).toBe(size);
  });

  it('lose the slowest of those still coming when there is no room for another', async () => {
    const patience = 2_000;
    const memory = new BodyMemory({ ...bounds, slowRate: Number.POSITIVE_INFINITY, patience });
    const whole = await begin(memory, 'ada');
    expect(await whole.outcome).toBe(size);
    const slow = await begin(memory, 'ben', size / 2);
    await arrived(slow, size / 2);
    await expect.poll(() => slow.hold.age, { timeout: 2 * patience }).toBeGreaterThan(patience);
    const quicker = await begin(memory, 'cem', size - 100);
    await arrived(quicker, size - 100);
    const next = await begin(memory, 'dov');
    expect(await slow.outcome).toBe('http.bodyTooSlow');
    expect(await next.outcome).toBe(size);
    quicker.rest();
    expect(await quicker.outcome).toBe(size);
  });

  it('are left alone while they are younger than the patience for them', async () => {
    const memory = new BodyMemory({ ...bounds, slowRate: Number.POSITIVE_INFINITY, patience: 60_000 });
    const coming = [await begin(memory, 'ada', size - 1), await begin(memory, 'ben', size - 1)];
    for (const body of coming) await arrived(body, size - 1);
    const third = await begin(memory, 'cem', size - 1);
    await arrived(third, size - 1);
    expect(await (await begin(memory, 'dov')).outcome).toBe('http.tooManyBodies');
    for (const { rest, outcome } of [...coming, third]) {
      rest();
      expect(await outcome).toBe(size);
    }
  });

  it('that are refused count nothing, whatever of them comes later', async () => {
    const memory = new BodyMemory(bounds);
    const first = await begin(memory, 'ada');
    expect(await first.outcome).toBe(size);
    const refused = await begin(memory, 'ada', size / 2 + 1);
    expect(await refused.outcome).toBe('http.tooManyOwnBodies');
    const before = refused.hold.bytes;
    refused.rest();
    refused.hold.release();
    first.hold.release();
    expect(before).toBeLessThanOrEqual(size / 2);
    expect(await (await begin(memory, 'ada')).outcome).toBe(size);
  });
});
