import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Table } from '../../schema/index.ts';
import { aTable } from '../../schema/table.fixture.ts';
import { failureOf } from '../../suite/failure.fixture.ts';
import { SchemaCache } from './schema.ts';

let inside: Map<string, Table>;
let described: string[];
const aSchema = () => {
  const list = async () => [...inside.values()].map(({ name, native }) => ({ name, native, comment: null }));
  const table = async (_ask: unknown, { name }: { name: string }) => {
    described.push(name);
    return inside.get(name);
  };
  return new SchemaCache({ list, table, keys: async () => [] }, async () => []);
};
const put = (...tables: Table[]) => {
  for (const table of tables) inside.set(table.name, table);
};

beforeEach(() => {
  vi.useFakeTimers();
  inside = new Map();
  described = [];
  put(aTable({ id: 'id' }, 'a'), aTable({ id: 'id' }, 'b'));
});
afterEach(() => vi.useRealTimers());

it('looks at a table again once a second at most, for any number of callers', async () => {
  const schema = aSchema();
  const before = await schema.table('A', false);
  for (let i = 0; i < 5; i += 1) expect(await schema.recheck('a')).toBe(before);
  expect(described).toEqual(['a']);
  vi.advanceTimersByTime(1001);
  const found = await Promise.all(Array.from({ length: 9 }, () => schema.recheck('a')));
  expect(described).toEqual(['a', 'a']);
  // Plans hang on the table: one that is as it was stays.
  expect(found.every((table) => table === before)).toBe(true);
  expect(await schema.recheck('a')).toBe(before);
  vi.advanceTimersByTime(999);
  expect(await schema.recheck('a')).toBe(before);
  expect(described).toEqual(['a', 'a']);
});

it('re-reads everything when one table has changed', async () => {
  const schema = aSchema();
  const [a, b] = [await schema.table('a', false), await schema.table('b', false)];
  put(aTable({ id: 'id', more: 'string' }, 'a'));
  expect(await schema.recheck('a')).toBe(a);
  vi.advanceTimersByTime(1001);
  expect((await schema.recheck('a')).column('more')).toBeDefined();
  expect(await schema.table('a', false)).not.toBe(a);
  described = [];
  expect(await schema.table('b', false)).toBe(b);
  expect(described).toEqual(['b']);
});

it('finds out that a table is gone', async () => {
  const schema = aSchema();
  await schema.table('a', false);
  inside.delete('a');
  vi.advanceTimersByTime(1001);
  expect((await failureOf(schema.recheck('a'))).key).toBe('table.unknown');
});
