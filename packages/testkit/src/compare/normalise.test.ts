import { describe, expect, it } from 'vitest';
import { listCalls } from './call.ts';
import { type NormalAnswer, Normaliser } from './normalise.ts';
import type { Recording } from './record.ts';
import type { Answer } from './send.ts';

/** A server with a clock, a port and chance of its own. */
interface Run {
  start: number;
  port: number;
  /** What tokens, keys and ids of this run hold. */
  seed: string;
}

const one: Run = { start: Date.parse('2026-03-01T10:00:00.000Z'), port: 20_001, seed: 'a' };
const other: Run = { start: Date.parse('2026-03-02T23:59:59.900Z'), port: 31_999, seed: 'bb' };
const fixedKey = 'F'.repeat(64);

interface Sent {
  status?: number;
  headers?: Partial<Record<string, string>>;
  body?: string | Buffer;
}

/** The answers of a run, each call 10 ms after the one before and 5 ms long, as they are compared. */
function normalised(run: Run, answers: (run: Tools) => Sent[], only?: 'figures'): NormalAnswer[] {
  const normaliser = new Normaliser({
    url: `http://127.0.0.1:${run.port}`,
    texts: [[`/tmp/${run.seed}-folder`, '<folder>']],
    fixedKey,
    startedAt: run.start,
  });
  return answers(toolsOf(run)).map(({ status = 200, headers = {}, body = '' }, index) => {
    const startedAt = run.start + 100 + index * 10;
    const call = { ...listCalls([{ title: 'test', calls: ['GET x'] }])[0]!, only };
    const answer: Answer = { status, headers: headers as Record<string, string>, body: Buffer.from(body) };
    const recording: Recording = { call, startedAt, endedAt: startedAt + 5, answer };
    return normaliser.normalise(recording)!;
  });
}

interface Tools {
  url: string;
  folder: string;
  /** A time in a call, counted from 1; 0 is the start. */
  time(call: number): string;
  token(number: number, claims?: object): string;
  key(number: number): string;
  id(call: number): string;
}

function toolsOf({ start, port, seed }: Run): Tools {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const seconds = Math.floor(start / 1000);
  return {
    url: `http://127.0.0.1:${port}`,
    folder: `/tmp/${seed}-folder`,
    time: (call) => new Date(call === 0 ? start + 50 : start + 100 + (call - 1) * 10 + 3).toISOString(),
    token: (number, claims = {}) =>
      `${encode({ alg: 'HS256' })}.${encode({ iat: seconds, exp: seconds + 3600, jti: `${seed}${number}`, user_id: 7, ...claims })}.${seed.padEnd(8, '0')}`,
    key: (number) => `${seed}${number}`.padEnd(64, '0'),
    id: (call) => `${seed.repeat(8)}-${call}`,
  };
}

const same = (answers: (tools: Tools) => Sent[]) => {
  const [was, now] = [normalised(one, answers), normalised(other, answers)];
  expect(now).toEqual(was);
  return was;
};
const json = (value: unknown): Sent => ({ body: JSON.stringify(value) });

const endOf = (token: string) => {
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  return new Date(exp * 1000).toISOString().replace('.000', '');
};

