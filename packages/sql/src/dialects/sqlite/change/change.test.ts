import { describe, expect, it } from 'vitest';
import type { TableStep } from '../../../change/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { rowsOf } from '../../../suite/rows.fixture.ts';
import { sqliteFiles } from '../files.fixture.ts';
import {
  aField,
  anAlteration,
  anId,
  aReference,
  aType,
  contentOf,
  creation,
  editorOf,
  read,
  type Steps,
} from './change.fixture.ts';

const { aFile, aDatabase } = sqliteFiles();

/** A file with some SQL, a database on it, and how to alter one of its tables. */
function altering(sql: string) {
  const path = aFile(sql);
  const database = aDatabase({ path });
  const alter = async (name: string, steps: (on: Steps) => TableStep[]) =>
    await editorOf(database).apply([await anAlteration(database, name, steps)]);
  return { path, database, alter };
}

describe('making a table', () => {
  it('is described back at once', async () => {
    const { path, database } = altering('create table contact (id integer primary key, name text)');
    await database.tables();
    const plans = await editorOf(database).apply([
      creation(
        'todo',
        [
          anId(),
          aField('name', aType('string', { length: 80 }), { allowNull: false, isUnique: true }),
          aField('owner_id', 'reference', { isIndex: true }),
          aField('status', 'string', { default: { value: "it's" }, isIndex: true }),
          aField('made', 'timestamp_on_create'),
          aField('price', 'money', { default: { value: 1.5 } }),
          aField('done', 'boolean', { allowNull: false, default: { value: false } }),
          aField('day', 'date', { default: { expression: "date('now')" } }),
        ],
        [aReference('owner_id', 'CONTACT', 'id', { onDelete: 'CASCADE' })],
      ),
    ]);
    expect(plans).toEqual([expect.objectContaining({ table: 'todo', undo: 'transaction', misfits: [], losses: [] })]);
    expect(contentOf(path).schema.filter((entry) => entry.includes('|todo|'))).toEqual([
      `table|todo|todo|CREATE TABLE "todo" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  "name" varchar(80) NOT NULL,
  "owner_id" integer CONSTRAINT "fk_todo_owner_id" REFERENCES "contact" ("id") ON DELETE CASCADE,
  "status" varchar(255) DEFAULT 'it''s',
  "made" timestamp DEFAULT CURRENT_TIMESTAMP,
  "price" decimal(19,4) DEFAULT 1.5,
  "done" tinyint(1) NOT NULL DEFAULT 0,
  "day" date DEFAULT (date('now'))
)`,
      'index|undx_todo_name|todo|CREATE UNIQUE INDEX "undx_todo_name" ON "todo" ("name")',
      'index|ndx_todo_owner_id|todo|CREATE INDEX "ndx_todo_owner_id" ON "todo" ("owner_id")',
      'index|ndx_todo_status|todo|CREATE INDEX "ndx_todo_status" ON "todo" ("status")',
    ]);
    const { description } = await database.table('todo');
    expect(
      description.field.map(({ name, type, db_type, required, is_unique, is_index, default: value }) =>
        [name, type, db_type, required, is_unique, is_index, value].join(' '),
      ),
    ).toEqual([
      'id id integer false false false ',
      'name string varchar(80) true true false ',
      'owner_id reference integer false false false ',
      "status string varchar(255) false false true it's",
      'made timestamp timestamp false false false ',
      'price decimal decimal(19,4) false false false 1.5',
      'done boolean tinyint(1) false false false false',
      "day date date false false false date('now')",
    ]);
    expect(description.related).toEqual([
      expect.objectContaining({ name: 'contact_by_owner_id', type: 'belongs_to', ref_on_delete: 'CASCADE' }),
    ]);
    expect((await database.table('contact')).description.related).toHaveLength(1);
    expect((await failureOf(editorOf(database).apply([creation('TODO', [anId()])]))).message).toMatch(
      /table "TODO" already exists/,
    );
  });
});

describe('altering a table', () => {
  it('adds fields', async () => {
    const { path, database, alter } = altering(
      'create table t (id integer primary key, a text); insert into t values (1, 1)',
    );
    await alter('t', (on) => [
      on.add(aField('b', 'string', { isUnique: true })),
      on.add(aField('c', 'integer', { allowNull: false, default: { value: 7 } })),
    ]);
    await alter('t', (on) => [on.add(aField('d', 'timestamp_on_create'))]);
    expect((await database.table('t')).columns.map((column) => column.name)).toEqual(['id', 'a', 'b', 'c', 'd']);
    expect(read(path, 'select id, a, b, c, d is not null from t')).toEqual([[1, '1', null, 7, 1]]);
    expect(await rowsOf(database, 't')).toHaveLength(1);
  });

  it('drops fields', async () => {
    const { path, database, alter } = altering(
      'create table t (id integer primary key, a text, b text); create index i on t (a); insert into t values (1, 1, 2)',
    );
    const [plan] = await alter('t', (on) => [on.drop('a')]);
    expect(plan?.losses).toEqual([{ field: 'a', records: 1 }]);
    expect((await database.table('t')).columns.map((column) => column.name)).toEqual(['id', 'b']);
    expect(contentOf(path).schema).toEqual(['table|t|t|CREATE TABLE "t" (id integer primary key, b text)']);
    expect(await rowsOf(database, 't')).toEqual([{ id: 1, b: '2' }]);
  });
});

it('drops a table', async () => {
  const { path, database } = altering('create table t (id integer primary key); insert into t values (1)');
  const [plan] = await editorOf(database).apply([{ kind: 'dropTable', table: await database.table('t') }]);
  expect(plan?.losses).toEqual([{ field: null, records: 1 }]);
  expect(await database.tables()).toEqual([]);
  expect(contentOf(path).schema).toEqual([]);
});
