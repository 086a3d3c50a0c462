import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resources } from '@sluice/contract';
import { emptyDatabase, storeEngine } from '@sluice/testkit/store';
import {
  type ColumnDefinitionBuilder,
  CompiledQuery,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  sql,
} from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlatform } from '../app.ts';
import { readSettings } from '../settings/index.ts';
import { StartError } from '../settings/start-error.ts';
import { storeDialect } from './dialects/index.ts';
import { type Bus, folded, openStore, type Store, skeletonOf } from './index.ts';
import { uniqueRules } from './migrations/0005-unique-names.ts';
import { type Migration, migrations } from './migrations/index.ts';
import { seed } from './seed.ts';

const quiet = { info() {}, warn() {} };
let folder: string;
let url: string;
let drop: () => Promise<void>;
let open: Store[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-store-'));
  open = [];
  url = '';
  drop = async () => {};
  if (storeEngine !== 'sqlite') ({ url, drop } = await emptyDatabase(storeEngine));
});
afterEach(async () => {
  for (const store of open) await store.close();
  await drop();
  rmSync(folder, { recursive: true });
});

const start = async (options: Partial<Parameters<typeof openStore>[0]> = {}): Promise<Store> => {
  const store = await openStore({ url, dataFolder: folder, log: quiet, ...options });
  open.push(store);
  return store;
};
/** Another database with nothing in it. */
const renew = async () => {
  rmSync(join(folder, 'sluice.sqlite'), { force: true });
  if (storeEngine === 'sqlite') return;
  await drop();
  ({ url, drop } = await emptyDatabase(storeEngine));
};
const stop = async (store: Store) => {
  open.splice(open.indexOf(store), 1);
  await store.close();
};

/** Lets some statements through and fails at every other. */
class CutOff implements KyselyPlugin {
  statementsLeft: number;
  constructor(statementsLeft: number) {
    this.statementsLeft = statementsLeft;
  }
  transformQuery({ node }: PluginTransformQueryArgs) {
    this.statementsLeft -= 1;
    if (this.statementsLeft < 0) throw new Error('cut off');
    return node;
  }
  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/** Columns, indexes and references of every table. */
async function shapeOf({ db }: Store): Promise<unknown> {
  const ask = {
    sqlite: sql`select name, sql from sqlite_master order by name`,
    pgsql: sql`select indexdef as definition from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint order by 1`,
    mysql: sql`select concat_ws(' ', table_name, index_name, seq_in_index, column_name, non_unique) as definition
      from information_schema.statistics where table_schema = database()
      union all select concat_ws(' ', table_name, constraint_name, referenced_table_name, delete_rule)
      from information_schema.referential_constraints where constraint_schema = database() order by 1`,
  };
  const tables = await db.introspection.getTables();
  return [tables.map((table) => ({ ...table, schema: '' })), (await ask[storeEngine].execute(db)).rows];
}

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
    expect(await second.db.selectFrom('service').select('id').execute()).toHaveLength(7);
  });

  test('run only what is new, in order', async () => {
    await stop(await start());
    const ran: number[] = [];
    const step = (number: number) => ({ number, name: `step${number}`, up: async () => void ran.push(number) });
    await stop(await start({ migrations: [...migrations, step(901), step(902)] }));
    await stop(await start({ migrations: [...migrations, step(901), step(902)] }));
    expect(ran).toEqual([901, 902]);
  });

  test('can be cut off at every statement and run again: what comes out is the same', async () => {
    await stop(await start());
    const whole = await start();
    const expected = await shapeOf(whole);
    await stop(whole);
    await renew();
    let cuts = 0;
    for (let left = 1; ; left++) {
      const cut = new CutOff(left);
      const steps = migrations.map((step) => ({
        ...step,
        up: (db, dialect, log) => step.up(db.withPlugin(cut), dialect, log),
      })) satisfies Migration[];
      const store = await start({ migrations: steps }).catch((error: Error) => error);
      if (!(store instanceof Error)) {
        expect(await shapeOf(store)).toEqual(expected);
        break;
      }
      expect(store.message).toBe('The store cannot be brought up to date: cut off');
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(15);
    // Each cut is a start of its own; PostgreSQL flushes each statement to disk.
  }, 120_000);

  test('fill in what addresses look like that are there already', async () => {
    const before = await start({ migrations: migrations.filter(({ number }) => number !== 6) });
    for (const email of ['jo@example.com', 'Odd One'])
      await before.insert(before.db, 'user', {
        name: 'n',
        username: email,
        email,
        is_active: 1,
        is_sys_admin: 0,
      } as never);
    await stop(before);
    const { db } = await start();
    const rows = await db.selectFrom('user').select(['email', 'email_skeleton']).orderBy('id').execute();
    expect(rows).toEqual(['jo@example.com', 'Odd One'].map((email) => ({ email, email_skeleton: skeletonOf(email) })));
  });

  test('that fail are reported in one line, and the next start tries again', async () => {
    await stop(await start());
    let isBroken = true;
    const broken: Migration = {
      number: 901,
      name: 'broken',
      async up(db, { types }) {
        await db.schema.createTable('half').ifNotExists().addColumn('id', types.integer).execute();
        if (isBroken) throw new Error('out of luck');
      },
    };
    const refused = (await start({ migrations: [...migrations, broken] }).catch((error: unknown) => error)) as Error;
    expect(refused).toBeInstanceOf(StartError);
    expect(refused.message).toBe('The store cannot be brought up to date: out of luck');
    isBroken = false;
    const { db } = await start({ migrations: [...migrations, broken] });
    expect((await db.introspection.getTables()).map((table) => table.name)).toContain('half');
  });

  test('refuse a newer store in one line', async () => {
    const newer = { number: 999, name: 'future', up: async () => {} };
    await stop(await start({ migrations: [...migrations, newer] }));
    const refused = (await start().catch((error: unknown) => error)) as Error;
    expect(refused).toBeInstanceOf(StartError);
    expect(refused.message).toMatch(/newer version of Sluice \(schema 999/);
  });
});

