import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../service/service.ts';
import { ask, type TestRequest, user, userWithAccess } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { databaseParts } from '../parts.ts';

import { aField, aRelation, aTable, aVirtual } from './rows.fixture.ts';

const extras = {
  db_table_extras: [
    aTable('contact', { alias: 'Person', label: 'Human', description: 'who there is', name_field: 'name' }),
    aTable('team', { alias: 'member', plural: 'Squads' }),
    aTable('member', { alias: 'mates' }),
  ],
  db_field_extras: [
    aField('contact.name', { alias: 'full_name', label: 'Full name', description: 'what to call them' }),
    aField('contact.email', { sql: { SELECT: 'upper(email)', FILTER: 'lower(email)', INSERT: 'trim({value})' } }),
    aField('contact.status', { picklist: ['open', 'done'], validation: { picklist: { on_fail: 'Bad status' } } }),
    aField('contact.twice', { is_virtual: 1, extra_type: 'integer', sql: { SELECT: 'age * 2' } }),
    aField('contact.oldest', { is_virtual: 1, is_aggregate: 1, extra_type: 'integer', sql: { SELECT: 'max(age)' } }),
    aField('contact.blind', { is_virtual: 1 }),
    aField('stamped.name', { alias: 'changes' }),
    aField('stamped.changes', { alias: 'gone', is_virtual: 1, sql: { SELECT: '7' } }),
    aField('word.lost', { alias: 'key', validation: { not_null: {} } }),
    aField('stamped.id', { sql: { SELECT: '0' } }),
    aField('contact.big', { extra_type: 'user_id_on_update' }),
    aField('sum.a', { extra_type: 'user_id_on_create' }),
    aField('sum.b', { extra_type: 'user_id_on_update' }),
    aField('loose.b', { extra_type: 'user_id' }),
  ],
  db_relationship_extras: [
    aRelation('member', 'team_by_team_id', { alias: 'side', label: 'Side', always_fetch: 0, flatten: 1 }),
    aRelation('contact', 'team_by_age', { description: 'not really' }),
  ],
  db_virtual_relationship: [
    aVirtual('contact', { type: 'belongs_to', field: 'age', ref_table: 'team', ref_field: 'id' }),
    aVirtual('contact', {
      type: 'many_many',
      field: 'id',
      ref_service_id: 6,
      ref_table: 'thing',
      ref_field: 'id',
      junction_service_id: 5,
      junction_table: 'member',
      junction_field: 'id',
      junction_ref_field: 'team_id',
    }),
    aVirtual('contact', { type: 'has_many', field: 'id', ref_table: 'member', ref_field: 'team_id' }),
  ],
};

