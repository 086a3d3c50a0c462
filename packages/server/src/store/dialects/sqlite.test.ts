import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@sluice/contract';
import { openSqlite } from '@sluice/sql';
import { prepareChildren } from '@sluice/sql/dialects/sqlite/children/start-child';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../../settings/start-error.ts';
import { openStore, type Store } from '../index.ts';

const quiet = { info() {}, warn() {} };
let folder: string;
let open: Store[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-store-'));
  open = [];
});
afterEach(async () => {
  for (const store of open) await store.close();
  rmSync(folder, { recursive: true });
});

const start = async (options: Partial<Parameters<typeof openStore>[0]> = {}): Promise<Store> => {
  const store = await openStore({ url: '', dataFolder: folder, log: quiet, ...options });
  open.push(store);
  return store;
};

describe('opening the store', () => {
  test('makes the file in the data folder, the folder too', async () => {
    const dataFolder = join(folder, 'not', 'there');
    const store = await start({ dataFolder });
    expect(store.file).toBe(join(dataFolder, 'sluice.sqlite'));
    expect(
      readFileSync(store.file as string)
        .subarray(0, 15)
        .toString(),
    ).toBe('SQLite format 3');
  });

  test.each([
    ['sqlite:', 'sqlite:%/own.db'],
    ['sqlite://', 'sqlite://%/own.db'],
    ['file:', 'file:%/own.db'],
  ])('follows a %s address', async (_, url) => {
    const store = await start({ url: url.replace('%', folder) });
    expect(store.file).toBe(join(folder, 'own.db'));
  });

  test.each(['oracle://scott:tiger@host/x', 'nonsense'])(
    'refuses %s in one line that tells no password',
    async (url) => {
      const refused = await start({ url }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StartError);
      expect((refused as Error).message).toMatch(
        /^SLUICE_DATABASE_URL .*sqlite:, file:, postgres:, postgresql:, mysql:, mariadb:/,
      );
      expect((refused as Error).message).not.toMatch(/tiger|\n/);
    },
  );

  test('refuses a file that is no database, and leaves it as it was', async () => {
    const file = join(folder, 'sluice.sqlite');
    const text = 'Dear diary, this is not a database at all. '.repeat(40);
    writeFileSync(file, text);
    await expect(start()).rejects.toThrow(new StartError(`The store ${file} cannot be opened: file is not a database`));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('waits for another process that is about to write the same new file', async () => {
    const other = openSqlite(join(folder, 'sluice.sqlite'), { create: true });
    other.exec('begin immediate');
    setTimeout(() => other.exec('rollback'), 200);
    const store = await start();
    expect(store.file).toBe(join(folder, 'sluice.sqlite'));
    other.close();
  });

  test('refuses a data folder it cannot make or write', async () => {
    writeFileSync(join(folder, 'data'), '');
    // The file system of /proc takes no folders: Node's own recursive mkdir never returns from it.
    for (const dataFolder of [join(folder, 'data'), '/dev/null/data', '/proc/data/of/it'])
      await expect(start({ dataFolder })).rejects.toThrow(/^The folder .* cannot be written: \w+/);
    await expect(start({ dataFolder: join(folder, 'data') })).rejects.toThrow(/cannot be written: it is a file\.$/);
  });

  test('keeps its file from other people of the machine', async () => {
    const { file } = await start();
    expect(statSync(file as string).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
  });

  test('waits for the disk on commit and checks foreign keys', async () => {
    const { db } = await start();
    const broken = db.insertInto('user_to_app_to_role').values({ user_id: 1, app_id: 1, role_id: 1 }).execute();
    await expect(broken).rejects.toThrow('FOREIGN KEY constraint failed');
  });
});

describe('a store that cannot grow', () => {
  const failure = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Failure);
    return (error as Failure).status;
  };
  const notes = (store: Store) =>
    store.db.selectFrom('instance').select('name').where('name', 'like', 'note%').orderBy('name').execute();
  const note = (name: string, length: number) => ({ name: `note${name}`, value: 'x'.repeat(length) });

  test('refuses with 507, writes nothing half and goes on reading, writing what fits and after it can grow', async () => {
    const store = await start();
    await store.db.insertInto('instance').values(note('a', 10)).execute();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
    const limit = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(store.db);
    await limit(Number(rows[0]?.page_count) + 4);
    expect(await failure(store.db.insertInto('instance').values(note('b', 100_000)).execute())).toBe(507);
    const both = store.transaction(async (db) => {
      await db.insertInto('instance').values(note('c', 10)).execute();
      await db.insertInto('instance').values(note('d', 100_000)).execute();
    });
    expect(await failure(both)).toBe(507);
    const alone = store.exclusively(async (db) => {
      await db.insertInto('instance').values(note('e', 100_000)).execute();
    });
    expect(await failure(alone)).toBe(507);
    expect(await notes(store)).toEqual([{ name: 'notea' }]);
    await store.db.insertInto('instance').values(note('f', 10)).execute();
    await limit(1_000_000);
    await store.db.insertInto('instance').values(note('g', 100_000)).execute();
    expect((await notes(store)).map(({ name }) => name)).toEqual(['notea', 'notef', 'noteg']);
  });

  test('answers 503 while another program holds its lock', async () => {
    const store = await start({ busyTimeout: 1_000 });
    const other = await start();
    let wait = 0;
    await other.transaction(async (db) => {
      await db.insertInto('instance').values(note('a', 1)).execute();
      const from = performance.now();
      // The rest of the process goes on.
      const ticks = setInterval(() => (wait += 1), 20);
      expect(await failure(store.db.insertInto('instance').values(note('b', 1)).execute())).toBe(503);
      clearInterval(ticks);
      expect(performance.now() - from).toBeGreaterThan(900);
    });
    expect(wait).toBeGreaterThan(10);
    await store.db.insertInto('instance').values(note('b', 1)).execute();
  });
});

test('abuse: a search ends with its child when the caller goes away', async () => {
  const store = await start({ timeLimit: 600_000 });
  const endless = sql`with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as count from n`;
  const childrenAtWork = () =>
    execFileSync('ps', ['-A', '-o', 'ppid=,stat=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([parent, state, program]) =>
          parent === `${prepareChildren().process.pid}` && program === process.execPath && state?.[0] === 'R',
      ).length;
  const caller = new AbortController();
  const search = (signal: AbortSignal) =>
    store.search(
      { compile: () => endless.compile(store.db) },
      { columns: { count: 'integer' }, passes: Number.POSITIVE_INFINITY, caller: 'joe', signal },
    );
  const outcome = search(caller.signal).catch((error: Failure) => error.key);
  await expect.poll(childrenAtWork, { timeout: 10_000 }).toBe(1);
  caller.abort();
  expect(await outcome).toBe('database.cancelled');
  await expect.poll(childrenAtWork, { timeout: 10_000 }).toBe(0);
  await expect(search(AbortSignal.abort())).rejects.toMatchObject({ key: 'database.cancelled' });
});
