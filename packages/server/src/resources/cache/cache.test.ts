import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';

let platform: TestPlatform;
const keptAnswers = { cache_enabled: true, cache_ttl: 60 };

beforeAll(async () => {
  platform = await startPlatform();
  for (const name of ['one', 'two'])
    await platform.create('service', {
      name,
      label: `Service ${name}`,
      type: 'sqlite',
      is_active: true,
      config: { database: `${name}.sqlite`, ...keptAnswers },
    });
  for (const name of ['one', 'two']) {
    await platform.ask('GET', `${name}/_table`);
    write(name, 'create table note (id integer primary key, text text)');
    write(name, "insert into note (text) values ('first')");
  }
});
afterAll(() => platform.stop());

/** Another program writes into the file of a service. */
function write(service: string, statement: string): void {
  const file = openSqlite(join(platform.folder, 'db', `${service}.sqlite`));
  file.exec(statement);
  file.close();
}

const notes = async (service: string) => {
  const { body } = await platform.ask('GET', `${service}/_table/note?fields=text`);
  return body.resource?.map((note: { text: string }) => note.text);
};
const flush = async (path: string) => (await platform.ask('DELETE', `system/cache${path}`)).body;

test('lists every service, active or not, in order of id (CFG-009)', async () => {
  await platform.ask('PATCH', 'system/service/9', { body: { is_active: false } });
  const { body } = await platform.ask('GET', 'system/cache');
  expect(body.resource).toEqual(
    ['system', 'api_docs', 'files', 'logs', 'db', 'email', 'user', 'one', 'two'].map((name) => ({ name })),
  );
  expect((await platform.ask('GET', 'system/cache?as_list=true')).body.resource[8]).toBe('two');
  expect((await platform.ask('GET', 'system/cache?fields=*')).body.resource[7]).toEqual({
    name: 'one',
    label: 'Service one',
    description: null,
    type: 'sqlite',
  });
  await platform.ask('PATCH', 'system/service/9', { body: { is_active: true } });
});

test('flushing one service forgets its cached answers, and those of no other (CFG-011)', async () => {
  for (const name of ['one', 'two']) {
    expect(await notes(name)).toEqual(['first']);
    write(name, "insert into note (text) values ('second')");
    expect(await notes(name)).toEqual(['first']);
  }
  expect(await flush('/One')).toEqual({ success: true });
  expect(await notes('one')).toEqual(['first', 'second']);
  expect(await notes('two')).toEqual(['first']);
});

test('flushing all forgets everything (CFG-010)', async () => {
  write('one', "insert into note (text) values ('third')");
  expect(await flush('')).toEqual({ success: true });
  expect(await notes('one')).toEqual(['first', 'second', 'third']);
  expect(await notes('two')).toEqual(['first', 'second']);
});

test('a service of files has no cache to flush', async () => {
  const { status, body } = await platform.ask('DELETE', 'system/cache/files');
  expect([status, body.error.message]).toEqual([501, 'Service does not implement API controlled cache.']);
});