await onEachEngine((engine) => {
  let db: Fixture;
  let service: Service;
  // SQLite has no concat before 3.44, and PostgreSQL needs the type of a value that goes into one.
  const doubled = {
    sqlite: "{value} || '!' || {value}",
    mysql: "concat({value}, '!', {value})",
    pgsql: "concat({value}::text, '!', {value}::text)",
  };
  const note = aField('contact.note', { sql: { UPDATE: doubled[engine] } });
  const rows = { ...extras, db_field_extras: [...extras.db_field_extras, note] };
  beforeAll(async () => {
    db = await fixture(engine);
    service = await db.open({}, rows);
  });
  afterAll(() => db?.stop());

  const get = async (line: string, query: Record<string, string> = {}, more: TestRequest = {}) =>
    (await ask(service, `GET ${line}`, { query, ...more })).body;
  /** An app with a role of its own, and no user. */
  const { user: _, ...stranger } = userWithAccess([{}]);
  const message = async (line: string, request: TestRequest = {}) =>
    (await ask(service, line, request)).body.error?.message;
  const unknownTable = (table: string) => `Table "${table}" does not exist in the database.`;

  describe('tables', () => {
    it('are the database’s own where nothing is said of them', async () => {
      for (const each of [db.service, service]) {
        const { tables, database } = each.provided(databaseParts)!;
        const table = await (await database()).table('grown');
        expect(await tables.byName('grown')).toBe(table);
        expect(await tables.byRealName('grown')).toBe(table);
      }
      expect((await db.service.provided(databaseParts)!.tables.list())[0]).toEqual(
        (await (await db.service.provided(databaseParts)!.database()).tables())[0],
      );
    });

    it('are overridden once', async () => {
      const { tables, database } = service.provided(databaseParts)!;
      const overridden = await tables.byName('Person');
      expect(await tables.byName('person')).toBe(overridden);
      expect(await tables.byRealName('contact')).toBe(overridden);
      const table = await (await database()).table('contact');
      expect(overridden).not.toBe(table);
      expect(overridden.native).toBe(table.native);
      expect(table).toMatchObject({ name: 'contact', description: { alias: null } });
    });
  });

  describe('names of tables', () => {
    it('are aliases in addresses, real names below _schema', async () => {
      expect((await get('_table/PERSON', { fields: 'id', limit: '1' })).resource).toEqual([{ id: 1 }]);
      expect((await get('_table/member', { fields: 'name', order: 'name' })).resource).toEqual([
        { name: 'blue' },
        { name: 'red' },
      ]);
      expect(await message('GET _table/contact')).toBe(unknownTable('contact'));
      expect(await message('GET _table/team')).toBe(unknownTable('team'));
      expect(await message('GET _schema/Person')).toBe(unknownTable('Person'));
      expect(await get('_schema/member')).toMatchObject({ name: 'member', alias: 'mates' });
    });

    it('are in the lists what they are in addresses', async () => {
      const all = await get('_table', { as_list: 'true' });
      expect(all.resource).toEqual([
        ...['grown', 'loose', 'mates', 'member', 'Order Line', 'Person', 'stamped', 'sum', 'word'],
      ]);
      const [listed] = (await get('_schema', { fields: '*', as_list: '' })).resource;
      expect(Object.entries(listed).slice(0, 4)).toEqual([
        ['alias', 'Person'],
        ['name', 'contact'],
        ['label', 'Human'],
        ['description', 'who there is'],
      ]);
      const [person] = (await get('_table', { fields: 'name,label,plural', ids: 'person' })).resource;
      expect(person).toEqual({ name: 'Person', label: 'Human', plural: 'Humans' });
      const [team] = (await get('_table', { fields: 'label,plural', ids: 'member' })).resource;
      expect(team).toEqual({ label: 'Team', plural: 'Squads' });
    });

    it('are what roles speak of', async () => {
      const reader = user({ '_table/person': 1, '_schema/contact': 1, _table: 1, _schema: 1, '': 1 });
      expect((await get('_table', {}, { as: reader })).resource).toEqual([{ name: 'Person' }]);
      expect((await get('_schema', {}, { as: reader })).resource).toEqual([{ name: 'contact' }]);
      const components = (await get('', { as_access_list: 'true' }, { as: reader })).resource;
      expect(components).toContain('_table/Person/');
      expect(components).toContain('_schema/contact/');
      expect(components).not.toContain('_table/contact/');
    });
  });

  describe('descriptions', () => {
    it('say what was said of table and fields', async () => {
      const table = await get('_schema/contact');
      expect(table).toMatchObject({ alias: 'Person', label: 'Human', plural: 'Humans', name_field: 'name' });
      expect(await get('_schema/contact/name')).toMatchObject({
        alias: 'full_name',
        name: 'name',
        label: 'Full name',
        description: 'what to call them',
      });
      expect(await get('_schema/contact/status')).toMatchObject({
        picklist: ['open', 'done'],
        validation: { picklist: { on_fail: 'Bad status' } },
      });
      expect(await get('_schema/contact/twice')).toMatchObject({
        type: 'integer',
        db_type: null,
        allow_null: true,
        is_virtual: true,
        is_aggregate: false,
        db_function: [{ use: ['SELECT'], function: 'age * 2', function_type: 'database' }],
      });
      expect(table.field.at(-1)).toMatchObject({ name: 'blind', type: 'string', is_virtual: true });
      expect((await get('_schema/sum/a')).type).toBe('user_id_on_create');
    });

    it('do not believe what the column does not bear', async () => {
      expect((await get('_schema/loose/b')).type).toMatch(/string|text/);
      expect(await get('_schema/stamped/name')).toMatchObject({ alias: null });
      expect((await get('_table/stamped', { limit: '1' })).resource).toEqual([{ id: 1, name: 'a', changes: 0 }]);
      expect((await get('_table/word', { fields: '*', limit: '1' })).resource).toHaveLength(1);
    });

    it('name relations by what they join', async () => {
      const side = await get('_schema/member/_related/team_by_team_id');
      expect(side).toMatchObject({ alias: 'side', label: 'Side', flatten: true, always_fetch: false });
      const { resource } = await get('_schema/contact/_related');
      expect(resource).toMatchObject([
        { name: 'team_by_age', type: 'belongs_to', is_virtual: true, description: 'not really', ref_service_id: 5 },
        { name: 'other.thing_by_member', type: 'many_many', ref_service_id: 6, junction_service_id: 5 },
        { name: 'member_by_team_id', type: 'has_many', label: 'Member By Team Id' },
      ]);
    });

    it('have no aliases beside records', async () => {
      const { meta } = await get('_table/Person', { include_schema: 'true', limit: '1' });
      expect(meta.schema).toMatchObject({ name: 'Person', label: 'Human' });
      expect('alias' in meta.schema).toBe(false);
      expect(meta.schema.field[1]).toMatchObject({ name: 'full_name' });
      expect('alias' in meta.schema.field[1]).toBe(false);
    });
  });

  describe('reading', () => {
    it('names fields by their aliases everywhere', async () => {
      const query = { fields: 'id,full_name', filter: "full_name like '%ob'", order: 'FULL_NAME desc' };
      expect((await get('_table/Person', query)).resource).toEqual([{ id: 2, full_name: 'Bob' }]);
      expect(await message('GET _table/Person', { query: { fields: 'name' } })).toBe('Invalid field requested: name');
      const where = "Invalid or unparsable field in filter request: 'name'";
      expect(await message('GET _table/Person', { query: { filter: 'name = 1' } })).toBe(where);
      const grouped = await get('_table/Person', { group: 'full_name', fields: 'full_name', filter: 'id < 3' });
      expect(grouped.resource).toHaveLength(2);
    });

    it('puts functions in the place of columns', async () => {
      const query = { fields: 'email,twice', filter: "email = 'ann@example.com'" };
      expect((await get('_table/Person', query)).resource).toEqual([{ email: 'ANN@EXAMPLE.COM', twice: 60 }]);
      const like = { fields: 'id', filter: "email starts with 'bob' and twice > 30" };
      expect((await get('_table/Person', like)).resource).toEqual([{ id: 2 }]);
      expect(await get('_table/Person/1', { fields: 'email' })).toEqual({ email: 'ANN@EXAMPLE.COM' });
      const ordered = { fields: 'twice', order: 'twice desc', filter: 'twice > 0', limit: '2' };
      expect((await get('_table/Person', ordered)).resource).toEqual([{ twice: 88 }, { twice: 60 }]);
    });

    it('shows virtual fields, but no aggregates and nothing that cannot be read', async () => {
      const [first] = (await get('_table/Person', { limit: '1' })).resource;
      expect(first).toMatchObject({ id: 1, twice: 60 });
      expect('oldest' in first || 'blind' in first).toBe(false);
      expect(await message('GET _table/Person', { query: { fields: 'blind' } })).toBe('Invalid field requested: blind');
      const filter = "Invalid or unparsable field in filter request: 'oldest'";
      expect(await message('GET _table/Person', { query: { filter: 'oldest > 1' } })).toBe(filter);
    });

    it('aggregates all rows, or those of each group', async () => {
      const all = await get('_table/Person', { fields: 'oldest', include_count: 'true' });
      expect(all).toEqual({ resource: [{ oldest: 44 }], meta: { count: 1 } });
      const filtered = await get('_table/Person', { fields: 'oldest', filter: 'id < 3' });
      expect(filtered.resource).toEqual([{ oldest: 30 }]);
      const query = { fields: 'active,oldest', group: 'active', order: 'oldest desc nulls last' };
      expect((await get('_table/Person', query)).resource).toEqual([
        { active: true, oldest: 44 },
        { active: false, oldest: 17 },
      ]);
      expect(await message('GET _table/Person', { query: { fields: 'id,oldest' } })).toBe(
        "Field 'id' has to be in group to be asked for beside an aggregate.",
      );
      for (const line of ['GET _table/Person/1', 'GET _table/Person'])
        expect(await message(line, { query: { fields: 'oldest', ids: '1' } })).toBe('Invalid field requested: oldest');
    });

    it('puts nulls in the requested place', async () => {
      const ages = async (order: string) =>
        (await get('_table/Person', { fields: 'age', order })).resource.map(({ age }: { age: number }) => age);
      expect(await ages('age nulls first')).toEqual([null, 17, 18, 30, 44]);
      expect(await ages('age nulls last')).toEqual([17, 18, 30, 44, null]);
      expect(await ages('age desc nulls first')).toEqual([null, 44, 30, 18, 17]);
      expect(await ages('age desc nulls last, id')).toEqual([44, 30, 18, 17, null]);
    });

    it('goes by the aliases of relations, to tables by theirs', async () => {
      const mates = { related: 'SIDE', fields: 'id', filter: 'id = 1' };
      await db.sql("INSERT INTO member VALUES (1, 2, 'nick')");
      const records = (await get('_table/mates', mates)).resource;
      expect(records).toEqual([{ id: 1, team_id: 2, side: { id: 2, name: 'blue' } }]);
      await db.sql('UPDATE contact SET age = 1 WHERE id = 4');
      const related = 'team_by_age,member_by_team_id';
      const virtual = await get('_table/Person', { related, fields: 'id', filter: 'id in (2, 4)' });
      await db.sql('UPDATE contact SET age = 44 WHERE id = 4');
      expect(virtual.resource).toEqual([
        { id: 2, age: 17, team_by_age: null, member_by_team_id: [{ id: 1, team_id: 2, nick: 'nick' }] },
        { id: 4, age: 1, team_by_age: { id: 1, name: 'red' }, member_by_team_id: [] },
      ]);
      const denied = user({ '_table/mates': 1, '_table/team': 31 });
      expect(await message('GET _table/mates', { query: mates, as: denied })).toContain("'_table/member'");
      await db.sql('DELETE FROM member WHERE id = 1');
    });

    it('never shows a key otherwise than it is', async () => {
      expect((await get('_table/stamped', { fields: 'id', ids: '2' })).resource).toEqual([{ id: 2 }]);
    });
  });

  describe('writing', () => {
    it('binds values into functions, and drops what is virtual', async () => {
      const record = { full_name: "o'Neil", email: "  x'y@example.com ", twice: 5, note: 'n' };
      const created = await ask(service, 'POST _table/Person', {
        body: { resource: [record] },
        query: { fields: 'full_name,email,note,twice' },
      });
      expect(created.body).toEqual({
        resource: [{ full_name: "o'Neil", email: "X'Y@EXAMPLE.COM", note: 'n', twice: null }],
      });
      expect(await db.sql("SELECT email FROM contact WHERE name LIKE 'o%'")).toEqual(["x'y@example.com"]);
      const changed = await ask(service, 'PATCH _table/Person', {
        body: { resource: [{ note: "it's" }] },
        query: { filter: "full_name starts with 'o'", fields: 'note' },
      });
      expect(changed.body).toEqual({ resource: [{ note: "it's!it's" }] });
      const gone = { query: { filter: "full_name starts with 'o'", fields: 'email,twice' } };
      expect((await ask(service, 'DELETE _table/Person', gone)).body.resource).toEqual([
        { email: "X'Y@EXAMPLE.COM", twice: null },
      ]);
      const answer = await ask(service, 'PATCH _table/Person/1', { body: { twice: 1, oldest: 2 } });
      expect(answer.body).toEqual({ id: 1 });
    });

    it('asks for required fields by their aliases', async () => {
      expect((await ask(service, 'POST _table/Person', { body: [{ name: 'x' }] })).text).toContain(
        "Required field 'full_name' can not be NULL.",
      );
    });

    it('fills in who it was, whatever is sent', async () => {
      const created = await ask(service, 'POST _table/sum', {
        body: [{ id: 50, a: 99, b: 99 }],
        query: { fields: 'a,b,total' },
        as: userWithAccess([{}]),
      });
      expect(created.body.resource).toEqual([{ a: 7, b: 7, total: 14 }]);
      const none = await ask(service, 'PATCH _table/sum/50', {
        body: { a: 3, b: 3 },
        as: stranger,
        query: { fields: 'a,b' },
      });
      expect(none.body).toEqual({ a: 7, b: 7 });
      const changed = await ask(service, 'PATCH _table/Person/3', {
        body: { age: 1, big: 99 },
        query: { fields: 'big' },
      });
      expect(changed.body).toEqual({ big: 7 });
      const nobody = await ask(service, 'PATCH _table/Person/3', { body: { age: null, big: 98 }, as: stranger });
      expect(nobody.status).toBe(200);
      expect(await db.sql('SELECT age, big FROM contact WHERE id = 3')).toEqual([null, '7']);
    });

    it('takes nothing that the record filter of a role could not be sure of', async () => {
      const filters = (name: string, value: string) => [{ name, operator: '=', value }];
      const create = (as: TestRequest['as']) =>
        ask(service, 'POST _table/Person', { body: [{ full_name: 'F', email: 'f' }], as });
      for (const [name, value] of [
        ['email', 'f'],
        ['twice', '4'],
      ] as const)
        expect(
          (await create(userWithAccess([{ component: '_table/person', filters: filters(name, value) }]))).text,
        ).toContain('Denied access to some of the requested fields.');
      expect(await db.sql("SELECT id FROM contact WHERE name = 'F'")).toEqual([]);
    });
  });
});
