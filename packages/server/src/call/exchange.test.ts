import { buffer } from 'node:stream/consumers';
import { aCall } from '@sluice/testkit/call';
import { describe, expect, it } from 'vitest';
import { queryOf } from './address.ts';
import type { Call } from './call.ts';
import { type Exchange, replaceByFailure, replaceReply, setHeaders, withRequest } from './exchange.ts';
import { readListQuery } from './list-query.ts';
import { rowsOf } from './reply.fixture.ts';
import { answer } from './reply.ts';

const textOf = async (call: Call) => (await buffer(call.stream())).toString();

describe('a request with changes', () => {
  const call = () =>
    Object.assign(
      aCall({
        verb: 'POST',
        path: '_table/a',
        query: 'limit=3',
        body: { a: 1 },
        headers: { 'if-match': '1', accept: 'text/csv' },
      }),
      { depth: 2, userAgent: 'test' },
    );

  it('is the same without them', async () => {
    const original = call();
    const same = withRequest(original, {});
    const { body, rawBody, stream, header, headerNames, ...rest } = original;
    expect(same).toMatchObject(rest);
    expect(same.headerNames()).toEqual(original.headerNames());
    expect([same.header('accept'), same.signal === original.signal]).toEqual(['text/csv', true]);
    expect([await same.body(), await textOf(same)]).toEqual([{ a: 1 }, '{"a":1}']);
  });

  it('has the payload, the parameters and the headers it was given', async () => {
    const original = call();
    const payload = { filter: 'b=2', limit: 9 };
    const headers = new Map([
      ['if-match', '2'],
      ['x-new', 'n'],
      ['accept', undefined],
    ] as [string, string | undefined][]);
    const changed = withRequest(original, { payload, query: queryOf(new Map([['offset', '4']])), headers });
    expect(await changed.body()).toBe(payload);
    expect(readListQuery(changed, await changed.body())).toMatchObject({ filter: 'b=2', limit: 9, offset: 4 });
    expect(['if-match', 'x-new', 'accept', 'other'].map(changed.header)).toEqual(['2', 'n', undefined, undefined]);
    expect([await original.body(), original.header('accept'), readListQuery(original).limit]).toEqual([
      { a: 1 },
      'text/csv',
      3,
    ]);
    const again = withRequest(changed, { headers: new Map([['x-new', 'm']]) });
    expect([again.header('x-new'), again.header('if-match'), await again.body()]).toEqual(['m', '2', payload]);
  });

  it.each<[unknown, string]>([
    [undefined, ''],
    ['text', 'text'],
    [Buffer.from('bytes'), 'bytes'],
    [{ a: [1] }, '{"a":[1]}'],
    [null, 'null'],
  ])('streams a payload of its own: %o', async (payload, text) => {
    const changed = withRequest(call(), { payload });
    expect([await changed.body(), await textOf(changed)]).toEqual([payload, text]);
  });
});

describe('what came of a call', () => {
  it('is replaced by a reply, and the one before is ended', () => {
    const { rows, source } = rowsOf(3);
    const exchange: Exchange = { call: aCall({}), reply: { body: { rows } } };
    replaceReply(exchange, { ...exchange.reply!, status: 201 });
    expect([exchange.reply?.status, source.isEnded]).toEqual([201, false]);
    replaceReply(exchange, answer(1));
    expect([exchange.reply, source.isEnded]).toEqual([answer(1), true]);
  });

  it('is either a reply or a failure', () => {
    const { rows, source } = rowsOf(1);
    const exchange: Exchange = { call: aCall({}), reply: { body: { rows } } };
    const failure = new Error('no');
    replaceByFailure(exchange, failure);
    expect([exchange.reply, exchange.failure, source.isEnded]).toEqual([undefined, failure, true]);
    replaceReply(exchange, answer(1));
    expect([exchange.reply, exchange.failure]).toEqual([answer(1), undefined]);
  });
});

it('headers are added to a reply in the place of those of the same name', () => {
  const reply = { ...answer(1), headers: { ETag: '"1"', 'X-A': 'a' } };
  setHeaders(reply, { etag: '"2"', 'x-b': 'b' });
  setHeaders(reply, { 'X-B': 'c' });
  expect(reply.headers).toEqual({ 'X-A': 'a', etag: '"2"', 'X-B': 'c' });
  const bare = answer(1);
  setHeaders(bare, { a: '1' });
  expect(bare.headers).toEqual({ a: '1' });
});
