// Names as databases have them, over real connections: those that differ by letter case alone, and those that hold what
// parameters, addresses and formats use as separators (contract/database-tables.md §2).
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from './fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  /** The same words on every engine: MariaDB quotes names otherwise. */
  const inOwnQuotes = (sql: string) =>
    sql.replaceAll(/"((?:[^"]|"")*)"/g, (_, name: string) => `\`${name.replaceAll('""', '"')}\``);
  const run = async (sql: string) => {
    const values = await db.sql(engine === 'mysql' ? inOwnQuotes(sql) : sql);
    await call('GET', '_table?refresh=true');
    return values;
  };
  const call = async (verb: string, path: string, resource?: unknown, headers = {}) => {
    const body = resource === undefined ? {} : { body: resource };
    const { status, body: answer, text } = await platform.ask(verb, `names/${path}`, { ...body, headers });
    return { status, answer, text };
  };
  const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`;

  beforeAll(async () => {
    db = await fixture(engine);
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'names'));
  }, 60_000);
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  if (engine === 'pgsql')
    describe('columns that differ by letter case alone', () => {
      const record = (id: number) => call('GET', `_table/person/${id}`).then(({ answer }) => answer);

      beforeAll(async () => {
        await run(`create table person (id serial primary key, "Name" text, name text);
        create table pair ("A" integer, a integer, v text, primary key ("A", a));
        create table boss ("Id" integer primary key, id integer unique, n text);
        create table worker (id serial primary key, "Boss" integer references boss("Id"), boss integer references boss(id));
        insert into person ("Name", name) values ('Up', 'low'), ('Up', 'low'), ('Up', 'low');
        insert into pair values (1, 2, 'x'), (2, 1, 'y');
        insert into boss values (1, 2, 'one'), (2, 1, 'two')`);
      });

      it('a record sends each value to its own, and any other spelling to neither', async () => {
        await call('PATCH', '_table/person/1', { name: 'new' });
        expect(await record(1)).toEqual({ id: 1, Name: 'Up', name: 'new' });
        await call('PUT', '_table/person/1', { Name: 'New' });
        expect(await record(1)).toEqual({ id: 1, Name: 'New', name: 'new' });
        await call('PATCH', '_table/person/1', { NAME: 'neither' });
        expect(await record(1)).toEqual({ id: 1, Name: 'New', name: 'new' });
        await call('PATCH', '_table/person?filter=id%3D1', { resource: [{ name: 'by filter' }] });
        expect(await record(1)).toEqual({ id: 1, Name: 'New', name: 'by filter' });
        await call('POST', '_table/person', { resource: [{ id: 10, Name: 'A', name: 'b' }] });
        expect(await record(10)).toEqual({ id: 10, Name: 'A', name: 'b' });
        await call('POST', '_table/person', 'id,name,Name\n11,low,Up\n', { 'content-type': 'text/csv' });
        expect(await record(11)).toEqual({ id: 11, Name: 'Up', name: 'low' });
        expect((await call('GET', `_table/person${query({ filter: "NAME = 'A'" })}`)).status).toBe(400);
      });

      it('a key of both finds its record, written, read and compared as loaded', async () => {
        const key = { A: 1, a: 2 };
        expect((await call('POST', '_table/pair', { ids: [key] }, { 'x-http-method': 'GET' })).answer.resource).toEqual(
          [{ A: 1, a: 2, v: 'x' }],
        );
        const loaded = { ...key, v: 'x' };
        expect((await call('PATCH', '_table/pair', { resource: [{ ...key, v: 'z' }], loaded: [loaded] })).status).toBe(
          200,
        );
        expect((await call('DELETE', '_table/pair', { resource: [{ A: 2, a: 1 }] })).status).toBe(200);
        expect((await call('GET', '_table/pair')).answer.resource).toEqual([{ A: 1, a: 2, v: 'z' }]);
      });

      it('relations by each of them stay apart, in reading and in nested writes', async () => {
        const relations = 'boss_by_Boss,boss_by_boss';
        await call('POST', '_table/worker', { resource: [{ id: 1, Boss: 1, boss: 1 }] });
        expect((await call('GET', `_table/worker/1${query({ related: relations, fields: 'id' })}`)).answer).toEqual({
          ...{ id: 1, Boss: 1, boss: 1 },
          boss_by_Boss: { Id: 1, id: 2, n: 'one' },
          boss_by_boss: { Id: 2, id: 1, n: 'two' },
        });
        const nested = { id: 2, boss_by_Boss: { Id: 5, id: 50, n: 'new' } };
        expect((await call('POST', '_table/worker', { resource: [nested] })).status).toBe(200);
        expect((await call('GET', '_table/worker/2')).answer).toEqual({ id: 2, Boss: 5, boss: null });
      });

      it('the schema changes and drops the one that is named', async () => {
        expect((await call('PATCH', '_schema/person/_field/Name', { label: 'Big' })).status).toBe(200);
        const labels = async () =>
          (await call('GET', '_schema/person')).answer.field.map(({ name, label }: Record<string, string>) => [
            name,
            label,
          ]);
        expect(await labels()).toEqual([
          ['id', 'Id'],
          ['Name', 'Big'],
          ['name', 'Name'],
        ]);
        const kept = {
          field: [
            { name: 'id', type: 'id' },
            { name: 'Name', type: 'text' },
          ],
        };
        expect((await call('PUT', '_schema/person', kept)).status).toBe(200);
        expect(await labels()).toEqual([
          ['id', 'Id'],
          ['Name', 'Big'],
        ]);
      });
    });

  if (engine !== 'sqlite')
    describe('tables that differ by letter case alone', () => {
      it('each keeps its own records and description', async () => {
        await run(
          'create table "Twin" (id integer primary key, a integer); create table "twin" (id integer primary key, b integer)',
        );
        if (
          (await run("select count(*) from information_schema.tables where table_name in ('Twin', 'twin')"))[0] !== '2'
        )
          return;
        await call('POST', '_table/Twin', { resource: [{ id: 1, a: 1 }] });
        await call('POST', '_table/twin', { resource: [{ id: 1, b: 2 }] });
        expect((await call('GET', '_table/Twin')).answer.resource).toEqual([{ id: 1, a: 1 }]);
        expect((await call('GET', '_table/twin')).answer.resource).toEqual([{ id: 1, b: 2 }]);
        expect((await call('GET', '_table/TWIN')).status).toBe(404);
        expect((await call('GET', '_table?ids=twin')).answer.resource).toEqual([{ name: 'twin' }]);
        const added = { resource: [{ name: 'Twin', field: [{ name: 'c', type: 'integer', allow_null: true }] }] };
        const changed = await call('PATCH', '_schema', added);
        expect(changed.status, changed.text).toBe(200);
        const fieldsOf = async (table: string) =>
          (await call('GET', `_schema/${table}`)).answer.field.map(({ name }: { name: string }) => name);
        expect(await fieldsOf('Twin')).toEqual(['id', 'a', 'c']);
        expect(await fieldsOf('twin')).toEqual(['id', 'b']);
      });
    });

  it('a table with a slash in its name is listed once it has an alias', async () => {
    await run('create table "R/P" (id integer primary key); insert into "R/P" values (1)');
    const listed = async (resource: string) =>
      (await call('GET', resource)).answer.resource.map(({ name }: { name: string }) => name);
    for (const resource of ['_table', '_schema']) expect(await listed(resource)).not.toContain('R/P');
    const aliased = await call('PATCH', '_schema', { resource: [{ name: 'R/P', alias: 'rp' }] });
    expect(aliased.status, aliased.text).toBe(200);
    expect(await listed('_table')).toContain('rp');
    expect((await call('GET', '_table/rp')).answer.resource).toEqual([{ id: 1 }]);
  });

  describe('names that every object of JavaScript has', () => {
    const inherited = ['constructor', 'hasOwnProperty', 'toString', 'valueOf', 'isPrototypeOf'];
    const columns = inherited.map((name) => `"${name}" varchar(20)`).join(', ');
    const record = (id: number) => ({ id, ...Object.fromEntries(inherited.map((name, at) => [name, `${id}${at}`])) });
    const nothing = Object.fromEntries(inherited.map((name) => [name, null]));
    const list = async (parameters: Record<string, string>) => {
      const { status, answer, text } = await call('GET', `_table/inherits${query(parameters)}`);
      expect(status, text).toBe(200);
      return answer.resource;
    };

    beforeAll(async () => {
      await run(`create table inherits (id integer primary key, ${columns});
        create table heir (id integer primary key, "constructor" integer, foreign key ("constructor") references inherits(id));
        create table proto (id integer primary key, "__proto__" varchar(20), "__lookupGetter__" varchar(20), a varchar(20));
        insert into proto values (1, 'kept', 'too', 'x');
        create table "protoKey" (id integer, "__proto__" integer, primary key (id, "__proto__"));
        insert into "protoKey" values (1, 1), (1, 2)`);
      const made = await call('POST', '_table/inherits', { resource: [record(1), record(2), { id: 3 }] });
      expect(made.status, made.text).toBe(200);
    }, 60_000);

    it('a record has what was sent, and nothing where nothing was', async () => {
      expect(await list({ order: 'id' })).toEqual([record(1), record(2), { id: 3, ...nothing }]);
      expect((await call('PATCH', '_table/inherits/2', { toString: 'new' })).status).toBe(200);
      expect(await list({ ids: '2' })).toEqual([{ ...record(2), toString: 'new' }]);
      expect((await call('PUT', '_table/inherits/2', record(2))).status).toBe(200);
      expect(await list({ ids: '2' })).toEqual([record(2)]);
    });

    it.each(inherited)('%s is selected, filtered, ordered, grouped and described', async (name) => {
      const value = record(1)[name as 'id'];
      expect(await list({ fields: `id,${name}`, filter: `${name} = "${value}"` })).toEqual([{ id: 1, [name]: value }]);
      const ordered = await list({ fields: 'id', filter: `${name} is not null`, order: `${name} desc` });
      expect(ordered).toEqual([{ id: 2 }, { id: 1 }]);
      expect(await list({ fields: name, group: name, filter: 'id = 1' })).toEqual([{ [name]: value }]);
      expect(await list({ fields: 'id', ids: String(value), id_field: name })).toEqual([{ id: 1 }]);
      const labelled = await call('PATCH', `_schema/inherits/_field/${name}`, { label: `Label of ${name}` });
      expect(labelled.status, labelled.text).toBe(200);
      expect((await call('GET', `_schema/inherits/_field/${name}`)).answer.label).toBe(`Label of ${name}`);
    });

    it.each(['text/csv', 'application/xml'])('%s carries them out and in again', async (type) => {
      const out = await call('GET', '_table/inherits?ids=1,3', undefined, { accept: type });
      expect((await call('DELETE', '_table/inherits?ids=1,3')).status).toBe(200);
      const back = await call('POST', '_table/inherits', out.text, { 'content-type': type });
      expect(back.status, back.text).toBe(200);
      expect(await list({ ids: '1,3', order: 'id' })).toEqual([record(1), { id: 3, ...nothing }]);
    });

    it('a reference in such a field is read and written with its record', async () => {
      const nested = { id: 1, inherits_by_constructor: { id: 8, toString: 'parent' } };
      const made = await call('POST', '_table/heir', { resource: [nested] });
      expect(made.status, made.text).toBe(200);
      expect((await call('GET', '_table/heir/1?related=*')).answer).toEqual({
        id: 1,
        constructor: 8,
        inherits_by_constructor: { id: 8, ...nothing, toString: 'parent' },
      });
    });

    it('a field that would be the prototype of a record is not there, and stays in the database', async () => {
      expect((await call('GET', '_table/proto/1')).answer).toEqual({ id: 1, a: 'x' });
      const fields = (await call('GET', '_schema/proto')).answer.field.map(({ name }: { name: string }) => name);
      expect(fields).toEqual(['id', 'a']);
      expect((await call('GET', '_table/proto?filter=__proto__%3D1')).status).toBe(400);
      const sent = '{"id":1,"a":"y","__proto__":"lost"}';
      expect((await call('PATCH', '_table/proto/1', sent, { 'content-type': 'application/json' })).status).toBe(200);
      // What takes a whole table, and where SQLite makes it again.
      const whole = {
        field: [
          { name: 'id', type: 'integer', is_primary_key: true },
          { name: 'a', type: 'text' },
        ],
      };
      const changed = await call('PUT', '_schema/proto', whole);
      expect(changed.status, changed.text).toBe(200);
      expect(await run('select "__proto__" as p, "__lookupGetter__" as g from proto')).toEqual(['kept', 'too']);
      // Half a key names no record.
      expect((await call('GET', '_schema/protoKey')).answer.primary_key).toEqual([]);
      expect((await call('DELETE', '_table/protoKey/1')).status).toBe(400);
      expect(await run('select count(*) from "protoKey"')).toEqual(['2']);
    });
  });

  describe('names with separators, blanks and words of ours in them', () => {
    const odd = ['a,b', 'a;b', 'x = y', 'or not', ' lead', 'in"ner', 'p(q', 'per%cent', 'r.s', 'star*', 'R/P'].concat(
      // MariaDB has no blanks at the end of names.
      engine === 'mysql' ? [] : ['trail '],
    );
    const column = (name: string) => `"${name.replaceAll('"', '""')}"`;
    const quote = column;

    beforeAll(async () => {
      const columns = [...odd, 'fields', 'select', 'resource', 'ids', 'filter', 'constructor'].map(
        (name) => `${column(name)} varchar(50)`,
      );
      await run(`create table odd (id integer primary key, ${columns.join(', ')})`);
      for (const id of [1, 2, 3])
        await call('POST', '_table/odd', {
          resource: [{ id, ...Object.fromEntries(odd.map((name) => [name, `v${id % 2}`])) }],
        });
    });

    it.each(odd)('%j is asked for, filtered, ordered and grouped by, in double quotes', async (name) => {
      const list = async (parameters: Record<string, string>) => {
        const { status, answer, text } = await call('GET', `_table/odd${query(parameters)}`);
        expect(status, text).toBe(200);
        return answer.resource;
      };
      expect(await list({ fields: `id,${quote(name)}`, filter: `(${quote(name)} = 'v0')` })).toEqual([
        { id: 2, [name]: 'v0' },
      ]);
      expect(
        await list({
          fields: 'id',
          filter: `id > 0 and ${quote(name)} in (v1) and id < 9`,
          order: `${quote(name)} desc,id desc`,
        }),
      ).toEqual([{ id: 3 }, { id: 1 }]);
      expect(await list({ fields: 'id', filter: `"id" = 1 and ${quote(name)} = (${quote(name)})` })).toEqual([
        { id: 1 },
      ]);
      expect(await list({ fields: quote(name), group: quote(name), order: `${quote(name)} asc` })).toEqual([
        { [name]: 'v0' },
        { [name]: 'v1' },
      ]);
      expect(await list({ fields: 'id', ids: 'v0', id_field: quote(name) })).toEqual([{ id: 2 }]);
      const inBody = await call('POST', '_table/odd', { fields: [name], ids: [2] }, { 'x-http-method': 'GET' });
      expect(inBody.answer.resource).toEqual([{ [name]: 'v0' }]);
    });

    it('a bare record has fields that are called like parameters', async () => {
      for (const field of ['fields', 'select', 'resource', 'ids', 'filter', 'constructor']) {
        const { status, text } = await call('PATCH', '_table/odd/1', { [field]: `of ${field}` });
        expect(status, text).toBe(200);
        expect((await call('GET', `_table/odd/1?fields=${field}`)).answer).toEqual({ [field]: `of ${field}` });
      }
      expect((await call('PATCH', '_table/odd/1', { resource: { ids: 'wrapped' } })).status).toBe(200);
      expect((await call('GET', '_table/odd/1?fields=ids')).answer).toEqual({ ids: 'wrapped' });
      // What is no field of the table stays a parameter.
      expect((await call('PATCH', '_table/person/1', { name: 'x', fields: 'name' })).status).toBe(
        engine === 'pgsql' ? 200 : 404,
      );
    });

    it.each(['text/csv', 'application/xml'])('%s carries them out and in again', async (type) => {
      const out = await call('GET', '_table/odd?ids=3', undefined, { accept: type });
      expect((await call('DELETE', '_table/odd/3')).status).toBe(200);
      expect((await call('POST', '_table/odd', out.text, { 'content-type': type })).status).toBe(200);
      const { answer } = await call('GET', '_table/odd/3');
      expect(answer).toMatchObject({ id: 3, ...Object.fromEntries(odd.map((name) => [name, 'v1'])) });
    });

    it('a file that names a field twice is refused', async () => {
      const twice = await call('POST', '_table/odd', 'id,fields,fields\n9,a,b\n', { 'content-type': 'text/csv' });
      expect(twice.status).toBe(400);
      expect(twice.answer.error.message).toContain('"fields" is there twice');
    });

    it('what is no name is refused as it was written', async () => {
      expect((await call('GET', `_table/odd${query({ filter: '"nope" = 1' })}`)).answer.error.message).toContain(
        `'"nope"'`,
      );
      expect((await call('GET', `_table/odd${query({ fields: '"nope"' })}`)).answer.error.message).toContain('"nope"');
      expect((await call('GET', `_table/odd${query({ order: 'id;drop' })}`)).status).toBe(400);
    });
  });
});
