import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { Failure } from '@sluice/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answer, type Call } from '../call/call.ts';
import { withRequest } from '../call/exchange.ts';
import { type RawInstance, startRawInstance } from './answering.fixture.ts';
import { readBytes } from './body.ts';

it.each([
  ['in the midst of it', 'content-length: 9\r\n\r\nabc'],
  ['after all of it', 'content-length: 3\r\n\r\nabc'],
])('of a caller who went away %s before it was asked for is broken', async (_, rest) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port);
  client.write(`POST / HTTP/1.1\r\nhost: x\r\n${rest}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  request.on('error', () => {});
  const gone = new Promise((resolve) => request.once('close', resolve));
  client.destroy();
  await gone;
  await expect(readBytes(request, 100)).rejects.toMatchObject({ key: 'http.bodyBroken' });
  server.close();
});

describe('a body in chunks', () => {
  let server: Server;
  let client: Socket;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port);
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** A request of which the headers are there. */
  const begin = async () => {
    client.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
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

  it.each([
    ['large and small', [5000, 1, 70_000, 4096, 3, 16_384, 1]],
    ['none', []],
    ['one', [1]],
    ['as many as are joined', Array(256).fill(2)],
    ['one more', Array(257).fill(2)],
    ['many sizes', Array.from({ length: 1000 }, (_, n) => (n * 331) % 5003 || 1)],
    ['tokens of a long text', Array(60_000).fill(3)],
  ])('is what was sent: %s', async (_, sizes) => {
    const request = await begin();
    const parts = partsOf(sizes);
    const reading = readBytes(request, limit);
    client.write(`${chunked(parts)}0\r\n\r\n`);
    expect((await reading).toString()).toBe(parts.join(''));
  });

  it('abuse: of a byte each is held in a few buffers', async () => {
    const request = await begin();
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

  it('abuse: of less than 16 bytes each is refused when there are too many', async () => {
    const request = await begin();
    client.write(chunked(partsOf(Array(1_001).fill(15))));
    await expect(readBytes(request, 65_536)).rejects.toMatchObject({ key: 'http.chunksTooSmall', status: 400 });
  });

  it('is broken when its caller goes away', async () => {
    const request = await begin();
    request.on('error', () => {});
    const reading = readBytes(request, limit);
    client.end(chunked(['a', 'b']));
    await expect(reading).rejects.toMatchObject({ key: 'http.bodyBroken' });
  });
});

describe('a body as it comes', () => {
  let server: RawInstance;
  beforeAll(async () => {
    server = await startRawInstance({ bodyLimit: 200_000 });
  });
  afterAll(() => server.stop());

  /** What was sent: its length, and the failure or the bug that reading it ended with. */
  const reading = async (call: Call) => {
    let size = 0;
    try {
      for await (const chunk of call.stream()) size += chunk.length;
      return answer({ size });
    } catch (error) {
      return answer({ size, error: error instanceof Failure ? error.key : (error as Error).message });
    }
  };
  const send = async (body: Buffer | string | undefined, headers: OutgoingHttpHeaders = {}, agent?: Agent) => {
    const response = await server.head(server.begin('a', { method: 'PUT', headers, agent }).end(body));
    return { status: response.statusCode, body: await json(response) };
  };

  it('is all there, whatever its type says', async () => {
    server.answer(reading);
    for (const [size, headers] of [
      [0, {}],
      [5, { 'content-type': 'application/json' }],
      [200_000, {}],
      [200_000, { 'transfer-encoding': 'chunked' }],
    ] as const)
      expect(await send(Buffer.alloc(size), headers)).toEqual({ status: 200, body: { size } });
    expect(await send(undefined, { 'content-length': 0 })).toEqual({ status: 200, body: { size: 0 } });
    const nothing = await server.head(server.begin('a').end());
    expect(await json(nothing)).toEqual({ size: 0 });
  });

  it('is all there when it was looked into for credentials', async () => {
    server.answer(reading);
    const stranger = { 'x-dreamfactory-session-token': '', 'content-type': 'application/json' };
    expect(await send('{"a":1}', stranger)).toEqual({ status: 200, body: { size: 7 } });
    expect(await send('{"a":', stranger)).toEqual({ status: 200, body: { size: 5 } });
    server.answer(async (call) => answer(await call.body()));
    expect(await send('{"a":1}', stranger)).toEqual({ status: 200, body: { a: 1 } });
  });

  it('is no larger than a body may be, announced or not', async () => {
    server.answer((call) => reading(call).then(({ body }) => ({ body })));
    const { body } = await send(Buffer.alloc(1_000_000), { 'transfer-encoding': 'chunked' });
    expect(body).toMatchObject({ error: 'http.bodyTooLarge' });
    expect((body as { size: number }).size).toBeLessThanOrEqual(200_000);
    server.answer(async (call) => {
      call.stream();
      return answer('not told');
    });
    const { status, body: refusal } = await send(Buffer.alloc(200_001));
    expect([status, refusal]).toEqual([413, { error: expect.objectContaining({ code: 413 }) }]);
  });

  it('abuse: is no larger than its operation allows, although it was read before for credentials', async () => {
    const small = await startRawInstance({ bodyLimit: 1000 });
    try {
      small.answer(reading);
      const headers = { 'x-dreamfactory-session-token': '', 'content-type': 'application/json' };
      const put = async (bytes: number) => {
        const body = JSON.stringify({ a: 'x'.repeat(bytes - 8) });
        return json(await small.head(small.begin('a', { method: 'PUT', headers }).end(body)));
      };
      expect(await put(1000)).toEqual({ size: 1000 });
      expect(await put(1001)).toEqual({ size: 0, error: 'http.bodyTooLarge' });
    } finally {
      await small.stop();
    }
  });

  it('abuse: is refused when it comes in too many tiny chunks', async () => {
    server.answer((call) => reading(call).then(({ body }) => ({ body })));
    const request = server.begin('a', { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
    const answered = server.head(request);
    let isAnswered = false;
    void answered.then(() => (isAnswered = true));
    for (let sent = 0; sent < 100_000 && !isAnswered; sent++) {
      request.write('a');
      await setImmediate();
    }
    expect(await json(await answered)).toMatchObject({ error: 'http.chunksTooSmall' });
    request.destroy();
  });

  it('fails when it breaks off', async () => {
    let failed: unknown;
    let hasBegun = false;
    server.answer(async (call) => {
      try {
        for await (const chunk of call.stream()) hasBegun ||= chunk.length > 0;
      } catch (error) {
        failed = error;
      }
      return answer(1);
    });
    const request = server.begin('a', { method: 'PUT', headers: { 'content-length': '100' } }).on('error', () => {});
    request.write('half of it');
    await expect.poll(() => hasBegun, { timeout: 10_000 }).toBe(true);
    request.destroy();
    await expect.poll(() => failed, { timeout: 10_000 }).toMatchObject({ key: 'http.bodyBroken', status: 400 });
  });

  it.each<[string, (call: Call) => Promise<unknown>]>([
    ['not begun', async (call) => call.stream()],
    [
      'begun and destroyed',
      async (call) => {
        const stream = call.stream();
        await once(stream, 'data');
        stream.destroy();
      },
    ],
    [
      'broken off',
      async (call) => {
        for await (const chunk of call.stream()) return chunk.length;
      },
    ],
  ])('may be left unread, and the connection has another call: %s', async (_title, handle) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    server.answer(async (call) => {
      await handle(call);
      return answer('unread');
    });
    expect(await send(Buffer.alloc(200_000), {}, agent)).toEqual({ status: 200, body: 'unread' });
    server.answer(reading);
    expect(await send(Buffer.alloc(7), {}, agent)).toEqual({ status: 200, body: { size: 7 } });
    agent.destroy();
  });

  it('is asked for once, and not together with its value', async () => {
    const messages: string[] = [];
    const note = (ask: () => unknown) => {
      try {
        ask();
        messages.push('');
      } catch (error) {
        messages.push((error as Error).message);
      }
    };
    server.answer(async (call) => {
      const stream = call.stream();
      note(() => call.stream());
      note(() => call.body());
      stream.destroy();
      return answer(1);
    });
    await send('{"a":1}');
    server.answer(async (call) => {
      const body = await call.body();
      note(() => call.stream());
      return answer(body);
    });
    expect((await send('{"a":1}')).body).toEqual({ a: 1 });
    const again = 'the body of this call was asked for before';
    expect(messages).toEqual([again, 'the body of this call was asked for as a stream', again]);
  });

  it('is that of a changed request too', async () => {
    const headers = new Map([['x-a', 'b']]);
    server.answer((call) => reading(withRequest(call, { headers })));
    expect((await send(Buffer.alloc(7))).body).toEqual({ size: 7 });
    server.answer(async (call) => answer(await withRequest(call, { headers }).body()));
    expect((await send('{"a":1}')).body).toEqual({ a: 1 });
    server.answer((call) => reading(withRequest(call, { payload: 'four' })));
    expect((await send(Buffer.alloc(7))).body).toEqual({ size: 4 });
  });
});
