import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '@sluice/contract';
import { engineMissing, type OwnServer, ownServer } from '@sluice/testkit/databases';
import { startPlatform } from '@sluice/testkit/platform';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '../../settings/start-error.ts';
import { openStore, type StoreLocation } from '../index.ts';

const quiet = { info() {}, warn() {} };
const engines = [
  {
    engine: 'pgsql',
    schemes: ['postgres', 'postgresql'],
    running: `select count(*) from pg_stat_activity where state = 'active' and query like '%a, information_schema%' and pid <> pg_backend_pid()`,
    sleep: (seconds: number) => sql`select pg_sleep(${seconds})`,
  },
  {
    engine: 'mysql',
    schemes: ['mysql', 'mariadb'],
    running: `select count(*) from information_schema.processlist where info like '%a, information_schema%' and id <> connection_id()`,
    sleep: (seconds: number) => sql`select sleep(${seconds})`,
  },
] as const;

/** Takes minutes on every server. */
const longJoin = sql`select count(*) as count
  from information_schema.columns a, information_schema.columns b, information_schema.columns c`;

for (const { engine, schemes, running, sleep } of engines) {
  describe.skipIf(await engineMissing(engine))(`a store on ${engine}`, () => {
    let server: OwnServer;
    const database = `sluice_test_${engine}`;
    const address = (
      change: Partial<{ scheme: string; user: string; password: string; at: string; end: string }> = {},
    ) => {
      const { scheme = schemes[0], user = server.user, password = server.password } = change;
      const { at = `${server.host}:${server.port}`, end = `/${database}` } = change;
      return `${scheme}://${user}:${password}@${at}${end}`;
    };
    const start = (url: string, options: Partial<StoreLocation> = {}) =>
      openStore({ url, dataFolder: '', log: quiet, ...options });
    const statusOf = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return error instanceof Failure ? error.key : error;
    };

    beforeAll(async () => {
      server = await ownServer(engine);
      await server.run(`create database ${database}`);
    });
    afterAll(() => server.remove());

    test.each(schemes)('opens by %s://, by socket, and with a name that has signs in it', async (scheme) => {
      const odd = `${database} @:/#?%ä`;
      const quoted = engine === 'pgsql' ? `"${odd}"` : `\`${odd}\``;
      await server.run(`create database ${quoted}`);
      const socket = engine === 'pgsql' ? `?host=${server.socketPath}` : `?socketPath=${server.socketPath}`;
      for (const url of [
        address({ scheme }),
        address({ scheme, end: `/${encodeURIComponent(odd)}` }),
        `${scheme}:///${database}${socket}&port=${server.port}&user=${server.user}`,
      ]) {
        const store = await start(url);
        expect(store).toMatchObject({ driver: engine, file: null });
        await store.ping();
        await store.close();
      }
      await server.run(`drop database ${quoted}`);
    });

    test('that cannot be opened is reported in one line without the password', async () => {
      const nobody = await takenAndSilent();
      const cases: [url: string, words: RegExp, busyTimeout?: number][] = [
        [address({ password: 'geheim' }), /password/],
        [address({ user: 'nobody', password: 'geheim' }), /nobody/],
        [address({ end: '/not_there' }), /there is no database not_there\. Make it with: create database /],
        [address({ at: '127.0.0.1:1' }), /nothing answers at 127\.0\.0\.1:1\. Is the server running\?/],
        [address({ at: 'no.such.host.invalid' }), /the host no\.such\.host\.invalid is not known/],
        [address({ at: `127.0.0.1:${nobody.port}` }), /does not answer within 0.5 s/, 500],
        [address({ end: '' }), /names no database/],
        [address({ end: `/${database}?sslmode=require` }), /does not speak TLS/],
        [address({ end: `/${database}?sslmode=prefer` }), /sslmode is disable, require, verify-ca or verify-full/],
        [address({ end: `/${database}?slmode=require` }), /knows the parameters .*, not "slmode"/],
        [address({ end: `/${database}?sslrootcert=/not/there.pem` }), /the file \/not\/there\.pem cannot be read/],
        [`${schemes[0]}://user:geheim@[bad`, /is no valid address/],
      ];
      for (const [url, words, busyTimeout] of cases) {
        const error = (await start(url, busyTimeout === undefined ? {} : { busyTimeout }).catch(
          (thrown: unknown) => thrown,
        )) as Error;
        expect(error).toBeInstanceOf(StartError);
        expect(error.message).toMatch(words);
        expect(error.message).not.toMatch(/geheim|\n/);
        expect(error.message).not.toContain(server.password);
      }
      await nobody.close();
    });

    test('stops statements that take too long, and can be used at once', async () => {
      const store = await start(address(), { timeLimit: 300, connections: 1 });
      // MariaDB ends a sleep early without an error; a long join is what it is for.
      const long = engine === 'pgsql' ? sleep(30) : longJoin;
      expect(await statusOf(long.execute(store.db))).toBe('store.timeout');
      await store.ping();
      await store.close();
    });

    test('abuse: ends a search on the server when its caller goes away, and uses the connection again', async () => {
      const store = await start(address(), { timeLimit: 600_000, connections: 1 });
      const count = async () => Number((await server.run(running))[0]?.[0]);
      const search = (signal: AbortSignal) => {
        const options = { columns: { count: 'integer' as const }, passes: 1, caller: 'joe', signal };
        return statusOf(store.search({ compile: () => longJoin.compile(store.db) }, options));
      };
      for (let round = 0; round < 3; round++) {
        const caller = new AbortController();
        const outcome = search(caller.signal);
        await expect.poll(count, { timeout: 10_000 }).toBe(1);
        caller.abort();
        expect(await outcome).toBe('database.cancelled');
        await expect.poll(count, { timeout: 10_000 }).toBe(0);
        // What ended one statement must not meet the next ones.
        for (let at = 0; at < 10; at++) await store.ping();
      }
      expect(await search(AbortSignal.abort())).toBe('database.cancelled');
      await store.close();
    }, 60_000);

    test('says that it is busy when no connection gets free', async () => {
      const store = await start(address(), { connections: 1, timeLimit: 60_000, busyTimeout: 1_500 });
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const busyConnection = store.db.connection().execute(() => released);
      expect(await statusOf(store.ping())).toBe('store.unavailable');
      release();
      await busyConnection;
      await store.ping();
      await store.close();
    });

    test('goes on after its connections were cut, used or not', async () => {
      const store = await start(address());
      await Promise.all(Array.from({ length: 5 }, () => sleep(0.05).execute(store.db)));
      const used = statusOf(sleep(20).execute(store.db));
      await wait(200);
      await cut();
      expect(await used).toBe('store.unavailable');
      await wait(200);
      for (let at = 0; at < 12; at++) await store.ping();
      await store.close();
    });

    test('answers 503 while the server is gone and is used again when it is back', async () => {
      const platform = await startPlatform({ databaseUrl: address() });
      const state = async () => [
        (await platform.ask('GET', '/readyz', { token: null })).status,
        (await platform.ask('GET', 'system/role')).status,
        (await platform.ask('POST', 'system/role', { body: { resource: [{ name: `role${Math.random()}` }] } })).status,
        (await platform.ask('POST', 'user/session', { body: { email: 'x@example.com', password: 'y' }, token: null }))
          .status,
        (await platform.ask('GET', '/healthz', { token: null })).status,
      ];
      expect(await state()).toEqual([200, 200, 201, 401, 200]);
      for (const end of [server.stop, server.kill]) {
        await end();
        // Processes of a server that was killed may answer until they notice it.
        await comesTo(state, [503, 503, 503, 503, 200]);
        const { body } = await platform.ask('GET', 'system/role');
        expect(body.error).toMatchObject({
          code: 503,
          message: 'The store of this platform does not answer. Please try again in a moment.',
        });
        await server.start();
        await comesTo(state, [200, 200, 201, 401, 200]);
      }
      await platform.stop();
    }, 60_000);

    /** Ends every connection but the one that does it. */
    async function cut(): Promise<void> {
      if (engine === 'pgsql') {
        await server.run(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
        );
        return;
      }
      const rows = await server.run(
        "select id from information_schema.processlist where user = 'root' and id <> connection_id()",
      );
      for (const [id] of rows) await server.run(`kill ${id}`).catch(() => {});
    }
  });
}

/** Waits until it is so: clients notice at once that a server is back, but not in the same moment. */
async function comesTo(state: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (JSON.stringify(await state()) === JSON.stringify(expected)) return;
    await wait(100);
  }
  expect(await state()).toEqual(expected);
}

/** A port that takes connections and never says anything. */
async function takenAndSilent() {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
