// A server that is no database, or a broken one: what it answers makes nobody's call a bug of ours.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

let platform: TestPlatform;
const servers: Server[] = [];
beforeAll(async () => {
  platform = await startPlatform({ queryTimeout: 2000 });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await platform.stop();
});

/** A server that sends `answers` one by one, each for the next input; `greeting` before that. */
async function serverSaying(greeting: Buffer, answers: Buffer[]): Promise<number> {
  const server = createServer((socket: Socket) => {
    const rest = [...answers];
    socket.on('error', () => {});
    if (greeting.length > 0) socket.write(greeting);
    // A server that never answers meets a time limit, which is not tested here.
    const ending = setTimeout(() => socket.end(), 50);
    socket.on('close', () => clearTimeout(ending));
    socket.on('data', () => {
      const next = rest.shift();
      if (next) socket.write(next);
      ending.refresh();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  return typeof place === 'object' && place ? place.port : 0;
}

const none = Buffer.alloc(0);
const html = Buffer.from(
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html></html>',
);
const noise = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197 + 31) % 256));
const zeros = Buffer.alloc(4096);
const ones = Buffer.alloc(4096, 0xff);
/** A message of PostgreSQL. */
const pg = (letter: string, body: Buffer | string) => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(letter, 0, 'latin1');
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const signedIn = Buffer.concat([pg('R', Buffer.alloc(4)), pg('Z', 'I')]);
/** A packet of MySQL. */
const my = (number: number, body: Buffer | string) => {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from([bytes.length & 255, bytes.length >> 8, 0, number]), bytes]);
};
const handshake = Buffer.concat([
  Buffer.from([10]),
  Buffer.from('8.0.36\0'),
  Buffer.from([1, 0, 0, 0]),
  Buffer.from('12345678\0'),
  Buffer.from([0xff, 0xf7, 33, 2, 0, 0xff, 0x81, 21]),
  Buffer.alloc(10),
  Buffer.from('123456789012\0mysql_native_password\0'),
]);
const fine = my(2, Buffer.from([0, 0, 0, 2, 0, 0, 0]));

const cases: [what: string, greeting: Buffer, answers: Buffer[]][] = [
  ['a web server', none, [html]],
  ['a web server that greets', html, []],
  ['noise', none, [noise, noise, noise]],
  ['noise that greets', noise, [noise]],
  ['zeros', none, [zeros, zeros]],
  ['zeros that greet', zeros, [zeros]],
  ['ones', none, [ones]],
  ['ones that greet', ones, [ones]],
  ['nothing, and the end', none, []],
];
const ofPgsql: typeof cases = [
  ['a sign-in of a kind nobody knows', none, [pg('R', Buffer.from([0, 0, 0, 99]))]],
  ['a short sign-in', none, [pg('R', '')]],
  ['SASL of no kind', none, [pg('R', Buffer.from([0, 0, 0, 10, 0]))]],
  [
    'SASL that is none',
    none,
    [pg('R', Buffer.from('\0\0\0\nSCRAM-SHA-256\0\0')), pg('R', Buffer.from('\0\0\0\vnonsense'))],
  ],
  ['an error without fields', none, [pg('E', '\0')]],
  ['noise after the sign-in', none, [signedIn, noise, noise]],
  [
    'a row that was not described',
    none,
    [signedIn, Buffer.concat([pg('D', Buffer.from([0, 1, 0, 0, 0, 1, 65])), pg('Z', 'I')])],
  ],
  ['a description that breaks off', none, [signedIn, Buffer.concat([pg('T', Buffer.from([0, 9, 65])), pg('Z', 'I')])]],
  ['a row longer than it is', none, [signedIn, pg('D', Buffer.from([0, 9, 0x7f, 255, 255, 255, 65]))]],
  [
    'statements that are done and answer nothing',
    none,
    [signedIn, ...Array(30).fill(Buffer.concat([pg('C', 'SELECT 0\0'), pg('Z', 'I')]))],
  ],
];
const ofMysql: typeof cases = [
  ['a handshake of another age', my(0, Buffer.from([9, 65, 0])), []],
  ['a short handshake', my(0, Buffer.from([10, 65])), []],
  ['an empty packet', my(0, ''), []],
  ['packets out of order', my(0, handshake), [my(9, Buffer.from([0, 0, 0, 2, 0, 0, 0]))]],
  ['a plugin nobody knows', my(0, handshake), [my(2, Buffer.from('\xfenonsense\0abc', 'latin1'))]],
  ['a short error', my(0, handshake), [my(2, Buffer.from([0xff]))]],
  ['noise after the sign-in', my(0, handshake), [fine, noise, noise]],
  ['empty packets after the sign-in', my(0, handshake), [fine, ...Array(30).fill(my(1, ''))]],
  [
    'columns that break off',
    my(0, handshake),
    [fine, ...Array(30).fill(Buffer.concat([my(1, Buffer.from([3])), my(2, Buffer.from([3, 100]))]))],
  ],
  [
    'more columns than there can be',
    my(0, handshake),
    [fine, ...Array(30).fill(my(1, Buffer.from([0xfe, 255, 255, 255, 255, 255, 255, 255, 255])))],
  ],
  [
    'statements that are done and answer nothing',
    my(0, handshake),
    [fine, ...Array(30).fill(my(1, Buffer.from([0, 0, 0, 2, 0, 0, 0])))],
  ],
];

