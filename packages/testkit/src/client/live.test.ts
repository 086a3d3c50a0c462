// Generated clients against a live server, on each engine: what compiles does what it says.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generateClient } from '@sluice/client';
import { verbMask } from '@sluice/contract';
import { nastySql as nastyMysql } from '@sluice/sql/dialects/mysql/nasty.fixture';
import { nastySql as nastyPgsql } from '@sluice/sql/dialects/pgsql/nasty.fixture';
import { openSqlite } from '@sluice/sql/dialects/sqlite/driver/index';
import { nastySql as nastySqlite } from '@sluice/sql/dialects/sqlite/nasty.fixture';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { engineMissing, freshDatabase } from '../databases.ts';
import { administrator, startPlatform } from '../platform.ts';
import { compile, importClient } from './compile.fixture.ts';

const platform = await startPlatform();
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await platform.stop();
  for (const drop of drops) await drop();
});
afterEach(() => vi.useRealTimers());

const engines = ['sqlite', 'pgsql', 'mysql'] as const;
type Engine = (typeof engines)[number];
const missing = new Map<Engine, string | undefined>();
for (const engine of engines) missing.set(engine, engine === 'sqlite' ? undefined : await engineMissing(engine));

async function addService(name: string, engine: Engine, sql?: (main: string, other: string) => string): Promise<void> {
  let config: Record<string, unknown>;
  if (engine === 'sqlite') {
    config = { database: `${name}.sqlite` };
    if (sql) {
      await mkdir(join(platform.folder, 'db'), { recursive: true });
      const file = openSqlite(join(platform.folder, 'db', `${name}.sqlite`), { create: true });
      file.exec(`pragma synchronous = off; pragma foreign_keys = 0; ${sql('', '')}`);
      file.close();
    }
  } else {
    const [place, other] = [await freshDatabase(engine), sql ? await freshDatabase(engine) : undefined];
    const { host, port, database, user: username, password } = place;
    config = { host, port, database, username, password };
    if (sql && other) await place.run(sql(database, other.database));
    drops.push(async () => {
      if (engine === 'mysql' && other) await place.run('set foreign_key_checks = 0; drop table if exists outward');
      await other?.drop();
      await place.drop();
    });
  }
  await platform.create('service', { name, label: name, type: engine, is_active: true, config });
}

const reference = (table: string, more = {}) => ({
  ...{ name: `${table}_id`, type: 'reference', ref_table: table, ref_field: 'id', allow_null: true },
  ...more,
});
const tables = [
  {
    name: 'category',
    field: [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 40, allow_null: true },
    ],
  },
  {
    name: 'product',
    field: [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 80, required: true, allow_null: false },
      { name: 'price', type: 'decimal', precision: 20, scale: 2, allow_null: true },
      { name: 'big', type: 'bigint', allow_null: true },
      { name: 'active', type: 'boolean', default: true },
      { name: 'mood', type: 'string', picklist: ['good', 'bad'], allow_null: true },
      reference('category'),
    ],
  },
  { name: 'review', field: [{ name: 'id', type: 'id' }, { name: 'stars', type: 'integer' }, reference('product')] },
  {
    name: 'seat',
    field: [
      { name: 'row', type: 'string', length: 40, is_primary_key: true },
      { name: 'number', type: 'integer', is_primary_key: true },
      { name: 'guest', type: 'string', length: 40, allow_null: true },
      reference('category'),
    ],
  },
  { name: 'detail', field: [{ name: 'id', type: 'id' }, reference('product', { is_unique: true })] },
];

const documentAt = async (path: string, key?: string) => {
  const { status, body } = await platform.ask('GET', `api_docs${path}?openapi=3.1`, key ? { key, token: null } : {});
  expect(status).toBe(200);
  return body;
};
const clientAt = async (path: string, key?: string) =>
  generateClient(await documentAt(path, key), { address: platform.url });