describe('what differs from run to run', () => {
  it('is the same in both: times, tokens, keys, request ids, ports and folders', () => {
    const [first, second] = same(({ url, folder, time, token, key, id }) => [
      {
        headers: { 'x-request-id': id(1), etag: `"3-${Date.parse(time(1))}"`, date: time(1), connection: 'keep-alive' },
        body: JSON.stringify({
          made: time(1),
          seed: time(0),
          token: token(1),
          api_key: key(1),
          url: `${url}/x`,
          folder,
        }),
      },
      { headers: { 'x-request-id': id(2) }, body: `${key(1)},${token(1)},${time(1)},2026` },
    ]);
    expect(first?.headers).toEqual({ 'x-request-id': '<request id of call 1>', etag: '"3-<time of call 1>"' });
    expect(JSON.parse(first!.body)).toEqual({
      made: '<time of call 1>',
      seed: '<time of the start>',
      token: '<token of call 1: alg HS256, iat 0 minutes, exp 60 minutes, jti, user_id 7, signature of 8>',
      api_key: '<API key of call 1>',
      url: '<url>/x',
      folder: '<folder>',
    });
    expect(second?.body).toBe('<API key of call 1>,<token of call 1>,<time of call 1>,2026');
  });

  it('is the end of a session, a nonce and what a database calls now', () => {
    const [first] = same(({ token, time }) => [
      {
        headers: { 'content-security-policy': `style-src 'nonce-${Buffer.from(token(1)).toString('base64')}'` },
        body: `<style nonce="${Buffer.from(token(1)).toString('base64')}"> ${time(1).slice(0, 19).replace('T', ' ')}.123 ${time(1).slice(0, 19).replace('T', ' ')}+00`,
      },
    ]);
    expect(first?.body).toBe('<style nonce="<nonce of call 1>"> <now with a fraction> <now>+00');
    const [session] = same(({ token }) => {
      return [json({ session_token: token(1), token_expiry_date: endOf(token(1)) })];
    });
    expect(session?.body).toContain('"<when token of call 1 expires>"');
  });

  it('is the length of a body that holds any of it', () => {
    const [whole, refusal] = same(({ id, folder }) => {
      const body = JSON.stringify({ folder });
      return [
        { headers: { 'content-length': String(body.length) }, body },
        { status: 404, headers: { 'x-request-id': id(2), 'content-length': String(100 + id(2).length) } },
      ];
    }).map(({ headers }) => headers['content-length']);
    expect([whole, refusal]).toEqual(['<that of the body>', '100 and the request id']);
  });
});

