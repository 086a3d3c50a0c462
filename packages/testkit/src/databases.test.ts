// The databases that other tests stand on: fresh, apart from each other, and gone afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTo } from './databases/access.ts';
import { createDatabase, isForgotten } from './databases/fresh.ts';
import {
  type Engine,
  engineMissing,
  freshDatabase,
  kits,
  type OwnServer,
  ownServer,
  redisMissing,
  testRedis,
} from './databases.ts';

const engines: Engine[] = ['pgsql', 'mysql'];

describe.each(engines)('%s', async (engine) => {
  const missing = await engineMissing(engine);

  it.skipIf(missing)('gives databases of their own that are gone after the drop', async () => {
    const [one, other] = await Promise.all([freshDatabase(engine), freshDatabase(engine)]);
    await one.run("create table t (a int, b varchar(9)); insert into t values (1, 'x'), (2, 'y')");
    expect(await one.run('select a, b from t order by a')).toEqual([
      [1, 'x'],
      [2, 'y'],
    ]);
    expect(await one.run('select 1; select a from t where a > 1')).toEqual([[2]]);
    await expect(other.run('select a from t')).rejects.toThrow();
    expect(new URL(one.url).pathname).toBe(`/${one.database}`);
    await one.drop();
    await other.drop();
    const left = (await kits[engine].run((await accessTo(kits[engine]))!.login, kits[engine].sql.databases)).flat();
    expect(left).not.toContain(one.database);
    expect(left).not.toContain(other.database);
  });

  describe.skipIf(!kits[engine].program())('a server of its own', () => {
    let server: OwnServer;
    beforeAll(async () => {
      server = await ownServer(engine);
    });
    afterAll(() => server.remove());

    it('keeps what was written through an orderly stop and a kill, on the same port', async () => {
      await server.run('create database d');
      await server.run('create table t (a int); insert into t values (1)', 'd');
      const { port } = server;
      await server.stop();
      await expect(server.run('select 1')).rejects.toThrow();
      await server.start();
      await server.run('insert into t values (2)', 'd');
      await server.kill();
      await expect(server.run('select 1')).rejects.toThrow();
      await server.start();
      expect(server.port).toBe(port);
      expect(await server.run('select a from t order by a', 'd')).toEqual([[1], [2]]);
    });

    it('is used by its socket where only that lets the superuser in, through a login that goes with the database', async () => {
      const kit = { ...kits[engine], variable: 'NO_SUCH', defaultPort: server.port, sockets: [server.socketPath] };
      const database = await createDatabase(kit);
      expect(database).toMatchObject({ port: server.port, user: database?.database });
      await database?.run('create table t (a int)');
      await database?.drop();
      await expect(kit.run(database!, 'select 1')).rejects.toThrow();
    });

    it('wants its password', async () => {
      await expect(kits[engine].run({ ...server, password: 'another' }, 'select 1')).rejects.toThrow();
    });
  });
});

it('only databases of ours that are older than a day count as forgotten', () => {
  const now = Date.UTC(2025, 2, 14, 12);
  expect(isForgotten('sluice_test_202503131159_0a1b2c', now)).toBe(true);
  expect(isForgotten('sluice_test_202503131201_0a1b2c', now)).toBe(false);
  expect(isForgotten('sluice_test_mine', now)).toBe(false);
  expect(isForgotten('shop_202503131159_0a1b2c', now)).toBe(false);
});

it.skipIf(await redisMissing())('there is a Redis', async () => {
  expect(await testRedis()).toMatch(/^redis:\/\//);
});
