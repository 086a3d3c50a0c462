// Lists of system resources when the store is full of texts as long as they may be: what takes long runs beside the main
// thread, which serves others meanwhile. Through the whole platform, whose store is what this run tests with.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { storeEngine } from '@sluice/testkit/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let platform: TestPlatform;
const metricsToken = 'a token of sixteen or more'.replaceAll(' ', '-');
const long = 'a'.repeat(1024 * 1024);
/** Patterns, each looked for at every letter of a text and found at none; all differ, as a planner drops repeats. */
const patterns = Array.from({ length: 20 }, (_, at) => `%${'a'.repeat(250)}${String.fromCharCode(98 + at)}%`);
const filter = (condition: string) => `filter=${encodeURIComponent(condition)}`;
const likeAny = (field: string) => filter(patterns.map((pattern) => `(${field} like '${pattern}')`).join(' or '));
const likeNone = (field: string) => filter(patterns.map((p) => `(${field} not like '${p}')`).join(' and '));

beforeAll(async () => {
  platform = await startPlatform({ queryTimeout: 2000, metricsToken });
  const role = await platform.create('role', { name: 'keeper' });
  for (let at = 0; at < 70; at++) {
    const lookup = { name: `long ${at}`, value: long, private: true };
    const update = { body: { lookup_by_role_id: [lookup] } };
    const { status } = await platform.ask('PATCH', `system/role/${role.id}`, update);
    const created = await platform.ask('POST', 'system/custom', {
      body: { resource: [{ ...lookup, value: long.slice(2) }] },
    });
    expect([status, created.status]).toEqual([200, 201]);
  }
  for (let at = 0; at < 20; at++) await platform.create('email_template', { name: `own ${at}`, body_html: long });
});
afterAll(() => platform?.stop());

const figure = async (name: string) => {
  const response = await fetch(`${platform.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const line = (await response.text()).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
};

/** Asks for a list of which little is read. */
function askAndPause(path: string): Socket {
  const { hostname: host, port } = new URL(platform.url);
  const socket = connect({ host, port: Number(port) });
  const token = `X-DreamFactory-Session-Token: ${platform.adminToken}`;
  socket.write(`GET /api/v2/${path} HTTP/1.1\r\nHost: x\r\n${token}\r\n\r\n`);
  return socket;
}

const timeout = 'The store of this platform took too long and was stopped.';
const tooLarge = 'The answer is longer than 67108864 characters.';

describe('abuse: lists of a store full of long texts', () => {
  /** A search that takes longer than it may, during which somebody else is served. */
  async function expectOthersServed(search: string) {
    const finished: string[] = [];
    const slow = platform.ask('GET', `system/${search}`).then((answer) => {
      finished.push('search');
      return answer;
    });
    const user = await platform.create('user', { email: `${randomUUID()}@example.com` });
    expect((await platform.ask('GET', `system/user/${user.id}`)).status).toBe(200);
    finished.push('record');
    const { status, body } = await slow;
    expect([finished, status, body.error?.message]).toEqual([['record', 'search'], 503, timeout]);
  }

  test.each([
    ['a list', `email_template?fields=id&${likeAny('body_html')}`],
    ['a count', `email_template?as_list=true&include_count=true&${likeNone('body_html')}`],
  ])('others are served while %s is searched', (_, search) => expectOthersServed(search));

  test.each<[string, string, number, unknown]>([
    ['an order', 'email_template?as_list=true&order=body_html%20desc', 200, undefined],
    ['a group', 'email_template?group=body_html', 400, "Invalid field 'body_html' in group by clause."],
    ['all at once', 'custom', 400, tooLarge],
    ['the same again and again', `custom?ids=${Array(100).fill('long%201').join(',')}`, 400, tooLarge],
    ['all that belong to one', 'role/1?related=lookup_by_role_id', 400, tooLarge],
  ])('%s', async (_, path, status, message) => {
    const answer = await platform.ask('GET', `system/${path}`);
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
  });

  test('lists that nobody reads hold a piece each', async () => {
    const sockets = Array.from({ length: 8 }, () => askAndPause('system/email_template'));
    try {
      const heads = await Promise.all(sockets.map((socket) => once(socket, 'readable')));
      expect(heads).toHaveLength(8);
      // Twenty megabytes each, of which a record at a time is read.
      for (const socket of sockets) expect(String(socket.read(12))).toBe('HTTP/1.1 200');
      expect(await figure('sluice_answer_bytes')).toBeLessThan(8 * 2 * long.length);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  const isFile = storeEngine === 'sqlite';
  if (isFile)
    test('others are served while a text is searched that was stored before there was a limit', async () => {
      const store = openSqlite(join(platform.folder, 'sluice.sqlite'), { busyTimeout: 5000 });
      store.run('update user set security_question = ?', ['a'.repeat(9 * 1024 * 1024)]);
      store.close();
      await expectOthersServed(`admin?fields=id&${likeAny('security_question')}`);
    });

  test('and end when the caller goes away', async () => {
    const caller = new AbortController();
    const gone = fetch(`${platform.url}/api/v2/system/email_template?as_list=true&${likeAny('body_html')}`, {
      headers: { 'x-dreamfactory-session-token': platform.adminToken },
      signal: caller.signal,
    }).catch((error: Error) => error.name);
    await expect.poll(() => figure('sluice_calls_in_flight')).toBe(1);
    caller.abort();
    expect(await gone).toBe('AbortError');
    const cancelled = () => figure('sluice_failures_total{key="database.cancelled"}');
    await expect.poll(cancelled, { timeout: 10_000 }).toBe(1);
  });
});

test('records of long texts are answered whole and in order', async () => {
  const { status, body } = await platform.ask('GET', 'system/custom?limit=3&offset=1&order=name%20desc');
  expect(status).toBe(200);
  expect(body.resource.map(({ name }: { name: string }) => name)).toEqual(['long 8', 'long 7', 'long 69']);
  expect(body.resource.every(({ value }: { value: string }) => value === long.slice(2))).toBe(true);
  const names = await platform.ask('GET', 'system/custom?fields=name');
  expect(names.body.resource).toHaveLength(70);
  const { body: own } = await platform.ask(
    'GET',
    `system/email_template?${filter("name = 'own 7'")}&include_count=true`,
  );
  expect(own).toMatchObject({ resource: [{ name: 'own 7' }], meta: { count: 1 } });
});
