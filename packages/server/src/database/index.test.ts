import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessList } from '../service/root.ts';
import { ask, type TestRequest, user } from './fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine, operationsOf } from './fixture/index.ts';
import { databaseParts } from './parts.ts';
import { type DatabaseService, databaseResources } from './resources.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  const names = (...list: string[]) => ({ resource: list.map((name) => ({ name })) });
  /** SQLite has no stored routines; the other databases have none that can be called. */
  const routines = engine === 'sqlite' ? [] : ['_proc', '_func'];
  const tables = ['contact', 'grown', 'loose', 'member', 'Order Line', 'stamped', 'sum', 'team', 'word'];

  type Case = [what: string, line: string, request: TestRequest, status: number, body: unknown];
  const check = async (_: string, line: string, request: TestRequest, status: number, body: unknown) => {
    const answer = await ask(db.service, line, request);
    expect(answer.body).toEqual(body);
    expect(answer.status).toBe(status);
  };

  describe('lists', () => {
    const reader = user({ '_table/contact/*': 1, '_table/team': 3, _table: 1, '_schema/contact': 1, '': 1 });
    const team = { name: 'team', label: 'Team', description: null, native: [], plural: 'Teams', is_view: false };
    const cases: Case[] = [
      ['the service', 'GET ', {}, 200, names('_schema', '_table', ...routines)],
      [
        'the service as list',
        'GET ',
        { query: { as_list: 'true' } },
        200,
        { resource: ['_schema', '_table', ...routines] },
      ],
      [
        'the service with all there is',
        'GET ',
        { query: { fields: '*' } },
        200,
        {
          resource: [
            { name: '_schema', class_name: 'Schema', label: 'Schema' },
            { name: '_table', class_name: 'Table', label: 'Tables' },
            ...(routines.length > 0
              ? [
                  { name: '_proc', class_name: 'StoredProcedure', label: 'Stored Procedures' },
                  { name: '_func', class_name: 'StoredFunction', label: 'Stored Functions' },
                ]
              : []),
          ],
        },
      ],
      [
        'the service with access',
        'GET ',
        { query: { include_access: 'true' }, as: reader },
        200,
        {
          resource: [
            { name: '_schema', access: [] },
            { name: '_table', access: ['GET'] },
            ...routines.map((name) => ({ name, access: [] })),
          ],
        },
      ],
      ['tables in natural order', 'GET _table', {}, 200, names(...tables)],
      [
        'tables with a trailing slash, as list',
        'GET _table/',
        { query: { as_list: 'true' } },
        200,
        { resource: tables },
      ],
      [
        'some keys',
        'GET _table',
        { query: { fields: 'name,label', ids: 'TEAM' } },
        200,
        { resource: [{ name: 'team', label: 'Team' }] },
      ],
      [
        'every key',
        'GET _table',
        { query: { fields: '*', ids: 'team' } },
        200,
        { resource: [{ ...team, access: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }] },
      ],
      ['every key of _schema', 'GET _schema', { query: { fields: '*', schema: 'main' } }, 200, { resource: [] }],
      [
        'only what the caller may touch',
        'GET _table',
        { query: { fields: 'name,access' }, as: reader },
        200,
        {
          resource: [
            { name: 'contact', access: ['GET'] },
            { name: 'team', access: ['GET', 'POST'] },
          ],
        },
      ],
      ['_schema likewise', 'GET _schema', { as: reader }, 200, names('contact')],
      [
        'as_access_list acts on the root only',
        'GET _table',
        { query: { as_access_list: 'true', ids: 'team' } },
        200,
        names('team'),
      ],
      [
        'components',
        'GET ',
        { query: { as_access_list: 'true' } },
        200,
        {
          resource: [
            '',
            '*',
            '_schema/',
            '_schema/*',
            ...tables.flatMap((t) => [`_schema/${t}/`, `_schema/${t}/*`]),
            '_table/',
            '_table/*',
            ...tables.flatMap((t) => [`_table/${t}/`, `_table/${t}/*`]),
            ...routines.flatMap((resource) => [`${resource}/`, `${resource}/*`]),
          ],
        },
      ],
      [
        'components of a reader',
        'GET ',
        { query: { as_access_list: 'true' }, as: reader },
        200,
        {
          resource: [
            '',
            '*',
            '_table/',
            '_table/*',
            '_table/contact/',
            '_table/contact/*',
            '_table/team/',
            '_table/team/*',
          ],
        },
      ],
    ];
    it.each(cases)('%s', check);

    it('_schema has alias first', async () => {
      const { text } = await ask(db.service, 'GET _schema', { query: { fields: '*', ids: '' } });
      expect(text).toMatch(/^\{"resource":\[\{"alias":null,"name":"contact","label":"Contact"/);
    });

    it('offers its access list to the gateway', async () => {
      const database = db.service.provided(databaseParts);
      const list = await accessList(
        databaseResources({ hasRoutines: false, hasFixedSchema: false }),
        { database } as DatabaseService,
        (component) => (component === '_table/team' || component === '_table' ? 1 : 0),
      );
      expect(list).toEqual(['_table/', '_table/*', '_table/team/', '_table/team/*']);
    });

    it('refresh finds a table made a moment ago', async () => {
      await db.sql('CREATE TABLE fresh (id integer PRIMARY KEY)');
      const { body } = await ask(db.service, 'GET _table', { query: { refresh: 'true', as_list: 'true' } });
      await db.sql('DROP TABLE fresh');
      expect(body.resource).toContain('fresh');
    });
  });

  describe('_schema', () => {
    it('describes a table with the mask of the caller', async () => {
      const { body } = await ask(db.service, 'GET _schema/Team');
      expect(body).toMatchObject({
        alias: null,
        name: 'team',
        label: 'Team',
        plural: 'Teams',
        is_view: false,
        primary_key: ['id'],
        access: 31,
      });
      expect(Object.keys(body).at(-1)).toBe('access');
      expect(body.field.map((field: { name: string }) => field.name)).toEqual(['id', 'name']);
      const reader = await ask(db.service, 'GET _schema/team', { as: user({ '_schema/team': 5 }) });
      expect(reader.body.access).toBe(5);
    });

    it('describes several by ids', async () => {
      const { body } = await ask(db.service, 'GET _schema', { query: { ids: 'team,word' } });
      expect(body.resource.map((table: { name: string }) => table.name)).toEqual(['team', 'word']);
      const records = await ask(db.service, 'GET _schema', { body: { resource: [{ name: 'team' }] } });
      expect(records.body.resource[0]).toMatchObject({ name: 'team', access: 31 });
    });

    it('describes fields', async () => {
      const all = await ask(db.service, 'GET _schema/team/_field');
      expect(all.body.resource).toHaveLength(2);
      const one = await ask(db.service, 'GET _schema/team/_field/name');
      expect(one.body).toMatchObject({ name: 'name', type: 'string', length: 40, required: true });
      expect((await ask(db.service, 'GET _schema/team/name')).body).toEqual(one.body);
      const some = await ask(db.service, 'GET _schema/team/_field', { query: { ids: 'name,nothing' } });
      expect(some.body).toEqual({ resource: [one.body] });
    });

    it('describes relations', async () => {
      const { body } = await ask(db.service, 'GET _schema/member/_related');
      expect(body.resource).toMatchObject([
        { name: 'team_by_team_id', type: 'belongs_to', field: 'team_id', ref_table: 'team' },
      ]);
      const one = await ask(db.service, 'GET _schema/member/_related/team_by_team_id');
      expect(one.body).toEqual(body.resource[0]);
    });

    const none = user({ '_schema/team': 1, _schema: 1 });
    const refused: [string, string, TestRequest, number, string][] = [
      ['an unknown table', 'GET _schema/nothing', {}, 404, 'Table "nothing" does not exist in the database.'],
      [
        'an unknown table of ids',
        'GET _schema',
        { query: { ids: 'team,nothing' } },
        404,
        'Table "nothing" does not exist in the database.',
      ],
      [
        'a table of ids the caller may not see',
        'GET _schema',
        { query: { ids: 'team,word' }, as: none },
        403,
        "GET access to component '_schema/word' of service 'db' is not allowed by this user's role.",
      ],
      ['an unknown field', 'GET _schema/team/_field/Name', {}, 404, "No requested fields found in table 'team'."],
      [
        'an unknown relation',
        'GET _schema/team/_related/x',
        {},
        404,
        "No requested relationships found in table 'team'.",
      ],
      ['a path too long', 'GET _schema/team/_field/name/x', {}, 400, 'Invalid schema path in describe request.'],
      ['an unknown sub-resource', 'GET _schema/team/name/x', {}, 400, 'Invalid schema path in describe request.'],
    ];
    it.each(refused)('refuses %s', async (_, line, request, status, message) => {
      const answer = await ask(db.service, line, request);
      expect(answer.body.error).toMatchObject({ message, status_code: status });
    });
  });

  describe('what is not there', () => {
    const without = (verb: string, service: string) =>
      `${verb} requests without a resource are not currently supported by the '${service}' service.`;
    const refused: [string, number, string, string[]?][] = [
      ['POST ', 405, without('POST', 'db'), ['GET', 'HEAD']],
      ['POST _table', 405, without('POST', '_table'), ['GET', 'HEAD']],
      ['DELETE _table/', 405, without('DELETE', '_table'), ['GET', 'HEAD']],
      ['PATCH _schema', 400, 'No data in schema update request.'],
      ['GET nothing/x', 404, "Resource 'nothing' not found for service 'db'."],
    ];
    it.each(refused)('%s', async (line, status, message, allow) => {
      const answer = await ask(db.service, line, { body: {} });
      expect(answer.body.error).toMatchObject({ message, status_code: status });
      expect(answer.failure?.allow).toEqual(allow);
    });

    const absent = engine === 'sqlite' ? ['_proc', '_func/x'] : [];
    for (const path of absent)
      it(path, async () => {
        const [resource] = path.split('/');
        const { body } = await ask(db.service, `GET ${path}`);
        expect(body.error).toMatchObject({
          message: `Resource '${resource}' not found for service 'db'.`,
          status_code: 404,
        });
        expect(operationsOf(engine).map((operation) => operation.path)).not.toContain(resource);
      });

    it('offers its operations', () => {
      const lines = operationsOf(engine).map(({ verb, path }) => `${verb} ${path}`);
      expect(lines).toContain('PATCH _table/{table_name}/{id}');
      expect(new Set(lines).size).toBe(lines.length);
    });
  });
});
