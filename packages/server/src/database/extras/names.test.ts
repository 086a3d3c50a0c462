import { relationsOf } from '@sluice/sql';
import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { means, relationNames } from './names.ts';

type Key = Parameters<typeof relationsOf>[1][number];

const tables = ['todo', 'user', 'team', 'tag', 'todo_tag'];
const aKey = fc.record({
  table: fc.constantFrom(...tables),
  refTable: fc.constantFrom(...tables),
  columns: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 2 }),
});

/** Foreign keys of which no two make relations of one name: of those the database shows one. */
const someKeys = fc.array(aKey, { maxLength: 6 }).map((keys) =>
  keys.map(
    ({ columns, ...key }, index): Key => ({
      ...key,
      columns: columns.map((column) => `${column}${index}`),
      refColumns: columns.map((_, at) => `key${at}`),
      onUpdate: 'NO ACTION',
      onDelete: 'NO ACTION',
      isOne: index % 3 === 0,
    }),
  ),
);

describe('the names of relations that are made of the names of a table and its fields', () => {
  it.each([
    { table: 'job' },
    { fields: new Map([['a0', 'z']]) },
    {
      table: 'job',
      fields: new Map([
        ['a0', 'y'],
        ['b1', 'z'],
        ['c0', 'x'],
      ]),
    },
  ])('are all found by its own relations: %o', (renames) => {
    fc.assert(
      fc.property(someKeys, (keys) => {
        const tableNow = (name: string) => (name === 'todo' ? (renames.table ?? name) : name);
        const columnsNow = (table: string, columns: string[]) =>
          columns.map((column) => (table === 'todo' ? (renames.fields?.get(column) ?? column) : column));
        const renamedKeys = keys.map((key) => ({
          ...key,
          table: tableNow(key.table),
          refTable: tableNow(key.refTable),
          columns: columnsNow(key.table, key.columns),
        }));
        const expected = tables.flatMap((table) => {
          const before = relationsOf(table, keys);
          const after = relationsOf(tableNow(table), renamedKeys);
          expect(after.length).toBe(before.length);
          return before.flatMap(({ name }, index) =>
            name === after[index]!.name ? [] : [`${table}.${name} → ${tableNow(table)}.${after[index]!.name}`],
          );
        });
        const found = relationNames('todo', relationsOf('todo', keys), renames)
          .filter(({ name, renamed }) => name !== renamed.name)
          .map(({ table, name, renamed }) => `${table}.${name} → ${renamed.table}.${renamed.name}`);
        expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort());
      }),
      { numRuns: soakRounds(500, 50_000) },
    );
  });
});

it.each<[string, string, string[], boolean]>([
  ['Todo', 'todo', [], true],
  ['Todo', 'todo', ['Todo'], false],
  ['todo', 'todo', ['Todo'], true],
  ['todos', 'todo', [], false],
])('%s means %s beside %j: %s', (text, name, others, expected) => {
  expect(means(text, name, others)).toBe(expected);
});
