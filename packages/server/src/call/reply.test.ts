import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { rowsOf, streamOf } from './reply.fixture.ts';
import { answer, discard, type Reply, type ReplyBody, readValue } from './reply.ts';

const big = 1_000_000;
const bytes = (text: string, type: string): ReplyBody => ({ bytes: Buffer.from(text), type });
const stream = (text: string, type: string): ReplyBody => ({
  open: () => Readable.from([text.slice(0, 1), text.slice(1)]),
  type,
});

describe('a reply becomes a value', () => {
  const { rows } = rowsOf(23);
  const all = { resource: Array.from({ length: 23 }, (_, id) => ({ id })), meta: { count: 23 } };
  it.each<[string, ReplyBody, unknown]>([
    ['a value', answer({ a: 1 }).body, { a: 1 }],
    ['JSON text', { json: '{"a":[1,null]}' }, { a: [1, null] }],
    ['rows', { rows }, all],
    ['no rows', { rows: { ...rowsOf(0).rows, meta: async () => '' } }, { resource: [] }],
    ['text', { text: 'a\nb', type: 'text/plain' }, 'a\nb'],
    ['bytes that are JSON', bytes('{"a":1}', 'application/json'), { a: 1 }],
    ['bytes that are JSON of a kind', bytes('[1]', 'Application/Problem+JSON ; charset=utf-8'), [1]],
    ['JSON that is malformed', bytes('{"a":', 'application/json'), '{"a":'],
    [
      'JSON with an integer no number can carry',
      bytes('[12345678901234567890]', 'text/json'),
      '[12345678901234567890]',
    ],
    ['JSON that is not UTF-8', { bytes: Buffer.from([0x22, 0xff]), type: 'application/json' }, 'Iv8='],
    ['bytes that are text', bytes('Grüße', 'text/markdown; charset=utf-8'), 'Grüße'],
    ['bytes that are XML', bytes('<a/>', 'image/svg+xml'), '<a/>'],
    ['text that is not UTF-8', { bytes: Buffer.from([0xfc]), type: 'text/plain; charset=latin1' }, '/A=='],
    ['other bytes', bytes('abc', 'application/jsonlike'), 'YWJj'],
    ['a stream of JSON', stream('{"a":"é"}', 'application/json'), { a: 'é' }],
    ['a stream of text', stream('a,b\n', 'text/csv'), 'a,b\n'],
    ['a stream of bytes', stream('abc', 'image/png'), 'YWJj'],
    ['an empty stream', { open: () => Readable.from([]), type: 'text/plain', size: 0 }, ''],
  ])('%s', async (_title, body, value) => {
    const reply: Reply = { body };
    expect(await readValue(reply, big)).toEqual(value);
    // What could be read only once is kept.
    expect(await readValue(reply, big)).toEqual(value);
  });

  it('at once, when it is at hand', () => {
    for (const body of [answer(1).body, { json: '1' }, bytes('1', 'application/json')])
      expect(readValue({ body }, big)).toBe(1);
  });

  it('and keeps status, headers, type and validator', async () => {
    const reply: Reply = {
      status: 203,
      headers: { A: 'b' },
      body: { ...streamOf(1, 3), type: 'image/png', etag: '"1"' },
    };
    await readValue(reply, big);
    const content = { bytes: Buffer.from('bbb'), type: 'image/png', etag: '"1"' };
    expect(reply).toEqual({ status: 203, headers: { A: 'b' }, body: content });
  });
});

describe('more than the limit', () => {
  it.each<[string, ReplyBody]>([
    ['JSON text', { json: '"ééé"' }],
    ['text', { text: 'éééé', type: 'text/plain' }],
    ['bytes', bytes('12345678', 'text/plain')],
    ['rows', { rows: rowsOf(1).rows }],
    ['a stream', stream('12345678', 'text/plain')],
    ['a stream of known size', { ...streamOf(1, 8), type: 'text/plain', size: 8 }],
  ])('%s is refused', async (_title, body) => {
    await expect((async () => readValue({ body }, 7))()).rejects.toMatchObject({
      key: 'call.answerTooLarge',
      status: 400,
      message: 'The answer is larger than the limit of 7 bytes.',
    });
  });

  it('takes just as much as the limit', async () => {
    expect(await readValue({ body: stream('12345678', 'text/plain') }, 8)).toBe('12345678');
    expect(readValue({ body: { json: '"é"' } }, 4)).toBe('é');
  });

  it('ends the source without reading it to its end', async () => {
    const rows = rowsOf(100_000);
    const reply: Reply = { body: { rows: rows.rows } };
    await expect(readValue(reply, 1000)).rejects.toThrow('larger than the limit');
    expect(rows.source.isEnded).toBe(true);
    expect(rows.source.readCount).toBeLessThan(20);
    const { open, source } = streamOf(100_000, 1000);
    await expect(readValue({ body: { open, type: 'image/png' } }, 5000)).rejects.toThrow('larger than the limit');
    expect(source.isEnded).toBe(true);
    expect(source.readCount).toBeLessThan(100);
    const sizedStream = streamOf(100, 1000);
    const sized = { open: sizedStream.open, type: 'image/png', size: 100_000 };
    await expect(readValue({ body: sized }, 5000)).rejects.toThrow('larger than the limit');
    expect(sizedStream.source.openCount).toBe(0);
  });

  it('leaves no rest that could pass for the answer', async () => {
    for (const body of [{ rows: rowsOf(1000).rows }, { ...streamOf(9, 9), type: 'text/plain' }]) {
      const reply: Reply = { body };
      await expect(readValue(reply, 50)).rejects.toThrow('larger than the limit');
      await expect(readValue(reply, big)).rejects.toThrow('larger than the limit');
      discard(reply);
    }
  });
});

describe('a source that fails', () => {
  it.each<[string, ReplyBody, string]>([
    ['rows', { rows: rowsOf(100, { failingRow: 50 }).rows }, 'the database is gone'],
    ['a stream', { open: streamOf(3, 3, { isFailing: true }).open, type: 'text/plain' }, 'the disk is gone'],
    ['a stream with less than was said', { open: streamOf(3, 3).open, type: 'text/plain', size: 10 }, 'had 9'],
    ['a stream with more than was said', { open: streamOf(3, 3).open, type: 'text/plain', size: 8 }, 'had 9'],
  ])('fails the value: %s', async (_title, body, message) => {
    await expect(readValue({ body }, big)).rejects.toThrow(message);
  });
});

describe('a reply that will not be sent', () => {
  it('has its source ended', async () => {
    const { rows, source } = rowsOf(100);
    discard({ body: { rows } });
    expect(source).toEqual({ readCount: 0, isEnded: true });
    const file = streamOf(3, 3);
    discard({ body: { open: file.open, type: 'text/plain' } });
    expect(file.source.openCount).toBe(0);
  });

  it('disturbs nobody when that fails', async () => {
    const broken = { ...rowsOf(1).rows };
    broken.batches = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('never asked')),
        return: () => Promise.reject(new Error('cannot close')),
      }),
    };
    discard({ body: { rows: broken } });
    await new Promise(setImmediate);
    for (const body of [answer(1).body, { json: '1' }, bytes('1', 'text/plain')]) discard({ body });
  });
});
