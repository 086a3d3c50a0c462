import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SchemaChange, TableStep } from '../../../change/index.ts';
import type { Column } from '../../../schema/index.ts';
import { createTable, type Editing, field, id, reference, startEditing } from './editing.fixture.ts';

const tables = `
create table parent (id int auto_increment primary key, code varchar(20) not null unique, kind int not null unique);
create table child (id int auto_increment primary key, code varchar(20), parent_id int not null, orphan int, one int, two int, words varchar(20),
  number int, big bigint, day varchar(20), long_text text, amount decimal(10,2), blank varchar(20) collate utf8mb4_general_ci, spread varchar(9), loose int,
  constraint child_code foreign key (code) references parent (code),
  constraint child_parent foreign key (parent_id) references parent (id), key both_key (one, two), key two_key (two));
create table by_kind (id int primary key, kind int, constraint by_kind foreign key (kind) references parent (kind));
insert into parent values (1, 'a', 1), (2, 'b', 2);
insert into child values
  (1, 'a', 1, 1, 1, 1, '12', 300, 3000000000, '2020-02-30', repeat('x', 300), 12345.67, 'same', 'abc  ', null),
  (2, null, 2, 99, 1, 2, 'no number', -1, 5, '2020-02-28', 'y', -1.5, 'SAME', 'a', 4),
  (3, null, 2, null, null, null, '99999999999', 7, 5, null, null, null, null, null, 4);
create table shy (c enum('?', 'x'));
create view some_view as select * from parent;
create table lone (only_field int);
insert into lone values (1), (2);
`;

type Steps = (column: (name: string) => Column) => TableStep[];
const change =
  (name: string, type: string, sizes: object = {}): Steps =>
  (column) => [{ kind: 'changeField', column: column(name), change: { type: field('', { type, ...sizes }).type } }];
const set =
  (name: string, facts: object): Steps =>
  (column) => [{ kind: 'changeField', column: column(name), change: facts }];
const add =
  (...parts: Parameters<typeof field>): Steps =>
  () => [{ kind: 'addField', field: field(...parts) }];

