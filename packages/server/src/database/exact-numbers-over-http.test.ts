// Decimals sent as JSON numbers with more digits than a double carries (contract/database-tables.md §9).
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from './fixture/index.ts';

const a = '123456789123456.12345';
const b = '123456789123456.12346';

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  // SQLite keeps decimals as doubles, in which the two numbers are the same.
  const isExact = engine !== 'sqlite';
  const [storedA, storedB] = isExact ? [a, b] : ['123456789123456.12', '123456789123456.12'];

  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql(`create table price (amount decimal(20,5) primary key);
      create table item (id integer primary key, d decimal(20,5), f double precision, t varchar(60),
        foreign key (d) references price (amount));
      create table paper (id integer primary key, doc json, note text)`);
    if (isExact)
      await db.sql(
        'create function same(d decimal(20,5)) returns decimal(20,5) deterministic return d'.replace(
          /deterministic return d$/,
          engine === 'pgsql' ? "language sql as 'select d'" : '$&',
        ),
      );
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'shop'));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  /** Sends a body as it is; a GET in the body of a POST. */
  const send = async (verb: string, path: string, body: string, type = 'application/json') => {
    const method = verb === 'GET' ? 'POST' : verb;
    const headers = { 'content-type': type, 'x-http-method': verb };
    const answer = await platform.ask(method, `shop/${path}`, { headers, body });
    return answer.status === 200 || answer.status === 201 ? answer.body : answer.body.error;
  };
  const stored = (id: number) => db.sql(`select d from item where id = ${id}`);

  it('keep their digits in records, keys and ids', async () => {
    await send('POST', '_table/price', `{"resource":[{"amount":${a}}${isExact ? `,{"amount":${b}}` : ''}]}`);
    expect(await db.sql('select amount from price order by 1')).toEqual(isExact ? [a, b] : [storedA]);
    await send('POST', '_table/item', `{"resource":[{"id":1,"d":${a}},{"id":2,"d":${b}}]}`);
    expect([await stored(1), await stored(2)]).toEqual([[storedA], [storedB]]);
    await send('PATCH', '_table/item/1', `{"d":${b},"f":${a}0000000000,"t":${a}0000000001}`);
    expect(await stored(1)).toEqual([storedB]);
    // Elsewhere it is the number that JSON makes of it.
    expect((await send('GET', '_table/item?ids=1', '{}')).resource).toMatchObject([
      { f: 123456789123456.12, t: '123456789123456.12' },
    ]);
    const { resource } = await send('GET', '_table/price', `{"ids":[${b}]}`);
    expect(resource.map((row: { amount: unknown }) => String(row.amount))).toEqual([storedB]);
  });

  it('keep their digits in related records, params and formats of texts', async () => {
    const related = `{"id":3,"price_by_d":{"amount":${isExact ? '5.1234500000000000001' : '5.12345'}}}`;
    expect(await send('POST', '_table/item', `{"resource":[${related}]}`)).toHaveProperty('resource');
    expect(await stored(3)).toEqual(['5.12345']);
    const { resource } = await send('GET', '_table/item', `{"filter":"d = :d","params":{":d":${b}},"order":"id"}`);
    expect(resource.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    const params = encodeURIComponent(`{":d":${a}}`);
    expect((await send('GET', `_table/item?filter=d%20%3D%20:d&params=${params}`, '{}')).resource).toHaveLength(
      isExact ? 0 : 2,
    );
    await send('PATCH', '_table/item', `id,d\n2,${a}\n`, 'text/csv');
    expect(await stored(2)).toEqual([storedA]);
    await send('PATCH', '_table/item/2', `<a><d>${b}</d></a>`, 'application/xml');
    expect(await stored(2)).toEqual([storedB]);
  });

  it('keep their digits inside JSON', async () => {
    const document = `{"n":${a}0000001,"list":[0.10000000000000000000001,-1.5e-400],"s":"1.0"}`;
    await send('POST', '_table/paper', `{"resource":[{"id":1,"doc":${document},"note":${document}}]}`);
    const text = `cast(doc as ${engine === 'mysql' ? 'char(200)' : 'varchar(200)'})`;
    expect(await db.sql(`select ${text} from paper order by id`)).toEqual([document]);
    expect(await db.sql('select note from paper where id = 1')).toEqual([document]);
  });

  it('an integer past 2^53 in params of the query is refused', async () => {
    const params = encodeURIComponent('{":d":9007199254740993}');
    expect(await send('GET', `_table/item?filter=id%20%3D%20:d&params=${params}`, '{}')).toMatchObject({ code: 400 });
  });

  if (isExact)
    it('keep their digits in parameters of routines', async () => {
      expect(JSON.stringify(await send('POST', '_func/same', `{"params":[${b}]}`))).toContain(b);
    });
});
