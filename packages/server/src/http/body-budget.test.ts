// What bodies may have of memory together, over real connections: which are refused, and which are broken off for others.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ByteBudget, createBodyBudget } from '../call/byte-budget.ts';
import { readBytes } from './body.ts';

const size = 40_000;
/** Room for one body of a caller, and for three together. */
const createBudget = () => createBodyBudget(40_000, 40_000);

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
const begin = async (budget: ByteBudget, caller: string, sent = size) => {
  const client = connect((server.address() as AddressInfo).port);
  clients.push(client);
  client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const reservation = budget.open(caller);
  const reading = readBytes(request, size, reservation);
  const outcome = reading.then(
    ({ length }) => length,
    ({ key }) => key,
  );
  void outcome.finally(() => request.resume());
  client.write(Buffer.alloc(sent));
  const send = (bytes: number) => client.write(Buffer.alloc(bytes));
  return { reservation, outcome, send, rest: () => send(size - sent) };
};

const arrived = (body: { reservation: { bytes: number } }, bytes: number) =>
  expect.poll(() => body.reservation.bytes, { interval: 5 }).toBe(bytes);

describe('bodies in memory', () => {
  it('of one caller are no more than its share, and make room again', async () => {
    const budget = createBudget();
    const first = await begin(budget, 'ada');
    expect(await first.outcome).toBe(size);
    expect(await (await begin(budget, 'ada')).outcome).toBe('http.tooManyOwnBodies');
    first.reservation.end();
    const second = await begin(budget, 'ada');
    expect(await second.outcome).toBe(size);
  });

  it('abuse: of two callers who wait for the thread leave room for others', () => {
    const megabyte = 1024 * 1024;
    const budget = createBodyBudget(10 * megabyte);
    const send = (caller: string) => budget.open(caller).take(10 * megabyte);
    for (const caller of ['ada', 'ben']) {
      send(caller);
      send(caller);
      expect(() => send(caller)).toThrow(/Too many large request bodies of yours/);
    }
    for (const caller of ['cem', 'dov']) send(caller);
    expect(() => send('gus')).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('of all are no more than that of three: a further one is refused, the others are read', async () => {
    const budget = createBudget();
    const whole = [await begin(budget, 'ada'), await begin(budget, 'ben')];
    for (const { outcome } of whole) expect(await outcome).toBe(size);
    const third = await begin(budget, 'cem', size - 100);
    await arrived(third, size - 100);
    const fourth = await begin(budget, 'dov');
    expect(await fourth.outcome).toBe('http.tooManyBodies');
    fourth.reservation.end();
    third.rest();
    expect(await third.outcome).toBe(size);
    for (const { reservation } of [...whole, third]) reservation.end();
    expect(budget.bytes).toBe(0);
    expect(await (await begin(budget, 'dov')).outcome).toBe(size);
  });

  it('abuse: lose the slowest of those still coming when there is no room for another', async () => {
    const budget = createBudget();
    const whole = await begin(budget, 'ada');
    expect(await whole.outcome).toBe(size);
    const slow = await begin(budget, 'ben', size / 2);
    const quicker = await begin(budget, 'cem', size / 2);
    await arrived(slow, size / 2);
    await arrived(quicker, size / 2);
    budget.measure(0);
    quicker.send(size / 2 - 100);
    await arrived(quicker, size - 100);
    budget.measure(5_000);
    const next = await begin(budget, 'dov');
    expect(await slow.outcome).toBe('http.bodyTooSlow');
    expect(await next.outcome).toBe(size);
    quicker.send(100);
    expect([await quicker.outcome, budget.brokenOff]).toEqual([size, 1]);
  });

  it.each<[what: string, measurements: number[], sent: number]>([
    ['are new', [0], 0],
    ['come quickly', [0, 100], size / 2 - 1],
  ])('are left alone while they %s', async (_, [first = 0, second], sent) => {
    const budget = createBudget();
    const bodies = [];
    for (const caller of ['ada', 'ben', 'cem']) bodies.push(await begin(budget, caller, size / 2));
    for (const body of bodies) await arrived(body, size / 2);
    budget.measure(first);
    for (const body of bodies) body.send(sent);
    for (const body of bodies) await arrived(body, size / 2 + sent);
    if (second !== undefined) budget.measure(second);
    const full = budget.open('eve');
    full.add(3 * size);
    expect(await (await begin(budget, 'dov')).outcome).toBe('http.tooManyBodies');
    for (const { send, outcome } of bodies) {
      full.end();
      send(size / 2 - sent);
      expect(await outcome).toBe(size);
    }
  });

  it('that are refused count nothing, whatever of them comes later', async () => {
    const budget = createBudget();
    const first = await begin(budget, 'ada');
    expect(await first.outcome).toBe(size);
    const refused = await begin(budget, 'ada', size / 2 + 1);
    expect(await refused.outcome).toBe('http.tooManyOwnBodies');
    const before = refused.reservation.bytes;
    refused.rest();
    refused.reservation.end();
    first.reservation.end();
    expect(before).toBeLessThanOrEqual(size / 2);
    expect(await (await begin(budget, 'ada')).outcome).toBe(size);
  });
});
