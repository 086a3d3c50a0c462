// Pages of an ordered list have every record once, whatever the order says.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

const rows = 600;

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    const text = engine === 'mysql' ? 'varchar(20)' : 'text';
    await db.sql(`create table paged (code ${text} primary key, g integer, h integer not null, team_id integer);
      create index paged_g on paged (g);
      create table counted (id integer primary key, g integer, h integer not null);
      create index counted_g on counted (g);
      create table keyless (n integer, g integer, h integer not null, note ${text});
      create table nearly (n integer, g integer, h integer not null, u integer not null unique);
      create view seen as select * from keyless`);
    for (let first = 1; first <= rows; first += 200) {
      const numbers = Array.from({ length: 200 }, (_, index) => first + index);
      const values = (row: (n: number) => string) => numbers.map((n) => `(${row(n)})`).join(',');
      const g = (n: number) => (n % 7 === 0 ? 'null' : n % 3);
      await db.sql(`insert into paged values ${values((n) => `'c${(n * 7919) % 10_007}', ${g(n)}, ${n % 2}, 1`)};
        insert into counted values ${values((n) => `${(n * 7919) % 10_007}, ${g(n)}, ${n % 2}`)};
        insert into keyless values ${values((n) => `${n}, ${g(n)}, ${n % 2}, 'x'`)};
        insert into nearly values ${values((n) => `${n}, ${g(n)}, ${n % 2}, ${(n * 7919) % 10_007}`)}`);
    }
  });
  afterAll(() => db?.stop());

  const page = async (table: string, query: Record<string, string>) =>
    (await ask(db.service, `GET _table/${table}`, { query })).body;
  const orders = ['g', 'g desc', 'g,h desc', 'g desc nulls last,h', 'h,g nulls first'];

  it.each([
    ['counted', 'id'],
    ['paged', 'code'],
    ['nearly', 'u'],
    ['keyless', 'n'],
    ['seen', 'n'],
  ])('of %s, by any order', async (table, field) => {
    for (const order of orders) {
      const found: unknown[] = [];
      for (let offset = 0; offset < rows; offset += 50) {
        const { resource } = await page(table, { order, fields: field, limit: '50', offset: `${offset}` });
        for (const record of resource) found.push(record[field]);
      }
      expect([order, new Set(found).size, found.length]).toEqual([order, rows, rows]);
    }
  });

  it('by after= in the same order', async () => {
    for (const order of orders) {
      const { resource } = await page('counted', {
        order: order.replace(/ nulls (first|last)/g, ''),
        fields: 'id',
        after: '',
        limit: '500',
      });
      expect(resource).toHaveLength(500);
    }
  });

  it('an order that has the key, or groups, stays as it is', async () => {
    const { resource } = await page('counted', { order: 'id desc,g', fields: 'id', limit: '3' });
    const ids: number[] = resource.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await page('counted', { fields: 'g', group: 'g', order: 'g desc' })).resource).toHaveLength(4);
  });

  it('reads an index on one field without a sort of all rows', async () => {
    for (const order of ['g, id', 'g desc, id desc']) {
      const statement = `select id from counted order by ${order} limit 50`;
      if (engine === 'sqlite')
        expect(await db.sql(`explain query plan ${statement}`)).not.toContain('USE TEMP B-TREE FOR ORDER BY');
      if (engine === 'pgsql')
        expect((await db.sql(`set enable_seqscan = off; explain ${statement}`)).join('\n')).toContain(
          'Incremental Sort',
        );
      if (engine === 'mysql') expect((await db.sql(`explain ${statement}`)).join(' ')).not.toContain('filesort');
    }
  });
});