describe('what is told apart', () => {
  test('abuse: every rule by which system records differ is a unique index', async () => {
    const store = await start();
    const indexes = (await storeDialect(url).uniqueIndexes(store.db as never)).map(
      ({ table, columns }) => `${table}(${[...columns].sort()})`,
    );
    const declared = Object.values(resources).flatMap(({ name, fields }) =>
      Object.entries(fields).flatMap(([field, { rules }]) =>
        rules.unique ? [`${name === 'admin' ? 'user' : name}(${field}_folded)`] : [],
      ),
    );
    const checked = ['app(api_key)', 'custom(name)', 'lookup(name,owner)', 'user_to_app_to_role(app_id,user_id)'];
    const migrated = uniqueRules.map(({ table, columns }) => `${table}(${[...columns].sort()})`);
    expect([...declared, ...checked]).toEqual(expect.arrayContaining(migrated));
    expect(indexes).toEqual(expect.arrayContaining([...declared, ...checked]));
  });

  /** Three tables as they are where a dump was put back without its indexes. */
  const plain: Migration = {
    number: 0,
    name: 'plain',
    async up(db, dialect) {
      const { id, integer, text } = dialect.types;
      const table = (name: string) => {
        const table = db.schema.createTable(name).ifNotExists();
        return (dialect.tableSuffix ? table.modifyEnd(dialect.tableSuffix) : table)
          .addColumn('id', id, dialect.countedKey)
          .addColumn('version', integer, (column) => column.notNull().defaultTo(1));
      };
      const folding = (name: string) => (column: ColumnDefinitionBuilder) =>
        column.generatedAlwaysAs(dialect.folded(name)).stored();
      await table('email_template')
        .addColumn('name', text(64))
        .addColumn('name_folded', text(64), folding('name'))
        .execute();
      await table('user_to_app_to_role')
        .addColumn('user_id', integer)
        .addColumn('app_id', integer)
        .addColumn('role_id', integer)
        .execute();
      await table('user')
        .addColumn('username', text(255))
        .addColumn('username_folded', text(255), folding('username'))
        .addColumn('email', text(255))
        .addColumn('email_folded', text(255), folding('email'))
        .addColumn('is_sys_admin', integer)
        .execute();
    },
  };

  test('abuse: what was there twice is given a number, or the newest is kept, and the log says so', async () => {
    const old = await start({ migrations: [plain, ...migrations.slice(0, 4)] });
    const add = (table: string, rows: object[]) =>
      old.db
        .insertInto(table as never)
        .values(rows as never)
        .execute();
    const long = 'x'.repeat(255);
    await add('role', [{ name: 'r', is_active: 1 }]);
    await add('app', [{ name: 'a', api_key: 'k', is_active: 1, type: 0, requires_fullscreen: 0 }]);
    const key = { value: 'v', private: 0, role_id: null };
    await add('lookup', [
      { ...key, name: 'key', private: 1 },
      { ...key, name: 'key', value: 'counts' },
      { ...key, name: 'key', private: 1 },
      { ...key, name: 'key_2' },
      { ...key, name: 'Key' },
      { ...key, name: long },
      { ...key, name: long },
      { ...key, name: 'key', role_id: 1 },
      { ...key, name: 'key', role_id: 1 },
    ]);
    await add(
      'email_template',
      ['Hi', 'hi', 'HI', 'hi_2', 'other'].map((name) => ({ name })),
    );
    await add(
      'user_to_app_to_role',
      [1, 2, 3].map((role_id) => ({ user_id: 1, app_id: 1, role_id })),
    );
    await add('user', [
      { username: 'one', email: 'Jo@example.com', is_sys_admin: 0 },
      { username: 'two', email: 'jo@example.com', is_sys_admin: 0 },
    ]);
    await stop(old);

    const warnings: [object, string][] = [];
    const log = { info() {}, warn: (details: object, message: string) => void warnings.push([details, message]) };
    const store = await start({ migrations: [plain, ...migrations], log });
    const names = async (table: 'lookup' | 'email_template') =>
      (await store.db.selectFrom(table).select('name').orderBy('id').execute()).map(({ name }) => name);
    expect(await names('lookup')).toEqual([
      'key_3',
      'key',
      'key_4',
      'key_2',
      'Key',
      `${'x'.repeat(253)}_2`,
      long,
      'key_2',
      'key',
    ]);
    expect(await names('email_template')).toEqual(['Hi_3', 'hi_4', 'HI', 'hi_2', 'other']);
    expect(await store.db.selectFrom('user_to_app_to_role').select('role_id').execute()).toEqual([{ role_id: 3 }]);
    const people = await store.db.selectFrom('user').select('email').orderBy('id').execute();
    expect(people.map(({ email }) => email)).toEqual(['Jo@example.com', 'jo@example.com']);
    expect(warnings).toHaveLength(4 + 2 + 2 + 1);
    expect(warnings[0]).toEqual([
      { table: 'email_template', id: 1, from: 'Hi', to: 'Hi_3' },
      'A name that was there twice got a number behind it.',
    ]);
    expect(warnings.at(-1)).toEqual([
      { table: 'user', columns: ['email_folded'], ids: [[1, 2]] },
      'Rows that are to differ are alike. They stay, and no index keeps further ones out.',
    ]);
    // None of these takes another one from now on.
    for (const [table, row] of [
      ['lookup', { ...key, name: 'key', owner: '' }],
      ['lookup', { ...key, name: 'key', owner: 'role 1', role_id: 1 }],
      ['email_template', { name: 'oTHER' }],
      ['user_to_app_to_role', { user_id: 1, app_id: 1, role_id: 1 }],
      ['user', { username: 'ONE', email: 'new@example.com', is_sys_admin: 0 }],
    ] as const) {
      const error = await store.db
        .insertInto(table)
        .values(row as never)
        .execute()
        .catch((refusal: unknown) => refusal);
      expect([table, store.isDuplicate(error)]).toEqual([table, true]);
    }
    // Cut off before its journal entry, the step finds nothing left to do but what somebody has to decide.
    await store.db
      .deleteFrom('migration' as never)
      .where('number' as never, '=', 5 as never)
      .execute();
    await stop(store);
    warnings.length = 0;
    await start({ migrations: [plain, ...migrations], log });
    expect(warnings).toHaveLength(1);
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
    expect(await store.db.selectFrom('instance').selectAll().where('name', '=', 'a').execute()).toEqual([]);
  });

  test('name what the data is at fault for, and only that', async () => {
    const store = await start();
    const person = (changes: object) => ({
      name: 'n',
      username: 'u',
      email: 'e',
      is_active: 1,
      is_sys_admin: 0,
      ...changes,
    });
    const insert = (changes: object) => store.insert(store.db, 'user', person(changes) as never);
    await insert({});
    const refused = async (work: Promise<unknown>) =>
      store.refusal(await work.catch((thrown: unknown) => thrown))?.text;
    expect(await refused(insert({ email: 'other' }))).toMatch(/unique|duplicate/i);
    expect(await refused(insert({ email: 'other', username: 'U' }))).toMatch(/unique|duplicate/i);
    expect(await refused(insert({ email: 'other', username: 'v', default_app_id: 77 }))).toMatch(/foreign key/i);
    expect(await refused(insert({ email: 'other', username: 'v', name: null }))).toMatch(/null/i);
    // SQLite keeps texts of any length; the declarations of resources have the limits.
    if (storeEngine !== 'sqlite')
      expect(await refused(insert({ email: 'other', username: 'v', name: 'x'.repeat(256) }))).toMatch(/too long/i);
    expect(store.refusal(new Error('x'))).toBeUndefined();
    expect(
      await refused(
        store.db
          .selectFrom('nope' as never)
          .selectAll()
          .execute(),
      ),
    ).toBeUndefined();
  });

  test('that get in the way of each other are run again until both are done', async () => {
    const store = await start();
    for (const name of ['a', 'b']) await store.insert(store.db, 'role', { name, is_active: 0, version: 1 } as never);
    let met = 0;
    const both = (first: string, second: string) =>
      store.transaction(async (db) => {
        const raise = (name: string) =>
          db.updateTable('role').set({ version: sql`version + 1` }).where('name', '=', name).execute();
        await raise(first);
        met += 1;
        // Only where two transactions run at once can both come this far.
        for (let wait = 0; met < 2 && wait < 20; wait++) await new Promise((done) => setTimeout(done, 10));
        await raise(second);
      });
    await Promise.all([both('a', 'b'), both('b', 'a')]);
    const rows = await store.db.selectFrom('role').select('version').execute();
    expect(rows).toEqual([{ version: 3 }, { version: 3 }]);
    if (storeEngine !== 'sqlite') expect(met).toBeGreaterThan(2);
  });

  test('that need to be alone run one after the other, in this process and others', async () => {
    const [store, other] = [await start(), await start()];
    const changes: string[] = [];
    const alone = (of: Store, name: string) =>
      of.exclusively(async (db) => {
        changes.push(`${name} begins`);
        await new Promise((done) => setTimeout(done, 100));
        await db.insertInto('instance').values({ name, value: '' }).execute();
        changes.push(`${name} ends`);
      });
    await Promise.all([alone(store, 'x'), alone(other, 'y')]);
    expect(changes).toHaveLength(4);
    expect(changes[1]).toBe(changes[0]?.replace('begins', 'ends'));
    const failing = store.exclusively(async (db) => {
      await db.insertInto('instance').values({ name: 'z', value: '' }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const names = await store.db.selectFrom('instance').select('name').where('name', 'in', ['x', 'y', 'z']).execute();
    expect(names).toHaveLength(2);
    await alone(other, 'w');
  });
});

describe('rows', () => {
  const note = (store: Store, name: string, value = '') =>
    store.db.insertInto('instance').values({ name, value }).execute();

  test('keep texts to the byte, tell apart every two, and are ordered by code points', async () => {
    const store = await start();
    const long = '😀\'"`\\%_\n\t'.repeat(20_000);
    const names = [
      '',
      ' ',
      'A',
      'A ',
      'Z',
      'a',
      'a\t',
      'z',
      'ß',
      'ä',
      'é',
      'e\u0301',
      'İ',
      'ı',
      'ſ',
      '\\',
      '%',
      '😀',
      '\ufffd',
      '’',
    ];
    for (const name of names) await note(store, `n${name}`, long);
    const rows = await store.db
      .selectFrom('instance')
      .selectAll()
      .where('value', '!=', '')
      .where('name', '>=', 'n')
      .where('name', '<', 'o')
      .orderBy('name')
      .execute();
    const points = (text: string) =>
      Array.from(text, (character) => character.codePointAt(0)?.toString(16).padStart(6, '0')).join('');
    expect(rows.map(({ name }) => name.slice(1))).toEqual([...names].sort((a, b) => (points(a) < points(b) ? -1 : 1)));
    expect(new Set(rows.map(({ value }) => value))).toEqual(new Set([long]));
    const found = await store.db.selectFrom('instance').select('name').where('name', '=', 'nA ').execute();
    expect(found).toEqual([{ name: 'nA ' }]);
  });

  test('hold as many characters as their columns say, whatever bytes these take', async () => {
    const store = await start();
    const name = '😀'.repeat(255);
    const id = await store.insert(store.db, 'user', {
      name,
      username: name,
      email: name,
      is_active: 1,
      is_sys_admin: 0,
    } as never);
    const row = await store.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ name, username: name, email_folded: name });
  });

  test('have names without the case of A–Z beside their names', async () => {
    const store = await start();
    const name = 'JOSÉ İstanbul-Z';
    await store.insert(store.db, 'role', { name, is_active: 0 } as never);
    expect(await store.db.selectFrom('role').select('name_folded').execute()).toEqual([{ name_folded: folded(name) }]);
    expect(folded(name)).toBe('josÉ İstanbul-z');
  });

  test('come with numbers for numbers, counts and sums too', async () => {
    const store = await start();
    await store.insert(store.db, 'user', {
      name: 'n',
      username: 'u',
      email: 'e',
      is_active: 1,
      is_sys_admin: 0,
      tokens_valid_from: 9_007_199_254_740_991,
    } as never);
    const row = await store.db
      .selectFrom('user')
      .select(({ fn }) => [
        'id',
        'is_active',
        'tokens_valid_from',
        'default_app_id',
        fn.countAll().over().as('count'),
        fn.sum('is_active').over().as('sum'),
        fn.max('id').over().as('max'),
      ])
      .executeTakeFirst();
    expect(row).toEqual({
      id: 1,
      is_active: 1,
      tokens_valid_from: 9_007_199_254_740_991,
      default_app_id: null,
      count: 1,
      sum: 1,
      max: 1,
    });
  });

  test('are found by name through an index, however many people there are', async () => {
    const store = await start();
    const people = Array.from({ length: 10_000 }, (_, at) => ({
      name: `Person ${at}`,
      username: `User${at}@example.com`,
      email: `User${at}@example.com`,
      is_active: 1,
      is_sys_admin: 0,
    }));
    for (let at = 0; at < people.length; at += 1_000)
      await store.db
        .insertInto('user')
        .values(people.slice(at, at + 1_000) as never)
        .execute();
    if (storeEngine === 'pgsql') await sql`analyze "user"`.execute(store.db);
    for (const column of ['email_folded', 'username_folded'] as const) {
      const query = store.db.selectFrom('user').selectAll().where(column, '=', 'user77@example.com');
      expect(await query.execute()).toMatchObject([{ name: 'Person 77' }]);
      const { sql: text, parameters } = query.compile();
      const explain = CompiledQuery.raw(`explain ${storeEngine === 'sqlite' ? 'query plan ' : ''}${text}`, [
        ...parameters,
      ]);
      const plan = JSON.stringify((await store.db.executeQuery(explain)).rows);
      expect(plan).toMatch({ sqlite: /USING INDEX/, pgsql: /Index Scan/, mysql: /"type":"const"/ }[storeEngine]);
    }
  });
});

describe('several processes', () => {
  const shared = { secret: 's'.repeat(40), adminEmail: 'ada@example.com', adminPassword: 'correct horse' };
  const platforms = (count: number) => {
    const settings = {
      ...readSettings({}),
      ...shared,
      data: folder,
      databaseUrl: url,
      log: 'silent',
      consoleFolder: '',
    };
    return Promise.all(Array.from({ length: count }, () => createPlatform(settings)));
  };

  test('start at once on a store with nothing in it, and all come up', async () => {
    const started = await platforms(4);
    const { db } = (started[0] as (typeof started)[0]).platform.store;
    expect(await db.selectFrom('service').select('id').orderBy('id').execute()).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
      { id: 4 },
      { id: 5 },
      { id: 6 },
      { id: 7 },
    ]);
    expect(await db.selectFrom('app').select('id').orderBy('id').execute()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(await db.selectFrom('user').select(['email', 'is_sys_admin']).execute()).toEqual([
      { email: 'ada@example.com', is_sys_admin: 1 },
    ]);
    expect(started.map(({ setupCode }) => setupCode)).toEqual([undefined, undefined, undefined, undefined]);
    for (const { close } of started) await close();
    for (const { close } of await platforms(2)) await close();
  });
});