/** Table, steps, key and message of the failure. */
const alterations: [title: string, table: string, steps: Steps, key: string, message: RegExp][] = [
  // What records do not fit.
  [
    'nulls',
    'child',
    set('orphan', { allowNull: false }),
    'schema.misfit',
    /'orphan' needs a value, which 1 record would/,
  ],
  [
    'shorter text',
    'child',
    change('words', 'string', { length: 3 }),
    'schema.misfit',
    /'words' would be too small for 2 records/,
  ],
  [
    'blanks at the end',
    'child',
    change('spread', 'string', { length: 4 }),
    'schema.misfit',
    /'spread' would be too small for 1 record/,
  ],
  [
    'text too long for tinytext',
    'child',
    change('long_text', 'tinytext'),
    'schema.misfit',
    /'long_text' would be too small for 1 record/,
  ],
  [
    'text that is no number',
    'child',
    change('words', 'integer'),
    'schema.misfit',
    /'words' would not be able to hold the value of 2 records/,
  ],
  [
    'text that is no exact number',
    'child',
    change('words', 'decimal', { length: 20 }),
    'schema.misfit',
    /'words' .* of 1 record/,
  ],
  ['a number that is too large', 'child', change('big', 'integer'), 'schema.misfit', /'big' .* 1 record/],
  ['a number below zero', 'child', change('number', 'int unsigned'), 'schema.misfit', /'number' .* 1 record/],
  [
    'fewer digits',
    'child',
    change('amount', 'decimal', { length: 4, scale: 2 }),
    'schema.misfit',
    /'amount' would be too small for 1 record/,
  ],
  [
    'a day that never was',
    'child',
    change('day', 'date'),
    'schema.misfit',
    /'day' would not be able to hold the value of 1 record/,
  ],
  ['duplicates', 'child', set('two', { isUnique: true }), '', /^/],
  [
    'duplicates as the column compares',
    'child',
    set('blank', { isUnique: true }),
    'schema.misfit',
    /'blank' has 1 value more than once/,
  ],
  [
    'the same value for all',
    'lone',
    add('code', { isUnique: true, default: { value: 'x' } }),
    'schema.misfit',
    /'code' has 1 value more than once/,
  ],
  [
    'no day for a new field',
    'lone',
    add('day', { type: 'date', allowNull: false }),
    'schema.misfit',
    /'day' needs a value, which 2 records/,
  ],
  [
    'a reference to nothing',
    'child',
    () => [{ kind: 'addReference', reference: reference('orphan', 'parent') }],
    'schema.misfit',
    /'orphan' references nothing that exists in 1 record/,
  ],
  [
    'a key with duplicates',
    'child',
    () => [{ kind: 'setPrimaryKey', columns: ['parent_id'] }],
    'schema.misfit',
    /'parent_id' has 1 value more than once/,
  ],
  [
    'a key with nulls',
    'child',
    () => [{ kind: 'setPrimaryKey', columns: ['loose'] }],
    'schema.misfit',
    /'loose' needs a value, .*'loose' has 1 value/,
  ],
  // What cannot be done.
  [
    'words that the server does not show',
    'shy',
    set('c', { allowNull: false }),
    'schema.unsupported',
    /the type of field 'c'/,
  ],
  ['a view', 'some_view', add('x'), 'schema.unsupported', /it is a view/],
  [
    'more indexes than a server has room for',
    'child',
    () =>
      Array.from({ length: 130 }, (_, n) => ({
        kind: 'addField',
        field: field(`more${n}`, { type: 'int', isIndex: true }),
      })),
    'schema.unsupported',
    /no table can have more than 128 indexes/,
  ],
  [
    'an index of several fields',
    'child',
    set('two', { isIndex: false }),
    'schema.unsupported',
    /index 'both_key' of field 'two' is of other fields too/,
  ],
  [
    'an index that others need',
    'parent',
    set('kind', { isUnique: false }),
    'schema.unsupported',
    /table 'by_kind' references a field whose index would go/,
  ],
  [
    'values that others reference',
    'parent',
    change('kind', 'float'),
    'schema.unsupported',
    /table 'by_kind' references a field whose values/,
  ],
  [
    'a reference to no table',
    'child',
    () => [{ kind: 'addReference', reference: reference('one', 'nothing') }],
    'table.unknown',
    /"nothing"/,
  ],
  [
    'a reference of no field',
    'child',
    () => [{ kind: 'addReference', reference: reference('nothing', 'parent') }],
    'schema.unsupported',
    /no field 'nothing'/,
  ],
  // What the server refuses.
  [
    'a type that is none',
    'child',
    add('x', { type: 'nosuchtype' }),
    'record.database',
    /nosuchtype|syntax|Unknown data type/,
  ],
  [
    'a default that is no value',
    'child',
    add('x', { type: 'integer', default: { value: 'abc' } }),
    'record.database',
    /Invalid default value/,
  ],
  ['a field that there is', 'child', add('words'), 'record.database', /Duplicate column name 'words'/],
  [
    'an expression of a field that is none',
    'child',
    add('x', { type: 'integer', default: { expression: 'nothing + 1' } }),
    'record.database',
    /nothing/,
  ],
  ['a name that is too long', 'child', add('x'.repeat(65)), 'record.database', /too long/],
  [
    'a reference of another type',
    'child',
    () => [{ kind: 'addReference', reference: reference('big', 'parent') }],
    'schema.misfit',
    /'big'/,
  ],
  ['another type of what references', 'child', change('parent_id', 'bigint'), 'record.database', /errno: 150/],
  ['another type of what is referenced', 'parent', change('id', 'bigint'), 'record.database', /errno: 150/],
  [
    'a field that others reference',
    'parent',
    (column) => [{ kind: 'dropField', column: column('kind') }],
    'record.database',
    /./,
  ],
  [
    'the last field',
    'lone',
    (column) => [{ kind: 'dropField', column: column('only_field') }],
    'record.database',
    /delete all columns/,
  ],
  [
    'a reference to be set null in a field that can not',
    'child',
    () => [{ kind: 'addReference', reference: reference('id', 'parent', 'id', { onDelete: 'SET NULL' }) }],
    'schema.misfit',
    /./,
  ],
  [
    'a reference to no key',
    'child',
    () => [{ kind: 'addReference', reference: reference('number', 'child', 'big') }],
    'schema.misfit',
    /./,
  ],
  [
    'two counters',
    'child',
    add('x', { type: 'integer', isAutoIncrement: true, allowNull: false }),
    'record.database',
    /only one auto column/,
  ],
  ['a record that is too large', 'child', add('x', { length: 60_000 }), 'record.database', /too (large|big)/i],
];

