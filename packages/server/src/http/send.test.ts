import { once } from 'node:events';
import { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { fail } from '@sluice/contract';
import { countRounds } from '@sluice/testkit/rounds';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answer, type Reply } from '../call/call.ts';
import { withRequest } from '../call/exchange.ts';
import { rowsOf, streamOf } from '../call/reply.fixture.ts';
import { type RawBody, rowsOf as rowsOfList } from '../call/reply.ts';
import { type RawInstance, startRawInstance } from './answering.fixture.ts';

const throwFailure = (failure: unknown): never => {
  throw failure;
};

let server: RawInstance;
beforeAll(async () => {
  server = await startRawInstance();
});
afterAll(() => server.stop());

const failures = (key: string) => server.failures.get(key) ?? 0;

const text = (): RawBody => ({ text: 'a,"ü"', type: 'text/csv; charset=utf-8' });
const bytes = (): RawBody => ({ bytes: new Uint8Array([0, 1, 255, 254]).subarray(1), type: 'image/png', etag: '"v1"' });
const stream = (): RawBody => ({
  open: () => Readable.from(['ab', Buffer.from('cd')]),
  type: 'video/mp4',
  size: 4,
  etag: 'W/"v2"',
});
const endless = (): RawBody => ({ open: () => Readable.from(['ab', 'cd']), type: 'video/mp4' });

describe('what is raw goes out as it is', () => {
  it.each<[string, () => RawBody, string, string, string | undefined, string | undefined]>([
    ['text', text, 'text/csv; charset=utf-8', 'a,"ü"', '6', undefined],
    ['bytes', bytes, 'image/png', Buffer.from([1, 255, 254]).toString(), '3', '"v1"'],
    ['a stream', stream, 'video/mp4', 'abcd', '4', 'W/"v2"'],
    ['a stream whose size nobody knows', endless, 'video/mp4', 'abcd', undefined, undefined],
  ])('%s, by GET and HEAD', async (_title, body, type, content, size, etag) => {
    server.answer(() => ({ status: 203, headers: { 'X-Own': 'own' }, body: body() }));
    const get = await server.ask('GET', 'a', { accept: 'application/xml' });
    expect([get.status, get.text]).toEqual([203, content]);
    expect(get.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'x-own': 'own',
    });
    expect([get.headers['content-length'], get.headers.etag]).toEqual([size, etag]);
    const head = await server.ask('HEAD', 'a');
    expect([head.status, head.text]).toEqual([203, '']);
    for (const { headers } of [get, head])
      for (const own of ['date', 'x-request-id', 'transfer-encoding']) delete headers[own];
    expect(head.headers).toEqual(get.headers);
  });

  it('HEAD opens no stream', async () => {
    const { open, source } = streamOf(1000, 1000);
    server.answer(() => ({ body: { open, type: 'video/mp4', size: 1_000_000 } }));
    expect((await server.ask('HEAD', 'a')).headers['content-length']).toBe('1000000');
    expect(source.openCount).toBe(0);
  });

  it('an empty stream is an empty answer', async () => {
    server.answer(() => ({ body: { open: () => Readable.from([]), type: 'text/plain', size: 0 } }));
    const { status, headers, text } = await server.ask('GET', 'a');
    expect([status, headers['content-length'], text]).toEqual([200, '0', '']);
  });

  it('a download has its name, and no other format', async () => {
    for (const body of [text, bytes, stream]) {
      server.answer(() => ({ headers: { 'Content-Disposition': 'inline' }, body: body() }));
      const { headers } = await server.ask('GET', 'a?file=list.xml');
      expect([headers['content-disposition'], headers['content-type']]).toEqual([
        'attachment; filename="list.xml";',
        body().type,
      ]);
      expect((await server.ask('GET', 'a')).headers['content-disposition']).toBe('inline');
    }
  });

  it.each<[string, Reply]>([
    ['raw', { body: text() }],
    ['a value', answer(1)],
  ])('a reply may say how long it may be kept, but not which call it answers: %s', async (_title, reply) => {
    const replyHeaders = { 'cache-control': 'private', 'X-Request-Id': 'mine', 'x-content-type-options': 'sniff' };
    server.answer(() => ({ ...reply, headers: replyHeaders }));
    const { headers } = await server.ask('GET', 'a');
    expect([headers['cache-control'], headers['x-content-type-options']]).toEqual(['private', 'nosniff']);
    expect(headers['x-request-id']).not.toBe('mine');
  });
});

