// Lists in parameters that are longer than they may be: refused by those who may call at all, with what was too long.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixture, onEachEngine, serviceOver } from './fixture/index.ts';

await onEachEngine((engine) => {
  let db: Awaited<ReturnType<typeof fixture>>;
  let platform: TestPlatform;

  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql('CREATE TABLE parcel (id integer PRIMARY KEY, name varchar(40)); INSERT INTO parcel VALUES (1, null)');
    platform = await startPlatform({});
    await platform.create('service', serviceOver(db, 'yard'));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  /** A GET whose parameters are in the body of a POST. */
  const get = (body: object, options: object = {}) =>
    platform.ask('POST', 'yard/_table/parcel', { body, headers: { 'X-HTTP-Method': 'GET' }, ...options });
  const many = (word: string, count: number) => Array(count).fill(word).join(',');

  it.each([
    ['fields', many('id', 10_001), "More than 10000 names in 'fields'."],
    ['fields', Array(10_001).fill('id'), "More than 10000 names in 'fields'."],
    ['order', many('id desc', 10_001), "More than 10000 names in 'order'."],
    ['group', many('id', 10_001), "More than 10000 names in 'group'."],
    ['ids', many('1', 10_001), 'A batch may hold 10000 records at most.'],
    ['ids', Array(10_001).fill(1), 'A batch may hold 10000 records at most.'],
  ])('abuse: %s of more than ten thousand parts are refused', async (name, value, message) => {
    const { status, body } = await get({ [name]: value });
    expect([status, body.error?.message]).toEqual([400, message]);
    const shorter = Array.isArray(value) ? value.slice(1) : value.slice(value.indexOf(',') + 1);
    expect((await get({ [name]: shorter })).status).toBe(200);
  });

  it('abuse: a megabyte of commas names nothing', async () => {
    const { status, body } = await get({ fields: `${','.repeat(1_000_000)}name`, ids: `${' ,'.repeat(1_000_000)}1` });
    expect([status, body.resource]).toEqual([200, [{ name: null }]]);
  });

  it('a caller without access gets that refusal, for any parameters', async () => {
    const [long, short] = [await get({ ids: many('1', 20_000) }, { token: null }), await get({}, { token: null })];
    expect([long.status, long.body.error.message]).toEqual([short.status, short.body.error.message]);
    expect(short.body.error.message).toContain('No session token');
  });
});
