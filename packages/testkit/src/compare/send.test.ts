import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeTarget, parseAnswer, Sender } from './send.ts';

let server: Server;
let sender: Sender;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/cut') {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
      return;
    }
    if (request.url === '/gone') return void request.socket.destroy();
    response.setHeader('X-Twice', ['a', 'b']);
    response.statusCode = 418;
    request.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sender = new Sender(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  sender.close();
  server.close();
});

describe('a request', () => {
  const ask = (verb: string, target: string, body?: string) => sender.send({ verb, target, headers: {}, body });

  it('brings back status, headers, repeated ones too, and the body', async () => {
    const { status, headers, body } = await ask('GET', '/a b', 'sent with a GET');
    expect([status, headers['x-twice'], body.toString()]).toEqual([418, 'a\nb', 'sent with a GET']);
  });

  it.each(['/cut', '/gone'])('fails when no whole answer comes: %s', async (target) => {
    await expect(ask('GET', target)).rejects.toThrow();
  });

  it('goes out on a bare socket as it is written', async () => {
    const { status, body } = await sender.sendRaw('no HTTP\r\n\r\n');
    expect([status, body.toString()]).toEqual([400, '']);
  });
});

it('escapes in a target only what no request line may hold', () => {
  expect(escapeTarget('/a b?c="d" & é%20☃|x#y')).toBe('/a%20b?c=%22d%22%20&%20%C3%A9%20%E2%98%83%7Cx#y');
});

it('reads an answer of a closed connection, and refuses what is none', () => {
  const answer = parseAnswer(Buffer.from('HTTP/1.1 404 Not Found\r\nA: b: c\r\nEmpty:\r\n\r\nbody\r\n\r\n'));
  expect([answer.status, answer.headers, answer.body.toString()]).toEqual([
    404,
    { a: 'b: c', empty: '' },
    'body\r\n\r\n',
  ]);
  expect(() => parseAnswer(Buffer.from('hello'))).toThrow('no answer in HTTP');
});