describe('a caller who has the content already', () => {
  it.each<[string, string, number]>([
    ['"v1"', '"v1"', 304],
    ['"v1"', 'W/"v1"', 304],
    ['W/"v1"', '"v1"', 304],
    ['"v1"', '"v0", "v1"', 304],
    ['"v1"', '*', 304],
    ['"v1"', '"v2"', 200],
    ['"v1"', 'v1', 200],
    ['"v,1"', '"v,1"', 304],
  ])('%s is sent to who names %s: %i', async (etag, ifNoneMatch, status) => {
    for (const method of ['GET', 'HEAD']) {
      const { open, source } = streamOf(1, 5);
      const headers = { 'cache-control': 'no-cache', 'last-modified': 'Mon, 23 Nov 2026 10:00:00 GMT' };
      server.answer(() => ({ headers, body: { open, type: 'image/png', size: 5, etag } }));
      const got = await server.ask(method, 'a', { 'if-none-match': ifNoneMatch });
      expect([got.status, got.headers.etag, got.headers['cache-control']]).toEqual([status, etag, 'no-cache']);
      if (status === 200) continue;
      expect([got.text, got.headers['content-type'], got.headers['content-length']]).toEqual([
        '',
        undefined,
        undefined,
      ]);
      expect([source.openCount, got.headers['last-modified'], got.headers['x-request-id']]).toEqual([
        0,
        headers['last-modified'],
        expect.any(String),
      ]);
    }
  });

  it('is sent it all the same when it is not the answer to a plain GET', async () => {
    server.answer(() => ({ body: bytes() }));
    expect((await server.ask('POST', 'a', { 'if-none-match': '"v1"' })).status).toBe(200);
    server.answer(() => ({ status: 404, body: bytes() }));
    expect((await server.ask('GET', 'a', { 'if-none-match': '"v1"' })).status).toBe(404);
    server.answer(() => ({ body: text() }));
    expect((await server.ask('GET', 'a', { 'if-none-match': '*' })).status).toBe(200);
  });
});

