import { describe, expect, it } from 'vitest';
import { type CallLine, fill, listCalls } from './call.ts';
import { type Recording, record } from './record.ts';
import type { Answer, Request } from './send.ts';

const callers = { admin: { token: '{{admin}}' }, nobody: {} };

/** Makes calls to a server that answers what it was sent, and what was sent. */
async function recorded(calls: CallLine[], variables: [string, string | number][] = [['admin', 't0']]) {
  const sent: Request[] = [];
  const send = async (request: Request): Promise<Answer> => {
    sent.push(request);
    if (request.target === '/api/v2/broken') throw new Error('the answer was broken off');
    const body = Buffer.from(typeof request.body === 'string' ? request.body : 'no JSON');
    return { status: 200, headers: { etag: '"1"' }, body };
  };
  const list = listCalls([{ title: 'test', calls }]);
  const all = await record(
    list,
    callers,
    { send, sendRaw: (body) => send({ verb: 'RAW', target: '', headers: {}, body }) },
    new Map(variables),
  );
  return { sent, all };
}

const failures = (all: Recording[]) => all.map(({ failure }) => failure);

describe('calls', () => {
  it('are numbered, named after their group and caller, and go below /api/v2 unless they say otherwise', () => {
    const calls = listCalls([
      { title: 'a', calls: ['GET shop/_table', ['PUT /login', { as: 'nobody' }]] },
      { title: 'b', calls: ['GET x?filter=a = 1'] },
    ]);
    expect(calls).toEqual([
      { title: '1 a: GET shop/_table', verb: 'GET', target: '/api/v2/shop/_table' },
      { title: '2 a: PUT /login as nobody', verb: 'PUT', target: '/login', as: 'nobody' },
      { title: '3 b: GET x?filter=a = 1', verb: 'GET', target: '/api/v2/x?filter=a = 1' },
    ]);
  });

  it('take what earlier answers have left, with its type where it stands alone', () => {
    const variables = new Map<string, string | number>([
      ['id', 5],
      ['name', 'x'],
    ]);
    expect(fill({ a: '{{id}}', b: ['{{name}}-{{id}}', null, 1], c: '{single}' }, variables)).toEqual({
      a: 5,
      b: ['x-5', null, 1],
      c: '{single}',
    });
    expect(() => fill('{{none}}', variables)).toThrow('no earlier answer has left {{none}}');
  });
});

describe('a recording', () => {
  it('sends each call as its caller, a value as JSON and a text as it is', async () => {
    const { sent } = await recorded([
      ['POST a', { body: { b: 1 } }],
      ['POST a', { as: 'nobody', body: 'text', headers: { 'Content-Type': 'text/csv' } }],
      ['POST a', { body: [], headers: { 'content-type': 'application/x+json' } }],
    ]);
    expect(sent.map(({ headers, body }) => [headers, body])).toEqual([
      [{ token: 't0', 'content-type': 'application/json' }, '{"b":1}'],
      [{ 'Content-Type': 'text/csv' }, 'text'],
      [{ token: 't0', 'content-type': 'application/x+json' }, '[]'],
    ]);
  });

  it('keeps parts of answers for later calls, of headers too', async () => {
    const { sent, all } = await recorded([
      [
        'POST a',
        { body: { list: [{ id: 7 }], token: 't1' }, keep: { id: 'list.0.id', admin: 'token', tag: 'header etag' } },
      ],
      ['GET b/{{id}}', { headers: { 'If-Match': '{{tag}}' } }],
    ]);
    expect(failures(all)).toEqual([undefined, undefined]);
    expect(sent[1]).toMatchObject({ target: '/api/v2/b/7', headers: { token: 't1', 'If-Match': '"1"' } });
  });

  it('has a failure where a call could not be made, and goes on', async () => {
    const { all } = await recorded([
      'GET broken',
      'GET a/{{none}}',
      ['GET a', { as: 'somebody' }],
      ['POST a', { body: {}, keep: { id: 'list.0.id' } }],
      ['GET a', { keep: { id: 'id' } }],
      ['GET a', { keep: { id: 'header none' } }],
      'GET a',
    ]);
    expect(failures(all)).toEqual([
      'the answer was broken off',
      'no earlier answer has left {{none}}',
      'nobody is called somebody',
      'there is no list.0.id in the answer (200)',
      'there is no id in the answer (200)',
      'there is no header none in the answer (200)',
      undefined,
    ]);
    expect(all.map(({ answer }) => answer !== undefined)).toEqual([false, false, false, true, true, true, true]);
  });

  it('gives no millisecond to two calls', async () => {
    const { all } = await recorded(Array.from({ length: 20 }, () => 'GET a'));
    for (const [index, { startedAt }] of all.entries())
      if (index > 0) expect(startedAt).toBeGreaterThan(all[index - 1]!.endedAt);
  });
});
