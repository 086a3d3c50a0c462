// Writes of `_schema` that change the database, on each engine (contract/database-schema.md §4–§7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, type TestRequest, user } from '../fixture/call.fixture.ts';
import { type Fixture, fixture, forEngine, onEachEngine, perEngine } from '../fixture/index.ts';

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
  });
  afterAll(() => db?.stop());

  const call = (line: string, body?: unknown, request: TestRequest = {}) => ask(db.service, line, { body, ...request });
  const get = async (path: string, query: Record<string, string> = {}) =>
    (await ask(db.service, `GET ${path}`, { query })).body;
  const ok = async (line: string, body?: unknown, request: TestRequest = {}) => {
    const answer = await call(line, body, request);
    expect([line, answer.status, answer.body]).toEqual([line, 200, answer.body]);
    return answer.body;
  };
  const refusal = async (line: string, body?: unknown, request: TestRequest = {}) => {
    const { status, body: answer } = await call(line, body, request);
    return `${status} ${answer.error?.message}`;
  };
  const plan = async (verb: string, path: string, body?: unknown) =>
    (await ok('POST _plan', { verb, path, body })).resource;
  const drop = async (...tables: string[]) => {
    for (const table of tables) await call(`DELETE _schema/${table}`);
  };
  const rows = async (table: string, query: Record<string, string> = {}) =>
    (await get(`_table/${table}`, query)).resource;
  const field = async (table: string, name: string) => get(`_schema/${table}/_field/${name}`);

  const todo = {
    name: 'todo',
    label: 'To do',
    field: [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 80, allow_null: false, is_unique: true },
      {
        name: 'team_id',
        type: 'reference',
        ref_table: 'team',
        ref_field: 'id',
        ref_on_delete: 'CASCADE',
        allow_null: true,
      },
      { name: 'status', type: 'string', picklist: ['open', 'done'], validation: { picklist: {} }, allow_null: true },
      { name: 'rank', type: 'integer', default: 3, is_index: true },
      { name: 'made', type: 'timestamp_on_create' },
    ],
  };

  describe('a new table', () => {
    beforeEach(() => drop('todo', 'part', 'b', 'a', 'c'));
    afterAll(() => drop('todo', 'part', 'b', 'a', 'c'));

    it('is made as it is sent, and described so', async () => {
      const { resource } = await ok('POST _schema', { resource: [todo] }, { query: { fields: '*' } });
      expect(resource).toHaveLength(1);
      const [table] = resource;
      expect(table).toMatchObject({
        name: 'todo',
        label: 'To do',
        plural: 'To dos',
        primary_key: ['id'],
        access: 31,
        is_view: false,
      });
      expect(table.field.map((each: { name: string }) => each.name)).toEqual(todo.field.map(({ name }) => name));
      const [id, name, team, status, rank, made] = table.field;
      expect(id).toMatchObject({
        type: 'id',
        auto_increment: true,
        is_primary_key: true,
        allow_null: false,
        required: false,
      });
      expect(name).toMatchObject({ type: 'string', length: 80, is_unique: true, allow_null: false, required: true });
      expect(team).toMatchObject({
        type: 'reference',
        is_foreign_key: true,
        ref_table: 'team',
        ref_field: 'id',
        allow_null: true,
      });
      expect(status).toMatchObject({
        type: 'string',
        length: 255,
        picklist: ['open', 'done'],
        validation: { picklist: {} },
      });
      expect(rank).toMatchObject({ type: 'integer', default: 3, is_index: true, required: false, allow_null: false });
      expect(made).toMatchObject({ type: 'timestamp_on_create' });
      expect(table.related).toMatchObject([
        { name: 'team_by_team_id', type: 'belongs_to', ref_table: 'team', ref_on_delete: 'CASCADE' },
      ]);
      expect((await get('_schema/team')).related).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'todo_by_team_id', type: 'has_many' })]),
      );
    });

    it('takes records at once, and refuses what its rules refuse', async () => {
      await ok('POST _schema', { resource: [todo] });
      expect(
        await ok('POST _table/todo', { resource: [{ name: 'a' }] }, { query: { fields: 'name,rank,id' } }),
      ).toEqual({
        resource: [{ id: 1, name: 'a', rank: 3 }],
      });
      expect((await call('POST _table/todo', { resource: [{ name: 'a' }] })).status).toBe(400);
      expect((await call('POST _table/todo', { resource: [{ name: 'b', team_id: 999 }] })).status).toBe(400);
      expect((await rows('todo'))[0].made).toMatch(/^20/);
    });

    it('sent again, as it was made or as it is described, changes nothing', async () => {
      const { resource } = await ok('POST _schema', { resource: [todo] }, { query: { fields: '*' } });
      for (const sent of [todo, resource[0]])
        for (const verb of ['POST', 'PATCH', 'PUT']) {
          expect(
            (await plan(verb, '_schema', { resource: [sent] })).flatMap(
              (each: { statements: string[] }) => each.statements,
            ),
          ).toEqual([]);
          const again = await ok(`${verb} _schema`, { resource: [sent] }, { query: { fields: '*' } });
          expect(again.resource[0]).toEqual(resource[0]);
        }
    });

    it('has a key of several fields', async () => {
      await ok('POST _schema', {
        resource: [
          {
            name: 'part',
            field: [
              { name: 'team_id', type: 'reference', ref_table: 'team', is_primary_key: true },
              { name: 'no', type: 'integer', is_primary_key: true },
            ],
          },
        ],
      });
      expect(await get('_schema/part')).toMatchObject({ primary_key: ['team_id', 'no'] });
      expect((await field('part', 'team_id')).ref_field).toBe('id');
    });

    it('comes after those it references, and in a circle too', async () => {
      const reference = (name: string, ref_table: string) => ({
        name,
        type: 'reference',
        ref_table,
        ref_field: 'id',
        allow_null: true,
      });
      const id = { name: 'id', type: 'id' };
      const body = await ok('POST _schema', {
        resource: [
          { name: 'round_a', field: [id, reference('b_id', 'round_b'), reference('a_id', 'round_a')] },
          { name: 'round_b', field: [id, reference('c_id', 'round_c')] },
          { name: 'round_c', field: [id, reference('a_id', 'round_a')] },
        ],
      });
      expect(body.resource).toEqual([{ name: 'round_a' }, { name: 'round_b' }, { name: 'round_c' }]);
      for (const [table, column, target] of [
        ['round_a', 'b_id', 'round_b'],
        ['round_a', 'a_id', 'round_a'],
        ['round_b', 'c_id', 'round_c'],
        ['round_c', 'a_id', 'round_a'],
      ] as const)
        expect(await field(table, column)).toMatchObject({ is_foreign_key: true, ref_table: target });
    });

    it('is made in an empty place as it was described: rules of its references, sizes of its keys, labels', async () => {
      const id = { name: 'id', type: 'bigid' };
      await ok('POST _schema', {
        resource: [
          { name: 'c', field: [id, { name: '_x', type: 'user_id', allow_null: true }] },
          {
            name: 'b',
            field: [
              { name: 'id', type: 'id' },
              {
                name: 'c_id',
                type: 'bigint',
                is_foreign_key: true,
                ref_table: 'c',
                ref_field: 'id',
                ref_on_delete: 'SET NULL',
                ref_on_update: 'CASCADE',
                allow_null: true,
              },
            ],
          },
        ],
      });
      const described = [await get('_schema/b'), await get('_schema/c')];
      await drop('b', 'c');
      await ok('POST _schema', { resource: described });
      expect([await get('_schema/b'), await get('_schema/c')]).toEqual(described);
    });

    it('references another over several fields in a circle', async () => {
      const table = (name: string, refTable: string) => ({
        name,
        field: [
          { name: 'x', type: 'integer', is_primary_key: true },
          { name: 'y', type: 'integer', is_primary_key: true },
          { name: 'rx', type: 'integer', allow_null: true },
          { name: 'ry', type: 'integer', allow_null: true },
        ],
        constraints: {
          there: {
            constraint_type: 'FOREIGN KEY',
            column_name: 'rx,ry',
            referenced_table_name: refTable,
            referenced_column_name: 'x,y',
          },
        },
      });
      await ok('POST _schema', { resource: [table('pair_a', 'pair_b'), table('pair_b', 'pair_a')] });
      for (const [name, refTable] of [
        ['pair_a', 'pair_b'],
        ['pair_b', 'pair_a'],
      ])
        expect(Object.values((await get(`_schema/${name}`)).constraints)).toContainEqual(
          expect.objectContaining({
            column_name: 'rx,ry',
            referenced_table_name: refTable,
            referenced_column_name: 'x,y',
          }),
        );
    });

    it('has a reference over several fields, where the constraints of its description say so', async () => {
      const key = { type: 'integer', is_primary_key: true };
      await ok('POST _schema', {
        resource: [
          {
            name: 'b',
            field: [
              { name: 'id', type: 'id' },
              { name: 'x', type: 'integer', allow_null: true, is_foreign_key: true, ref_table: 'a', ref_field: 'x' },
              { name: 'y', type: 'integer', allow_null: true, is_foreign_key: true, ref_table: 'a', ref_field: 'y' },
            ],
            constraints: {
              fk_b_x_y: {
                constraint_type: 'FOREIGN KEY',
                column_name: 'x,y',
                referenced_table_name: 'a',
                referenced_column_name: 'x,y',
                delete_rule: 'CASCADE',
              },
            },
          },
          {
            name: 'a',
            field: [
              { name: 'x', ...key },
              { name: 'y', ...key },
            ],
          },
        ],
      });
      const table = await get('_schema/b');
      expect(table.related).toMatchObject([
        { type: 'belongs_to', field: 'x,y', ref_table: 'a', ref_field: 'x,y', ref_on_delete: 'CASCADE' },
      ]);
      expect(await plan('PATCH', '_schema', { resource: [table] })).toMatchObject([{ statements: [] }]);
    });

    it('is made with others in a circle, all or none of them', async () => {
      const fieldsTo = (ref_table: string) => [
        { name: 'id', type: 'id' },
        { name: 'to_id', type: 'reference', ref_table, allow_null: true },
      ];
      const resource = [
        { name: 'b', field: fieldsTo('c') },
        { name: 'c', field: fieldsTo('b') },
      ];
      const rolledBack = { query: { rollback: 'true' } };
      const broken = { name: 'a', field: [{ name: 'x', type: 'nonsense (' }] };
      expect((await call('POST _schema', { resource: [...resource, broken] }, rolledBack)).status).toBe(400);
      for (const name of ['b', 'c']) expect((await call(`GET _schema/${name}`)).status).toBe(404);
      await ok('POST _schema', { resource }, rolledBack);
      for (const [name, target] of [
        ['b', 'c'],
        ['c', 'b'],
      ] as const) {
        expect(await field(name, 'to_id')).toMatchObject({ is_foreign_key: true, ref_table: target });
      }
      for (const name of ['b', 'c']) await ok(`DELETE _schema/${name}/to_id`);
    });

    it.each<[string, object, TestRequest?]>([
      [
        "400 The name of '__proto__' must be a name of up to 64 letters, digits, underscores, blanks, dots and dashes.",
        { name: 'a', field: [{ name: '__proto__', type: 'integer' }] },
      ],
      ['400 No valid fields exist in the received table schema.', { name: 'a', field: [] }],
      ['400 Invalid schema detected - no name element.', { name: 'a', field: [{ type: 'id' }] }],
      ['400 Invalid schema detected - no type or db_type element.', { name: 'a', field: [{ name: 'x' }] }],
      [
        '400 Invalid schema detected - no table element for reference type of x.',
        { name: 'a', field: [{ name: 'x', type: 'reference' }] },
      ],
      [
        "400 The ref_table of 'x' names no table: 'nowhere' does not exist.",
        { name: 'a', field: [{ name: 'x', type: 'reference', ref_table: 'nowhere' }] },
      ],
      [
        "400 The ref_field of 'x' names no field: table 'team' has no 'nothing'.",
        { name: 'a', field: [{ name: 'x', type: 'reference', ref_table: 'team', ref_field: 'nothing' }] },
      ],
      [
        "400 The length of 'x' must be a whole number.",
        { name: 'a', field: [{ name: 'x', type: 'string', length: 'long' }] },
      ],
      [
        "400 The ref_on_delete of 'x' must be one of NO ACTION, RESTRICT, CASCADE, SET NULL, SET DEFAULT.",
        {
          name: 'a',
          field: [{ name: 'x', type: 'reference', ref_table: 'team', ref_on_delete: 'CASCADE; DROP TABLE team' }],
        },
      ],
      [
        "400 The name 'X' is already used in table 'a'.",
        {
          name: 'a',
          field: [
            { name: 'x', type: 'string' },
            { name: 'X', type: 'string' },
          ],
        },
      ],
      [
        '403 Only administrators may change the definition of a field by SQL.',
        { name: 'a', field: [{ name: 'x', type: 'integer default (1)' }] },
        { as: user({ '*': 31 }) },
      ],
      [
        '403 Only administrators may change the definition of a field by SQL.',
        { name: 'a', field: [{ name: 'x', type: 'integer', sql: 'integer' }] },
        { as: user({ '*': 31 }) },
      ],
      [
        '403 Only administrators may change a default that is SQL.',
        { name: 'a', field: [{ name: 'x', type: 'integer', default: { expression: '(select 1)' } }] },
        { as: user({ '*': 31 }) },
      ],
      [
        "403 POST access to component '_schema/a' of service 'db' is not allowed by this user's role.",
        { name: 'a', field: [{ name: 'x', type: 'integer' }] },
        { as: user({ _schema: 31, '_schema/team': 31 }) },
      ],
    ])('is refused: %s', async (expected, table, request) => {
      expect(await refusal('POST _schema', { resource: [table] }, request)).toBe(expected);
      expect((await call('GET _schema/a')).status).toBe(404);
    });

    it('may be defined by SQL, by an administrator', async () => {
      await ok('POST _schema', {
        resource: [
          {
            name: 'a',
            field: [
              { name: 'x', type: 'integer default (1 + 2)' },
              { name: 'y', type: 'string', sql: 'varchar(7) not null' },
              { name: 'z', type: 'varchar(9)', default: { expression: "'q'" } },
            ],
          },
        ],
      });
      await ok('POST _table/a', { resource: [{ y: 'b' }] });
      expect(await rows('a')).toEqual([{ x: 3, y: 'b', z: 'q' }]);
      expect(await field('a', 'y')).toMatchObject({ length: 7, allow_null: false });
    });

    it('of several stays when a later one fails, unless they are rolled back', async () => {
      const resource = [
        { name: 'a', field: [{ name: 'id', type: 'id' }] },
        { name: 'b', field: [{ name: 'x', type: 'integer (' }] },
        { name: 'c', field: [{ name: 'id', type: 'id' }] },
      ];
      const { status, body } = await call('POST _schema', { resource });
      expect([status, body.error.code, body.error.context.error]).toEqual([400, 1000, [1, 2]]);
      expect(body.error.context.resource[0]).toEqual({ name: 'a' });
      expect((await call('GET _schema/a')).status).toBe(200);
      expect((await call('GET _schema/c')).status).toBe(404);
      await drop('a');
      expect((await call('POST _schema', { resource }, { query: { rollback: 'true' } })).status).toBe(400);
      for (const name of ['a', 'b', 'c']) expect((await call(`GET _schema/${name}`)).status).toBe(404);
    });
  });

  describe('an existing table', () => {
    beforeEach(async () => {
      await drop('todo', 'renamed');
      await ok('POST _schema', { resource: [todo] });
      await ok('POST _table/todo', {
        resource: [
          { name: 'one', rank: 1, team_id: 1 },
          { name: 'two', rank: 2 },
        ],
      });
    });
    afterAll(() => drop('todo', 'renamed'));
    const names = async () => (await get('_schema/todo')).field.map((each: { name: string }) => each.name);

    it('gets new fields, its records stay', async () => {
      const added = [
        { name: 'note', type: 'text', allow_null: true },
        { name: 'points', type: 'decimal', precision: 8, scale: 2, default: 1.5 },
        { name: 'lead_id', type: 'reference', ref_table: 'todo', ref_field: 'id', allow_null: true },
        { name: 'code', type: 'string', length: 5, allow_null: true, is_unique: true },
      ];
      expect(await ok('POST _schema/todo/_field', { resource: added })).toEqual([[], [], [], []]);
      expect(await names()).toEqual([...todo.field.map(({ name }) => name), 'note', 'points', 'lead_id', 'code']);
      expect(await rows('todo', { fields: 'name,note,points,lead_id' })).toMatchObject([
        { name: 'one', note: null, lead_id: null },
        { name: 'two', note: null, lead_id: null },
      ]);
      expect(Number((await rows('todo'))[0].points)).toBe(1.5);
      await ok('PATCH _table/todo/2', { lead_id: 1, code: 'x' });
      expect((await call('PATCH _table/todo/1', { code: 'x' })).status).toBe(400);
      expect((await call('PATCH _table/todo/1', { lead_id: 77 })).status).toBe(400);
    });

    it('has fields altered, and its records with them', async () => {
      await ok('PATCH _schema/todo/_field', {
        resource: [
          { name: 'name', length: 120 },
          { name: 'rank', type: 'string', length: 20, default: 'x' },
          { name: 'status', allow_null: false, default: 'open', type: 'string', length: 30 },
        ].slice(0, 2),
      });
      expect(await field('todo', 'name')).toMatchObject({ length: 120, is_unique: true, allow_null: false });
      expect(await field('todo', 'rank')).toMatchObject({ type: 'string', length: 20, default: 'x', is_index: true });
      expect(await rows('todo', { fields: 'rank' })).toEqual([{ rank: '1' }, { rank: '2' }]);
      await ok('PATCH _schema/todo/rank', { type: 'integer', default: 3 });
      expect(await rows('todo', { fields: 'rank' })).toEqual([{ rank: 1 }, { rank: 2 }]);
      expect((await call('POST _table/todo', { resource: [{ name: 'one' }] })).status).toBe(400);
    });

    it('gets and loses indexes', async () => {
      await ok('PATCH _schema/todo/name', { is_unique: false });
      expect(await field('todo', 'name')).toMatchObject({ is_unique: false });
      await ok('POST _table/todo', { resource: [{ name: 'one' }] });
      expect(await refusal('PATCH _schema/todo/name', { is_unique: true })).toBe(
        "400 Records of table 'todo' do not fit the change: 'name' has 1 value more than once.",
      );
      await ok('PATCH _schema/todo/rank', { is_index: false });
      await ok('PATCH _schema/todo/status', { is_index: true });
      expect([(await field('todo', 'rank')).is_index, (await field('todo', 'status')).is_index]).toEqual([false, true]);
    });

    it('gets a reference on a field that it has', async () => {
      await ok('PATCH _schema/todo/team_id', { label: 'Team' });
      await ok('POST _schema/todo/_field', { resource: [{ name: 'other', type: 'integer', allow_null: true }] });
      await ok('PATCH _table/todo/1', { other: 1 });
      await ok('PATCH _schema/todo/other', { is_foreign_key: true, ref_table: 'team', ref_field: 'id' });
      expect(await field('todo', 'other')).toMatchObject({ type: 'reference', ref_table: 'team' });
      await ok('POST _schema/todo/_field', { resource: [{ name: 'lost', type: 'integer', default: 99 }] });
      expect(await refusal('PATCH _schema/todo/lost', { type: 'reference', ref_table: 'team' })).toBe(
        "400 Records of table 'todo' do not fit the change: 'lost' references nothing that exists in 2 records.",
      );
    });

    it('loses fields, and what is said of them', async () => {
      expect(await ok('DELETE _schema/todo/_field/status')).toEqual({ success: true });
      expect(await ok('DELETE _schema/todo/status')).toEqual({ success: true });
      expect(await ok('DELETE _schema/todo/_field', undefined, { query: { ids: 'rank,made' } })).toEqual({
        success: true,
      });
      expect(await names()).toEqual(['id', 'name', 'team_id']);
      await ok('POST _schema/todo/_field', { resource: [{ name: 'status', type: 'string', allow_null: true }] });
      expect(await field('todo', 'status')).toMatchObject({ picklist: null, validation: null });
      expect(await rows('todo', { fields: '*' })).toMatchObject([{ name: 'one', status: null }, { name: 'two' }]);
    });

    it('does not lose all of them', async () => {
      const query = { ids: (await names()).join(',') };
      expect(await refusal('DELETE _schema/todo/_field', undefined, { query })).toBe(
        '400 No valid fields exist in the received table schema.',
      );
    });

    it('loses a field once, however often it is named', async () => {
      expect(await ok('DELETE _schema/todo/_field', undefined, { query: { ids: 'rank,RANK,rank,no_such' } })).toEqual({
        success: true,
      });
      expect((await call('GET _schema/todo/_field/rank')).status).toBe(404);
    });

    it('of a PUT loses the fields that are left out', async () => {
      const { field: fields } = await get('_schema/todo');
      await ok('PUT _schema/todo', {
        field: fields.filter(({ name }: { name: string }) => !['rank', 'made'].includes(name)),
      });
      expect(await names()).toEqual(['id', 'name', 'team_id', 'status']);
      await ok('PUT _schema/todo', { label: 'Things' });
      expect(await names()).toEqual(['id', 'name', 'team_id', 'status']);
    });

    it('is renamed, and so are its fields, by an administrator', async () => {
      await ok('PATCH _schema/todo/_field/status', { alias: 'state', label: 'State' });
      await ok('PATCH _schema/todo', { new_name: 'renamed', field: [{ name: 'rank', new_name: 'place' }] });
      expect((await call('GET _schema/todo')).status).toBe(404);
      expect(await field('renamed', 'place')).toMatchObject({ type: 'integer', default: 3, is_index: true });
      expect(await rows('renamed', { fields: 'name,place' })).toEqual([
        { name: 'one', place: 1 },
        { name: 'two', place: 2 },
      ]);
      expect((await get('_schema/team')).related.map(({ name }: { name: string }) => name)).toContain(
        'renamed_by_team_id',
      );
      const one = user({ '*': 31 });
      expect(await refusal('PATCH _schema/renamed', { new_name: 'todo' }, { as: one })).toBe(
        '403 Only administrators may change the name of a table.',
      );
      expect(await refusal('PATCH _schema/renamed/place', { new_name: 'rank' }, { as: one })).toBe(
        '403 Only administrators may change the name of a field.',
      );
      expect(await refusal('PATCH _schema/renamed/place', { new_name: 'STATUS' })).toBe(
        "400 The name 'STATUS' is already used in table 'renamed'.",
      );
      expect(await refusal('PATCH _schema/renamed', { new_name: 'team' })).toBe(
        "400 A table with name 'team' already exist in the database.",
      );
    });

    it.each<[string, string, object]>([
      ["'status' needs a value, which 2 records would not have", 'PATCH _schema/todo/status', { allow_null: false }],
      ["'name' would be too small for 2 records", 'PATCH _schema/todo/name', { length: 2 }],
      ["'name' would not be able to hold the value of 2 records", 'PATCH _schema/todo/name', { type: 'integer' }],
    ])('is not changed when records do not fit: %s', async (problem, line, body) => {
      const before = await get('_schema/todo');
      expect(await refusal(line, body)).toBe(`400 Records of table 'todo' do not fit the change: ${problem}.`);
      expect(await get('_schema/todo')).toEqual(before);
      expect(await rows('todo', { fields: 'name' })).toEqual([{ name: 'one' }, { name: 'two' }]);
      const [, verb, path] = /^(\w+) (.*)$/.exec(line) ?? [];
      expect(await plan(String(verb), String(path), body)).toMatchObject([
        { name: 'todo', misfits: [{ text: problem }] },
      ]);
    });

    it('is whole or not at all: what the service says of it is not saved when the database refuses', async () => {
      const before = await get('_schema/todo');
      expect(
        (await call('PATCH _schema/todo', { label: 'New', field: [{ name: 'x', type: 'nonsense (', label: 'X' }] }))
          .status,
      ).toBe(400);
      expect(
        (await call('PATCH _schema/todo', { alias: 'team', field: [{ name: 'x', type: 'integer', allow_null: true }] }))
          .status,
      ).toBe(400);
      expect(await get('_schema/todo')).toEqual(before);
    });

    it('does not let go of a reference, or turn real fields into virtual ones', async () => {
      expect(await refusal('PATCH _schema/todo/team_id', { is_foreign_key: false })).toBe(
        "400 The is_foreign_key of 'team_id' can not change: a reference is dropped with its field.",
      );
      expect(await refusal('PATCH _schema/todo/rank', { is_virtual: true })).toBe(
        "400 Field 'rank' already exists as non-virtual in table 'todo'.",
      );
    });

    it('is dropped, with what is said of it', async () => {
      await ok('PATCH _schema/todo', { label: 'Kept?' });
      expect(await ok('DELETE _schema/todo')).toEqual({ success: true });
      expect(await refusal('GET _schema/todo')).toBe('404 Table "todo" does not exist in the database.');
      await ok('POST _schema', { resource: [{ name: 'todo', field: [{ name: 'id', type: 'id' }] }] });
      expect((await get('_schema/todo')).label).toBe('Todo');
    });

    it('is dropped with others, those that reference first', async () => {
      await ok('POST _schema', {
        resource: [
          { name: 'renamed', field: [{ name: 'todo_id', type: 'reference', ref_table: 'todo', allow_null: true }] },
        ],
      });
      expect(await ok('DELETE _schema', undefined, { query: { ids: 'todo,renamed' } })).toEqual({
        resource: [{ name: 'todo' }, { name: 'renamed' }],
      });
      expect((await call('GET _schema/renamed')).status).toBe(404);
    });
  });

  it.each<[string, object, object]>([
    ['string', { type: 'string', length: 40 }, { type: 'string', length: 40 }],
    ['string', { type: 'string' }, { type: 'string', length: 255 }],
    ['fixed', { type: 'string', length: 4, fixed_length: true }, { type: 'string', length: 4, fixed_length: true }],
    [
      'text',
      { type: 'text' },
      perEngine({ sqlite: { type: 'text' }, mysql: { type: 'text' }, pgsql: { type: 'string' } }),
    ],
    ['integer', { type: 'integer' }, { type: 'integer' }],
    ['bigint', { type: 'bigint' }, { type: 'bigint' }],
    ['boolean', { type: 'boolean', default: true }, { type: 'boolean', default: true }],
    ['binary', { type: 'binary' }, { type: 'binary' }],
    [
      'float',
      { type: 'float' },
      perEngine({ sqlite: { type: 'float' }, mysql: { type: 'float' }, pgsql: { type: 'double' } }),
    ],
    ['double', { type: 'double' }, { type: 'double' }],
    ['decimal', { type: 'decimal', length: 9, scale: 3 }, { type: 'decimal', precision: 9, scale: 3 }],
    [
      'money',
      { type: 'money' },
      perEngine({ sqlite: { type: 'decimal' }, mysql: { type: 'decimal' }, pgsql: { type: 'money' } }),
    ],
    [
      'datetime',
      { type: 'datetime' },
      perEngine({ sqlite: { type: 'datetime' }, mysql: { type: 'datetime' }, pgsql: { type: 'timestamp' } }),
    ],
    ['date', { type: 'date' }, { type: 'date' }],
    ['time', { type: 'time' }, { type: 'time' }],
    ['timestamp', { type: 'timestamp' }, { type: 'timestamp' }],
    ['user_id', { type: 'user_id' }, { type: 'user_id' }],
    ['user_id_on_create', { type: 'user_id_on_create' }, { type: 'user_id_on_create' }],
    ['user_id_on_update', { type: 'user_id_on_update' }, { type: 'user_id_on_update' }],
    ['timestamp_on_create', { type: 'timestamp_on_create' }, { type: 'timestamp_on_create' }],
    ['timestamp_on_update', { type: 'timestamp_on_update' }, { type: 'timestamp_on_update' }],
    ['native', { type: 'varchar(33)' }, { type: 'string', length: 33 }],
  ])('a field of type %s', async (_, sent, described) => {
    await drop('typed');
    await ok('POST _schema', {
      resource: [
        {
          name: 'typed',
          field: [
            { name: 'id', type: 'id' },
            { name: 'x', allow_null: true, ...sent },
          ],
        },
      ],
    });
    expect(await field('typed', 'x')).toMatchObject({ allow_null: true, ...forEngine(engine, described) });
    expect(
      await plan('POST', '_schema', { resource: [{ name: 'typed', field: [{ name: 'x', ...sent }] }] }),
    ).toMatchObject([{ statements: [] }]);
    await drop('typed');
  });

  describe('a plan', () => {
    beforeEach(async () => {
      await drop('todo');
      await ok('POST _schema', { resource: [todo] });
      await ok('POST _table/todo', { resource: [{ name: 'one', rank: 1, status: 'open' }, { name: 'two' }] });
    });
    afterAll(() => drop('todo'));

    it('tells what a write would do, and does nothing', async () => {
      const before = await get('_schema/todo');
      const planned = await plan('PATCH', '_schema/todo', { field: [{ name: 'x', type: 'string', allow_null: true }] });
      expect(planned).toMatchObject([{ name: 'todo', misfits: [], losses: [], used_by: [] }]);
      expect(planned[0].statements.join(' ')).toMatch(/x/);
      expect(await plan('DELETE', '_schema/todo/_field/status')).toMatchObject([
        { losses: [{ field: 'status', records: 1 }] },
      ]);
      expect(await plan('DELETE', '_schema/todo')).toMatchObject([{ losses: [{ field: null, records: 2 }] }]);
      expect(
        await plan('POST', '_schema', { resource: [{ name: 'a', field: [{ name: 'id', type: 'id' }] }] }),
      ).toMatchObject([{ name: 'a' }]);
      expect(await plan('PATCH', '_schema/todo', { label: 'Other' })).toMatchObject([{ statements: [] }]);
      expect(await get('_schema/todo')).toEqual(before);
      expect((await call('GET _schema/a')).status).toBe(404);
    });

    it('is decided as that write', async () => {
      const write = { verb: 'PATCH', path: '_schema/todo', body: { field: [{ name: 'x', type: 'integer' }] } };
      expect((await call('POST _plan', write, { as: user({ '_schema/todo': 8 }) })).status).toBe(200);
      expect(await refusal('POST _plan', write, { as: user({ '_schema/todo': 1, _plan: 31 }) })).toBe(
        "403 Access Forbidden. PATCH access to component '_schema/todo' of service 'db' is not allowed by this user's role.",
      );
      expect(await refusal('POST _plan', { ...write, body: { field: [{ type: 'x' }] } })).toBe(
        '400 Invalid schema detected - no name element.',
      );
      expect(await refusal('POST _plan', { verb: 'GET', path: '_schema/todo' })).toMatch(/^400 There is no write/);
      expect(await refusal('POST _plan', { verb: 'PATCH', path: '_table/todo' })).toMatch(/^400 There is no write/);
    });

    it('is not listed', async () => {
      expect((await get('')).resource).not.toContainEqual({ name: '_plan' });
      expect((await get('', { as_access_list: 'true' })).resource.join()).not.toContain('_plan');
    });
  });
});
