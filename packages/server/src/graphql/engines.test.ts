// GraphQL on the awkward databases of each engine: a client takes the schema, and every table answers what the API answers.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from '../database/fixture/index.ts';
import { ask, queryOf, schemaFor } from './schema.fixture.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  const quote = (name: string) =>
    engine === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`;

  beforeAll(async () => {
    db = await fixture(engine);
    const columns = ['constructor', 'a b', 'a_0x20_b', 'größe', '1st', 'x"y', '__typename'];
    await db.sql(`CREATE TABLE ${quote('Odd "table", really')} (id integer PRIMARY KEY, ${columns
      .map((name) => `${quote(name)} varchar(40)`)
      .join(', ')}, big bigint, price decimal(30,10));
      INSERT INTO ${quote('Odd "table", really')} VALUES (1, ${columns.map((_, index) => `'v${index}'`).join(', ')}, 9007199254740993, 12345678901234567890.0123456789);
      CREATE TABLE ${quote('__schema')} (id integer PRIMARY KEY, name varchar(40))`);
    if (engine === 'pgsql')
      await db.sql(`CREATE FUNCTION plus(a integer, b bigint DEFAULT 9007199254740993) RETURNS bigint LANGUAGE sql AS 'SELECT a + b';
        CREATE FUNCTION unnamed(integer, integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 - $2'`);
    if (engine === 'mysql')
      await db.sql('CREATE FUNCTION plus(a integer, b bigint) RETURNS bigint DETERMINISTIC RETURN a + b');
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'odd', {}));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  describe('a schema of awkward tables', () => {
    it('is one for clients, and every list answers as the API does', async () => {
      const schema = await schemaFor(platform);
      const lists = Object.values(schema.getQueryType()!.getFields()).filter(
        ({ name }) => name.startsWith('getOddTable') && name.endsWith('List'),
      );
      expect(lists.length).toBeGreaterThan(5);
      const failed: string[] = [];
      let records = 0;
      for (const field of lists) {
        const query = queryOf(field, 'query', ['limit: 3']);
        const { body, text } = await ask(platform, query);
        if (body.errors) {
          failed.push(`${query}: ${text.slice(0, 500)}`);
          continue;
        }
        const path = /GET (.*)$/.exec(field.description ?? '')?.[1] ?? '';
        const [service, resource, ...table] = path.split('/');
        const api = await platform.ask('GET', `${service}/${resource}/${encodeURIComponent(table.join('/'))}?limit=3`);
        const type = getNamedType(field.type);
        const scalars = isObjectType(type)
          ? Object.values(type.getFields()).filter((one) => !isObjectType(getNamedType(one.type)))
          : [];
        for (const [index, record] of (body.data[field.name] as Record<string, unknown>[]).entries()) {
          records += 1;
          const values = scalars.map(({ name }) => record[name]);
          const expected = Object.values(api.body.resource[index] ?? {}).slice(0, values.length);
          expect(values, query).toEqual(expected);
        }
      }
      expect(failed).toEqual([]);
      expect(records).toBeGreaterThan(5);
    });

    it('has routines as mutations, where its engine has routines', async () => {
      if (engine === 'sqlite') return;
      const schema = await schemaFor(platform);
      expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toContain('callOddFunctionPlus');
      const { body } = await ask(platform, 'mutation { callOddFunctionPlus(a: 1, b: "9007199254740994") }');
      expect(body).toEqual({ data: { callOddFunctionPlus: '9007199254740995' } });
      const wrong = await ask(platform, 'mutation { callOddFunctionPlus(b: 1) }');
      expect(wrong.body.errors[0].extensions.status).toBe(400);
      if (engine !== 'pgsql') return;
      const more = await ask(platform, 'mutation { callOddFunctionPlus(a: 1) callOddFunctionUnnamed(p1: 7, p2: 3) }');
      expect(more.body).toEqual({
        data: { callOddFunctionPlus: '9007199254740994', callOddFunctionUnnamed: 4 },
      });
    });

    it('keeps every name and every digit', async () => {
      const table = 'OddTable_Odd_0x20__0x22_table_0x22__0x2c__0x20_really';
      const fields = 'constructor a_0x20_b a_0x5f_0x20_b gr_0xf6__0xdf_e _0x31_st x_0x22_y _0x5f__typename big price';
      const { body } = await ask(platform, `{ get${table}(id: 1) { ${fields} } }`);
      expect(body.errors).toBeUndefined();
      const record = body.data[`get${table}`];
      expect(Object.keys(record)).toEqual(fields.split(' '));
      expect(Object.values(record).slice(0, 7)).toEqual(Array.from({ length: 7 }, (_, index) => `v${index}`));
      expect(record.big).toBe('9007199254740993');
      if (engine !== 'sqlite') expect(record.price).toBe('12345678901234567890.0123456789');
      const changed = await ask(
        platform,
        `mutation { update${table}(id: 1, record: {constructor: "c", big: 9007199254740995, price: 98765432109876543210.5}) { constructor big } }`,
      );
      expect(changed.body.data).toEqual({
        [`update${table}`]: { constructor: 'c', big: '9007199254740995' },
      });
    });
  });
});