describe('a stream that has ranges', () => {
  const lastModified = new Date('2026-11-23T10:00:00.600Z');
  const content = 'abcdefghij';
  const opened: unknown[] = [];
  const ask = (headers: Record<string, string>, method = 'GET', more: Partial<RawBody> = {}) => {
    opened.length = 0;
    server.answer(() => ({
      body: {
        open(range) {
          opened.push(range);
          return Readable.from([content.slice(range?.start ?? 0, range ? range.end + 1 : undefined)]);
        },
        ...{ type: 'video/mp4', size: content.length, etag: '"v1"', lastModified, hasRanges: true },
        ...more,
      } as RawBody,
    }));
    return server.ask(method, 'a', headers);
  };
  const whole = { status: 200, length: '10', range: undefined, text: content };

  it.each<[string, Record<string, string>, object]>([
    ['none', {}, whole],
    ['the first bytes', { range: 'bytes=0-3' }, { status: 206, length: '4', range: 'bytes 0-3/10', text: 'abcd' }],
    ['all from one on', { range: 'bytes=7-' }, { status: 206, length: '3', range: 'bytes 7-9/10', text: 'hij' }],
    ['the last bytes', { range: 'bytes=-2' }, { status: 206, length: '2', range: 'bytes 8-9/10', text: 'ij' }],
    ['more than there is', { range: 'bytes=8-99' }, { status: 206, length: '2', range: 'bytes 8-9/10', text: 'ij' }],
    ['several', { range: 'bytes=0-1,5-6' }, whole],
    ['another unit', { range: 'lines=0-1' }, whole],
    ['of this content', { range: 'bytes=0-0', 'if-range': '"v1"' }, { status: 206, text: 'a' }],
    ['of other content', { range: 'bytes=0-0', 'if-range': '"v0"' }, whole],
    ['of content that is alike', { range: 'bytes=0-0', 'if-range': 'W/"v1"' }, whole],
    ['of content of this date', { range: 'bytes=0-0', 'if-range': lastModified.toUTCString() }, { status: 206 }],
    ['of older content', { range: 'bytes=0-0', 'if-range': 'Mon, 23 Nov 2026 09:59:59 GMT' }, whole],
  ])('is sent what is requested of it: %s', async (_title, headers, expected) => {
    const { status, headers: sent, text } = await ask(headers);
    expect({ status, length: sent['content-length'], range: sent['content-range'], text }).toMatchObject(expected);
    expect([sent['accept-ranges'], sent.etag, sent['last-modified']]).toEqual([
      'bytes',
      '"v1"',
      'Mon, 23 Nov 2026 10:00:00 GMT',
    ]);
    expect(opened).toHaveLength(1);
  });

  it.each(['bytes=10-', 'bytes=b-a', 'bytes=-0'])('is not opened for a range it does not have: %s', async (range) => {
    const { status, headers, text } = await ask({ range });
    expect([status, headers['content-range'], JSON.parse(text).error.code]).toEqual([416, 'bytes */10', 416]);
    expect([headers.etag, opened]).toEqual([undefined, []]);
  });

  it('is not opened for HEAD, which has no ranges', async () => {
    const { status, headers } = await ask({ range: 'bytes=0-3' }, 'HEAD');
    expect([status, headers['content-length'], headers['accept-ranges'], opened]).toEqual([200, '10', 'bytes', []]);
  });

  it.each<[string, number]>([
    ['Mon, 23 Nov 2026 10:00:00 GMT', 304],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 304],
    ['Mon, 23 Nov 2026 09:59:59 GMT', 200],
    ['yesterday', 200],
  ])('is not sent again to a caller who has it since %s: %i', async (since, status) => {
    expect((await ask({ 'if-modified-since': since })).status).toBe(status);
    expect(opened).toHaveLength(status === 200 ? 1 : 0);
    // The validator counts more than the date.
    expect((await ask({ 'if-modified-since': since, 'if-none-match': '"v0"' })).status).toBe(200);
  });

  it('without ranges is sent whole', async () => {
    const { status, headers } = await ask({ range: 'bytes=0-3' }, 'GET', { hasRanges: false });
    expect([status, headers['accept-ranges'], opened]).toEqual([200, undefined, [undefined]]);
  });
});

describe('an answer that goes on', () => {
  it('has its head at once, comes as it comes, and ends when its caller leaves', async () => {
    const source = new PassThrough();
    server.answer(() => ({ body: { open: () => source, type: 'text/event-stream', isOpenEnded: true } }));
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const request = server.begin('a').end();
    const response = await server.head(request);
    const keptAlive = keepAlive.mock.calls.filter(([, delay]) => delay === 60_000);
    keepAlive.mockRestore();
    expect(response.headers['content-type']).toBe('text/event-stream');
    // It may pause for as long as it likes; a peer that vanished is found by probes of the system.
    expect(keptAlive).toEqual([[true, 60_000]]);
    expect(server.idleTimeout(response)).toBe(0);
    source.write('data: 1\n\n');
    expect(String((await once(response, 'data'))[0])).toBe('data: 1\n\n');
    request.destroy();
    await expect.poll(() => source.destroyed).toBe(true);
  });

  it('ends well when the server stops', async () => {
    const stopped = await startRawInstance();
    const source = new PassThrough();
    source.write('data: 1\n\n');
    stopped.answer(() => ({ body: { open: () => source, type: 'text/event-stream', isOpenEnded: true } }));
    const response = await stopped.head(stopped.begin('a').end());
    const content = textOf(response);
    await stopped.stop();
    expect([await content, source.destroyed]).toEqual(['data: 1\n\n', true]);
  });

  it('is broken off where it is not meant to, when nothing comes', async () => {
    const source = new PassThrough();
    source.write('a');
    server.answer(() => ({ body: { open: () => source, type: 'video/mp4' } }));
    const response = await server.head(server.begin('a').end());
    expect(server.idleTimeout(response)).toBeGreaterThan(0);
    response.destroy();
  });
});

