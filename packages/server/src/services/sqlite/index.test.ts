import { chmod, link, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, testContext } from '../../database/fixture/call.fixture.ts';
import { configOf } from '../../database/fixture/sqlite.ts';
import type { Service } from '../../service/service.ts';
import { sqlite } from './index.ts';

let folder: string;
let data: string;
const opened: Service[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-sqlite-'));
  data = join(folder, 'data');
  await mkdir(data);
});
afterEach(async () => {
  for (const service of opened.splice(0)) await service.close?.();
  await rm(folder, { recursive: true, force: true });
});

type Config = Parameters<typeof configOf>[0];
const open = async (config: Config): Promise<Service> => {
  const service = await sqlite.open(configOf(config), testContext(data));
  opened.push(service);
  return service;
};
const test = (config: Config) => sqlite.test!(configOf(config), testContext(data));
const check = (config: Config) => () => sqlite.check!(configOf(config));

const make = (file: string, sql = 'CREATE TABLE t (id integer PRIMARY KEY, name text)') => {
  const database = openSqlite(file, { create: true });
  database.exec(sql);
  database.close();
};
const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

describe('the configuration', () => {
  it('has the fields of the contract in their order', () => {
    expect(Object.keys(sqlite.config!)).toEqual([
      'database',
      'options',
      'attributes',
      'statements',
      'allow_upsert',
      'max_records',
      'query_timeout',
      'cache_enabled',
      'cache_ttl',
    ]);
  });

  it.each([[{ database: null }], [{ database: '' }], [{ database: '  ' }]])('needs a database: %o', (config) => {
    expect(check(config)).toThrow('Database connection information must contain at least database name.');
  });

  it.each([
    '../x.sqlite',
    'a/b.sqlite',
    'a\\b.sqlite',
    '..',
    '.hidden',
    ':memory:',
    'file:x?mode=rw',
    'x\0y',
    'x'.repeat(300),
  ])('takes no path that is not absolute: %o', (database) => expect(check({ database })).toThrow(/can not be used/));

  it.each(['x.sqlite-wal', 'x.sqlite-SHM', '/srv/x.sqlite-journal'])('takes no journal of another: %o', (database) =>
    expect(check({ database })).toThrow('the journal of another database'),
  );

  it('lets settings of a connection run at connect', () => {
    const statements = ['PRAGMA cache_size = -2000', 'pragma query_only=1;', 'PRAGMA synchronous(normal)'];
    expect(check({ database: 'x', statements })).not.toThrow();
  });

  it.each([
    "ATTACH 'store.sqlite' AS store",
    'PRAGMA cache_size = 1; DROP TABLE t',
    'PRAGMA writable_schema = 1',
    'PRAGMA busy_timeout = 60000',
    "PRAGMA temp_store_directory = '/'",
    "SELECT load_extension('x')",
    '',
  ])('lets nothing else run: %o', (statement) => {
    expect(check({ database: 'x', statements: [statement] })).toThrow('may not run at connect');
  });
});

describe('a bare name', () => {
  it('lives in the folder db of the data folder and is made on first use', async () => {
    const service = await open({ database: 'fresh.sqlite' });
    expect((await ask(service, 'GET _table')).body).toEqual({ resource: [] });
    expect(await exists(join(data, 'db', 'fresh.sqlite'))).toBe(true);
  });

  it('is not made by a test of the connection', async () => {
    await test({ database: 'fresh.sqlite' });
    expect(await exists(join(data, 'db', 'fresh.sqlite'))).toBe(false);
  });
});

