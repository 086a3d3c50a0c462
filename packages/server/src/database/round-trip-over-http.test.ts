// What was read can be written back and found: every type of every engine, in every format, over real connections.
import { typeNames as mysqlTypes } from '@sluice/sql/dialects/mysql/types';
import { typeNames as pgsqlTypes } from '@sluice/sql/dialects/pgsql/types';
import { typeNames as sqliteTypes } from '@sluice/sql/dialects/sqlite/types';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineName, type Fixture, fixture, onEachEngine, serviceOver } from './fixture/index.ts';
import { declarations, oddTexts, samples, withoutEquality, withoutSample } from './round-trip.fixture.ts';

const typeNames: Record<EngineName, readonly string[]> = { mysql: mysqlTypes, pgsql: pgsqlTypes, sqlite: sqliteTypes };
const formats = { json: 'application/json', csv: 'text/csv', xml: 'application/xml' };
const prerequisites: Record<EngineName, string> = {
  pgsql: `CREATE TYPE mood AS ENUM ('it''s ok'); CREATE TYPE pair AS (a int, b text);
    CREATE EXTENSION hstore; CREATE EXTENSION citext;`,
  mysql: '',
  sqlite: '',
};

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  const types = Object.keys(samples[engine]);
  const nameOf = (type: string) => `c${types.indexOf(type)}`;
  const read = async (table: string) => (await platform.ask('GET', `trip/_table/${table}`)).body.resource;

  beforeAll(async () => {
    db = await fixture(engine);
    const columns = types.map((type) => `${nameOf(type)} ${declarations[engine]?.[type] ?? type} NULL`);
    const lists = Object.values(samples[engine]);
    const count = Math.max(...lists.map((list) => list.length));
    const rows = Array.from({ length: count }, (_, i) => [i + 1, ...lists.map((list) => list[i] ?? 'NULL')]);
    const text = engine === 'mysql' ? 'varchar(50) COLLATE utf8mb4_nopad_bin' : 'text';
    await db.sql(`${prerequisites[engine]} CREATE TABLE every_type (id integer PRIMARY KEY, ${columns.join(', ')});
      INSERT INTO every_type VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')};
      INSERT INTO every_type (id) VALUES (${count + 1});
      CREATE TABLE odd_text (id integer PRIMARY KEY, t ${text}, n varchar(50) NOT NULL)`);
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'trip'));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  it('has a value of every type that the dialect tells apart', () => {
    const known = new Set([...types, ...types.map((type) => type.replace(/\(.*/, ''))]);
    const missing = typeNames[engine].filter((type) => !known.has(type) && !withoutSample[engine]?.[type]);
    expect(missing).toEqual([]);
  });

  it('a record is the same when it is written as it was read', async () => {
    const before = await read('every_type');
    for (const verb of ['PUT', 'PATCH'])
      for (const { id, ...record } of before) {
        const problems: unknown[] = [];
        const whole = await platform.ask(verb, `trip/_table/every_type/${id}`, { body: record });
        if (whole.status !== 200)
          for (const type of types) {
            const body = { [nameOf(type)]: record[nameOf(type)] };
            const answer = await platform.ask(verb, `trip/_table/every_type/${id}`, { body });
            if (answer.status !== 200) problems.push([type, body, answer.body.error.message]);
          }
        expect(problems).toEqual([]);
      }
    expect(await read('every_type')).toEqual(before);
  });

  it('a record is found by each of its values as they were read', async () => {
    const problems: unknown[] = [];
    for (const record of await read('every_type'))
      for (const type of types.filter((name) => withoutEquality[engine]?.[name] === undefined)) {
        const value = record[nameOf(type)];
        if (value === null) continue;
        const body = {
          filter: `(id = ${record.id}) and (${nameOf(type)} = :v)`,
          params: { ':v': value },
          fields: 'id',
        };
        const answer = await platform.ask('POST', 'trip/_table/every_type?method=GET', { body });
        if (answer.body.resource?.length !== 1) problems.push([type, value, answer.body]);
      }
    expect(problems).toEqual([]);
  });

  for (const [format, contentType] of Object.entries(formats))
    it(`a table exported and imported as ${format} is the same table`, async () => {
      const resource = oddTexts.map((t, id) => ({ id, t, n: t ?? '' }));
      await platform.ask('DELETE', 'trip/_table/odd_text?force=true');
      expect((await platform.ask('POST', 'trip/_table/odd_text', { body: { resource } })).body.error).toBeUndefined();
      for (const table of ['odd_text', 'every_type']) {
        const before = await read(table);
        const { text } = await platform.ask('GET', `trip/_table/${table}?file=${table}.${format}`);
        await platform.ask('DELETE', `trip/_table/${table}?force=true`);
        const headers = { 'content-type': contentType };
        const answer = await platform.ask('POST', `trip/_table/${table}`, { headers, body: text });
        expect(answer.body.error?.context?.resource?.at(-1)).toBeUndefined();
        expect(answer.status).toBe(200);
        expect(await read(table)).toEqual(before);
      }
    });

  if (engine === 'pgsql')
    it('a list is taken for an array, and a boolean that is empty in CSV is null', async () => {
      const list = ['a', 'b,c', null, '"', '\\', '', ' x '];
      const [array, box] = [nameOf('text[]'), nameOf('box[]')];
      const body = { resource: [{ id: 90, [array]: list, [box]: ['(2,2),(1,1)', '(4,4),(3,3)'] }] };
      expect((await platform.ask('POST', 'trip/_table/every_type', { body })).body.error).toBeUndefined();
      const same = `SELECT ${array} = array['a','b,c',null,'"','\\','',' x '], ${box} FROM every_type WHERE id = 90`;
      expect(await db.sql(same)).toEqual(['true', '{(2,2),(1,1);(4,4),(3,3)}']);
      for (const [sent, stored] of [
        [[], null],
        [
          [
            ['a', 'b'],
            ['c', null],
          ],
          '{{a,b},{c,NULL}}',
        ],
      ] as const) {
        await platform.ask('PATCH', 'trip/_table/every_type/90', { body: { [array]: sent } });
        expect((await platform.ask('GET', `trip/_table/every_type/90?fields=${array}`)).body[array]).toBe(stored);
      }
    });

  it('a field that cannot be null refuses an empty cell, and CSV without records has its header line', async () => {
    const headers = { 'content-type': 'text/csv' };
    await db.sql('CREATE TABLE strict_cell (id integer PRIMARY KEY, d date NOT NULL, b boolean NOT NULL)');
    await platform.ask('GET', 'trip/_schema?refresh=true');
    for (const cells of ['2018-01-01,', ',true', '"",true']) {
      const answer = await platform.ask('POST', 'trip/_table/strict_cell', { headers, body: `id,d,b\n1,${cells}\n` });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('can not be NULL')]);
    }
    for (const page of ['', '&limit=5']) {
      const { text } = await platform.ask('GET', `trip/_table/strict_cell?filter=id%3C0${page}`, {
        headers: { accept: 'text/csv' },
      });
      expect(text).toBe('id,d,b\n');
    }
  });
});
