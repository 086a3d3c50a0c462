import { describe, expect, it } from 'vitest';
import { orderByReferences } from './order.ts';

/** Tables by name with those they reference. */
const orderOf = (tables: Record<string, string[]>): string[] => {
  const records = Object.entries(tables).map(([name, targets]) => ({
    name,
    field: targets.map((ref_table) => ({ name: `${ref_table}_id`, ref_table })),
  }));
  return orderByReferences(records).map((index) => String(records[index]?.name));
};

describe('the order of tables', () => {
  it.each<[string, Record<string, string[]>, string[]]>([
    ['is the one they were sent in', { c: [], a: [], b: [] }, ['c', 'a', 'b']],
    ['has those that are referenced first', { a: ['b', 'c'], c: [], b: ['d'], d: [] }, ['d', 'b', 'c', 'a']],
    ['does not mind letter case, nor tables that are not sent', { a: ['B', 'else'], b: [] }, ['b', 'a']],
    ['opens circles', { a: ['a', 'b'], b: ['c'], c: ['a'] }, ['c', 'b', 'a']],
  ])('%s', (_, tables, expected) => expect(orderOf(tables)).toEqual(expected));

  it('holds for a long chain', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `t${index}`);
    const chain = Object.fromEntries(
      names.map((name, index) => [name, index + 1 < names.length ? [`t${index + 1}`] : []]),
    );
    expect(orderOf(chain)).toEqual(names.toReversed());
  });

  it('takes one field as a list of one, and leaves virtual ones out', () => {
    const reference = { name: 'b_id', ref_table: 'b' };
    const b = { name: 'b', field: [] };
    expect(orderByReferences([{ NAME: 'a', FIELD: reference }, b])).toEqual([1, 0]);
    expect(orderByReferences([{ name: 'a', field: { ...reference, is_virtual: true } }, b])).toEqual([0, 1]);
  });
});