describe('headers that steps of a call write', () => {
  it.each<[string, () => Reply, number]>([
    ['a reply', () => ({ headers: { 'x-left': 'own' }, body: text() }), 200],
    ['a 304', () => ({ body: bytes() }), 304],
    ['a failure', () => throwFailure(fail('service.resourceUnknown', { resource: 'a', service: 'raw' })), 404],
    ['a bug', () => throwFailure(new Error('a bug')), 500],
  ])('go out with %s', async (_title, reply, status) => {
    server.answer((call) => {
      withRequest(call, { payload: 1 }).replyHeaders.set('X-Left', '7');
      return reply();
    });
    const got = await server.ask('GET', 'a', { 'if-none-match': '"v1"' });
    expect([got.status, got.headers['x-left']]).toEqual([status, '7']);
  });
});

describe('a stream that fails', () => {
  it('from the start becomes an error', async () => {
    const [before, warned] = [failures('http.internal'), { etag: '"v1"', size: 9, type: 'video/mp4' }];
    server.answer(() => ({ headers: { 'X-Own': 'own' }, body: { ...streamOf(0, 0, { isFailing: true }), ...warned } }));
    const { status, headers, text } = await server.ask('GET', 'a');
    expect([status, headers['content-type'], headers.etag, headers['x-own']]).toEqual([
      500,
      'application/json; charset=utf-8',
      undefined,
      undefined,
    ]);
    expect(JSON.parse(text).error).toMatchObject({ code: 500, message: 'The server met an unexpected error.' });
    expect(failures('http.internal')).toBe(before + 1);
  });

  it.each<[string, () => RawBody]>([
    ['half-way', () => ({ ...streamOf(3, 1000, { isFailing: true }), type: 'video/mp4' })],
    ['half-way, of known size', () => ({ ...streamOf(3, 1000, { isFailing: true }), type: 'video/mp4', size: 5000 })],
    ['by ending early', () => ({ ...streamOf(3, 1000), type: 'video/mp4', size: 5000 })],
    ['by not ending', () => ({ ...streamOf(3, 1000), type: 'video/mp4', size: 2500 })],
  ])('breaks the connection off: %s', async (_title, body) => {
    const before = failures('http.internal');
    server.answer(() => ({ body: body() }));
    await expect(server.ask('GET', 'a')).rejects.toThrow('aborted');
    expect(failures('http.internal')).toBe(before + 1);
  });
});

