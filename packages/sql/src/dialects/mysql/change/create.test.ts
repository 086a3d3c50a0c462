import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, type Editing, field, id, reference, startEditing } from './editing.fixture.ts';

/** Names that have broken programs. */
const names = [
  'a `b` c',
  `it's "said"`,
  'back\\slash',
  'Größe 日本',
  'select',
  'semi;colon -- x',
  ' begins with a blank',
  'per%cent?',
  'a.b',
  'n'.repeat(64),
  'ü'.repeat(64),
];

describe.skipIf(await engineMissing('mysql'))('a new table', () => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'));
  });
  afterAll(() => editing.close());

  it.each(names)('has the name %j, and so has what is in it', async (name) => {
    const { editor, table, database } = editing;
    const reader = await createWithIndexes(name);
    expect(reader.description.primary_key).toEqual([name]);
    expect(
      reader.columns.map(({ description }) => [
        description.name,
        description.is_unique,
        description.is_index,
        description.is_foreign_key,
      ]),
    ).toEqual([
      [name, false, false, false],
      [`u${name}`.slice(0, 64), true, false, false],
      [`i${name}`.slice(0, 64), false, true, false],
      [`r${name}`.slice(0, 64), false, false, true],
    ]);
    const [outcome] = await database.write(
      [{ kind: 'insert', table: reader, values: { [`u${name}`.slice(0, 64)]: 'x' }, returning: reader.columns }],
      'stop',
    );
    expect(outcome?.failure).toBeUndefined();
    await editor.apply([{ kind: 'dropTable', table: await table(name) }]);
    expect((await database.tables()).length).toBe(0);
  });

  async function createWithIndexes(name: string) {
    const { editor, table } = editing;
    const part = (prefix: string) => `${prefix}${name}`.slice(0, 64);
    await editor.apply([
      createTable(
        name,
        [
          id(name),
          field(part('u'), { length: 20, isUnique: true }),
          field(part('i'), { length: 20, isIndex: true }),
          field(part('r'), { type: 'reference' }),
        ],
        [reference(part('r'), name, name)],
      ),
    ]);
    return table(name);
  }

  it('is referenced by several columns, with the rules that were given', async () => {
    const { editor, table, run } = editing;
    await editor.apply([
      createTable('pair', [
        field('a', { type: 'integer', isPrimaryKey: true, allowNull: false }),
        field('b', { length: 9, isPrimaryKey: true, allowNull: false }),
      ]),
      createTable(
        'of_pair',
        [id(), field('pair_a', { type: 'integer' }), field('pair_b', { length: 9 })],
        [reference(['pair_a', 'pair_b'], 'pair', ['a', 'b'], { onDelete: 'CASCADE', onUpdate: 'RESTRICT' })],
      ),
    ]);
    const { description } = await table('of_pair');
    expect(description.constraints).toMatchObject({
      fk_of_pair_pair_a_pair_b: { referenced_table_name: 'pair', delete_rule: 'CASCADE', update_rule: 'RESTRICT' },
    });
    expect((await table('pair')).description.primary_key).toEqual(['a', 'b']);
    await run('drop table of_pair; drop table pair');
  });

  it('has another name for a foreign key where that is taken in the database', async () => {
    const { editor, run } = editing;
    await run(
      'create table target (id int primary key); create table x (id int primary key, t int, constraint FK_a_b foreign key (t) references target (id))',
    );
    await editor.apply([
      createTable('a', [id(), field('b', { type: 'reference' })], [reference('b', 'target')]),
      createTable('a_b', [id()]),
    ]);
    expect(String((await run('show create table a'))[0]?.[1])).toContain('CONSTRAINT `fk_a_b_2`');
    await run('drop table a; drop table a_b; drop table x; drop table target');
  });

  it('has the defaults that were given, read back with their types', async () => {
    const { editor, table } = editing;
    await editor.apply([
      createTable('defaults', [
        field('text', { length: 20, default: { value: 'it\'s \\ "x" \n é' } }),
        field('empty', { default: { value: '' } }),
        field('flag', { type: 'boolean', default: { value: false } }),
        field('whole', { type: 'integer', default: { value: -5 } }),
        field('exact', { type: 'decimal', length: 8, scale: 2, default: { value: '1.50' } }),
        field('moment', { type: 'datetime', default: { expression: 'now()' } }),
        field('day', { type: 'date', default: { value: '2020-01-02' } }),
        field('computed', { type: 'integer', default: { expression: '2 * 3' } }),
        field('null', { default: { expression: 'null' } }),
      ]),
    ]);
    const found = await table('defaults');
    expect(found.columns.map(({ description }) => description.default)).toEqual([
      'it\'s \\ "x" \n é',
      '',
      false,
      -5,
      1.5,
      { expression: 'CURRENT_TIMESTAMP' },
      '2020-01-02',
      { expression: '(2 * 3)' },
      null,
    ]);
  });

  it('of another database', async () => {
    const other: TestDatabase = await freshDatabase('mysql');
    const all = await startEditing(editing.server, { schema: '' });
    const name = `${other.database}.thing`;
    try {
      await editing.run('create table here (id int primary key)');
      await all.database.tables({ refresh: true });
      await all.editor.apply([
        createTable(name, [id(), field('here_id', { type: 'reference' })], [reference('here_id', 'here')]),
        createTable(
          `${other.database}.part`,
          [id(), field('thing_id', { type: 'reference', isUnique: true })],
          [reference('thing_id', name)],
        ),
        createTable('near', [id(), field('thing_id', { type: 'reference' })], [reference('thing_id', name)]),
      ]);
      const thing = await all.table(name);
      expect(thing.native).toEqual({ schema: other.database, name: 'thing' });
      expect(thing.column('here_id')?.description.ref_table).toBe('here');
      expect((await all.table('near')).column('thing_id')?.description.ref_table).toBe(name);
      const change = await all.alter(name, (column) => [
        { kind: 'addField', field: field('extra', { isIndex: true }) },
        { kind: 'changeField', column: column('id'), change: { type: field('', { type: 'int(11)' }).type } },
        { kind: 'renameField', column: column('id'), newName: 'no' },
        { kind: 'renameTable', newName: 'item' },
      ]);
      const before = String((await other.run('show create table thing'))[0]?.[1]);
      await expect(all.editor.apply([change], { beforeCommit: () => Promise.reject(new Error('no')) })).rejects.toThrow(
        'no',
      );
      expect(String((await other.run('show create table thing'))[0]?.[1])).toBe(before);
      await all.editor.apply([change]);
      expect((await all.table('near')).column('thing_id')?.description).toMatchObject({
        ref_table: `${other.database}.item`,
        ref_field: 'no',
      });
      await expect(all.editor.apply([createTable('no_such_database.thing', [id()])])).rejects.toMatchObject({
        key: 'record.database',
        message: expect.stringContaining('no_such_database'),
      });
    } finally {
      await all.database.close();
      await editing.run('set foreign_key_checks = 0; drop table if exists here, near');
      await other.drop();
    }
  });

  it('a view is told apart, and dropped as a view', async () => {
    const { editor, table, run, database } = editing;
    await run('create view `a view` as select 1 as x');
    const view = await table('a view');
    expect(view.description.is_view).toBe(true);
    const [plan] = await editor.plan([{ kind: 'dropTable', table: view }]);
    expect(plan).toMatchObject({ statements: ['drop view `a view`'], losses: [], undo: 'none' });
    await editor.apply([{ kind: 'dropTable', table: view }]);
    expect((await database.tables()).map(({ name }) => name)).not.toContain('a view');
  });
});
