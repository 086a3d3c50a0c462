// Several processes on one store: what is changed in one acts in the other, and what may be done once is done once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openSqlite } from '@sluice/sql';
import { engineMissing, freshDatabase, type TestDatabase, testRedis } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProcessRequest, type ProcessResponse, startProcess, type TestProcess } from './process.fixture.ts';

interface Place {
  name: string;
  missing?: string | undefined;
  database?: 'pgsql' | 'mysql';
  redis?: boolean;
  /** Milliseconds after which a change acts elsewhere on a busy machine; none where the others are waited for. */
  delay: number;
}

const places: Place[] = [
  { name: 'one SQLite file', delay: 5_000 },
  { name: 'one SQLite file and Redis', redis: true, delay: 0 },
  { name: 'one PostgreSQL database', database: 'pgsql', missing: await engineMissing('pgsql'), delay: 0 },
  { name: 'one MariaDB database', database: 'mysql', missing: await engineMissing('mysql'), delay: 5_000 },
];

const admin = { password: 'correct horse', first_name: 'Ada', last_name: 'Doe' };

describe.each(places)('two processes on $name', ({ missing, database: engine, redis, delay }) => {
  const test = it.skipIf(missing);
  const folders: string[] = [];
  const folder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'sluice-processes-')));
    return folders.at(-1) as string;
  };
  let database: TestDatabase | undefined;
  let a: TestProcess;
  let b: TestProcess;
  let root = '';

  beforeAll(async () => {
    if (missing) return;
    database = engine && (await freshDatabase(engine));
    const shared = {
      ...(database ? { SLUICE_DATABASE_URL: database.url, SLUICE_SECRET: 's'.repeat(40) } : {}),
      ...(redis ? { SLUICE_REDIS_URL: await testRedis() } : {}),
    };
    // Two on one file share its folder; two on one database are two machines.
    const first = folder();
    [a, b] = await Promise.all([
      startProcess({ ...shared, SLUICE_DATA: first }),
      startProcess({ ...shared, SLUICE_DATA: database ? folder() : first }),
    ]);
  });
  afterAll(async () => {
    const ended = await Promise.all([a?.stop(), b?.stop()]);
    await database?.drop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    if (!missing) expect(ended).toEqual([0, 0]);
  });

  /** Asks until the answer is the one expected, for as long as a change may take to act. */
  async function until(asking: () => Promise<unknown>, expected: unknown): Promise<void> {
    const end = performance.now() + delay;
    for (;;) {
      const answer = await asking();
      if (isDeepStrictEqual(answer, expected)) return;
      if (performance.now() > end) expect(answer).toEqual(expected);
      await wait(20);
    }
  }
  const soon = (of: TestProcess, status: number, verb: string, path: string, asking: ProcessRequest) =>
    until(async () => (await of.ask(verb, path, asking)).status, status);

  const asRoot = async (verb: string, path: string, body?: unknown): Promise<ProcessResponse> => {
    const answer = await a.ask(verb, path, { body, token: root });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer;
  };
  const create = async (
    resource: string,
    record: object,
    related = '',
  ): Promise<{ id: number } & Record<string, never>> =>
    (await asRoot('POST', `system/${resource}?fields=*&related=${related}`, { resource: [record] })).body.resource[0];

  test('both come up on an empty store, and take the code that either printed', async () => {
    const [code, other] = [a, b].map((process) => /set-up code (\S+)/.exec(process.output())?.[1]);
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(other).toBe(code);
    const setUp = (of: TestProcess, email: string) =>
      of.ask('POST', 'system/admin/setup', { body: { ...admin, email, code } });
    const answers = await Promise.all([setUp(a, 'ada@example.com'), setUp(b, 'eve@example.com')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    root = answers.find(({ status }) => status === 201)?.body.session_token;
    expect((await a.ask('GET', 'system/admin', { token: root })).body.resource).toHaveLength(1);
    for (const process of [a, b]) expect(await setUp(process, 'kim@example.com')).toMatchObject({ status: 404 });
  });

  describe('a change in one acts in the other', () => {
    let role: { id: number };
    let service: { id: number };
    let app: { id: number; api_key?: string };
    let person: { id: number };
    let asker: Required<Pick<ProcessRequest, 'token' | 'key'>>;
    const login = { email: 'jo@example.com', password: 'battery staple' };
    const signIn = async (of: TestProcess) =>
      (await of.ask('POST', 'user/session', { body: login, key: asker.key })).body.session_token as string;

    test('once all is there', async () => {
      service = await create('service', {
        name: 'shop',
        label: 'Shop',
        type: 'sqlite',
        is_active: true,
        config: { database: 'shop.sqlite' },
      });
      role = await create('role', {
        name: 'reader',
        is_active: true,
        role_service_access_by_role_id: [{ service_id: service.id, component: '*', verb_mask: 31, requestor_mask: 1 }],
      });
      app = await create('app', { name: 'portal', is_active: true, type: 0 });
      person = await create('user', {
        ...login,
        name: 'Jo',
        is_active: true,
        user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
      });
      asker = { key: String(app.api_key), token: '' };
      asker.token = await signIn(a);
      await soon(b, 200, 'GET', 'shop/_table', asker);
    });

    test('roles', async () => {
      await asRoot('PATCH', `system/role/${role.id}`, { is_active: false });
      await soon(b, 403, 'GET', 'shop/_table', asker);
      await asRoot('PATCH', `system/role/${role.id}`, { is_active: true });
      await soon(b, 200, 'GET', 'shop/_table', asker);
    });

    test('the key of an app', async () => {
      const old = asker.key;
      asker.key = 'k'.repeat(64);
      await asRoot('PATCH', `system/app/${app.id}`, { api_key: asker.key });
      await soon(b, 200, 'GET', 'shop/_table', asker);
      await soon(b, 403, 'GET', 'shop/_table', { ...asker, key: old });
    });

    test('services: their configuration, their state, that they are gone', async () => {
      const file = join(folder(), 'elsewhere.sqlite');
      const elsewhere = openSqlite(file, { create: true });
      elsewhere.exec('create table thing (id integer primary key)');
      elsewhere.close();
      await asRoot('PATCH', `system/service/${service.id}`, { config: { database: file } });
      await until(async () => (await b.ask('GET', 'shop/_table', asker)).body.resource, [{ name: 'thing' }]);
      await asRoot('PATCH', `system/service/${service.id}`, { is_active: false });
      await soon(b, 403, 'GET', 'shop/_table', asker);
      await asRoot('PATCH', `system/service/${service.id}`, { is_active: true });
      await soon(b, 200, 'GET', 'shop/_table', asker);
      const extra = await create('service', {
        name: 'extra',
        label: 'Extra',
        type: 'sqlite',
        is_active: true,
        config: { database: 'extra.sqlite' },
      });
      await soon(b, 200, 'GET', 'extra/_table', { token: root });
      await asRoot('DELETE', `system/service/${extra.id}`);
      await soon(b, 404, 'GET', 'extra/_table', { token: root });
    });

    test('lookup keys that configurations name', async () => {
      const [one, two] = [join(folder(), 'one.sqlite'), join(folder(), 'two.sqlite')];
      for (const file of [one, two]) {
        const database = openSqlite(file, { create: true });
        database.exec(`create table of_${file === one ? 'one' : 'two'} (id integer primary key)`);
        database.close();
      }
      const key = await create('lookup', { name: 'place', value: one, private: true });
      const config = { database: '{place}' };
      const named = { name: 'named', label: 'Named', type: 'sqlite', is_active: true, config };
      const { id } = await create('service', named);
      const tables = async () => (await b.ask('GET', 'named/_table?as_list=true', { token: root })).body.resource;
      await until(tables, ['of_one']);
      await asRoot('PATCH', `system/lookup/${key.id}`, { value: two, private: true });
      await until(tables, ['of_two']);
      await asRoot('DELETE', `system/lookup/${key.id}`);
      await soon(b, 503, 'GET', 'named/_table', { token: root });
      await asRoot('DELETE', `system/service/${id}`);
    });

    test('what a service says of its tables', async () => {
      const alias = (name: string) => asRoot('PATCH', 'shop/_schema/thing', { alias: name });
      await alias('item');
      await until(async () => (await b.ask('GET', 'shop/_table', asker)).body.resource, [{ name: 'item' }]);
      await soon(b, 404, 'GET', 'shop/_table/thing', asker);
      await alias('');
      await soon(b, 200, 'GET', 'shop/_table/thing', asker);
    });

    test('a person who is deactivated, and one who signs out', async () => {
      await asRoot('PATCH', `system/user/${person.id}`, { is_active: false });
      await soon(b, 403, 'GET', 'shop/_table', asker);
      await asRoot('PATCH', `system/user/${person.id}`, { is_active: true });
      asker.token = await signIn(a);
      await soon(b, 200, 'GET', 'shop/_table', asker);
      expect(await a.ask('DELETE', 'user/session', asker)).toMatchObject({ status: 200 });
      await soon(b, 403, 'GET', 'shop/_table', asker);
    });

    test('a token that both are asked to renew is renewed once', async () => {
      for (let round = 0; round < 5; round++) {
        const token = await signIn(a);
        await soon(b, 200, 'GET', 'shop/_table', { ...asker, token });
        const answers = await Promise.all(
          [a, b].map((process) => process.ask('PUT', 'user/session', { ...asker, token })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      }
    });
  });
});

describe('a server of notices that cannot be used', () => {
  it('is reported at start in one line, without its password', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-processes-'));
    try {
      const refused = startProcess({ SLUICE_DATA: folder, SLUICE_REDIS_URL: 'redis://:geheim@127.0.0.1:1' });
      const { message } = await refused.then(
        () => new Error('it came up'),
        (error: Error) => error,
      );
      expect(message).toBe(
        'ended with 1:\nSluice cannot start: The Redis server at 127.0.0.1:1 (SLUICE_REDIS_URL) cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