describe('a caller who leaves', () => {
  it('ends the stream half-way, which is no failure', async () => {
    const before = failures('http.internal');
    const { open, source } = streamOf(100_000, 10_000);
    server.answer(() => ({ body: { open, type: 'video/mp4' } }));
    const request = server.begin('a').end();
    const response = await server.head(request);
    await new Promise((resolve) => response.once('data', resolve));
    request.destroy();
    await expect.poll(() => source.isEnded, { timeout: 10_000 }).toBe(true);
    expect([source.readCount < 100_000, failures('http.internal')]).toEqual([true, before]);
  });

  it('ends a stream that has said nothing yet', async () => {
    const before = failures('http.internal');
    let isRequested = false;
    let isEnded = false;
    const stream = new Readable({
      read() {
        isRequested = true;
      },
      destroy(error, done) {
        isEnded = true;
        done(error);
      },
    });
    server.answer(() => ({ body: { open: () => stream, type: 'video/mp4' } }));
    const request = server
      .begin('a')
      .on('error', () => {})
      .end();
    await expect.poll(() => isRequested, { timeout: 10_000 }).toBe(true);
    request.destroy();
    await expect.poll(() => isEnded, { timeout: 10_000 }).toBe(true);
    await new Promise(setImmediate);
    expect(failures('http.internal')).toBe(before);
  });

  it('before there is a reply ends its stream too', async () => {
    const { open, source } = streamOf(9, 9);
    let reply: (reply: Reply) => void = () => {};
    let signal: AbortSignal | undefined;
    server.answer((call) => {
      signal = call.signal;
      return new Promise((resolve) => {
        reply = resolve;
      });
    });
    const request = server
      .begin('a')
      .on('error', () => {})
      .end();
    await expect.poll(() => signal !== undefined, { timeout: 10_000 }).toBe(true);
    request.destroy();
    await expect.poll(() => signal?.aborted, { timeout: 10_000 }).toBe(true);
    reply({ body: { open, type: 'video/mp4' } });
    await expect.poll(() => source.isEnded, { timeout: 10_000 }).toBe(true);
    expect([source.openCount, source.readCount <= 1]).toEqual([1, true]);
  });
});

it('a caller who takes their time gets 100 MB, and the server holds few of them', async () => {
  const { open, source } = streamOf(1000, 100_000);
  server.answer(() => ({ body: { open, type: 'video/mp4', size: 100_000_000 } }));
  const response = await server.head(server.begin('a').end());
  // Nothing is read here: what was read there stands in buffers, those of the sockets among them.
  let read = -1;
  await expect
    .poll(
      () => {
        const isStill = read === source.readCount;
        read = source.readCount;
        return isStill;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe(true);
  expect(read).toBeLessThan(200);
  let size = 0;
  for await (const chunk of response) size += chunk.length;
  expect([size, source]).toEqual([100_000_000, { readCount: 1000, openCount: 1, isEnded: true }]);
});

describe('records that go out as they come', () => {
  it.each(['application/json', 'text/csv', 'text/xml'])('take the same way, as %s', async (accept) => {
    const { rows, source } = rowsOf(25);
    server.answer(() => ({ body: { rows } }));
    const { status, headers, text } = await server.ask('GET', 'a', { accept });
    expect([status, headers['content-type']?.split(';')[0], headers['x-content-type-options']]).toEqual([
      200,
      accept,
      'nosniff',
    ]);
    expect(text).toContain('24');
    expect(source).toEqual({ readCount: 3, isEnded: true });
  });

  it('abuse: that are at hand all at once are printed a few batches in a round, of all answers together', async () => {
    const rounds = countRounds();
    const turns: number[] = [];
    const batch = rowsOfList([{ id: 1 }]);
    const json = () => {
      turns.push(rounds.current);
      for (const begin = performance.now(); performance.now() - begin < 5; );
      return batch.json();
    };
    server.answer(() => ({
      body: { rows: { batches: Readable.from(Array(10).fill({ ...batch, json })), meta: async () => '' } },
    }));
    await Promise.all(Array.from({ length: 5 }, () => server.ask('GET', 'a')));
    rounds.stop();
    const perRound = turns.map((turn) => turns.filter((other) => other === turn).length);
    expect(turns.length).toBe(50);
    expect(Math.max(...perRound)).toBeLessThanOrEqual(6);
  });

  it('are ended when they cannot be sent as asked', async () => {
    const { rows, source } = rowsOf(25);
    server.answer(() => ({ body: { rows } }));
    expect((await server.ask('GET', 'a', { accept: 'image/png' })).status).toBe(400);
    expect(source).toEqual({ readCount: 0, isEnded: true });
  });
});
