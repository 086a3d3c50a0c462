import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, type Call } from '../call/call.ts';
import { type RawInstance, startRawInstance } from './answering.fixture.ts';

let server: RawInstance;
beforeAll(async () => {
  server = await startRawInstance();
});
afterAll(() => server.stop());

/** A sweep so many seconds from now. */
const sweepAfter = (seconds: number) => server.slowSenders.sweep(performance.now() + seconds * 1000);

/** Begins a body of ten bytes and sends some of it; resolves when the handler has begun. */
async function begin(bytes: string, handle: (call: Call) => Promise<unknown>) {
  let start: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  server.answer(async (call) => {
    const handled = handle(call).then((value) => answer(value));
    start();
    return handled;
  });
  const request = server.begin('a', { method: 'PUT', headers: { 'content-length': 10 } });
  request.on('error', () => {}).write(bytes);
  await started;
  return request;
}
const responseOf = async (request: ClientRequest): Promise<IncomingMessage> => (await once(request, 'response'))[0];

/** Reads a body as it comes, and tells of each chunk. */
const reading = (onChunk: () => void) => async (call: Call) => {
  let size = 0;
  for await (const chunk of call.stream()) {
    size += chunk.length;
    onChunk();
  }
  return { size };
};

describe('a body that is parsed', () => {
  it('has two minutes in all: then a 408, and the connection is closed', async () => {
    const request = await begin('12345', async (call) => call.body());
    const response = responseOf(request);
    sweepAfter(110);
    request.write('6');
    sweepAfter(125);
    const { statusCode, headers } = await response;
    expect([statusCode, headers.connection]).toEqual([408, 'close']);
    expect(JSON.parse(await text(await response)).error.message).toBe('The request did not arrive in time.');
  });

  it('is left alone when it is complete', async () => {
    const request = await begin('12345', async (call) => call.body());
    request.end('67890');
    const response = await responseOf(request);
    response.resume();
    sweepAfter(1000);
    expect(response.statusCode).toBe(400);
    const next = await server.ask('GET', 'next');
    expect(next.status).toBe(200);
  });
});

describe('a body that is streamed', () => {
  it('may take as long as it likes while more of it comes', async () => {
    let chunks = 0;
    const request = await begin(
      '1',
      reading(() => (chunks += 1)),
    );
    for (let count = 1; count < 10; count += 1) {
      await expect.poll(() => chunks).toBe(count);
      sweepAfter(count * 50);
      request.write('1');
    }
    const response = await responseOf(request);
    expect([response.statusCode, await text(response)]).toEqual([200, '{"size":10}']);
  });

  it('is broken off when nothing comes of it for a minute', async () => {
    let chunks = 0;
    const request = await begin(
      '12345',
      reading(() => (chunks += 1)),
    );
    const response = responseOf(request);
    await expect.poll(() => chunks).toBe(1);
    sweepAfter(0);
    sweepAfter(65);
    expect((await response).statusCode).toBe(408);
  });

  it('is not charged with the time its reader takes', async () => {
    let take: () => void = () => {};
    const request = await begin('12345', async (call) => {
      const stream = call.stream();
      await new Promise<void>((resolve) => {
        take = resolve;
      });
      let size = 0;
      for await (const chunk of stream) size += chunk.length;
      return { size };
    });
    sweepAfter(0);
    sweepAfter(500);
    take();
    request.end('67890');
    const response = await responseOf(request);
    expect(await text(response)).toBe('{"size":10}');
  });

  it('has the time of any other body once its reader has ended', async () => {
    const request = await begin('12345', async (call) => {
      for await (const chunk of call.stream()) return { size: chunk.length };
    });
    const response = await responseOf(request);
    expect(await text(response)).toBe('{"size":5}');
    const closed = once(request, 'close');
    request.write('6');
    sweepAfter(125);
    await closed;
  });
});

it('an answer that has begun is broken off, without a 408 in it', async () => {
  const source = new PassThrough();
  source.write('begun');
  server.answer(() => ({ body: { open: () => source, type: 'text/plain' } }));
  const request = server.begin('a', { method: 'PUT', headers: { 'content-length': 10 } });
  request.on('error', () => {}).write('12345');
  const response = await responseOf(request);
  const content = text(response);
  sweepAfter(125);
  await expect(content).rejects.toThrow('aborted');
});