// biome-ignore lint/suspicious/noExplicitAny: as importClient has it
const clients = new Map<string, Promise<any>>();
/** The module of the client of a service. */
const clientOf = (service: string) => {
  const client = clients.get(service) ?? clientAt(`/${service}`).then(importClient);
  clients.set(service, client);
  return client;
};

/** What one may write with the client of a service, and what not. */
const useOf = (service: string, file: string) => `
import { and, createClient, eq, gt, isIn, isNull, like, or, safe, type Filter, type Records } from './${file}';
const sluice = createClient({ key: process });
declare const process: string | undefined;
const { ${service}: db } = sluice.databases;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(..._: Equal<A, B> extends true ? [] : ['they differ']) => undefined;

const page = await db.product.list({
  fields: ['id', 'name'],
  related: { category_by_category_id: { fields: ['name'] }, review_by_product_id: { fields: ['stars'], related: { product_by_product_id: true } } },
  filter: and(gt('price', 5), or(like('name', 'A%'), isNull('mood'), eq('mood', 'good'), isIn('id', [1, 2]))),
  order: ['-price', 'name', { field: 'id', nulls: 'last' }],
  limit: 20,
});
const [product] = page.records;
same<NonNullable<typeof product>['id'], number>();
same<keyof NonNullable<typeof product>, 'id' | 'name' | 'category_by_category_id' | 'review_by_product_id'>();
same<NonNullable<typeof product>['category_by_category_id'], { name: string | null } | null>();
const stars: number | null | undefined = product?.review_by_product_id[0]?.stars;
const back: string | undefined = product?.review_by_product_id[0]?.product_by_product_id?.name;
same<Awaited<ReturnType<typeof db.product.count>>, number>();
const whole = await db.product.get(1);
same<typeof whole.price, number | string | null>();
same<typeof whole.mood, 'good' | 'bad' | null>();
const created = await db.product.create({ name: 'A' });
same<typeof created, { id: number }>();
const { data, error } = await safe(db.product.create({ name: 'A', price: '1.50' }, { fields: ['name'] }));
if (error) same<typeof error.status, number>();
else same<typeof data, { name: string }>();
const cheap: Filter<Records['product.part']['fields']> = gt('price', 1);
await db.product.updateWhere(cheap, { active: false });
const seat = await db.seat.get({ row: 'A', number: 1 }, { fields: ['guest'] });
same<typeof seat, { guest: string | null }>();
const taken = await db.seat.update({ row: 'A', number: 1 }, { guest: 'Ann' });
same<typeof taken, { row: string; number: number }>();
await db.seat.updateMany([{ row: 'A', number: 1, guest: null }]);
for await (const { name } of db.product.all({ fields: ['name'] })) same<typeof name, string>();
const answer = await sluice.request('get', '/${service}/_table/product/{id}', { path: { id: '1' }, query: { fields: 'id' } });
const answered: string | null | undefined = answer.mood;

const no = {
  // @ts-expect-error no such table
  table: () => db.nothing,
  // @ts-expect-error no such field
  field: () => db.product.list({ fields: ['nope'] }),
  // @ts-expect-error no such option
  option: () => db.product.list({ fields: ['id'], limmit: 3 }),
  // @ts-expect-error no such relation
  relation: () => db.product.list({ related: { nope: true } }),
  // @ts-expect-error no such relation beside one
  relations: () => db.product.list({ related: { category_by_category_id: true, nope: true } }),
  // @ts-expect-error no such field of a relation
  relationField: () => db.product.list({ related: { category_by_category_id: { fields: ['price'] } } }),
  // @ts-expect-error no such relation of a relation
  deepRelation: () => db.product.list({ related: { category_by_category_id: { fields: ['id'], related: { nope: true } } } }),
  // @ts-expect-error no such field in a filter
  filter: () => db.product.list({ filter: eq('nope', 1) }),
  // @ts-expect-error no such value
  value: () => db.product.list({ filter: eq('active', 'yes') }),
  // @ts-expect-error no such value deep inside
  deepValue: () => db.product.list({ filter: and(eq('id', 1), or(isNull('mood'), eq('mood', 'fair'))) }),
  // @ts-expect-error a pattern is for texts
  pattern: () => db.product.list({ filter: like('id', '1%') }),
  // @ts-expect-error null is not greater
  nothing: () => db.product.list({ filter: gt('price', null) }),
  // @ts-expect-error a filter of another table
  other: () => db.review.list({ filter: cheap }),
  // @ts-expect-error a filter is made by functions
  text: () => db.product.list({ filter: 'id = 1' }),
  // @ts-expect-error no such order
  order: () => db.product.list({ order: ['nope'] }),
  // @ts-expect-error not selected
  unselected: () => product?.price,
  // @ts-expect-error the relation was not asked for
  unrelated: () => whole.category_by_category_id,
  // @ts-expect-error a name is required
  required: () => db.product.create({ price: 1 }),
  // @ts-expect-error no such field to write
  written: () => db.product.create({ name: 'A', nope: 1 }),
  // @ts-expect-error a name cannot be null
  notNull: () => db.product.update(1, { name: null }),
  // @ts-expect-error no such value to write
  picklist: () => db.product.update(1, { mood: 'fair' }),
  // @ts-expect-error a key is a number
  key: () => db.product.get('1'),
  // @ts-expect-error a key of two fields
  half: () => db.seat.get({ row: 'A' }),
  // @ts-expect-error a key of two fields is no value
  whole: () => db.seat.delete('A'),
  // @ts-expect-error each record with its key
  keyless: () => db.product.updateMany([{ name: 'A' }]),
  // @ts-expect-error no such operation
  operation: () => sluice.request('post', '/${service}/_table/product/{id}', { path: { id: '1' } }),
  // @ts-expect-error a placeholder is missing
  placeholder: () => sluice.request('get', '/${service}/_table/product/{id}', {}),
};
export { answered, back, no, stars };
`;