describe('the bus', () => {
  test('returns when every listener has dropped what it cached', async () => {
    const { bus }: { bus: Bus } = await start();
    const changes: unknown[] = [];
    bus.subscribe(async (change) => {
      await new Promise((done) => setTimeout(done, 5));
      changes.push(change);
    });
    await bus.publish({ table: 'role', ids: [1] });
    expect(changes).toEqual([{ table: 'role', ids: [1] }]);
  });
});

describe('seeds', () => {
  const services = (store: Store) => store.db.selectFrom('service').selectAll().orderBy('id').execute();

  test('of a later version leave a service alone that has the name already', async () => {
    const store = await start();
    const own = { name: 'Files', label: 'x', type: 'x', config: '{}', is_active: 1, mutable: 1, deletable: 1 };
    const stamp = '2026-01-01T00:00:00.000Z';
    const row = { id: 20, ...own, created_date: stamp, last_modified_date: stamp };
    await store.db
      .insertInto('service')
      .values(row as never)
      .execute();
    await seed(store, { adminAppKey: '' });
    expect((await services(store)).map(({ id, name }) => [id, name])).toEqual([
      ...[
        [1, 'system'],
        [2, 'api_docs'],
        [4, 'logs'],
        [5, 'db'],
        [6, 'email'],
        [7, 'user'],
        [20, 'Files'],
      ],
    ]);
  });

  test.each([
    ['its name', { id: 20, name: 'File_Manager' }],
    ['its id', { id: 3, name: 'own' }],
  ])('leave an app of a store from before alone that has %s', async (_what, own) => {
    const store = await start();
    const row = { ...own, api_key: 'k', is_active: 1, type: 0, requires_fullscreen: 0, allow_fullscreen_toggle: 1 };
    const stamp = '2026-01-01T00:00:00.000Z';
    await store.db
      .insertInto('app')
      .values({ ...row, created_date: stamp, last_modified_date: stamp } as never)
      .execute();
    await seed(store, { adminAppKey: '' });
    const apps = await store.db.selectFrom('app').select(['id', 'name']).orderBy('id').execute();
    expect(apps).toEqual([{ id: 1, name: 'admin' }, { id: 2, name: 'api_docs' }, own]);
  });

  test('keep their ids, and new rows come after those kept for later', async () => {
    const store = await start();
    await seed(store, { adminAppKey: '' });
    expect(await services(store)).toMatchObject([
      { id: 1, name: 'system', type: 'system', is_active: 1, mutable: 0, deletable: 0, created_by_id: null },
      { id: 2, name: 'api_docs', type: 'swagger', is_active: 1, mutable: 0, deletable: 0, config: '{}' },
      { id: 3, name: 'files', type: 'local_file', mutable: 1, deletable: 1, config: '{"container":"app"}' },
      { id: 4, name: 'logs', type: 'local_file', mutable: 1, deletable: 1, config: '{"container":"logs"}' },
      { id: 5, name: 'db', type: 'sqlite', mutable: 1, deletable: 1, config: '{"database":"db.sqlite"}' },
      { id: 6, name: 'email', type: 'local_email', mutable: 1, deletable: 1, config: '{}' },
      { id: 7, name: 'user', type: 'user', mutable: 1, deletable: 0 },
    ]);
    const apps = await store.db.selectFrom('app').selectAll().orderBy('id').execute();
    expect(apps).toMatchObject([
      { id: 1, name: 'admin', type: 3, is_active: 1, role_id: null, path: '' },
      { id: 2, name: 'api_docs', type: 3, path: 'df-api-docs-ui/dist/index.html?admin_app=1' },
      {
        id: 3,
        name: 'file_manager',
        type: 3,
        is_active: 1,
        role_id: null,
        path: 'filemanager/index.html?path=/&allowroot=true',
      },
    ]);
    for (const { api_key } of apps) expect(api_key).toMatch(/^[0-9a-f]{64}$/);
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

  test('leave the counter where ids were given by hand', async () => {
    const store = await start();
    const role = (name: string) => ({ name, is_active: 0 }) as never;
    await store.db
      .insertInto('role')
      .values({ id: 40, name: 'r40', is_active: 0 } as never)
      .execute();
    await store.moveCounter(store.db, 'role', 30);
    expect(await store.insert(store.db, 'role', role('next'))).toBe(41);
  });

  test('come once: what was changed or deleted stays so', async () => {
    const store = await start();
    await seed(store, { adminAppKey: '' });
    const before = await store.db.selectFrom('app').select('api_key').execute();
    await store.db.deleteFrom('service').where('id', '=', 5).execute();
    await seed(store, { adminAppKey: '' });
    expect((await services(store)).map((row) => row.id)).toEqual([1, 2, 3, 4, 6, 7]);
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