describe('an absolute path', () => {
  it('opens what is there', async () => {
    const file = join(folder, 'own database.sqlite');
    make(file);
    await test({ database: file });
    const service = await open({ database: file, statements: ['PRAGMA query_only = 1'] });
    expect((await ask(service, 'GET _table')).body).toEqual({ resource: [{ name: 't' }] });
    const refused = await ask(service, 'POST _table/t', { body: [{ name: 'x' }] });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect((await ask(service, 'GET _table/t')).body).toEqual({ resource: [] });
  });

  it('must be there: the service answers 503 and why, and works once it is', async () => {
    const file = join(folder, 'later.sqlite');
    const service = await open({ database: file });
    const before = await ask(service, 'GET _table/t');
    expect(before.status).toBe(503);
    expect(before.body.error.message).toBe(
      `Service 'db' is not available: The database 'later.sqlite' can not be used: there is no file at this path.`,
    );
    await expect(test({ database: file })).rejects.toThrow('there is no file at this path');
    expect(await exists(file)).toBe(false);
    make(file);
    expect((await ask(service, 'GET _table/t')).body).toEqual({ resource: [] });
  });

  it('that goes away fails its own calls', async () => {
    const file = join(folder, 'gone.sqlite');
    make(file);
    const service = await open({ database: file });
    expect((await ask(service, 'GET _table/t')).status).toBe(200);
    await rename(file, `${file}.away`);
    // It is looked for once in a while.
    await vi.waitFor(async () => {
      const answer = await ask(service, 'GET _table/t');
      expect(answer.status).toBe(503);
      expect(answer.body.error.message).toContain('gone.sqlite');
    }, 5000);
    expect(await exists(file)).toBe(false);
  });

  it.each([
    ['a folder', () => folder],
    ['a device', () => '/dev/null'],
  ])('is not %s', async (_, path) => {
    await expect(test({ database: path() })).rejects.toThrow('it is not a file.');
  });

  it('is not a text file', async () => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'Dear diary, this is long enough to be read as the header of a database, but it is none.');
    await expect(test({ database: file })).rejects.toMatchObject({ status: 503 });
    const answer = await ask(await open({ database: file }), 'GET _table');
    expect(answer.status).toBe(503);
    expect(answer.body.error.message).toMatch(/not a SQLite database/);
  });

  it('that is slow fails its own call in time and holds up nothing else', async () => {
    const file = join(folder, 'slow.sqlite');
    make(
      file,
      `CREATE TABLE t (id integer PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'quick');
       CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n`,
    );
    const limits = { maxRecords: 1000, queryTimeout: 2500 };
    const service = await sqlite.open(configOf({ database: file }), { ...testContext(data), limits });
    opened.push(service);
    const began = Date.now();
    let isOver = false;
    const slow = ask(service, 'GET _table/endless').then((answer) => {
      isOver = true;
      return { answer, took: Date.now() - began };
    });
    const quick = await ask(service, 'GET _table/t/1');
    expect(quick.body).toEqual({ id: 1, name: 'quick' });
    expect(isOver).toBe(false);
    const { answer, took } = await slow;
    expect(answer.status).toBe(503);
    expect(answer.body.error.message).toBe('The database took longer than 2.5 seconds and was stopped.');
    expect(took).toBeLessThan(10_000);
    expect((await ask(service, 'GET _table/t')).body.resource).toHaveLength(1);
  });

  it('that is locked fails what would write, in words, until it is free', async () => {
    const file = join(folder, 'locked.sqlite');
    make(file);
    const service = await open({ database: file });
    expect((await ask(service, 'GET _table/t')).status).toBe(200);
    const other = openSqlite(file);
    other.exec('BEGIN EXCLUSIVE');
    const answer = await ask(service, 'POST _table/t', { body: [{ name: 'x' }] });
    other.exec('ROLLBACK');
    other.close();
    expect(answer.text).toMatch(/locked/);
    expect((await ask(service, 'POST _table/t', { body: [{ name: 'x' }] })).status).toBe(200);
  });
});

