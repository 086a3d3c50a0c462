import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldChange } from '../../../change/index.ts';
import { openSqlite, type Sqlite, sqliteCode } from '../driver/index.ts';
import { changeSchema } from './carry-out.ts';
import { aField, aReference, aType } from './change.fixture.ts';
import { readTableState } from './shadow.ts';
import { type ChangeTask, RefusalError, type StepData } from './task.ts';
import { quoteName } from './tokens.ts';

const names = ['a', 'B', 'select', 'x y', 'größe', '日本', 'q"q', "it's", '[b]', 'rowid', 'key', 'c,d', '(e)', '-- f'];
const words = ['', 'int', 'INTEGER', 'text', 'varchar(20)', 'decimal(10, 2)', 'real', 'blob', 'tinyint(1)', 'date'];
const types = ['integer', 'string', 'text', 'boolean', 'double', 'decimal', 'binary', 'date', 'timestamp_on_create'];

const quotings: ((name: string) => string)[] = [
  quoteName,
  quoteName,
  (name) => `\`${name}\``,
  (name) => (name.includes(']') ? quoteName(name) : `[${name}]`),
  (name) => (/^[a-zA-Zß-ö]+$/.test(name) && name !== 'select' ? name : quoteName(name)),
];

const pieces: ((name: string) => string)[] = [
  () => '',
  () => '',
  () => 'not null',
  () => "default 'x, ('')' not null",
  () => 'default (1 + (2))',
  () => 'collate nocase',
  (name) => `constraint "k ) k" check (length(${quoteName(name)}) < 100)`,
  () => 'unique on conflict abort',
  () => '/* , ) */ default -1',
  () => '-- not null,\n null',
  () => 'references p (id) on delete set null deferrable initially deferred',
];

const aValue = fc.constantFrom<unknown>(
  null,
  0,
  1,
  2,
  -7,
  2.5,
  '1',
  'abc',
  'ABC',
  '',
  'true',
  '2020-01-01',
  new Uint8Array([1, 0]),
  '12.50',
);