const useReader = `
import { createClient } from './reader.ts';
const { shop_sqlite: db } = createClient().databases;
await db.product.list({ related: { category_by_category_id: true } });
// @ts-expect-error may not be written
db.product.create;
// @ts-expect-error may not be deleted
db.product.delete;
// @ts-expect-error may not be read
db.review;
// @ts-expect-error nor in relation
await db.product.list({ related: { review_by_product_id: true } });
`;

const usable = engines.filter((engine) => !missing.get(engine));
let readerKey: string;

const routines = {
  pgsql: `create function "add up" (a integer, b integer) returns integer language sql as 'select a + b';`,
  mysql: 'create procedure `add up` (in a int, in b int, out total int) set total = a + b;',
};

beforeAll(async () => {
  const nasty = { sqlite: () => nastySqlite, pgsql: () => nastyPgsql, mysql: nastyMysql };
  for (const engine of usable) {
    await addService(`shop_${engine}`, engine, engine === 'sqlite' ? undefined : () => routines[engine]);
    const { status, text } = await platform.ask('POST', `shop_${engine}/_schema`, { body: { resource: tables } });
    expect([status, text]).toEqual([200, expect.any(String)]);
    await addService(`nasty_${engine}`, engine, nasty[engine]);
  }
}, 120_000);

