import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform();
  folder = await mkdtemp(join(tmpdir(), 'sluice-place-'));
  await writeFile(join(folder, 'text.sqlite'), 'this is no database, only a text that is long enough to have a header');
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const tried = (body: unknown, path = 'system/service/_test') => platform.ask('POST', path, { body });

it('says yes to a configuration that opens, and keeps nothing of it', async () => {
  const before = (await platform.ask('GET', 'system/service?as_list=true')).text;
  const answer = await tried({ type: 'sqlite', name: 'x', config: { database: 'brand-new' } });
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  expect((await platform.ask('GET', 'system/service?as_list=true')).text).toBe(before);
});

it('says in words what is wrong with one that does not', async () => {
  const cases: [unknown, number, RegExp][] = [
    [{ type: 'sqlite', config: { database: '/no/such/file.sqlite' } }, 400, /no\/such\/file\.sqlite/],
    [{ type: 'sqlite', config: { database: join(folder, 'text.sqlite') } }, 503, /is not a SQLite database/],
    [{ type: 'sqlite', config: {} }, 400, /database/],
    [{ type: 'nothing', config: {} }, 400, /nothing/],
  ];
  for (const [body, status, message] of cases) {
    const answer = await tried(body);
    expect([answer.body.error?.message, answer.status]).toEqual([expect.stringMatching(message), status]);
  }
});

it('tries the changes of a saved service', async () => {
  expect((await tried({}, 'system/service/5/_test')).body).toEqual({ success: true });
  expect((await tried({ config: { database: '/no/such.sqlite' } }, 'system/service/5/_test')).status).toBe(400);
  expect((await tried({}, 'system/service/99/_test')).status).toBe(404);
  const get = await platform.ask('GET', 'system/service/_test');
  expect([get.status, get.headers.allow]).toEqual([405, 'POST']);
});

it('names the field that decides about a connection, with what to do about it', async () => {
  const cases: [Record<string, unknown>, string, RegExp][] = [
    [{ host: '127.0.0.1', port: 1, database: 'x' }, 'port', /Check host and port/],
    [{ host: 'no-such-host.invalid', database: 'x' }, 'host', /Check the host/],
  ];
  for (const type of ['pgsql', 'mysql']) {
    for (const [config, field, hint] of cases) {
      const { status, body } = await tried({ type, name: 'x', config });
      expect([status, Object.keys(body.error.context)]).toEqual([503, [field]]);
      expect(body.error.context[field]).toEqual([expect.stringMatching(hint)]);
    }
  }
});