describe.skipIf(await engineMissing('mysql'))('a change that is refused', () => {
  let editing: Editing;
  let before: string;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'));
    await editing.run(tables);
    before = await editing.everything();
  });
  afterAll(() => editing.close());

  const refuses = async (changes: SchemaChange[], key: string, message: RegExp) => {
    const failure = await editing.editor.apply(changes).catch((error) => error);
    expect([failure.key, failure.message]).toEqual([key, expect.stringMatching(message)]);
    expect(failure.status).toBe(key === 'table.unknown' ? 404 : 400);
    expect(await editing.everything()).toBe(before);
  };

  it.each(alterations.filter(([, , , key]) => key !== ''))('%s', async (_, table, steps, key, message) => {
    await refuses([await editing.alter(table, steps)], key, message);
  });

  it('a table that there is', () => refuses([createTable('parent', [id()])], 'record.database', /already exists/));
  it('a table without fields', () => refuses([createTable('empty', [])], 'record.database', /./));
  it('a table that others reference', async () =>
    refuses([{ kind: 'dropTable', table: await editing.table('parent') }], 'record.database', /foreign key/));
  it('a table that is gone', async () => {
    await editing.run('create table brief (id int)');
    const table = await editing.table('brief');
    await editing.run('drop table brief');
    await refuses([{ kind: 'dropTable', table }], 'table.unknown', /brief/);
    await refuses(
      [{ kind: 'alterTable', table, steps: [{ kind: 'addField', field: field('x') }] }],
      'table.unknown',
      /brief/,
    );
  });
  it('several, of which one cannot be undone', async () =>
    refuses(
      [{ kind: 'dropTable', table: await editing.table('lone') }, createTable('lone', [id()])],
      'schema.cannotUndo',
      /'lone'/,
    ));
  it('several, of which the last is refused', async () =>
    refuses([createTable('new_one', [id()]), createTable('parent', [id()])], 'record.database', /already exists/));

  it('counts misfits and losses in a plan', async () => {
    const { editor, alter, table } = editing;
    const plans = await editor.plan([
      await alter('child', (column) => [
        ...set('orphan', { allowNull: false })(column),
        { kind: 'dropField', column: column('blank') },
      ]),
      { kind: 'dropTable', table: await table('lone') },
      { kind: 'dropTable', table: await table('some_view') },
    ]);
    expect(plans.map(({ misfits, losses, undo }) => ({ misfits, losses, undo }))).toEqual([
      {
        misfits: [{ field: 'orphan', records: 1, problem: 'noValue' }],
        losses: [{ field: 'blank', records: 2 }],
        undo: 'none',
      },
      { misfits: [], losses: [{ field: null, records: 2 }], undo: 'none' },
      { misfits: [], losses: [], undo: 'none' },
    ]);
    expect(await editing.everything()).toBe(before);
  });
});
