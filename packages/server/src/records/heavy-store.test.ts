// What lists of system resources cost the main thread when the store is full of texts as long as they may be. Through the
// whole platform, whose store is what this run tests with; a child process or the server has the work.
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { storeEngine } from '@sluice/testkit/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let platform: TestPlatform;
const long = 'a'.repeat(1024 * 1024);
/** Looked for at every letter of a text, and found at none. */
const pattern = `%${'a'.repeat(250)}b%`;
const filter = (condition: string) => `filter=${encodeURIComponent(condition)}`;

beforeAll(async () => {
  platform = await startPlatform({ queryTimeout: 4000 });
  const role = await platform.create('role', { name: 'keeper' });
  for (let at = 0; at < 70; at++) {
    const lookup = { name: `long ${at}`, value: long };
    const update = { body: { lookup_by_role_id: [lookup] } };
    const { status } = await platform.ask('PATCH', `system/role/${role.id}`, update);
    const created = await platform.ask('POST', 'system/custom', {
      body: { resource: [{ ...lookup, value: long.slice(2) }] },
    });
    expect([status, created.status]).toEqual([200, 201]);
  }
  for (let at = 0; at < 20; at++) await platform.create('lookup', { name: `own ${at}`, value: long });
});
afterAll(() => platform?.stop());

/** A call, and the milliseconds of processor time that it took this process. */
async function askAndMeasure(path: string) {
  const before = process.cpuUsage();
  const answer = await platform.ask('GET', `system/${path}`);
  const { user, system } = process.cpuUsage(before);
  return { ...answer, ms: (user + system) / 1000 };
}

const timeout = 'The store of this platform took too long and was stopped.';
const tooLarge = 'The answer is longer than 67108864 characters.';

describe('abuse: lists of a store full of long texts take the main thread no time', () => {
  test.each<[string, string, number, unknown]>([
    [
      'a count of a pattern',
      `lookup?as_list=true&include_count=true&${filter(`value not like '${pattern}'`)}`,
      503,
      timeout,
    ],
    [
      'twenty patterns',
      `lookup?as_list=true&${filter(Array(20).fill(`(value like '${pattern}')`).join(' or '))}`,
      503,
      timeout,
    ],
    ['an order', 'lookup?as_list=true&order=value%20desc', 200, undefined],
    ['a group', 'lookup?group=value', 400, "Invalid field 'value' in group by clause."],
    ['all at once', 'custom', 400, tooLarge],
    ['the same again and again', `custom?ids=${Array(100).fill('long%201').join(',')}`, 400, tooLarge],
    ['all that belong to one', 'role/1?related=lookup_by_role_id', 400, tooLarge],
  ])('%s', async (_, path, status, message) => {
    const answer = await askAndMeasure(path);
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
    expect(answer.ms).toBeLessThan(250);
  });

  const isFile = storeEngine === 'sqlite';
  if (isFile)
    test('nor one that was stored before there was a limit', async () => {
      const store = openSqlite(join(platform.folder, 'sluice.sqlite'), { busyTimeout: 5000 });
      store.run('update user set security_question = ?', ['a'.repeat(9 * 1024 * 1024)]);
      store.close();
      const patterns = Array(5).fill(`(security_question like '${pattern}')`).join(' or ');
      const answer = await askAndMeasure(`admin?fields=id&${filter(patterns)}`);
      expect([answer.status, answer.body.error?.message]).toEqual([503, timeout]);
      expect(answer.ms).toBeLessThan(250);
    });

  test('others are served meanwhile, and lists of others too', async () => {
    const finished: string[] = [];
    const note = (name: string) => (answer: { status: number }) => finished.push(`${name} ${answer.status}`);
    const slow = platform.ask('GET', `system/lookup?fields=id&${filter(`value like '${pattern}'`)}`).then(note('slow'));
    const user = await platform.create('user', { email: 'jo@example.com' });
    await platform.ask('GET', `system/user/${user.id}`).then(note('record'));
    await slow;
    expect(finished).toEqual(['record 200', 'slow 503']);
  });
});

test('records of long texts are answered whole and in order', async () => {
  const { status, body } = await platform.ask('GET', 'system/custom?limit=3&offset=1&order=name%20desc');
  expect(status).toBe(200);
  expect(body.resource.map(({ name }: { name: string }) => name)).toEqual(['long 8', 'long 7', 'long 69']);
  expect(body.resource.every(({ value }: { value: string }) => value === long.slice(2))).toBe(true);
  const names = await platform.ask('GET', 'system/custom?fields=name');
  expect(names.body.resource).toHaveLength(70);
  const { body: own } = await platform.ask('GET', `system/lookup?${filter("name = 'own 7'")}&include_count=true`);
  expect(own).toMatchObject({ resource: [{ name: 'own 7' }], meta: { count: 1 } });
});