describe('no difference is hidden', () => {
  /** Two servers that answer as they should, and what a faulty one of the second run answers. */
  const seen = (right: (tools: Tools) => Sent[], wrong: (tools: Tools) => Sent[]) => {
    same(right);
    expect(normalised(other, wrong)).not.toEqual(normalised(one, right));
  };

  it.each<[what: string, right: (tools: Tools) => Sent[], wrong: (tools: Tools) => Sent[]]>([
    ['a time of another call', ({ time }) => [{}, json({ at: time(1) })], ({ time }) => [{}, json({ at: time(2) })]],
    ['a time before the run', ({ time }) => [json(time(1))], () => [json('2026-03-02T23:00:00.000Z')]],
    ['a time in the future', ({ time }) => [json(time(1))], () => [json('2026-03-03T23:00:00.000Z')]],
    ['a time told less exactly', ({ time }) => [json(time(1))], ({ time }) => [json(time(1).replace(/\.\d+/, ''))]],
    ['a time without its zone', ({ time }) => [json(time(1))], ({ time }) => [json(time(1).replace('Z', ''))]],
    ['a time that is none', ({ time }) => [json(time(1))], () => [json(null)]],
    [
      'another time than that of the version',
      ({ time }) => [{ headers: { etag: `"1-${Date.parse(time(1))}"` } }],
      ({ time }) => [{ headers: { etag: `"2-${Date.parse(time(1))}"` } }],
    ],
    [
      'a version of another call',
      ({ time }) => [{}, { headers: { etag: `"1-${Date.parse(time(1))}"` } }],
      ({ time }) => [{}, { headers: { etag: `"1-${Date.parse(time(2))}"` } }],
    ],
    [
      'another token than before',
      ({ token }) => [json(token(1)), json(token(1))],
      ({ token }) => [json(token(1)), json(token(2))],
    ],
    [
      'the token of before in place of a new one',
      ({ token }) => [json(token(1)), json(token(2))],
      ({ token }) => [json(token(1)), json(token(1))],
    ],
    [
      'tokens that changed places',
      ({ token }) => [json([token(1), token(2)]), json([token(1), token(2)])],
      ({ token }) => [json([token(1), token(2)]), json([token(2), token(1)])],
    ],
    [
      'a token that says something else',
      ({ token }) => [json(token(1))],
      ({ token }) => [json(token(1, { user_id: 8 }))],
    ],
    ['a token that says more', ({ token }) => [json(token(1))], ({ token }) => [json(token(1, { admin: true }))]],
    [
      'a token that lasts longer',
      ({ token }) => [json(token(1))],
      ({ token }) => [json(token(1, { exp: 2_000_000_000 }))],
    ],
    [
      'an end of a session that is not the token’s',
      ({ token }) => [json({ a: token(1), token_expiry_date: endOf(token(1)) })],
      ({ token }) => [json({ a: token(1), token_expiry_date: endOf(token(1, { exp: 2_000_000_000 })) })],
    ],
    ['a token with a shorter signature', ({ token }) => [json(token(1))], ({ token }) => [json(token(1).slice(0, -4))]],
    ['a text in place of a token', ({ token }) => [json(token(1))], () => [json('eyJ.no.token')]],
    [
      'another key than before',
      ({ key }) => [json({ api_key: key(1) }), json({ api_key: key(1) })],
      ({ key }) => [json({ api_key: key(1) }), json({ api_key: key(2) })],
    ],
    [
      'a key that is too short',
      ({ key }) => [json({ api_key: key(1) })],
      ({ key }) => [json({ api_key: key(1).slice(1) })],
    ],
    ['a fixed key that was made anew', () => [json({ api_key: fixedKey })], ({ key }) => [json({ api_key: key(1) })]],
    ['a digest at another place', () => [json({ digest: '0'.repeat(64) })], ({ key }) => [json({ digest: key(1) })]],
    [
      'a request id that is not the header’s',
      ({ id }) => [{ headers: { 'x-request-id': id(1) }, ...json({ request_id: id(1) }) }],
      ({ id }) => [{ headers: { 'x-request-id': id(1) }, ...json({ request_id: id(9) }) }],
    ],
    [
      'a request id that was told before',
      ({ id }) => [{ headers: { 'x-request-id': id(1) } }, { headers: { 'x-request-id': id(2) } }],
      ({ id }) => [{ headers: { 'x-request-id': id(1) } }, { headers: { 'x-request-id': id(1) } }],
    ],
    ['no request id', ({ id }) => [{ headers: { 'x-request-id': id(1) } }], () => [{}]],
    [
      'a nonce that is not the header’s',
      () => [{ headers: { 'content-security-policy': "'nonce-AAAA'" }, body: 'AAAA' }],
      () => [{ headers: { 'content-security-policy': "'nonce-AAAA'" }, body: 'BBBB' }],
    ],
    [
      'a nonce that was used before',
      ({ id }) => [1, 2].map((n) => ({ headers: { 'content-security-policy': `'nonce-${id(n).replace('-', '')}'` } })),
      ({ id }) => [1, 1].map((n) => ({ headers: { 'content-security-policy': `'nonce-${id(n).replace('-', '')}'` } })),
    ],
    [
      'a length that is not the body’s',
      ({ folder }) => [{ headers: { 'content-length': String(folder.length) }, body: folder }],
      ({ folder }) => [{ headers: { 'content-length': String(folder.length + 1) }, body: folder }],
    ],
    [
      'a length of a body without anything made',
      () => [{ headers: { 'content-length': '1' }, body: 'x' }],
      () => [{ headers: { 'content-length': '2' }, body: 'x' }],
    ],
    [
      'a length told by HEAD',
      () => [{ headers: { 'content-length': '10' } }],
      () => [{ headers: { 'content-length': '11' } }],
    ],
    ['the address of somebody else', ({ url }) => [json(url)], () => [json('http://127.0.0.1:20001')]],
    [
      'a database’s time of yesterday',
      ({ time }) => [json(time(1).slice(0, 19).replace('T', ' '))],
      () => [json('2026-03-01 23:59:59')],
    ],
    ['a status', () => [{}], () => [{ status: 201 }]],
    ['a header', () => [{ headers: { vary: 'Origin' } }], () => [{}]],
    ['bytes that are no text', () => [{ body: Buffer.from([0xff, 1]) }], () => [{ body: Buffer.from([0xff, 2]) }]],
    [
      'a compressed body',
      () => [{ headers: { 'content-encoding': 'gzip' }, body: 'a' }],
      () => [{ headers: { 'content-encoding': 'gzip' }, body: 'b' }],
    ],
  ])('of %s', (_what, right, wrong) => seen(right, wrong));

  it('of figures: their names, labels and helps, not their values', () => {
    const page = (text: string) => normalised(one, () => [{ body: text }], 'figures')[0]!.body;
    const right = '# HELP sluice_calls_total Calls.\nsluice_calls_total{verb="GET"} 7\nnodejs_gc{kind="minor"} 1\n';
    expect(page(right.replace('7', '8').replace('minor', 'major'))).toBe(page(right));
    for (const wrong of ['Calls', 'verb', 'GET', 'sluice_calls', 'nodejs_gc'])
      expect(page(right.replaceAll(wrong, 'x')), wrong).not.toBe(page(right));
  });
});
