import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type Frame, parseFrame, readFrames } from './frames.ts';

it.each([
  ['', undefined],
  ['null', undefined],
  ['[]', undefined],
  ['{', undefined],
  ['{"kind":"other"}', undefined],
  ['{"kind":"call","id":1,"name":"exec","argument":"1"}', undefined],
  ['{"kind":"call","id":"1","name":"api","argument":"1"}', undefined],
  ['{"kind":"call","id":1,"name":"api","argument":{}}', undefined],
  ['{"kind":"call","id":1,"name":"constructor","argument":"1"}', undefined],
  ['{"kind":"done"}', undefined],
  ['{"kind":"done","event":"[]"}', undefined],
  ['{"kind":"done","event":"{"}', undefined],
  ['{"kind":"done","event":"{}","returned":"{"}', undefined],
  ['{"kind":"done","event":"{}","returned":1}', undefined],
  ['{"kind":"done","event":"{}"}', { kind: 'done', event: '{}' }],
  ['{"kind":"done","event":"{}","returned":"null","more":1}', { kind: 'done', event: '{}', returned: 'null' }],
  ['{"kind":"thrown"}', { kind: 'thrown', message: '' }],
  ['{"kind":"thrown","message":{},"statusCode":"4","code":[]}', { kind: 'thrown', message: '' }],
  [
    '{"kind":"thrown","message":"a","statusCode":4,"code":"b"}',
    { kind: 'thrown', message: 'a', statusCode: 4, code: 'b' },
  ],
  ['{"kind":"memory","event":"{}"}', { kind: 'memory' }],
  ['{"kind":"call","id":1,"name":"log","argument":"\\"a\\""}', { kind: 'call', id: 1, name: 'log', argument: '"a"' }],
])('%s', (text, expected) => {
  expect(parseFrame(text)).toEqual(expected);
});

const call = (id: number) => `{"kind":"call","id":${id},"name":"get","argument":"1"}\n`;

/** What is read of chunks, and what was refused. */
function read(chunks: string[], bounds = {}): Promise<{ ids: number[]; refused: string[] }> {
  const stream = new PassThrough();
  const ids: number[] = [];
  const refused: string[] = [];
  readFrames(
    stream as unknown as Socket,
    { line: 1_000, total: 10_000, count: 20, ...bounds },
    {
      handle: (frame: Frame) => void ids.push('id' in frame ? frame.id : -1),
      refuse: (reason) => void refused.push(reason),
    },
  );
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return new Promise((resolve) => stream.on('close', () => resolve({ ids, refused })));
}

it('reads frames however they are cut', async () => {
  const text = [1, 2, 3].map(call).join('');
  for (const size of [1, 7, 50, 1_000]) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) as string[];
    expect(await read(chunks)).toEqual({ ids: [1, 2, 3], refused: [] });
  }
});

it('counts the bytes of each frame by themselves, also where many come at once', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => index);
  expect(await read([ids.map(call).join('')], { line: 100 })).toEqual({ ids, refused: [] });
});

it.each([
  ['what is no frame', [call(1), 'nonsense\n', call(2)], {}, { ids: [1], refused: ['malformed'] }],
  ['a line without end', [call(1), 'x'.repeat(600), 'x'.repeat(600), call(2)], {}, { ids: [1], refused: ['tooLong'] }],
  ['a long line', [`${'x'.repeat(2_000)}\n`, call(2)], {}, { ids: [], refused: ['tooLong'] }],
  ['too many', [1, 2, 3].map(call), { count: 2 }, { ids: [1, 2], refused: ['tooMany'] }],
  ['too much', [1, 2, 3].map(call), { total: 120 }, { ids: [1, 2], refused: ['tooLong'] }],
])('reads nothing after %s', async (_name, chunks, bounds, expected) => {
  expect(await read(chunks, bounds)).toEqual(expected);
});
