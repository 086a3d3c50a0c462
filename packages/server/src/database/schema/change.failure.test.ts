// Writes of `_schema` that are refused or fail, on each engine: they leave the description, the records and the definitions in
// the database as they were; and what callers send is never SQL, unless an administrator sends it.
import { fail } from '@sluice/contract';
import { MysqlConnection } from '@sluice/sql/dialects/mysql/connection';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { extrasHook, user } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { clientOf, dropAll } from './change.client.fixture.ts';

const integers = (count: number, at = -1, bad: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    name: `n${index}`,
    type: 'integer',
    allow_null: true,
    ...(index === at ? bad : {}),
  }));

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());
  const { call, ok, describeAll, plan } = clientOf(() => db);

  const names = ['kept', 'other'];
  const made = ['renamed', 'new_a', 'new_b'];
  const makeTables = async () => {
    await dropAll(db, [...names, ...made]);
    await ok('POST _schema', {
      resource: [
        {
          name: 'kept',
          field: [
            { name: 'id', type: 'id' },
            { name: 'name', type: 'string', length: 20, is_unique: true, label: 'A name' },
            { name: 'rank', type: 'integer', default: 3, is_index: true },
            { name: 'note', type: 'text', allow_null: true, alias: 'remark' },
            { name: 'other_id', type: 'reference', ref_table: 'other', allow_null: true, ref_on_delete: 'SET NULL' },
          ],
        },
        {
          name: 'other',
          label: 'Others',
          field: [
            { name: 'id', type: 'id' },
            { name: 'size', type: 'integer' },
          ],
        },
      ],
    });
    await ok('POST _table/other', { resource: [{ size: 1 }, { size: 2 }] });
    await ok('POST _table/kept', {
      resource: [
        { name: 'one', other_id: 1, remark: 'x' },
        { name: 'twotwo', rank: 9 },
      ],
    });
  };
  beforeAll(makeTables);
  afterEach(() => {
    extrasHook.onChange = extrasHook.onFinish = undefined;
    vi.restoreAllMocks();
  });

  /** All that can be seen of the tables, as text. */
  const snapshot = async () => {
    const described = await describeAll(names);
    const records = [];
    for (const name of names) records.push(await ok(`GET _table/${name}`, undefined, { query: { order: 'id' } }));
    const { resource } = await ok('GET _schema', undefined, { query: { refresh: 'true', fields: '*' } });
    const definitions = {
      sqlite: ['SELECT name, sql FROM sqlite_master ORDER BY name'],
      pgsql: [
        "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
        'SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint ORDER BY conname',
      ],
      mysql: names.map((name) => `SHOW CREATE TABLE ${name}`),
    }[engine];
    const defined = [];
    // The keys of a table of MariaDB have no order that would mean anything.
    const lines = (text: string | null) => text?.split(/,?\n/).sort();
    for (const sql of definitions) defined.push((await db.sql(sql)).map(lines));
    return JSON.stringify({ described, records, resource, defined }, null, 1);
  };

  const writes: Record<string, [line: string, body?: unknown]> = {
    'a field added': ['POST _schema/kept/_field', { resource: [{ name: 'x', type: 'string', default: 'd' }] }],
    'fields added, one unique, one a reference': [
      'PATCH _schema/kept',
      {
        label: 'Other label',
        field: [
          { name: 'x', type: 'string', length: 9, allow_null: true, is_unique: true },
          { name: 'y', type: 'reference', ref_table: 'other', allow_null: true },
        ],
      },
    ],
    'a longer field, another type, a null': [
      'PATCH _schema/kept/_field',
      {
        resource: [
          { name: 'name', length: 40, label: 'L' },
          { name: 'rank', type: 'string', length: 10 },
          { name: 'other_id', is_index: true },
        ],
      },
    ],
    'no indexes': [
      'PATCH _schema/kept',
      {
        field: [
          { name: 'name', is_unique: false },
          { name: 'rank', is_index: false },
        ],
      },
    ],
    'a field renamed': ['PATCH _schema/kept/rank', { new_name: 'place', label: 'P' }],
    'a table renamed, and its fields': [
      'PATCH _schema/kept',
      {
        new_name: 'renamed',
        field: [
          { name: 'rank', new_name: 'place' },
          { name: 'x', type: 'integer', default: 1 },
        ],
      },
    ],
    'tables made': [
      'POST _schema?rollback=true',
      {
        resource: [
          {
            name: 'new_a',
            field: [
              { name: 'id', type: 'id' },
              { name: 'b_id', type: 'reference', ref_table: 'new_b' },
            ],
          },
          {
            name: 'new_b',
            field: [
              { name: 'id', type: 'id' },
              { name: 'a_id', type: 'reference', ref_table: 'new_a' },
            ],
          },
          { name: 'kept', field: [{ name: 'x', type: 'integer', allow_null: true }] },
        ],
      },
    ],
    'a field dropped': ['DELETE _schema/kept/_field/note'],
    'a table dropped': ['DELETE _schema/kept'],
    'fields dropped by a PUT': ['PUT _schema/kept', { field: [{ name: 'id' }, { name: 'name', length: 30 }] }],
  };
  const parse = ([line, body]: [string, unknown?]) => {
    const [verb = '', address = ''] = line.split(' ');
    const [path = '', query = ''] = address.split('?');
    return { verb, path, body, query: Object.fromEntries(new URLSearchParams(query)), address };
  };

  describe('a change that cannot be saved is undone', () => {
    it.each(Object.keys(writes))('%s', { timeout: 30_000 }, async (name) => {
      const { verb, path, body, query, address } = parse(writes[name] as [string, unknown?]);
      const planned = await plan(verb, address, body);
      const before = await snapshot();
      extrasHook.onChange = () => Promise.reject(new Error('no space left'));
      const isLost = planned.some(({ undo }) => undo === 'none');
      await expect(call(`${verb} ${path}`, body, { query }))
        .rejects.toThrow(isLost ? /./ : 'no space left')
        .catch((error) => {
          if (!isLost) throw error;
        });
      extrasHook.onChange = undefined;
      // Said beforehand.
      if (isLost) return makeTables();
      expect(await snapshot()).toBe(before);
    });
  });

  it('what is refused at the very end holds up nobody who reads', async () => {
    const before = await snapshot();
    const field = { name: 'late', type: 'integer', allow_null: true };
    extrasHook.onChange = () => Promise.reject(fail('schema.nameTaken', { name: 'late', place: 'the service' }));
    expect(await call(`POST _schema/${names[0]}/_field`, { resource: [field] })).toMatchObject({ status: 400 });
    extrasHook.onChange = undefined;
    expect(await snapshot()).toBe(before);
  });

  describe('a change that is done but cannot be saved', () => {
    const refuse = async () => {
      throw new Error('no space left');
    };

    if (engine === 'mysql')
      it.each(Object.keys(writes))('is undone where that can be: %s', { timeout: 30_000 }, async (name) => {
        const { verb, path, body, query, address } = parse(writes[name] as [string, unknown?]);
        const isLost = (await plan(verb, address, body)).some(({ undo }) => undo === 'none');
        const before = await snapshot();
        extrasHook.onFinish = refuse;
        if (isLost) {
          expect(await call(`${verb} ${path}`, body, { query })).toMatchObject({ status: 503 });
          extrasHook.onFinish = undefined;
          return makeTables();
        }
        await expect(call(`${verb} ${path}`, body, { query })).rejects.toThrow('no space left');
        expect(await snapshot()).toBe(before);
      });
    else
      it('is committed, and the answer says so', { timeout: 30_000 }, async () => {
        let tries = 0;
        extrasHook.onFinish = async () => {
          tries += 1;
          await refuse();
        };
        const { status, text } = await call('PATCH _schema/kept/rank', { new_name: 'place' });
        expect([status, text]).toEqual([503, expect.stringContaining('could not be saved: no space left')]);
        expect(tries).toBe(3);
        extrasHook.onFinish = undefined;
        expect((await call('GET _schema/kept/place')).status).toBe(200);
        await makeTables();
      });
  });

  if (engine === 'mysql')
    describe('a change of which one statement fails is undone', () => {
      it.each(Object.keys(writes))('%s', { timeout: 30_000 }, async (name) => {
        const { verb, path, body, query, address } = parse(writes[name] as [string, unknown?]);
        const statements = (await plan(verb, address, body)).flatMap((each) => each.statements as string[]);
        expect(statements.length).toBeGreaterThan(0);
        const before = await snapshot();
        const { command } = MysqlConnection.prototype;
        for (const failing of statements) {
          let isDone = false;
          vi.spyOn(MysqlConnection.prototype, 'command').mockImplementation(function (this: MysqlConnection, sql) {
            const fails = !isDone && sql === failing;
            isDone ||= fails;
            return command.call(this, fails ? 'alter table nowhere_at_all drop column x' : sql);
          });
          const { status } = await call(`${verb} ${path}`, body, { query });
          vi.restoreAllMocks();
          expect([failing, isDone, status]).toEqual([failing, true, 400]);
          expect(await snapshot()).toBe(before);
        }
      });
    });

  describe('a change that is refused leaves all as it was', () => {
    it.each<[string, string, unknown]>([
      ['no name in the middle', 'PATCH _schema/kept', { label: 'No', field: integers(200, 150, { name: '' }) }],
      ['a wrong size in the middle', 'PATCH _schema/kept', { field: integers(200, 150, { length: 'x' }) }],
      ['an unknown type in the middle', 'PATCH _schema/kept', { field: integers(200, 150, { type: 'nonsense (' }) }],
      ['SQL that is none', 'PATCH _schema/kept', { label: 'No', field: integers(9, 5, { sql: 'nonsense (' }) }],
      ['SQL with an end', 'PATCH _schema/kept', { field: [{ name: 'x', sql: 'integer); DROP TABLE other; --' }] }],
      [
        'a target that is none',
        'PATCH _schema/kept',
        { field: integers(9, 5, { type: 'reference', ref_table: 'nil' }) },
      ],
      [
        'a misfit among others',
        'PATCH _schema/kept',
        {
          field: [
            { name: 'x', type: 'text', allow_null: true },
            { name: 'name', length: 4 },
          ],
        },
      ],
      [
        'a null',
        'PATCH _schema/kept',
        {
          field: [
            { name: 'name', length: 50 },
            { name: 'note', allow_null: false },
          ],
        },
      ],
      ['no number', 'PUT _schema/kept', { field: [{ name: 'id' }, { name: 'name', type: 'integer' }] }],
      ['a wrong label', 'PATCH _schema/kept', { field: [{ name: 'x', type: 'integer', label: 'l'.repeat(300) }] }],
      ['an alias that is taken', 'PATCH _schema/kept', { field: [{ name: 'x', type: 'integer', alias: 'remark' }] }],
      [
        'a name twice',
        'PATCH _schema/kept',
        {
          field: [
            { name: 'x', type: 'integer' },
            { name: 'X', type: 'integer' },
          ],
        },
      ],
      ['a name that is taken', 'PATCH _schema/kept/rank', { new_name: 'Name' }],
      ['a name of a table that is taken', 'PATCH _schema/kept', { new_name: 'other' }],
      [
        'a default that does not fit',
        'PATCH _schema/kept',
        {
          field: [
            { name: 'x', type: 'date', default: 'soon' },
            { name: 'y', type: 'nonsense (' },
          ],
        },
      ],
      [
        'a wrong relation',
        'PATCH _schema/kept',
        { field: [{ name: 'x', type: 'integer' }], related: [{ is_virtual: true, type: 'x' }] },
      ],
      [
        'the last of several tables',
        'POST _schema?rollback=true',
        {
          resource: [
            { name: 'new_a', field: [{ name: 'id', type: 'id' }] },
            { name: 'kept', field: [{ name: 'x', type: 'nonsense (' }] },
          ],
        },
      ],
      ['all fields', 'DELETE _schema/kept/_field?ids=id,name,rank,note,other_id', undefined],
      ['a table that others reference', 'DELETE _schema/other', undefined],
    ])('%s', { timeout: 30_000 }, async (what, line, sent) => {
      const { verb, path, body, query } = parse([line, sent]);
      const before = await snapshot();
      const { status, text } = await call(`${verb} ${path}`, body, { query });
      // SQLite lets tables go that nobody's record references.
      if (status === 200 && what === 'a table that others reference') return makeTables();
      expect([what, status, text]).toEqual([what, 400, text]);
      expect(await snapshot()).toBe(before);
      for (const name of ['new_a', 'x']) expect((await call(`GET _schema/${name}`)).status).toBe(404);
    });

    it('several drops together, where the engine cannot undo them, beforehand', async () => {
      const before = await snapshot();
      const line = 'DELETE _schema';
      const planned = await plan('DELETE', '_schema?ids=kept,other');
      expect(planned).toHaveLength(2);
      extrasHook.onChange = () => Promise.reject(new Error('no space left'));
      const change = call(line, undefined, { query: { ids: 'kept,other', rollback: 'true' } });
      if (engine === 'mysql') expect((await change).status).toBe(400);
      else await expect(change).rejects.toThrow('no space left');
      expect(await snapshot()).toBe(before);
    });
  });

  describe('what is sent is no SQL', () => {
    const evil = [
      "x'); DROP TABLE canary; --",
      'x"; DROP TABLE canary; --',
      'x`; DROP TABLE canary; --',
      "\\'; DROP TABLE canary; --",
    ];
    const everybody = user({ '*': 31, '_schema/*': 31, '_table/*': 31 });
    beforeEach(async () => {
      await dropAll(db, ['canary']);
      await ok('POST _schema', { resource: [{ name: 'canary', field: [{ name: 'id', type: 'id' }] }] });
    });
    afterAll(() => dropAll(db, ['canary', 'proto']));
    const isAlive = async () =>
      expect((await call('GET _schema/canary', undefined, { query: { refresh: 'true' } })).status).toBe(200);

    const refusals = [400, 403];
    /** What is sent there is `kept` as the text that it is, left alone or a literal (`any`), else refused. */
    const places: [string, (text: string) => unknown, outcome?: 'kept' | 'any'][] = [
      ['the name of a table', (text) => ({ name: text, field: [{ name: 'id', type: 'id' }] })],
      ['the name of a field', (text) => ({ name: 'new_a', field: [{ name: text, type: 'integer' }] })],
      ['a type', (text) => ({ name: 'new_a', field: [{ name: 'x', type: `integer ${text}` }] })],
      [
        'a native type',
        (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'string', db_type: `varchar(3)${text}` }] }),
        'any',
      ],
      ['only a native type', (text) => ({ name: 'new_a', field: [{ name: 'x', db_type: text }] })],
      ['a default', (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'string', default: text }] }), 'kept'],
      [
        'a default of a number',
        (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'integer', default: text }] }),
        'any',
      ],
      [
        'a default of a date',
        (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'date', default: text, quote_default: true }] }),
        'any',
      ],
      [
        'an expression',
        (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'string', default: { expression: text } }] }),
      ],
      [
        'a function',
        (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'integer', default: `now()${text}` }] }),
        'any',
      ],
      ['SQL', (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'integer', sql: text }] })],
      ['a length', (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'string', length: text }] })],
      ['a target', (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'reference', ref_table: text }] })],
      [
        'the field of a target',
        (text) => ({ name: 'new_a', field: [{ name: 'x', type: 'reference', ref_table: 'other', ref_field: text }] }),
      ],
      [
        'a rule',
        (text) => ({
          name: 'new_a',
          field: [{ name: 'x', type: 'reference', ref_table: 'other', ref_on_delete: text }],
        }),
      ],
      [
        'constraints',
        (text) => ({
          name: 'new_a',
          field: [
            { name: 'x', type: 'integer' },
            { name: 'y', type: 'integer' },
          ],
          constraints: {
            [text]: {
              constraint_type: 'FOREIGN KEY',
              column_name: 'x,y',
              referenced_table_name: 'other',
              referenced_column_name: text,
              update_rule: text,
            },
          },
        }),
      ],
      ['a new name', (text) => ({ name: 'kept', new_name: text, field: [{ name: 'rank', new_name: text }] })],
      [
        'a label',
        (text) => ({
          name: 'new_a',
          label: text,
          description: text,
          field: [{ name: 'x', type: 'integer', label: text, picklist: [text] }],
        }),
        'kept',
      ],
    ];
    it.each(places)('%s', { timeout: 30_000 }, async (what, tableOf, outcome) => {
      for (const text of evil)
        for (const [as, verb] of [
          [everybody, 'POST'],
          [everybody, 'PATCH'],
        ] as const) {
          const { status, text: answer } = await call(`${verb} _schema`, { resource: [tableOf(text)] }, { as });
          expect([what, status, answer]).toEqual([
            what,
            outcome === 'kept' ? 200 : expect.toSatisfy((code) => refusals.includes(code) || outcome === 'any'),
            answer,
          ]);
          await isAlive();
          if (outcome === 'kept')
            expect(JSON.stringify((await call('GET _schema/new_a')).body)).toContain(JSON.stringify(text));
          await dropAll(db, ['new_a']);
        }
    });

    it('names of what every object has are names like others', async () => {
      const field = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'].map((name) => ({
        name,
        type: 'string',
        length: 20,
        allow_null: true,
      }));
      for (const name of ['constructor', 'toString', 'proto']) {
        await ok('POST _schema', { resource: [{ name, field: [{ name: 'id', type: 'id' }, ...field] }] });
        const body = { resource: [{ constructor: 'b', toString: 'c' }] };
        await ok(`POST _table/${name}`, body);
        const { text } = await call(`GET _table/${name}`);
        expect(text).toContain('"constructor":"b","toString":"c","valueOf":null');
        await ok(`PATCH _schema/${name}/toString`, { length: 30 });
        await ok(`PATCH _schema/${name}/valueOf`, { new_name: 'renamed_one' });
        await ok(`DELETE _schema/${name}/constructor`);
        expect((await ok(`GET _table/${name}`)).resource).toEqual([
          { id: 1, toString: 'c', renamed_one: null, hasOwnProperty: null },
        ]);
        await dropAll(db, [name]);
      }
      for (const table of [
        { name: '__proto__', field: [{ name: 'x', type: 'integer' }] },
        { name: 'proto', field: [{ name: '__proto__', type: 'integer' }] },
      ])
        expect((await call('POST _schema', { resource: [table] })).status).toBe(400);
      expect(({} as Record<string, unknown>).length).toBeUndefined();
    });

    it('what is sent has an end', { timeout: 60_000 }, async () => {
      let deep: unknown = 1;
      for (let depth = 0; depth < 5000; depth += 1) deep = { expression: deep, field: deep };
      for (const field of [
        integers(5000),
        [{ name: 'x', type: 'integer', default: deep }],
        [{ name: 'x'.repeat(65), type: 'integer' }],
        [{ name: 'x', type: `varchar(${'9'.repeat(5000)})` }],
        [{ name: 'x', type: 'string', default: 'd'.repeat(100_000) }],
        [{ name: 'x', type: 'string', sql: 'd'.repeat(100_000) }],
      ]) {
        const started = performance.now();
        const { status } = await call('POST _schema', { resource: [{ name: 'new_a', field }] });
        expect(status).toBe(400);
        expect(performance.now() - started).toBeLessThan(10_000);
        expect((await call('GET _schema/new_a')).status).toBe(404);
      }
    });
  });
});
