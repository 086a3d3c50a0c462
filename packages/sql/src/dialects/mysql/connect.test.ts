import { createServer, type Server, type Socket } from 'node:net';
import { Failure } from '@sluice/contract';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { countRounds } from '@sluice/testkit/rounds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { Database, Row, Write } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import { expectLongTextsInRounds, longTextsSql } from '../../suite/long-texts.fixture.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { openMysqlDatabase } from './connect.ts';
import { type MysqlOptions, MysqlServer } from './driver.ts';
import { mysqlPlan } from './plan.ts';

const none = { database: 'x', user: 'x', password: 'hush-hush' };

/** The failure of a connection test, whose words never hold the password. */
async function testOf(options: MysqlOptions): Promise<Failure> {
  const database = openMysqlDatabase(options);
  try {
    await database.test();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(`${error.message} ${error.hint}`).not.toContain('hush-hush');
    return error;
  } finally {
    await database.close();
  }
  throw new Error('it connected');
}

describe('what cannot be reached', () => {
  it.each<[string, MysqlOptions]>([
    ['hostUnknown', { ...none, host: 'no-such-host.invalid' }],
    ['refused', { ...none, host: '127.0.0.1', port: 1 }],
    ['refused', { ...none, socketPath: '/nowhere/mysqld.sock' }],
  ])('%s', async (key, options) => {
    const failure = await testOf(options);
    expect([failure.key, failure.status]).toEqual([`database.${key}`, 503]);
  });

  it('a server that speaks something else, or nothing', async () => {
    const sockets = new Set<Socket>();
    const listen = async (talk: (socket: Socket) => void) => {
      const server = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
        talk(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    };
    const portOf = (server: Server) => (server.address() as { port: number }).port;
    const other = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const silent = await listen((socket) => socket.end());
    try {
      for (const server of [other, silent]) {
        const failure = await testOf({ ...none, host: '127.0.0.1', port: portOf(server) });
        expect([failure.key, failure.status]).toEqual(['database.lost', 503]);
      }
    } finally {
      for (const socket of sockets) socket.destroy();
      other.close();
      silent.close();
    }
  });
});

describe.skipIf(await engineMissing('mysql'))('on a server', () => {
  let testDatabase: TestDatabase;
  let options: MysqlOptions;
  let database: Database;
  let items: Table;
  const databases: Database[] = [];
  const open = (overrides: Partial<MysqlOptions> = {}) => {
    const newDatabase = openMysqlDatabase({ ...options, ...overrides });
    databases.push(newDatabase);
    return newDatabase;
  };
  beforeAll(async () => {
    testDatabase = await freshDatabase('mysql');
    const { host, port, user, password } = testDatabase;
    options = { host, port, user, password, database: testDatabase.database, schema: 'default' };
    await testDatabase.run(`create table item (id int auto_increment primary key, name varchar(5), day date, at timestamp null, doc longtext);
      create table counter (id int primary key, n int not null); insert into counter values (1, 0), (2, 0);
      create table strange (id int primary key, name varchar(20) collate utf8mb4_general_ci unique);
      create view endless as select seq as n from seq_1_to_1000000000 where sleep(0.01) > 1`);
    database = open();
    items = await database.table('item');
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await testDatabase?.drop();
  });

  const insert = (values: Row, table = items): Write => ({ kind: 'insert', table, values, returning: table.columns });
  const where = (filter: string, table: Table) => bindFilter(parseFilter(filter), table);
  const written = async (target: Database, write: Write) => {
    const [outcome] = await target.write([write], 'stop');
    return outcome?.failure ?? outcome?.rows[0];
  };

  it.each<[string, Partial<MysqlOptions>]>([
    ['login', { user: 'nobody_at_all', password: 'hush-hush' }],
    ['login', { password: 'hush-hush' }],
    ['databaseUnknown', { database: 'no_such_database' }],
    ['statement', { statements: ['set nothing_known = 1'] }],
    ['noTls', { tls: { mode: 'required' } }],
    ['certificate', { tls: { mode: 'verify_ca', ca: '/nowhere/ca.pem' } }],
    ['certificate', { host: '127.0.0.1', tls: { mode: 'verify_identity' } }],
  ])('tells that it is the %s', async (key, overrides) => {
    const failure = await testOf({ ...options, ...overrides });
    expect([failure.key, failure.status]).toEqual([`database.${key}`, 503]);
  });

  it('does without TLS where that is preferred only', async () => {
    await expect(open({ tls: { mode: 'preferred' } }).test()).resolves.toBeUndefined();
  });

  it('abuse: records with long texts that many connections get at once are read in several rounds', async () => {
    await testDatabase.run(longTextsSql('longtext'));
    await expectLongTextsInRounds(open({ maxConnections: 10 }), countRounds());
  });

  it('reads a record of more bytes than a packet has', async () => {
    await testDatabase.run(`create table long_record (id integer primary key, a longtext, b longtext);
      insert into long_record values (1, repeat('a', 9000000), repeat('é', 5000000)), (2, 'short', null)`);
    const [one, two] = await rowsOf(open(), 'long_record');
    expect(one?.a === 'a'.repeat(9_000_000)).toBe(true);
    expect(one?.b === 'é'.repeat(5_000_000)).toBe(true);
    expect(two).toEqual({ id: 2, a: 'short', b: null });
  });

  it('tells that the user may not', async () => {
    await testDatabase.run(`create user '${testDatabase.database}_poor'@'%' identified by 'x', '${testDatabase.database}_poor'@'localhost' identified by 'x';
      grant select on ${testDatabase.database}.item to '${testDatabase.database}_poor'@'%', '${testDatabase.database}_poor'@'localhost'`);
    const poor = { user: `${testDatabase.database}_poor`, password: 'x' };
    try {
      const failure = await testOf({ ...options, ...poor, database: 'mysql' });
      expect(failure.key).toBe('database.notAdmitted');
      const ownDatabase = open(poor);
      // What it may see is what there is.
      expect((await ownDatabase.tables()).map((entry) => entry.name)).toEqual(['item']);
      expect(await written(ownDatabase, insert({ name: 'x' }, await ownDatabase.table('item')))).toMatchObject({
        key: 'database.denied',
        status: 403,
        message: expect.stringContaining('INSERT command denied'),
      });
    } finally {
      await testDatabase.run(
        `drop user '${testDatabase.database}_poor'@'%', '${testDatabase.database}_poor'@'localhost'`,
      );
    }
  });

  it('refuses what does not fit, unless told otherwise', async () => {
    for (const [values, code] of [
      [{ name: 'too long' }, 1406],
      [{ day: '2018-13-01' }, 1292],
      [{ id: 'x' }, 1366],
    ] as const)
      expect(await written(database, insert(values))).toMatchObject({ key: 'record.database', status: 400, code });
    const lenient = open({ strict: false });
    expect(await written(lenient, insert({ name: 'too long' }))).toMatchObject({ name: 'too l' });
    const chosen = open({ modes: 'STRICT_ALL_TABLES,PAD_CHAR_TO_FULL_LENGTH', strict: false });
    expect(await written(chosen, insert({ name: 'too long' }))).toMatchObject({ code: 1406 });
  });

  it('speaks in UTC, or the time zone of the configuration', async () => {
    const row = (await written(database, insert({ at: '2018-11-20 10:00:00' }))) as Row;
    const shownMoment = async (target: Database) =>
      (await target.select({ table: items, columns: items.columns, where: where(`id = ${row.id}`, items) })).list()[0]
        ?.at;
    expect(await shownMoment(database)).toBe('2018-11-20 10:00:00');
    expect(await shownMoment(open({ timezone: '+02:00' }))).toBe('2018-11-20 12:00:00');
    expect((await testOf({ ...options, timezone: 'Nowhere/Land' })).message).toMatch(/time zone/i);
  });

  it('runs the statements of the configuration at connect, and takes a collation', async () => {
    const server = new MysqlServer({ ...options, statements: ['set @mine = 7'], collation: 'utf8mb4_bin' });
    const connection = await server.connect();
    const plan = mysqlPlan('select @mine, @@collation_connection', []);
    expect(await connection.values(plan, [])).toEqual([['7', 'utf8mb4_bin']]);
    await connection.end();
  });

  it('refuses what the server would cut the connection for, and goes on', async () => {
    const [[limit]] = (await testDatabase.run('select @@max_allowed_packet')) as [[number]];
    const before = database.load().open;
    const doc = 'é'.repeat(Number(limit) / 2 + 1);
    const outcomes = await database.write([insert({ name: 'a' }), insert({ doc }), insert({ name: 'b' })], 'continue');
    expect(outcomes.map((outcome) => outcome.failure?.code ?? outcome.rows?.[0]?.name)).toEqual(['a', 1153, 'b']);
    expect(outcomes[1]?.failure?.message).toContain('max_allowed_packet');
    expect(database.load().open).toBe(before);
    const large = 'x'.repeat(Number(limit) - 2000);
    expect(await written(database, { ...insert({ doc: large }), returning: items.key } as Write)).toEqual({
      id: expect.any(Number),
    });
  });

  it('keeps no more statements open than it should', async () => {
    const server = new MysqlServer(options);
    const connection = await server.connect();
    // Of this session: what is prepared by others, such as tests beside this one, does not count.
    const count = async (name: string) => {
      const [row] = await connection.values(mysqlPlan(`show session status like '${name}'`, []), []);
      return Number(row?.[1]);
    };
    const open = async () => (await count('Com_stmt_prepare')) - (await count('Com_stmt_close'));
    const before = await open();
    for (let i = 0; i < 500; i += 1)
      expect(await connection.values(mysqlPlan(`select ${i}`, []), [])).toEqual([[`${i}`]]);
    const after = await open();
    expect([after - before > 50, after - before <= 200]).toEqual([true, true]);
    await connection.end();
  });

  it('abuse: keeps no statement open that is long', async () => {
    const connection = await new MysqlServer(options).connect();
    const count = async (name: string) => {
      const [row] = await connection.values(mysqlPlan(`show session status like '${name}'`, []), []);
      return Number(row?.[1]);
    };
    const open = async () => (await count('Com_stmt_prepare')) - (await count('Com_stmt_close'));
    await open();
    const before = await open();
    for (let i = 0; i < 20; i += 1) await connection.values(mysqlPlan(`select ${i}, '${'x'.repeat(20_000)}'`, []), []);
    expect(await open()).toBe(before);
    for (let i = 0; i < 100; i += 1) await connection.values(mysqlPlan(`select ${i}, '${'x'.repeat(10_000)}'`, []), []);
    expect((await open()) - before).toBeLessThanOrEqual(26);
    await connection.end();
  });

  it('stops in the database what it stops, and what it leaves early', async () => {
    const endless = await database.table('endless');
    const running = async () =>
      Number(
        (
          (await testDatabase.run(
            `select count(*) from information_schema.processlist where db = '${testDatabase.database}' and info like '%endless%' and info not like '%processlist%'`,
          )) as [[number]]
        )[0][0],
      );
    const ended = async () => {
      for (let i = 0; i < 40 && (await running()) > 0; i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
      return running();
    };
    const caller = new AbortController();
    const counting = database.count({ table: endless }, { signal: caller.signal });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await running()).toBe(1);
    caller.abort();
    await expect(counting).rejects.toMatchObject({ key: 'database.cancelled' });
    expect(await ended()).toBe(0);
    const rows = database.stream({ table: endless, columns: endless.columns }, { signal: AbortSignal.timeout(400) });
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toMatchObject({ key: 'database.cancelled' });
    expect(await ended()).toBe(0);
  });

  it('commits by itself, whatever the server leaves to its clients', async () => {
    const server = new MysqlServer({ ...options, statements: ['set autocommit = 0'] });
    const connection = await server.connect();
    expect(await connection.values(mysqlPlan('select @@autocommit', []), [])).toEqual([['1']]);
    await connection.end();
  });

  it('has a limit in the server too', async () => {
    const server = new MysqlServer({ ...options, timeout: 1500 });
    const connection = await server.connect();
    const limit = async () => (await connection.values(mysqlPlan('select @@max_statement_time', []), []))[0]?.[0];
    expect(Number(await limit())).toBe(7);
    const rows = connection.stream(mysqlPlan('select 1 from seq_1_to_3', []), []);
    await rows.next();
    await rows.close();
    expect(Number(await limit())).toBe(7);
    await connection.end();
  });

  it('tries a transaction once more that a deadlock undid', async () => {
    const table = await database.table('counter');
    const add = (id: number): Write => ({
      kind: 'update',
      table,
      values: { n: { expression: 'now' } },
      where: where(`id = ${id}`, table),
      returning: table.key,
    });
    const set = (id: number, n: number): Write => ({ ...add(id), values: { n } }) as Write;
    // Each pair locks the two rows in another order than its neighbour.
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const pair = i % 2 === 0 ? [set(1, i), set(2, i)] : [set(2, i), set(1, i)];
        return database.write(pair, 'rollback').catch((error: unknown) => error);
      }),
    );
    for (const outcome of outcomes) {
      if (outcome instanceof Failure) expect(outcome.key).toBe('database.conflict');
      else expect(outcome).toEqual([{ rows: [{ id: expect.any(Number) }] }, { rows: [{ id: expect.any(Number) }] }]);
    }
    const [one, two] = (await database.select({ table, columns: table.columns })).list();
    expect(one?.n).toBe(two?.n);
  });

  it('says that others work on the record when a lock is held for too long', async () => {
    const table = await database.table('counter');
    const impatient = open({ statements: ['set innodb_lock_wait_timeout = 1'] });
    const server = new MysqlServer(options);
    const holder = await server.connect();
    await holder.command('begin');
    await holder.command('update counter set n = 5 where id = 1');
    const change: Write = { kind: 'update', table, values: { n: 6 }, where: where('id = 1', table), returning: [] };
    await expect(impatient.write([change], 'stop')).rejects.toMatchObject({ key: 'database.conflict', status: 503 });
    await holder.command('rollback');
    expect(await impatient.write([change], 'stop')).toEqual([{ rows: [{}] }]);
    await holder.end();
  });

  it('answers rows as they are stored, not as they were asked for', async () => {
    const table = await database.table('strange');
    await database.write([insert({ id: 1, name: 'Ann' }, table)], 'stop');
    const change = (filter: string, values: Row): Write => ({
      kind: 'update',
      table,
      values,
      where: where(filter, table),
      returning: table.columns,
    });
    expect(await written(database, change("name = 'ANN'", { id: 2 }))).toEqual({ id: 2, name: 'Ann' });
    expect(await written(database, change('id = 2', { id: 3, name: 'bob' }))).toEqual({ id: 3, name: 'bob' });
    expect(await written(database, change('id = 2', { name: 'x' }))).toBeUndefined();
  });

  it('is not confused by a connection that the server closes', async () => {
    const ownDatabase = open({ maxConnections: 1 });
    const table = await ownDatabase.table('counter');
    const [[id]] = (await testDatabase.run(
      `select max(id) from information_schema.processlist where db = '${testDatabase.database}' and command = 'Sleep'`,
    )) as [[number]];
    await testDatabase.run(`kill ${id}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ownDatabase.count({ table })).toBe(2);
    expect(ownDatabase.load().open).toBe(1);
  });
});