it('compile under the strictest settings, and refuse what is not there', async () => {
  const { body } = await platform.ask('GET', 'system/service?filter=name=shop_sqlite');
  const role = await platform.create(
    'role',
    {
      name: 'reader',
      is_active: true,
      role_service_access_by_role_id: ['product', 'category'].map((table) => ({
        ...{
          service_id: body.resource[0].id,
          component: `_table/${table}`,
          verb_mask: verbMask.GET,
          requestor_mask: 1,
        },
      })),
    },
    'role_service_access_by_role_id',
  );
  const app = await platform.create('app', { name: 'reader', is_active: true, role_id: role.id });
  readerKey = String(app.api_key);
  const files: Record<string, string> = {
    'all.ts': await clientAt(''),
    'reader.ts': await clientAt('', readerKey),
    'use-reader.ts': useReader,
  };
  for (const engine of usable) {
    files[`shop_${engine}.ts`] = await clientAt(`/shop_${engine}`);
    files[`use-${engine}.ts`] = useOf(`shop_${engine}`, `shop_${engine}.ts`);
  }
  expect(await compile(files)).toBe('');
  expect(files['all.ts']).not.toContain(readerKey);
});

describe.each(engines)('%s', (engine) => {
  const isMissing = missing.get(engine);

  it.skipIf(isMissing)('writes and reads records with their relations', async () => {
    const module = await clientOf(`shop_${engine}`);
    const sluice = module.createClient();
    await sluice.signIn({ ...administrator, administrator: true });
    const db = sluice.databases[`shop_${engine}`];
    const {
      eq,
      and,
      or,
      not,
      gt,
      gte,
      lt,
      lte,
      ne,
      between,
      isIn,
      notIn,
      like,
      notLike,
      contains,
      startsWith,
      endsWith,
    } = module;
    const category = await db.category.create({ name: 'Tea' });
    const texts = [
      "It's",
      '"',
      '50%',
      '_',
      'a\nb',
      '日本 😀',
      "') or ('1'='1",
      '\\',
      ':p',
      'null',
      'and b = 1',
      '(NOW())',
    ];
    const made = await db.product.createMany(
      texts.map((name, index) => ({ name, price: index, ...(index < 2 ? { category_id: category.id } : {}) })),
      { fields: ['id', 'name'] },
    );
    expect(made.map(({ name }: { name: string }) => name)).toEqual(texts);
    const named = async (filter: unknown) => {
      const { records } = await db.product.list({ filter, fields: ['name'], order: ['id'] });
      return records.map(({ name }: { name: string }) => name);
    };
    for (const text of texts) expect(await named(eq('name', text))).toEqual([text]);
    expect(await named(isIn('name', texts))).toEqual(texts);
    expect(await named(isIn('name', []))).toEqual([]);
    expect(await named(notIn('name', []))).toEqual(texts);
    expect(await named(notIn('name', texts.slice(1)))).toEqual(["It's"]);
    expect(await named(and(gt('price', 3), lte('price', 5)))).toEqual(texts.slice(4, 6));
    expect(await named(between('price', 3, '5'))).toEqual(texts.slice(3, 6));
    expect(await named(or(lt('price', 1), gte('price', 11)))).toEqual([texts[0], texts[11]]);
    expect(await named(ne('category_id', null))).toEqual(texts.slice(0, 2));
    expect(await named(and(eq('category_id', null), not(gt('price', 2))))).toEqual(['50%']);
    expect(await named(like('name', "It'%"))).toEqual(["It's"]);
    expect(await named(and(notLike('name', '%a%'), contains('name', "'s")))).toEqual(["It's"]);
    expect(await named(and(startsWith('name', "')"), endsWith('name', "'1")))).toEqual(["') or ('1'='1"]);

    const { id } = made[0];
    await db.review.createMany([
      { stars: 5, product_id: id },
      { stars: 1, product_id: id },
    ]);
    const related = {
      category_by_category_id: {
        fields: ['name'],
        related: { product_by_category_id: { fields: ['name'], order: ['-name'] } },
      },
      review_by_product_id: { order: ['stars'] },
      detail_by_product_id: true,
    };
    const product = await db.product.get(id, { fields: ['id'], related });
    expect(product.category_by_category_id.name).toBe('Tea');
    expect(product.category_by_category_id.product_by_category_id).toHaveLength(2);
    expect(product.review_by_product_id.map(({ stars }: { stars: number }) => stars)).toEqual([1, 5]);
    // A relation to one, where the engine has what makes it one; the wire has an empty list for none.
    expect(product.detail_by_product_id).toEqual(engine === 'sqlite' ? [] : null);
    await db.detail.create({ product_id: id });
    const { detail_by_product_id: detail } = await db.product.get(id, { related });
    expect(engine === 'sqlite' ? detail[0] : detail).toMatchObject({ product_id: id });

    const big = '9007199254740993';
    const change = { price: '12345678901234567.25', big, mood: 'bad', active: false };
    const fields = ['price', 'big', 'mood', 'active'];
    expect(await db.product.update(id, change, { fields })).toEqual({ ...change, price: expect.anything() });
    expect(await named(eq('big', big))).toEqual(["It's"]);
    expect(await db.product.count({ filter: eq('active', true) })).toBe(texts.length - 1);
  });

  it.skipIf(isMissing)('finds records by a key of several fields', async () => {
    const { createClient, eq, safe } = await clientOf(`shop_${engine}`);
    const sluice = createClient();
    await sluice.signIn({ ...administrator, administrator: true });
    const { seat } = sluice.databases[`shop_${engine}`];
    const rows = ["it's", 'a,b', '日本 😀', '7', 'A'];
    const seats = rows.flatMap((row) => [1, 2].map((number) => ({ row, number })));
    expect(await seat.createMany(seats)).toEqual(seats);
    for (const row of rows) {
      const id = { row, number: 2 };
      expect(await seat.update(id, { guest: row })).toEqual(id);
      // A record is a key, too.
      const found = await seat.get(id, {
        fields: ['row', 'number', 'guest'],
        related: { category_by_category_id: true },
      });
      expect(found).toMatchObject({ ...id, guest: row, category_by_category_id: null });
      expect(await seat.get(found, { fields: ['guest'] })).toEqual({ guest: row });
    }
    expect(await seat.count({ filter: eq('guest', null) })).toBe(rows.length);
    const named: string[] = [];
    for await (const { row, number } of seat.all({ limit: 3 })) named.push(`${row} ${number}`);
    expect(named.toSorted()).toEqual(seats.map(({ row, number }) => `${row} ${number}`).toSorted());
    expect(await seat.delete({ row: 'A', number: 1 }, { fields: ['guest'] })).toEqual({ guest: null });
    for (const call of [seat.get, seat.delete, (id: object) => seat.update(id, { guest: 'x' })]) {
      const { error } = await safe(call({ row: 'A', number: 1 }));
      expect([error.status, error.kind], error.message).toEqual([404, 'answer']);
    }
    expect((await safe(seat.get({ row: 'A' }))).error).toMatchObject({
      kind: 'input',
      message: 'The key lacks number.',
    });
    expect((await safe(seat.get({ row: 'A', number: 'x' }))).error).toMatchObject({ status: 400 });
  });

  // SQLite has none.
  if (engine !== 'sqlite')
    it.skipIf(isMissing)('calls routines', async () => {
      const { createClient } = await clientOf(`shop_${engine}`);
      const sluice = createClient();
      await sluice.signIn({ ...administrator, administrator: true });
      const { [`shop_${engine}`]: all } = engine === 'pgsql' ? sluice.functions : sluice.procedures;
      const answer = await all['add up']({ a: 2, b: 40 });
      expect(JSON.stringify(answer)).toContain('42');
      await expect(all['add up']({ a: 'x', b: 1 })).rejects.toMatchObject({ status: 400 });
    });

  it.skipIf(isMissing)('reads every record page by page, writes and deletes by a filter', async () => {
    const module = await clientOf(`shop_${engine}`);
    const sluice = module.createClient();
    await sluice.signIn({ ...administrator, administrator: true });
    const { [`shop_${engine}`]: db } = sluice.databases;
    await db.category.deleteWhere(module.startsWith('name', 'page '));
    await db.category.createMany(
      Array.from({ length: 23 }, (_, index) => ({ name: `page ${index}` })),
      { rollback: true },
    );
    const filter = module.startsWith('name', 'page ');
    for (const paging of ['after', 'offset'])
      for (const limit of [7, 23]) {
        const names: string[] = [];
        for await (const { name } of db.category.all({ filter, limit, paging, order: ['-name'], fields: ['name'] }))
          names.push(name);
        expect(new Set(names).size, `${paging} ${limit}`).toBe(23);
        expect(names).toEqual(names.toSorted().toReversed());
      }
    const first = await db.category.list({ filter, limit: 10, count: true });
    expect([first.count, first.next, first.records.length]).toEqual([23, 10, 10]);
    const long = module.isIn(
      'name',
      Array.from({ length: 2_000 }, (_, index) => `page ${index}`),
    );
    expect(await db.category.count({ filter: long })).toBe(23);
    expect(await db.category.updateWhere(long, { name: 'page x' })).toHaveLength(23);
    expect(await db.category.deleteWhere(long)).toEqual([]);
    expect(await db.category.deleteWhere(module.eq('name', 'page x'), { fields: ['name'] })).toHaveLength(23);
    expect(await db.category.count({ filter })).toBe(0);
  });

  it.skipIf(isMissing)('reads each table of a database that nobody here designed, by names as they are', async () => {
    const module = await clientOf(`nasty_${engine}`);
    const sluice = module.createClient();
    await sluice.signIn({ ...administrator, administrator: true });
    const tables = sluice.databases[`nasty_${engine}`];
    expect(Object.keys(tables).length).toBeGreaterThan(15);
    for (const name of Object.keys(tables)) {
      const table = tables[name];
      const { records } = await table.list();
      expect(records, name).toHaveLength(await table.count());
      const [record] = records;
      if (!record) continue;
      // Each field by its name, in a choice and in a filter.
      const fields = Object.keys(record);
      const [again] = (await table.list({ fields })).records;
      expect(Object.keys(again), name).toEqual(fields);
      const conditions = fields.flatMap((field) => [module.isNull(field), module.isNotNull(field)]);
      expect(await table.count({ filter: module.or(...conditions) }), name).toBe(records.length);
    }
  });
});

