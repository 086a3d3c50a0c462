// Stored routines on the engines that have them (contract/database-schema.md §10).
import { engineMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, fakeCall, type TestRequest, user } from '../fixture/call.fixture.ts';
import { operationsOf } from '../fixture/index.ts';
import { createRoutineDatabase, type RoutineDatabase, type RoutineEngine } from './routines.fixture.ts';

const functions = ['a/b', 'add', 'bad', 'greet', 'is_big', 'it"s', 'same', 'wait', 'x; drop table entry'];
const procedures = ['broken', 'fails', 'idle', 'put', 'twice, with all'];

for (const engine of ['pgsql', 'mysql'] satisfies RoutineEngine[]) {
  describe.skipIf(await engineMissing(engine))(`routines of ${engine}`, () => {
    let db: RoutineDatabase;
    beforeAll(async () => {
      db = await createRoutineDatabase(engine);
    });
    afterAll(() => db?.stop());

    const body = async (line: string, request?: TestRequest) => (await ask(db.service, line, request)).body;
    const names = (list: string[]) => ({ resource: list.map((name) => ({ name })) });

    describe('lists', () => {
      it('stand at the root and among the components of roles', async () => {
        expect(await body('GET ')).toEqual(names(['_schema', '_table', '_proc', '_func']));
        const { resource } = await body('GET ', { query: { as_access_list: 'true' } });
        expect(resource.slice(resource.indexOf('_proc/'))).toEqual([
          ...['_proc/', '_proc/*', ...procedures.map((name) => `_proc/${name}`)],
          ...['_func/', '_func/*', ...functions.map((name) => `_func/${name}`)],
        ]);
        const lines = operationsOf(engine).map(({ verb, path }) => `${verb} ${path}`);
        expect(lines).toContain('POST _func/{function_name}');
      });

      it('names alone, all there is, and what is asked for', async () => {
        expect(await body('GET _proc')).toEqual(names(procedures));
        expect(await body('GET _func/', { query: { as_list: 'true' } })).toEqual({ resource: functions });
        expect((await body('GET _func', { query: { fields: '*' } })).resource[1]).toEqual({
          ...{ alias: null, name: 'add', label: 'Add', description: 'Adds two numbers', native: [] },
          access: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        });
        expect((await body('GET _func', { query: { fields: 'label,name' } })).resource[1]).toEqual({
          name: 'add',
          label: 'Add',
        });
        expect(await body('GET _func', { query: { schema: 'other' } })).toEqual({ resource: [] });
      });

      it('describes those of ids', async () => {
        const { resource } = await body('GET _func', { query: { ids: 'ADD,greet' } });
        expect(resource.map((routine: { name: string }) => routine.name)).toEqual(['add', 'greet']);
        expect(resource[0]).toMatchObject({
          ...{ alias: null, name: 'add', label: 'Add', description: 'Adds two numbers', native: [], access: 31 },
          ...{ return_type: 'integer', return_schema: [] },
        });
        expect(resource[0].params.map((parameter: object) => Object.keys(parameter))[0]).toEqual([
          'name',
          'position',
          'param_type',
          'type',
          'db_type',
          'length',
          'precision',
          'scale',
          'default',
        ]);
        expect(resource[0].params[1]).toMatchObject({ name: 'b', position: 2, param_type: 'IN', type: 'integer' });
        const described = await body('GET _proc', { body: { resource: [{ name: 'Twice, With ALL' }] } });
        expect(described.resource[0]).toMatchObject({
          return_type: null,
          params: [{ name: 'n' }, { name: 'result', param_type: 'INOUT' }],
        });
      });

      it('finds what was made a moment ago with refresh', async () => {
        await body('GET _func');
        await db.run(
          engine === 'pgsql'
            ? "CREATE FUNCTION fresh() RETURNS integer LANGUAGE sql AS 'SELECT 1'"
            : 'CREATE FUNCTION fresh() RETURNS integer DETERMINISTIC RETURN 1',
        );
        expect((await body('GET _func', { query: { as_list: 'true', refresh: 'true' } })).resource).toContain('fresh');
        await db.run('DROP FUNCTION fresh');
        expect((await body('GET _func', { query: { as_list: 'true', refresh: 'true' } })).resource).not.toContain(
          'fresh',
        );
      });
    });

    describe('values', () => {
      it.each<[string, string, TestRequest, unknown]>([
        ['in the address', 'GET _func/add(1,2)', {}, 3],
        ['with blanks and quotes', `GET _func/greet( 'a, ''b''' )`, {}, "Hello a, 'b'"],
        ['of the address, and a null', 'GET _func/greet(NULL)', {}, null],
        ['in the query', 'GET _func/add', { query: { a: '40', B: '2', other: 'x' } }, 42],
        ['as a list', 'POST _func/add', { body: { params: [1, '2'] } }, 3],
        [
          'as a list of names',
          'POST _func/add',
          {
            body: {
              params: [
                { name: 'B', value: 1 },
                { name: 'a', value: 2, param_type: 'IN' },
              ],
            },
          },
          3,
        ],
        ['as a map', 'POST _func/add', { body: { params: { A: 1, b: { value: 2 } } } }, 3],
        ['as comma-separated text', 'POST _func/add', { body: { params: '1, 2' } }, 3],
        [
          'of the body before those of the address and the query',
          'POST _func/add(7,7)',
          { body: { params: [1, 2] }, query: { a: '9' } },
          3,
        ],
        ['of the address before those of the query', 'GET _func/add(7,7)', { query: { a: '9', b: '9' } }, 14],
        ['none', 'GET _func/add', {}, null],
        ['with lookups', 'POST _func/greet', { body: { params: ['{user.email}'] } }, 'Hello ada@example.com'],
        [
          'of any text',
          'POST _func/greet',
          { body: { params: [`'); DROP TABLE entry; --\\' "`] } },
          `Hello '); DROP TABLE entry; --\\' "`,
        ],
        [
          'that JSON can not carry as a number',
          'POST _func/same',
          { body: { params: ['9007199254740993'] } },
          '9007199254740993',
        ],
        ['told as what they are', 'POST _func/is_big', { body: { params: { n: '9007199254740993' } } }, true],
      ])('%s', async (_, line, request, expected) => {
        expect(await body(line, request)).toEqual(expected);
      });

      it.each<[string, TestRequest, string]>([
        ['POST _func/add', { body: { params: { a: 1, c: 2 } } }, "Function 'add' has no parameter 'c'."],
        ['GET _func/add(1,2,3)', {}, "Function 'add' has 2 parameters, and more values were given."],
        ['POST _func/add', { body: { params: ['x', 1] } }, "Field 'a' must be a valid integer."],
        ['POST _func/greet', { body: { params: ['a\0b'] } }, "Field 'name' must not contain NUL characters."],
        [
          'POST _func/add',
          { body: { params: 5 } },
          'The params of a call must be a list of values, a list of objects with name and value, or an object.',
        ],
        [
          'POST _func/add',
          { body: [1, 2] },
          'The params of a call must be a list of values, a list of objects with name and value, or an object.',
        ],
      ])('refuses %s %j', async (line, request, message) => {
        expect((await body(line, request)).error).toMatchObject({ status_code: 400, message });
      });
    });

    describe('answers', () => {
      it.each<[string, TestRequest, unknown]>([
        ['POST _func/add', { body: { params: [1, 2], returns: 'string', wrapper: 'rows' } }, '3'],
        ['GET _func/same(12)', { query: { returns: 'boolean' } }, false],
        ['GET _func/greet(7)', { query: { returns: 'TABLE' } }, 'Hello 7'],
        ['POST _proc/twice, with all', { body: { params: [4] } }, { result: 8 }],
        ['POST _proc/twice, with all', { body: { params: { n: 4, result: 1 } } }, { result: 9 }],
        ['GET _proc/TWICE, WITH ALL(4,2)', {}, { result: 10 }],
      ])('%s %j', async (line, request, expected) => {
        expect(await body(line, request)).toEqual(expected);
      });

      it('does what a procedure does, once', async () => {
        expect(await body('POST _proc/put', { body: { params: { name: 'made' } } })).toEqual([]);
        expect(await body('POST _proc/put', { body: { params: ['made 2'], wrapper: 'rows' } })).toEqual({ rows: [] });
        expect((await db.run("SELECT count(*) FROM entry WHERE name LIKE 'made%'")).flat().map(Number)).toEqual([2]);
      });
    });

    describe('names', () => {
      it.each(['it"s', 'x; drop table entry', 'a/b'])('%s is only a name', async (name) => {
        expect(await body(`GET _func/${name}(v)`)).toBe('v');
      });

      it.each<[string, number, string]>([
        ['GET _func/nothing', 404, "Function 'nothing' does not exist in the database."],
        ['GET _proc/add', 404, "Procedure 'add' does not exist in the database."],
        ['GET _proc/pg_sleep(1)', 404, "Procedure 'pg_sleep' does not exist in the database."],
        ['GET _proc/(1)', 400, 'Procedure name can not be empty.'],
        ['GET _func/(1)', 400, 'Function name can not be empty.'],
        ['PUT _proc/put', 405, "PUT requests for resource 'put' are not currently supported by the '_proc' service."],
        ['POST _func', 405, "POST requests without a resource are not currently supported by the '_func' service."],
        ['GET _func/add(1', 400, 'The address of a routine is its name, or its name and values in parentheses.'],
        ['GET _func/add(1)x', 400, 'The address of a routine is its name, or its name and values in parentheses.'],
        ['GET _func/add(1)(2)', 400, 'The address of a routine is its name, or its name and values in parentheses.'],
        ['GET _func/no(1)', 404, "Function 'no' does not exist in the database."],
        ['GET _func//add', 404, "Function '/add' does not exist in the database."],
        ['GET _func/add/(1,2)', 404, "Function 'add/' does not exist in the database."],
      ])('%s', async (line, status, message) => {
        expect((await body(line)).error).toMatchObject({ status_code: status, message });
      });
    });

    describe('roles', () => {
      const reader = user({ '_func/add': 1, '_proc/put': 2, _proc: 1 });

      it('show what the caller may call', async () => {
        expect(await body('GET _func', { as: reader })).toEqual(names(['add']));
        expect(await body('GET _proc', { as: reader })).toEqual(names(['put']));
        expect((await body('GET _func', { as: reader, query: { ids: 'greet' } })).error).toMatchObject({
          status_code: 403,
        });
      });

      // The text in parentheses must not lead to another routine than the one that is named.
      it.each<[string, boolean]>([
        ['GET _func/add(1,2)', true],
        ['GET _func/ADD( 1 , 2 )/', true],
        ['POST _func/add', false],
        ['POST _proc/put(x)', true],
        ['GET _proc/put(x)', false],
        ['GET _func/greet(_func/add)', false],
        ['GET _func/greet', false],
        ['GET _func/a(reet)dd', true],
      ])('%s: %s', (line, allowed) => {
        const [verb, path] = line.split(/ (.*)/s) as ['GET', string];
        expect(fakeCall(verb, path, { as: reader }).decision.allowed).toBe(allowed);
      });

      it('call no other routine than the one they were asked about', async () => {
        // `a(reet)dd` is `add` to the roles, and nothing else here.
        expect((await body('GET _func/a(reet)dd', { as: reader })).error).toMatchObject({ status_code: 400 });
      });
    });

    describe('what goes wrong', () => {
      it.each<[string, string]>([
        ['GET _proc/fails', 'Failed to call database stored procedure.\nno luck'],
        ['GET _func/bad', 'Failed to call database stored function.\nno luck'],
      ])('%s', async (line, message) => {
        expect((await body(line)).error).toMatchObject({ code: 500, status_code: 500, message });
      });

      it('tells of a broken routine', async () => {
        const { error } = await body('GET _proc/broken');
        expect(error).toMatchObject({ status_code: 500 });
        expect(error.message).toMatch(/^Failed to call database stored procedure\.\n.*nowhere.*exist/);
      });

      it('stops a call when its caller goes away', async () => {
        const leaving = new AbortController();
        const call = { ...fakeCall('GET', '_proc/idle'), signal: leaving.signal };
        const answered = Promise.resolve(db.service.handle(call)).catch((error: Error) => error.message);
        await expect.poll(async () => (await db.running()).length, { timeout: 10_000 }).toBe(1);
        leaving.abort();
        expect(await answered).toBe('The query was stopped because the caller went away.');
        await expect.poll(async () => (await db.running()).length, { timeout: 10_000 }).toBe(0);
      });

      it('goes on afterwards', async () => {
        expect(await body('GET _func/add(1,1)')).toBe(2);
      });
    });
  });
}
