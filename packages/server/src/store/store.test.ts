import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { type Bus, openStore, type Store } from './index.ts';
import { migrations } from './migrations/index.ts';
import { seed } from './seed.ts';

const quiet = { info() {} };
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
const stop = async (store: Store) => {
  open.splice(open.indexOf(store), 1);
  await store.close();
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

  test.each(['oracle://scott:tiger@host/x', 'postgres://u:geheim@host/db', 'nonsense'])(
    'refuses %s in one line that tells no password',
    async (url) => {
      const refused = await start({ url }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StartError);
      expect((refused as Error).message).toMatch(/^SLUICE_DATABASE_URL .*sqlite:/);
      expect((refused as Error).message).not.toMatch(/tiger|geheim|\n/);
    },
  );

  test('refuses a file that is no database, and leaves it as it was', async () => {
    const file = join(folder, 'sluice.sqlite');
    const text = 'Dear diary, this is not a database at all. '.repeat(40);
    writeFileSync(file, text);
    await expect(start()).rejects.toThrow(
      new StartError(`The store ${file} can not be opened: file is not a database`),
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('refuses a data folder it can not make or write', async () => {
    writeFileSync(join(folder, 'data'), '');
    // The file system of /proc takes no folders: Node's own recursive mkdir never returns from it.
    for (const dataFolder of [join(folder, 'data'), '/dev/null/data', '/proc/data/of/it'])
      await expect(start({ dataFolder })).rejects.toThrow(/^The folder .* can not be written: \w+/);
    await expect(start({ dataFolder: join(folder, 'data') })).rejects.toThrow(/can not be written: it is a file\.$/);
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

describe('migrations', () => {
  test('run once, and again without harm', async () => {
    const first = await start();
    const journal = await first.db
      .selectFrom('migration' as never)
      .selectAll()
      .execute();
    expect(journal).toMatchObject(migrations.map(({ number, name }) => ({ number, name })));
    await stop(first);
    const second = await start();
    expect(
      await second.db
        .selectFrom('migration' as never)
        .selectAll()
        .execute(),
    ).toEqual(journal);
  });

  test('pick up where a crash left them: steps are idempotent even without their journal entry', async () => {
    const first = await start();
    await seed(first, { adminAppKey: '' });
    await first.db.deleteFrom('migration' as never).execute();
    await stop(first);
    const second = await start();
    expect(await second.db.selectFrom('service').select('id').execute()).toHaveLength(3);
  });

  test('run only what is new, in order', async () => {
    await stop(await start());
    const ran: number[] = [];
    const step = (number: number) => ({ number, name: `step${number}`, up: async () => void ran.push(number) });
    await stop(await start({ migrations: [...migrations, step(2), step(3)] }));
    await stop(await start({ migrations: [...migrations, step(2), step(3)] }));
    expect(ran).toEqual([2, 3]);
  });

  test('leave nothing behind when one fails', async () => {
    await stop(await start());
    const broken = {
      number: 2,
      name: 'broken',
      up: async (db: Parameters<(typeof migrations)[0]['up']>[0]) => {
        await db.schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('out of luck');
      },
    };
    await expect(start({ migrations: [...migrations, broken] })).rejects.toThrow('out of luck');
    const { db } = await start();
    expect((await db.introspection.getTables()).map((table) => table.name)).not.toContain('half');
  });

  test('refuse a newer store in one line', async () => {
    const newer = { number: 900, name: 'future', up: async () => {} };
    await stop(await start({ migrations: [...migrations, newer] }));
    const refused = (await start().catch((error: unknown) => error)) as Error;
    expect(refused).toBeInstanceOf(StartError);
    expect(refused.message).toMatch(/newer version of Sluice \(schema 900/);
  });
});

describe('transactions', () => {
  test('undo everything when the work throws', async () => {
    const store = await start();
    const work = store.transaction(async (db) => {
      await db.insertInto('instance').values({ name: 'a', value: 'b' }).execute();
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await store.db.selectFrom('instance').selectAll().execute()).toEqual([]);
  });

  test('name what the data is at fault for, and only that', async () => {
    const store = await start();
    const error = await store.db
      .insertInto('user_to_app_to_role')
      .values({ user_id: 1, app_id: 1, role_id: 1 })
      .execute()
      .catch((error: unknown) => error);
    expect(store.refusal(error)).toEqual({ code: 787, text: 'FOREIGN KEY constraint failed' });
    expect(store.refusal(new Error('x'))).toBeUndefined();
    const syntax = await store.db
      .selectFrom('nope' as never)
      .selectAll()
      .execute()
      .catch((error: unknown) => error);
    expect(store.refusal(syntax)).toBeUndefined();
  });
});

describe('the bus', () => {
  test('returns when every listener has dropped what it cached', async () => {
    const { bus }: { bus: Bus } = await start();
    const heard: unknown[] = [];
    bus.subscribe(async (change) => {
      await new Promise((done) => setTimeout(done, 5));
      heard.push(change);
    });
    await bus.publish({ table: 'role', ids: [1] });
    expect(heard).toEqual([{ table: 'role', ids: [1] }]);
  });
});

describe('seeds', () => {
  const services = (store: Store) => store.db.selectFrom('service').selectAll().orderBy('id').execute();

  test('keep their ids, and new rows come after those kept for later', async () => {
    const store = await start();
    await seed(store, { adminAppKey: '' });
    expect(await services(store)).toMatchObject([
      { id: 1, name: 'system', type: 'system', is_active: 1, mutable: 0, deletable: 0, created_by_id: null },
      { id: 5, name: 'db', type: 'sqlite', mutable: 1, deletable: 1, config: '{"database":"db.sqlite"}' },
      { id: 7, name: 'user', type: 'user', mutable: 1, deletable: 0 },
    ]);
    const app = await store.db.selectFrom('app').selectAll().execute();
    expect(app).toMatchObject([{ id: 1, name: 'admin', type: 3, is_active: 1, role_id: null, path: '' }]);
    expect(app[0]?.api_key).toMatch(/^[0-9a-f]{64}$/);
    const service = { name: 'x', label: 'x', type: 'x', config: '{}', is_active: 1, mutable: 1, deletable: 1 };
    expect(await store.insert(store.db, 'service', service as never)).toBe(8);
    const next = { name: 'y', api_key: 'k', is_active: 1, type: 0, requires_fullscreen: 0, allow_fullscreen_toggle: 1 };
    expect(await store.insert(store.db, 'app', next as never)).toBe(4);
  });

  test('never give out an id twice', async () => {
    const store = await start();
    const role = { name: 'r', is_active: 1 } as never;
    const id = await store.insert(store.db, 'role', role);
    await store.db.deleteFrom('role').execute();
    expect(await store.insert(store.db, 'role', role)).toBe(id + 1);
  });

  test('come once: what was changed or deleted stays so', async () => {
    const store = await start();
    await seed(store, { adminAppKey: '' });
    const before = await store.db.selectFrom('app').select('api_key').execute();
    await store.db.deleteFrom('service').where('id', '=', 5).execute();
    await seed(store, { adminAppKey: '' });
    expect((await services(store)).map((row) => row.id)).toEqual([1, 7]);
    expect(await store.db.selectFrom('app').select('api_key').execute()).toEqual(before);
  });

  test('apply SLUICE_ADMIN_APP_KEY at every start', async () => {
    const store = await start();
    await seed(store, { adminAppKey: 'a'.repeat(64) });
    await seed(store, { adminAppKey: 'b'.repeat(64) });
    const key = () => store.db.selectFrom('app').select('api_key').where('id', '=', 1).executeTakeFirst();
    expect(await key()).toEqual({ api_key: 'b'.repeat(64) });
    await expect(seed(store, { adminAppKey: 'short' })).rejects.toThrow(StartError);
    expect(await key()).toEqual({ api_key: 'b'.repeat(64) });
  });
});