describe('errors', () => {
  it('are thrown, or a value', async () => {
    const { createClient, safe, SluiceError } = await clientOf('shop_sqlite');
    const stranger = createClient().databases.shop_sqlite.product;
    const refused = await safe(stranger.list());
    expect(refused.error).toBeInstanceOf(SluiceError);
    expect(refused.error).toMatchObject({ kind: 'answer', status: 400, code: 400 });
    const sluice = createClient({ timeout: 20_000 });
    await expect(sluice.signIn({ ...administrator, password: 'wrong', administrator: true })).rejects.toMatchObject({
      status: 401,
    });
    await sluice.signIn({ ...administrator, administrator: true });
    const { product } = sluice.databases.shop_sqlite;
    await expect(product.get(12345)).rejects.toMatchObject({
      status: 404,
      message: "Record with identifier '12345' not found.",
    });
    // That of the one record, not of a list.
    await expect(product.create({})).rejects.toMatchObject({
      status: 400,
      code: 400,
      message: "Required field 'name' can not be NULL.",
    });
    const many = await safe(product.createMany([{ name: 'kept?' }, { name: null }], { rollback: true }));
    expect(many.error).toMatchObject({ code: 1000, context: { error: [1] } });
    for (const id of ['', '.', '..', '\ud800'])
      expect((await safe(product.delete(id))).error).toMatchObject({ kind: 'input', status: 0 });
    expect((await safe(product.deleteWhere(undefined))).error).toMatchObject({ kind: 'input' });
    expect((await safe(product.list({ filter: 'id = 1' }))).error).toMatchObject({ kind: 'input' });
    expect((await safe(product.list({ signal: AbortSignal.abort() }))).error).toMatchObject({ kind: 'aborted' });
    expect((await safe(product.list({ timeout: 0.001 }))).error).toMatchObject({ kind: 'timeout' });
    const nowhere = createClient({ address: 'http://127.0.0.1:9' }).databases.shop_sqlite.product;
    expect((await safe(nowhere.list())).error).toMatchObject({ kind: 'network', status: 0 });
    await expect(safe(Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  });

  it('of a reader are those of its role', async () => {
    const { createClient } = await clientOf('shop_sqlite');
    const { product } = createClient({ key: readerKey }).databases.shop_sqlite;
    expect((await product.list({ limit: 1 })).records).toHaveLength(1);
    await expect(product.delete(1)).rejects.toMatchObject({ status: 401 });
  });
});

describe('the session', () => {
  const later = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });

  it.each([
    ['before its end', true],
    ['when the server refuses it', false],
  ])('is renewed %s, once for all calls', async (_, knowsEnd) => {
    const { createClient } = await clientOf('shop_sqlite');
    const sent: string[] = [];
    const stored: unknown[] = [];
    const watch: typeof fetch = (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return fetch(input, init);
    };
    const first = createClient();
    const { token_expiry_date, ...session } = await first.signIn({ ...administrator, administrator: true });
    const kept = knowsEnd ? { ...session, token_expiry_date } : session;
    const sluice = createClient({ session: kept, fetch: watch, onSession: (next: unknown) => stored.push(next) });
    const { product } = sluice.databases.shop_sqlite;
    later(knowsEnd ? 59.5 : 90);
    const counts = await Promise.all(Array.from({ length: 5 }, () => product.count()));
    expect(new Set(counts).size).toBe(1);
    expect(sent.filter((call) => call.startsWith('PUT'))).toEqual(['PUT /api/v2/system/admin/session']);
    expect(sent).toHaveLength(knowsEnd ? 6 : 11);
    expect(stored).toEqual([sluice.session]);
    expect(sluice.session.session_token).not.toBe(kept.session_token);
    await sluice.signOut();
    expect([sluice.session, stored.at(-1)]).toEqual([undefined, undefined]);
    await expect(product.count()).rejects.toMatchObject({ status: 400 });
  });

  it('ends when it can be renewed no more', async () => {
    const { createClient } = await clientOf('shop_sqlite');
    const stored: unknown[] = [];
    const sluice = createClient({ onSession: (next: unknown) => stored.push(next) });
    await sluice.signIn({ ...administrator, administrator: true });
    later(60 * 24 * 30);
    await expect(sluice.databases.shop_sqlite.product.count()).rejects.toMatchObject({ status: 401 });
    expect(stored).toEqual([expect.objectContaining({ email: administrator.email }), undefined]);
  });
});

it('files are written, listed, read and deleted', async () => {
  const { createClient, safe } = await clientOf('files');
  const sluice = createClient();
  await sluice.signIn({ ...administrator, administrator: true });
  const { files } = sluice.files;
  await files.createFolder("a b'ä");
  for (const content of ['hé', new Blob(['hé']), new TextEncoder().encode('hé')]) {
    await files.write("a b'ä/notes #1?.txt", content);
    expect(await (await files.read("a b'ä/notes #1?.txt")).text()).toBe('hé');
  }
  expect((await files.list("a b'ä")).map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
    ['notes #1?.txt', 'file'],
  ]);
  expect((await files.list('', { tree: true })).map(({ path }: { path: string }) => path)).toContain(
    "a b'ä/notes #1?.txt",
  );
  for (const path of ['', '/', '../x', 'a/../../b', 'folder/'])
    expect((await safe(files.delete(path))).error).toMatchObject({ kind: 'input' });
  await files.delete("a b'ä/notes #1?.txt");
  await files.deleteFolder("a b'ä", { force: true });
  expect((await safe(files.read("a b'ä/notes #1?.txt"))).error).toMatchObject({ status: 404 });
});