/** What a database says while a connection is set up, and nonsense after so many answers. */
const column = Buffer.concat([
  Buffer.from([3]),
  Buffer.from('def'),
  Buffer.from([0, 0, 0, 1, 65, 0, 12, 33, 0, 255, 0, 0, 0, 0xfd, 0, 0, 0, 0, 0]),
]);
const end = Buffer.from([0xfe, 0, 0, 2, 0]);
const cell = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const version = Buffer.concat([
  my(1, Buffer.from([3])),
  ...[2, 3, 4].map((number) => my(number, column)),
  my(5, end),
  my(6, Buffer.concat([cell('8.0.36'), cell('7'), cell('1000000')])),
  my(7, end),
]);
const done = Buffer.concat([pg('C', 'SET\0'), pg('Z', 'I')]);
for (const count of [1, 2, 3, 4, 5, 6]) {
  for (const [what, nonsense] of [
    ['noise', noise],
    ['a web page', html],
  ] as const) {
    ofPgsql.push([`${what} after ${count} answers`, none, [signedIn, ...Array(count).fill(done), nonsense]]);
    const fines = Array(count).fill(my(1, Buffer.from([0, 0, 0, 2, 0, 0, 0])));
    ofMysql.push([`${what} after ${count} answers`, my(0, handshake), [fine, version, ...fines, nonsense]]);
  }
}

it.each([
  ['pgsql', [...cases, ...ofPgsql]],
  ['mysql', [...cases, ...ofMysql]],
] as const)('abuse: a %s server that answers nonsense is a 503', async (type, all) => {
  const errors = vi.spyOn(platform.log, 'error');
  const answers = await Promise.all(
    all.map(async ([what, greeting, sent], index) => {
      const port = await serverSaying(greeting, sent);
      const name = `${type}${index}`;
      const config = { host: '127.0.0.1', port, database: 'x', username: 'x', password: 'y' };
      await platform.create('service', { name, label: what, type, is_active: true, config });
      const answers = [`${name}/_table/a`, `${name}/_schema`].map((path) => platform.ask('GET', path));
      return (await Promise.all(answers)).map(({ status, text }) => ({ what, status, text }));
    }),
  );
  expect(answers.flat().filter(({ status }) => status !== 503)).toEqual([]);
  expect(errors.mock.calls.map(([said]) => String((said as { err: Error }).err?.stack))).toEqual([]);
  errors.mockRestore();
});

it('is still there', async () => {
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
  expect((await platform.ask('GET', '/healthz')).status).toBe(200);
});