describe('a database someone else is writing to', () => {
  it('waits for its turn', async () => {
    const service = await open({ database: 'busy.sqlite' });
    expect((await ask(service, 'GET _table')).status).toBe(200);
    make(join(data, 'db', 'busy.sqlite'));
    const other = openSqlite(join(data, 'db', 'busy.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const released = new Promise<void>((resolve) =>
      setTimeout(() => {
        other.exec('COMMIT');
        other.close();
        resolve();
      }, 700),
    );
    const one = await ask(service, 'POST _table/t', { body: [{ name: 'x' }] });
    await released;
    expect(one.body).toEqual({ resource: [{ id: 1 }] });
  });

  it('answers 503 when its turn does not come', async () => {
    const service = await open({ database: 'busy.sqlite' });
    expect((await ask(service, 'GET _table')).status).toBe(200);
    make(join(data, 'db', 'busy.sqlite'));
    expect((await ask(service, 'GET _table/t')).status).toBe(200);
    const other = openSqlite(join(data, 'db', 'busy.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const [one, many] = await Promise.all([
      ask(service, 'POST _table/t', { body: [{ name: 'x' }] }),
      ask(service, 'POST _table/t', { body: [{ name: 'x' }, { name: 'y' }] }),
    ]);
    const read = await ask(service, 'GET _table/t');
    other.exec('ROLLBACK');
    other.close();
    for (const { status, text } of [one, many]) {
      expect(text).toMatch(/'busy.sqlite' is locked by another program/);
      expect(status).toBe(503);
    }
    expect(read.body).toEqual({ resource: [] });
  });
});

describe("the platform's own files", () => {
  const storeFile = 'sluice.sqlite';
  beforeEach(async () => {
    make(join(data, storeFile));
    await mkdir(join(data, 'db'));
  });

  it.each<[string, (file: string) => string | Promise<string>]>([
    ['by their path', (file) => file],
    ['by a path with dots', () => `${data}/db/../${storeFile}`],
    [
      'by a link',
      async (file) => {
        await symlink(file, join(folder, 'innocent.sqlite'));
        return join(folder, 'innocent.sqlite');
      },
    ],
    [
      'by a link to their folder',
      async () => {
        await symlink(data, join(folder, 'elsewhere'));
        return join(folder, 'elsewhere', storeFile);
      },
    ],
    [
      'by a link under a bare name',
      async (file) => {
        await symlink(file, join(data, 'db', 'mine.sqlite'));
        return 'mine.sqlite';
      },
    ],
    [
      'by a second name of the same file',
      async (file) => {
        await link(file, join(folder, 'twin.sqlite'));
        return join(folder, 'twin.sqlite');
      },
    ],
    [
      'by a second name in db',
      async (file) => {
        await link(file, join(data, 'db', 'twin.sqlite'));
        return 'twin.sqlite';
      },
    ],
    [
      'whatever they hold',
      async () => {
        await writeFile(join(data, 'key'), 'secret');
        return join(data, 'key');
      },
    ],
  ])('are refused %s', async (_, pathOf) => {
    const database = await pathOf(join(data, storeFile));
    await expect(test({ database })).rejects.toThrow('it belongs to the platform itself.');
    const answer = await ask(await open({ database }), 'GET _table');
    expect(answer.status).toBe(503);
    expect(answer.body.error.message).toContain('it belongs to the platform itself.');
  });

  it('refuses a link that leads nowhere', async () => {
    await symlink(join(data, 'nothing'), join(data, 'db', 'lost.sqlite'));
    await expect(test({ database: 'lost.sqlite' })).rejects.toThrow('it can not be reached (ENOENT).');
  });

  it('refuses journals under a link', async () => {
    await writeFile(join(folder, 'x.sqlite-wal'), '');
    await symlink(join(folder, 'x.sqlite-wal'), join(folder, 'x.sqlite'));
    await expect(test({ database: join(folder, 'x.sqlite') })).rejects.toThrow('the journal of another database');
  });

  it('says of a file without permission only that it cannot be used', async () => {
    const hidden = join(folder, 'hidden');
    await mkdir(hidden);
    make(join(hidden, 'x.sqlite'));
    await chmod(join(hidden, 'x.sqlite'), 0);
    // The superuser may read anything; the refusal then is none.
    if (process.getuid?.() !== 0)
      await expect(test({ database: join(hidden, 'x.sqlite') })).rejects.toMatchObject({ status: 503 });
    else await expect(test({ database: join(hidden, 'x.sqlite') })).resolves.toBeUndefined();
  });
});
