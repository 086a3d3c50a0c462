import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { countRounds } from '@sluice/testkit/rounds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { Database } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import { failureOf } from '../../suite/failure.fixture.ts';
import { insert } from '../../suite/insert.fixture.ts';
import { expectLongTextsInRounds, longTextsSql } from '../../suite/long-texts.fixture.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { openPgsqlDatabase, type PgsqlDatabaseOptions } from './connect.ts';
import { connect } from './driver.ts';
import { nastySql } from './nasty.fixture.ts';

describe.skipIf(await engineMissing('pgsql'))('PostgreSQL', () => {
  let testDatabase: TestDatabase;
  const openDatabases: Database[] = [];
  const aDatabase = (options: Partial<PgsqlDatabaseOptions> = {}) => {
    const newDatabase = openPgsqlDatabase({ ...testDatabase, ...options });
    openDatabases.push(newDatabase);
    return newDatabase;
  };
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    await testDatabase.run(nastySql);
    await testDatabase.run(`create view prepared as select name, statement from pg_prepared_statements;
      create function forget() returns integer language plpgsql as $$ begin execute 'deallocate all'; return 1; end $$;
      create view forgetful as select forget() as done;
      create view session as select current_setting('timezone') as zone, current_setting('application_name') as app,
        current_setting('search_path') as path, current_setting('work_mem') as memory, pg_backend_pid() as pid`);
  });
  afterAll(async () => {
    await Promise.all(openDatabases.map((database) => database.close()));
    await testDatabase?.drop();
  });

  it('abuse: records with long texts that many connections get at once are read in several rounds', async () => {
    await testDatabase.run(longTextsSql('text'));
    await expectLongTextsInRounds(aDatabase({ maxConnections: 10 }), countRounds());
  });

  describe('prepared statements', () => {
    const names = async (database: Database) => {
      const table = await database.table('prepared');
      const columns = table.columns.filter((column) => column.name === 'statement');
      return (await database.select({ table, columns })).list().map((row) => String(row.statement));
    };
    const readById = async (database: Database, table: Table, id: number) =>
      (
        await database.select({ table, columns: table.columns, where: bindFilter(parseFilter(`id = ${id}`), table) })
      ).list();

    it('are made at the second use of a plan', async () => {
      const database = aDatabase({ maxConnections: 1 });
      const tag = await database.table('tag');
      await readById(database, tag, 1);
      expect((await names(database)).filter((statement) => statement.includes('"tag"'))).toEqual([]);
      await readById(database, tag, 2);
      await readById(database, tag, 3);
      expect((await names(database)).filter((statement) => statement.includes('"tag"'))).toEqual([
        'select "id", "name" from "public"."tag" where "id" = $1',
      ]);
    });

    it('are not made where they may not', async () => {
      const database = aDatabase({ maxConnections: 1, prepare: false });
      const tag = await database.table('tag');
      for (let i = 0; i < 3; i += 1) expect(await readById(database, tag, 1)).toHaveLength(1);
      expect(await names(database)).toEqual([]);
    });

    it('are so many and no more', async () => {
      const database = aDatabase({ maxConnections: 1 });
      const table = await database.table('extreme');
      for (let i = 0; i < 300; i += 1) {
        const columns = table.columns.filter((_, index) => (i + 1) & (1 << (index % 9)));
        for (let round = 0; round < 2; round += 1) await database.select({ table, columns, limit: 1, offset: i % 2 });
      }
      const count = (await names(database)).length;
      expect(count).toBeGreaterThan(200);
      expect(count).toBeLessThanOrEqual(257);
    });

    it('abuse: hold few characters, however long and many the shapes of filters are', async () => {
      const database = aDatabase({ maxConnections: 1 });
      const table = await database.table('extreme');
      const [column] = table.columns;
      const filterOf = (terms: number) =>
        bindFilter(parseFilter(Array.from({ length: terms }, () => `(${column!.name} is null)`).join(' or ')), table);
      for (let i = 0; i < 90; i += 1) {
        const where = filterOf(i % 2 === 0 ? 200 + i : 1000 + i);
        for (let round = 0; round < 3; round += 1) await database.count({ table, where });
      }
      const statements = await names(database);
      expect(statements.length).toBeGreaterThan(10);
      expect(Math.max(...statements.map((text) => text.length))).toBeLessThanOrEqual(16 * 1024);
      expect(statements.join('').length).toBeLessThanOrEqual(260 * 1024);
    });

    it('are prepared again when the server lost them or their table changed', async () => {
      const database = aDatabase({ maxConnections: 1 });
      await testDatabase.run(
        'create table changing (id integer primary key, v integer); insert into changing values (1, 5)',
      );
      const table = await database.table('changing');
      for (let i = 0; i < 3; i += 1) expect(await readById(database, table, 1)).toEqual([{ id: 1, v: 5 }]);
      await rowsOf(database, 'forgetful');
      expect(await readById(database, table, 1)).toEqual([{ id: 1, v: 5 }]);
      for (let i = 0; i < 3; i += 1) await readById(database, table, 1);
      await testDatabase.run('alter table changing alter column v type text');
      // What is known of the table says that it is a number; what is stored goes out all the same.
      expect(await readById(database, table, 1)).toEqual([{ id: 1, v: 5 }]);
      await testDatabase.run("update changing set v = 'a\"b'");
      expect(await readById(database, table, 1)).toEqual([{ id: 1, v: 'a"b' }]);
      const write = (id: number) => insert(table, { id, v: 1 }, table.columns);
      for (let id = 2; id < 5; id += 1) await database.write([write(id)], 'stop');
      await testDatabase.run('alter table changing alter column v type varchar(9)');
      expect(await database.write([write(5), write(6)], 'rollback')).toEqual([
        { rows: [{ id: 5, v: 1 }] },
        { rows: [{ id: 6, v: 1 }] },
      ]);
      await rowsOf(database, 'forgetful');
      expect(await database.write([write(7)], 'stop')).toEqual([{ rows: [{ id: 7, v: 1 }] }]);
    });
  });

  it('prepared statements are prepared again when a type changed below their parameters and their rows', async () => {
    const database = aDatabase({ maxConnections: 1 });
    await testDatabase.run(`create table retyped (id integer primary key, v text, b bytea, m money, f boolean);
      insert into retyped values (1, '5', 'abc', 5, true)`);
    const table = await database.table('retyped');
    const where = bindFilter(parseFilter("v = '5'"), table);
    const read = async () => (await database.select({ table, columns: table.columns, where })).list();
    const write = (id: number) => database.write([insert(table, { id, v: '7' }, [])], 'stop');
    for (let round = 0; round < 3; round += 1) {
      expect(await read()).toEqual([{ id: 1, v: '5', b: 'YWJj', m: 5, f: true }]);
      await write(10 + round);
    }
    await testDatabase.run(`alter table retyped alter column v type integer using v::integer, alter column b type text using 'x"yz',
      alter column m type text using 'a$b', alter column f type text using 'f"'`);
    expect((await write(20))[0]?.failure).toBeUndefined();
    // As what it was described, and JSON all the same.
    expect(await read()).toEqual([{ id: 1, v: '5', b: 'x"yz', m: 'a$b', f: false }]);
  });

  describe('connections', () => {
    it('are set up as the configuration says', async () => {
      expect(await rowsOf(aDatabase(), 'session')).toMatchObject([{ zone: 'UTC', app: 'sluice' }]);
      const database = aDatabase({
        timeZone: 'Europe/Berlin',
        applicationName: "it's ours",
        statements: ["set work_mem = '5MB'"],
      });
      expect(await rowsOf(database, 'session')).toMatchObject([
        { zone: 'Europe/Berlin', app: "it's ours", memory: '5MB' },
      ]);
      expect((await rowsOf(database, 'extreme'))[0]?.stamp).toBe('2018-11-20 09:00:00.123456+01');
    });

    it('say which statement of the configuration failed', async () => {
      const failure = await failureOf(aDatabase({ statements: ['set no_such = 1'] }).test());
      expect([failure.status, failure.message]).toEqual([
        503,
        'A statement the service runs at connect failed: unrecognized configuration parameter "no_such".',
      ]);
    });

    it('are no more than allowed, and used again', async () => {
      const database = aDatabase({ maxConnections: 3 });
      const pids = await Promise.all(Array.from({ length: 50 }, () => rowsOf(database, 'session')));
      expect(new Set(pids.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(3);
      expect(database.load()).toMatchObject({ busy: 0, waiting: 0 });
      expect(database.load().open).toBeLessThanOrEqual(3);
    });

    it('that were cut off while idle are replaced without anybody noticing', async () => {
      const database = aDatabase({ applicationName: 'cut off' });
      const table = await database.table('tag');
      const cut = () =>
        testDatabase.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut off'");
      for (let i = 0; i < 5; i += 1) {
        await cut();
        expect(await database.count({ table })).toBeGreaterThan(1);
      }
      await cut();
      expect(await database.write([insert(await database.table('keyless'), { n: 5 }, [])], 'stop')).toHaveLength(1);
    });

    it('that are cut off while writing do not hide it', async () => {
      await testDatabase.run(`create table slow_one (id integer primary key);
        create function wait_long() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return new; end $$;
        create trigger wait_long before insert on slow_one for each row execute function wait_long()`);
      const database = aDatabase({ applicationName: 'cut in the middle' });
      const table = await database.table('slow_one');
      for (const [writes, key] of [
        [[{ id: 1 }], 'database.unsure'],
        [[{ id: 1 }, { id: 2 }], 'database.lost'],
      ] as const) {
        const writing = failureOf(
          database.write(
            writes.map((values) => insert(table, values)),
            'stop',
          ),
        );
        await new Promise((resolve) => setTimeout(resolve, 300));
        await testDatabase.run(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut in the middle' and query like 'insert%'",
        );
        expect((await writing).key).toBe(key);
      }
      const stopped = await failureOf(database.write([insert(table, { id: 1 })], 'stop', { timeout: 300 }));
      expect(stopped.key).toBe('database.timeout');
      expect(await database.count({ table })).toBe(0);
    });

    it('that were cancelled are not used again: the request might stop the next statement', async () => {
      const connection = await connect(testDatabase);
      expect(connection.isUsable).toBe(true);
      const sleeping = connection.command('select pg_sleep(20)').catch((error: { code: string }) => error.code);
      await new Promise((resolve) => setTimeout(resolve, 200));
      connection.cancel();
      expect([await sleeping, connection.isUsable]).toEqual(['57014', false]);
      connection.destroy();
    });

    it('of a stream whose server vanished come free when their time is over', async () => {
      const [sockets, isCut]: [Socket[], { now: boolean }] = [[], { now: false }];
      const proxy = createServer((client) => {
        const upstream = connectSocket(testDatabase.port, testDatabase.host);
        sockets.push(client, upstream);
        for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
          from.on('error', () => {});
          from.on('data', (chunk: Buffer) => {
            if (!isCut.now) to.write(chunk);
          });
        }
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      await testDatabase.run('create table if not exists long_list as select generate_series(1, 50000) as n');
      const database = aDatabase({ host: '127.0.0.1', port, sslMode: 'disable', timeout: 300, grace: 100 });
      const table = await database.table('long_list');
      const rows = database.stream({ table, columns: table.columns })[Symbol.asyncIterator]();
      expect((await rows.next()).value?.count).toBeGreaterThan(0);
      isCut.now = true;
      await rows.return?.();
      expect(database.load().busy).toBe(0);
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });

    it('refuses an answer that is too long', async () => {
      const database = aDatabase({ answerLimit: 100 });
      const failure = await failureOf(rowsOf(database, 'extreme'));
      expect([failure.status, failure.message]).toEqual([400, 'The answer is longer than 100 characters.']);
      expect(await rowsOf(database, 'volatile_one')).toEqual([{ id: 1 }]);
    });

    it.each<[string, Partial<PgsqlDatabaseOptions>, string]>([
      ['a host nobody knows', { host: 'no-such-host.invalid' }, 'database.hostUnknown'],
      ['a port nobody listens at', { host: '127.0.0.1', port: 1 }, 'database.refused'],
      ['no socket', { host: '/nowhere' }, 'database.refused'],
      ['no such database', { database: 'sluice_test_none' }, 'database.databaseUnknown'],
    ])('%s', async (_, options, key) => {
      const database = aDatabase(options);
      for (const action of [() => database.test(), () => database.tables(), () => database.table('x')]) {
        const failure = await failureOf(action());
        expect([failure.key, failure.status]).toEqual([key, 503]);
        expect(failure.message).not.toMatch(/nowhere|invalid|127/);
      }
    });
  });
});
