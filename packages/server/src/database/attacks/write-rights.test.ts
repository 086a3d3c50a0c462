// Rights to write are no rights to read (docs/design.md, difference 16): what a caller who may change records, but not
// read them, learns of them.
import { verbMask } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, userWithAccess } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';

const { GET, POST, PUT, PATCH, DELETE } = verbMask;
const ageOver = (value: number) => [{ name: 'age', operator: '>', value }];
const contact = (mask: number, filters: object[] | null = null) => ({
  component: '_table/contact/*',
  verbMask: mask,
  filters,
});

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    await db.sql(`CREATE TABLE account (id integer PRIMARY KEY, region varchar(9), token varchar(20) UNIQUE);
        CREATE TABLE entry (id integer PRIMARY KEY, note varchar(20), account_token varchar(20),
          FOREIGN KEY (account_token) REFERENCES account (token));`);
  });
  beforeEach(() => db.reset());
  afterAll(() => db?.stop());

  describe('abuse: without GET a write tells the key and what was sent', () => {
    const writer = userWithAccess([contact(POST | PUT | PATCH | DELETE)]);
    const unknownField = { resource: [{ unknown: 1 }] };
    it.each([
      ['by id', 'PATCH _table/contact/1', { fields: '*' }, { unknown: 1 }, { id: 1 }],
      ['by id, put', 'PUT _table/contact/1', { fields: 'name' }, { unknown: 1 }, { id: 1 }],
      [
        'by ids',
        'PATCH _table/contact',
        { ids: '1,2', fields: '*' },
        unknownField,
        { resource: [{ id: 1 }, { id: 2 }] },
      ],
      [
        'by a filter of the key',
        'PATCH _table/contact',
        { filter: 'id < 3', fields: '*' },
        unknownField,
        { resource: [{ id: 1 }, { id: 2 }] },
      ],
      [
        'by records',
        'PATCH _table/contact',
        { fields: '*' },
        { resource: [{ id: 2, unknown: 1 }] },
        { resource: [{ id: 2 }] },
      ],
      [
        'what was sent',
        'PATCH _table/contact/1',
        { fields: '*' },
        { note: 'new', AGE: 31 },
        { id: 1, age: 31, note: 'new' },
      ],
      [
        'what was sent, if it was asked for',
        'PATCH _table/contact/1',
        { fields: 'note,email' },
        { note: 'new', age: 31 },
        { id: 1, note: 'new' },
      ],
      ['fields that were sent alone', 'PATCH _table/contact/1', { fields: 'note' }, { note: 'new' }, { note: 'new' }],
      ['a list of names', 'PATCH _table/contact', { ids: '1,2', as_list: 'true' }, unknownField, { resource: [1, 2] }],
      [
        'undone',
        'PATCH _table/contact',
        { rollback: 'true', fields: '*' },
        { resource: [{ id: 1, note: 'x' }, { id: 77 }] },
        expect.objectContaining({
          error: expect.objectContaining({
            context: expect.objectContaining({
              resource: [{ id: 1, note: 'x' }, expect.objectContaining({ status_code: 404 })],
            }),
          }),
        }),
      ],
      [
        'a new record',
        'POST _table/contact',
        { fields: '*' },
        { resource: [{ name: 'Flo', age: 4 }] },
        { resource: [{ id: 6, name: 'Flo', age: 4 }] },
      ],
      [
        'a new record by another field',
        'POST _table/contact',
        { fields: '*', id_field: 'email' },
        { resource: [{ name: 'Flo' }] },
        { resource: [{ id: 6, name: 'Flo' }] },
      ],
      ['deleted by id', 'DELETE _table/contact/1', { fields: '*' }, undefined, { id: 1 }],
      [
        'deleted by records',
        'DELETE _table/contact',
        { fields: '*' },
        { resource: [{ id: 1, name: 'Ann' }] },
        { resource: [{ id: 1 }] },
      ],
      [
        'deleted by filter',
        'DELETE _table/contact',
        { fields: '*', filter: 'id > 3' },
        undefined,
        { resource: [{ id: 4 }, { id: 5 }] },
      ],
    ] as [string, string, Record<string, string>, unknown, unknown][])('%s', async (_, line, query, body, answer) => {
      const { body: answered } = await ask(db.service, line, { query, body, as: writer });
      expect(answered).toEqual(answer);
    });

    it.each([
      ['PATCH _table/contact', { filter: "email = 'ann@example.com'" }, 'email', 'filter'],
      ['PATCH _table/contact', { filter: 'id > 0 and not (age < 20 or note is null)' }, 'age', 'filter'],
      ['DELETE _table/contact', { filter: "email like 'a%'" }, 'email', 'filter'],
      ['PATCH _table/contact', { ids: 'Ann', id_field: 'name' }, 'name', 'id_field'],
      ['PUT _table/contact/Ann', { id_field: 'name' }, 'name', 'id_field'],
      ['DELETE _table/contact', { ids: '30', id_field: 'age' }, 'age', 'id_field'],
    ])('%s finds nothing by %j', async (line, query, field, parameter) => {
      const body = /^DELETE/.test(line) ? undefined : line.includes('/Ann') ? { age: 1 } : unknownField;
      const answer = await ask(db.service, line, { query: query as Record<string, string>, body, as: writer });
      const { error } = answer.body;
      const failure = error.context?.resource?.[0] ?? error;
      expect(failure).toMatchObject({
        status_code: 403,
        message: expect.stringContaining(`Field '${field}' cannot stand in ${parameter}`),
      });
      expect(await db.sql('SELECT count(*) FROM contact')).toEqual(['5']);
    });

    it('related records are not read', async () => {
      const as = userWithAccess([
        { component: '_table/member/*', verbMask: POST },
        { component: '_table/team/*', verbMask: GET },
      ]);
      const { body } = await ask(db.service, 'POST _table/member', {
        query: { fields: '*', related: '*' },
        body: { resource: [{ id: 3, team_id: 1 }] },
        as,
      });
      expect(body).toEqual({ resource: [{ id: 3, team_id: 1 }] });
    });

    it('what the database computes counts as not sent', async () => {
      const as = userWithAccess([{ component: '_table/sum/*', verbMask: POST | PATCH }]);
      const creation = { query: { fields: '*' }, body: { resource: [{ a: 1, b: 2, total: 9 }] }, as };
      expect((await ask(db.service, 'POST _table/sum', creation)).body).toEqual({ resource: [{ id: 2, a: 1, b: 2 }] });
      const change = { query: { fields: '*' }, body: { total: 9, id: 1 }, as };
      expect((await ask(db.service, 'PATCH _table/sum/1', change)).body).toEqual({ id: 1 });
    });
  });

  describe('abuse: with GET a write finds and tells what GET shows', () => {
    // Bob is 17, and Cyd of no age.
    const limited = userWithAccess([contact(GET, ageOver(20)), contact(POST | PUT | PATCH | DELETE)]);
    const readRequest = { query: { fields: 'name,note' }, as: limited };

    it('a record it hides is named by its key, and answered with what was sent', async () => {
      expect((await ask(db.service, 'PATCH _table/contact/2', { ...readRequest, body: { note: 'x' } })).body).toEqual({
        id: 2,
        note: 'x',
      });
      expect((await ask(db.service, 'PATCH _table/contact/1', { ...readRequest, body: { note: 'x' } })).body).toEqual({
        name: 'Ann',
        note: 'x',
      });
      const list = {
        ...readRequest,
        body: {
          resource: [
            { id: 1, note: 'y' },
            { id: 2, note: 'y' },
          ],
        },
      };
      expect((await ask(db.service, 'PATCH _table/contact', list)).body).toEqual({
        resource: [
          { name: 'Ann', note: 'y' },
          { id: 2, note: 'y' },
        ],
      });
    });

    it('a record it will hide, too', async () => {
      const answer = await ask(db.service, 'PATCH _table/contact/1', { ...readRequest, body: { age: 3, note: 'z' } });
      expect(answer.body).toEqual({ id: 1, note: 'z' });
      const creation = {
        ...readRequest,
        body: {
          resource: [
            { name: 'Flo', age: 4 },
            { name: 'Gil', age: 40 },
          ],
        },
      };
      expect((await ask(db.service, 'POST _table/contact', creation)).body).toEqual({
        resource: [
          { id: 6, name: 'Flo' },
          { name: 'Gil', note: null },
        ],
      });
    });

    it('a record it hides is not found by a filter, nor by id_field', async () => {
      const body = { resource: [{ ratio: 7 }] };
      const one = (query: Record<string, string>) =>
        ask(db.service, 'PATCH _table/contact', { query, body, as: limited });
      expect((await one({ filter: "email = 'bob@example.com'" })).body).toEqual({ resource: [] });
      expect((await one({ filter: "email = 'ann@example.com'" })).body).toEqual({ resource: [{ id: 1 }] });
      expect((await one({ ids: 'Bob', id_field: 'name' })).body.error.context.resource[0].status_code).toBe(404);
      expect((await one({ ids: 'Ann', id_field: 'name' })).body).toEqual({ resource: [{ name: 'Ann' }] });
      expect(await db.sql('SELECT id FROM contact WHERE ratio = 7')).toEqual(['1']);
      const gone = { query: { filter: "email like '%@example.com'", fields: 'name' }, as: limited };
      const { resource } = (await ask(db.service, 'DELETE _table/contact', gone)).body;
      expect(resource.map(({ name }: { name: string }) => name).sort()).toEqual(['Ann', 'Dee']);
    });

    it('a deleted record is answered as GET showed it, or with its key', async () => {
      const deleted = await ask(db.service, 'DELETE _table/contact', {
        query: { ids: '1,2', fields: 'name' },
        as: limited,
      });
      expect(deleted.body).toEqual({ resource: [{ name: 'Ann' }, { id: 2 }] });
      const query = { fields: 'name' };
      expect((await ask(db.service, 'DELETE _table/contact/3', { query, as: limited })).body).toEqual({ id: 3 });
      expect((await ask(db.service, 'DELETE _table/contact/4', { query, as: limited })).body).toEqual({ name: 'Dee' });
    });

    it('where one row says both, all that was asked for is answered', async () => {
      const as = userWithAccess([contact(31, ageOver(20))]);
      const changed = await ask(db.service, 'PATCH _table/contact/1', {
        query: { fields: 'name,note' },
        body: { note: 'x' },
        as,
      });
      expect(changed.body).toEqual({ name: 'Ann', note: 'x' });
      expect((await ask(db.service, 'DELETE _table/contact/4', { query: { fields: 'name' }, as })).body).toEqual({
        name: 'Dee',
      });
    });
  });

  describe('abuse: a value nobody may read does not leave its record', () => {
    beforeEach(() =>
      db.sql(`DELETE FROM entry; DELETE FROM account;
        INSERT INTO account VALUES (1, 'eu', 'TOK-1'), (2, 'us', 'TOK-2'); INSERT INTO entry (id, note) VALUES (1, 'x');`),
    );
    const account = (verbMask: number, filters: object[] | null = null) => ({
      component: '_table/account/*',
      verbMask,
      filters,
    });
    const entry = { component: '_table/entry/*', verbMask: 31 };
    const inEurope = [{ name: 'region', operator: '=', value: 'eu' }];
    const give = (as: ReturnType<typeof userWithAccess>, id: number, inner: object = { id: 1 }) =>
      ask(db.service, `PATCH _table/account/${id}`, { body: { entry_by_account_token: [inner] }, as });

    it('by records that are joined to it', async () => {
      const writer = userWithAccess([account(PATCH | POST), entry]);
      for (const inner of [{ id: 1 }, { id: 9, note: 'new' }]) {
        const { status, body } = await give(writer, 1, inner);
        expect([status, body.error.message]).toEqual([
          403,
          "GET access to component '_table/account' of service 'db' is not allowed by this user's role.",
        ]);
      }
      expect(await db.sql('SELECT count(account_token) FROM entry')).toEqual(['0']);
      const record = { id: 3, token: 'TOK-3', entry_by_account_token: [{ id: 1 }] };
      const creation = await ask(db.service, 'POST _table/account', { body: { resource: [record] }, as: writer });
      expect([creation.status, await db.sql('SELECT account_token FROM entry')]).toEqual([200, ['TOK-3']]);
    });

    it('by those of a record that GET hides', async () => {
      const limited = userWithAccess([account(GET, inEurope), account(PATCH), entry]);
      expect((await give(limited, 2)).status).toBe(404);
      expect((await give(limited, 1)).status).toBe(200);
      expect(await db.sql('SELECT account_token FROM entry')).toEqual(['TOK-1']);
    });

    if (engine !== 'sqlite')
      it('by a trigger that keeps what was', async () => {
        await db.sql(
          engine === 'mysql'
            ? 'CREATE TRIGGER keep BEFORE UPDATE ON account FOR EACH ROW SET new.token = old.token'
            : `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN new.token := old.token; RETURN new; END $$;
              CREATE TRIGGER keep BEFORE UPDATE ON account FOR EACH ROW EXECUTE FUNCTION keep();`,
        );
        const writer = userWithAccess([account(PATCH)]);
        const query = { filter: 'id > 0', fields: '*' };
        const { body } = await ask(db.service, 'PATCH _table/account', {
          query,
          body: { resource: [{ token: 'guess' }] },
          as: writer,
        });
        expect(body.resource.map(({ token }: { token: string }) => token)).toEqual(['guess', 'guess']);
      });
  });
});