const aTable = fc
  .record({
    columns: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...names),
        quote: fc.constantFrom(...quotings),
        word: fc.constantFrom(...words),
        piece: fc.constantFrom(...pieces),
      }),
      { minLength: 1, maxLength: 6, selector: ({ name }) => name.toLowerCase() },
    ),
    key: fc.constantFrom('none', 'rowid', 'counting', 'first', 'pair', 'without rowid'),
    isGenerated: fc.boolean(),
    indexes: fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom('', 'unique ')), { maxLength: 3 }),
    hasTrigger: fc.boolean(),
    hasView: fc.boolean(),
    rows: fc.array(fc.array(aValue, { minLength: 6, maxLength: 6 }), { maxLength: 5 }),
  })
  .map(({ columns, key, isGenerated, indexes, hasTrigger, hasView, rows }) => {
    const list = columns.map(({ name, quote, word, piece }) => ` ${quote(name)} ${word} ${piece(name)}`);
    const [first, second = first] = columns.map(({ name }) => quoteName(name)) as [string, string?];
    if (key === 'rowid') list.unshift('"the id" integer primary key');
    if (key === 'counting') list.unshift('"the id" integer not null primary key autoincrement');
    if (isGenerated) list.push(`"the sum" as (${first} || 'x')`);
    if (key === 'first' || key === 'without rowid') list.push(`constraint pk primary key (${first})`);
    if (key === 'pair')
      list.push(`primary key (${second === first ? first : `${first}, ${second} desc`}) -- the key\n`);
    const name = (index: number) => quoteName(columns[index % columns.length]!.name);
    return {
      statements: [
        'create table p (id integer primary key); insert into p values (1), (2)',
        `create table t (${list.join(',')})${key === 'without rowid' ? ' without rowid' : ''}`,
        ...indexes.map(([one, two, unique], index) =>
          one === two
            ? `create ${unique}index "i ${index}" on t (${name(one)})`
            : `create ${unique}index "i ${index}" on t (${name(one)}, ${name(two)} desc) where ${name(one)} is not null`,
        ),
        ...(hasTrigger ? [`create trigger tr after update on t begin select new.${first}; end`] : []),
        ...(hasView ? [`create view v as select ${second} as w from t`] : []),
        'create table u (t references t)',
      ],
      columns: columns.map((column) => column.name),
      rows: rows.map((values) => ({
        sql: `insert or ignore into t (${columns.map((column) => quoteName(column.name)).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        values: values.slice(0, columns.length),
      })),
    };
  });

const aChange: fc.Arbitrary<FieldChange> = fc.oneof(
  fc.record({ type: fc.constantFrom(...types).map((type) => aType(type)) }),
  fc.record({ allowNull: fc.boolean() }),
  fc.record({ default: fc.constantFrom(null, { value: 5 }, { value: "d'" }, { expression: '1 + 1' }) }),
  fc.record({ isUnique: fc.boolean() }),
  fc.record({ isIndex: fc.boolean() }),
  fc.record({ isAutoIncrement: fc.boolean() }),
);

type DrawnStep = (columns: readonly string[]) => StepData;
const pick = (columns: readonly string[], index: number) => {
  const name = columns[index % columns.length] as string;
  return { name, native: name };
};

const aStep: fc.Arbitrary<DrawnStep> = fc.oneof(
  fc.tuple(fc.nat(20), fc.constantFrom(...types), fc.boolean(), fc.boolean()).map(
    ([index, type, allowNull, hasDefault]): DrawnStep =>
      () => ({
        kind: 'addField',
        field: aField(`new ${index}`, type, { allowNull, default: hasDefault ? { value: 1 } : null }),
      }),
  ),
  fc.tuple(fc.nat(20), aChange).map(
    ([index, change]): DrawnStep =>
      (columns) => ({ kind: 'changeField', column: pick(columns, index), change }),
  ),
  fc.tuple(fc.nat(20), fc.constantFrom(...names, 'fresh')).map(
    ([index, newName]): DrawnStep =>
      (columns) => ({ kind: 'renameField', column: pick(columns, index), newName }),
  ),
  fc.nat(20).map(
    (index): DrawnStep =>
      (columns) => ({ kind: 'dropField', column: pick(columns, index) }),
  ),
  fc.nat(20).map(
    (index): DrawnStep =>
      (columns) => ({ kind: 'addReference', reference: aReference(pick(columns, index).name, 'p') }),
  ),
  fc.array(fc.nat(20), { maxLength: 2 }).map(
    (indexes): DrawnStep =>
      (columns) => ({
        kind: 'setPrimaryKey',
        columns: [...new Set(indexes.map((index) => pick(columns, index).name))],
      }),
  ),
  fc.constantFrom('t', 'T', 'other "name"', 'p').map(
    (newName): DrawnStep =>
      () => ({ kind: 'renameTable', newName }),
  ),
);

const contentOf = (database: Sqlite, table: string) => ({
  schema: database.run('select type, name, tbl_name, sql from sqlite_schema order by rowid').rows,
  rows: database.run(`select * from ${quoteName(table)}`).rows,
  pragmas: ['foreign_keys', 'legacy_alter_table'].map((name) => database.run(`pragma ${name}`).rows[0]?.[0]),
});

/** Whether it was carried out; a refusal that is no bug says no. */
function carryOut(database: Sqlite, task: ChangeTask): boolean {
  try {
    for (const _ of changeSchema(database, task));
    return true;
  } catch (error) {
    if (error instanceof RefusalError || sqliteCode(error) !== undefined) {
      // Whatever the text of a table is, it can be read.
      expect(JSON.stringify((error as RefusalError).refusal ?? '')).not.toMatch(/can not be read/);
      expect((error as Error).message).not.toMatch(/syntax error|sluice_new|incomplete input|unrecognized token/);
      return false;
    }
    throw error;
  }
}

it('alterations of any tables keep what they do not name, or change nothing', () => {
  let carriedOut = 0;
  fc.assert(
    fc.property(aTable, fc.array(aStep, { minLength: 1, maxLength: 4 }), (table, drawn) => {
      const database = openSqlite(':memory:');
      try {
        for (const sql of table.statements) database.exec(sql);
      } catch {
        // Not every table drawn is one: a column of two defaults, a key of a generated one.
        database.close();
        return;
      }
      for (const { sql, values } of table.rows) {
        try {
          database.run(sql, values);
        } catch {
          // A reference to nothing, a value a check refuses.
        }
      }
      const steps = drawn.map((step) => step(table.columns));
      const changes: ChangeTask['changes'] = [{ kind: 'alterTable', name: 't', native: 't', steps }];
      const before = contentOf(database, 't');
      const state = readTableState(database, 't')!;
      const task: ChangeTask = { kind: 'change', changes, isApplied: false, lockTimeout: 10 };
      const isPlanned = carryOut(database, task);
      expect(contentOf(database, 't')).toEqual(before);
      const old = new Map(
        state.columns.map(({ name }) => [name, database.run(`select ${quoteName(name)} from t order by 1`).rows]),
      );
      if (!carryOut(database, { ...task, isApplied: true })) {
        expect(contentOf(database, 't')).toEqual(before);
        database.close();
        return;
      }
      expect(isPlanned).toBe(true);
      carriedOut += 1;
      const newName = steps.findLast((step) => step.kind === 'renameTable')?.newName ?? 't';
      const after = readTableState(database, newName)!;
      expect(database.run('pragma integrity_check').rows).toEqual([['ok']]);
      expect(contentOf(database, newName).pragmas).toEqual(before.pragmas);
      expect(after.hasRowid).toBe(state.hasRowid);
      const named = (kind: StepData['kind'], name: string) =>
        steps.findLast((step) => step.kind === kind && 'column' in step && step.column.native === name);
      const last = (name: string) => {
        const step = named('renameField', name);
        return step?.kind === 'renameField' ? step.newName : name;
      };
      const kept = state.columns.filter(({ name }) => !named('dropField', name));
      const added = steps.flatMap((step) => (step.kind === 'addField' ? [step.field.name] : []));
      const expectedNames = [...kept.map(({ name }) => last(name)), ...added];
      expect(after.columns.map(({ name }) => name).toSorted()).toEqual(expectedNames.toSorted());
      for (const { name, isGenerated, hasDefault } of kept) {
        const changes = steps.filter((step) => step.kind === 'changeField' && step.column.native === name);
        const type = changes.some((step) => step.kind === 'changeField' && step.change.type !== undefined);
        const values = database.run(`select ${quoteName(last(name))} from ${quoteName(newName)} order by 1`).rows;
        if (!type && !isGenerated) expect(values).toEqual(old.get(name));
        else expect(values).toHaveLength(old.get(name)!.length);
        if (changes.length === 0)
          expect(after.columns.find((column) => column.name === last(name))).toMatchObject({ hasDefault, isGenerated });
      }
      expect(after.triggers).toHaveLength(state.triggers.length);
      const isTouched = steps.some((step) => step.kind === 'changeField' || step.kind === 'dropField');
      if (!isTouched)
        for (const { name, columns } of state.indexes.filter(({ sql }) => sql !== undefined))
          expect(after.indexes.find((index) => index.name === name)?.columns).toEqual(
            columns.map((column) => column && last(column)),
          );
      database.close();
    }),
    { numRuns: soakRounds(300, 20_000) },
  );
  expect(carriedOut).toBeGreaterThan(50);
});
