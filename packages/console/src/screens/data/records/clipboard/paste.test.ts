import { describe, expect, it } from 'vitest';
import { aField, anId, aSchema } from '../../testing.tsx';
import { planPaste } from './paste.ts';

const fields = [
  anId(),
  aField('name', { allow_null: false }),
  aField('age', { type: 'integer' }),
  aField('fixed', { validation: { api_read_only: {} } }),
];
const schema = aSchema(fields);
const target = (row: number) => ({ key: [String(row)], original: { id: row } });
const paste = (cells: (string | null | boolean)[][], top: number, left: number, more: object = {}) =>
  planPaste({
    cells,
    hasNulls: false,
    rect: { top, left, bottom: top, right: left },
    fields,
    schema,
    targetAt: target,
    rowCount: 3,
    newRowId: null,
    ...more,
  });
const brief = ({ changes }: ReturnType<typeof paste>) =>
  changes.map(({ target: to, name, draft }) => ['newRow' in to ? to.newRow : to.key[0], name, draft]);

describe('a paste', () => {
  it('goes over the cells below and beside, types read', () => {
    const result = paste(
      [
        ['Ann', '30'],
        ['Bob', ''],
      ],
      0,
      1,
    );
    expect(brief(result)).toEqual([
      ['0', 'name', 'Ann'],
      ['0', 'age', '30'],
      ['1', 'name', 'Bob'],
      ['1', 'age', null],
    ]);
    expect(result).toMatchObject({ newRowCount: 0, skippedRows: 0, skippedColumns: 0, lockedCells: 0 });
  });

  it('of a wrong type stays in its cell with what is wrong', () => {
    const [, age] = paste([['Ann', 'old']], 0, 1).changes;
    expect(age).toMatchObject({ draft: 'old', error: 'A whole number is needed here.' });
  });

  it('keeps empty apart from null where both are given', () => {
    expect(brief(paste([[null]], 0, 2))).toEqual([['0', 'age', null]]);
    expect(brief(paste([['']], 0, 1))).toEqual([['0', 'name', '']]);
    const note = { fields: [aField('note')] };
    expect(brief(paste([['']], 0, 0, note))).toEqual([['0', 'note', null]]);
    expect(brief(paste([['']], 0, 0, { ...note, hasNulls: true }))).toEqual([['0', 'note', '']]);
    expect(brief(paste([[true]], 0, 0, { ...note, hasNulls: true }))).toEqual([['0', 'note', 'true']]);
    expect(paste([[null]], 0, 1).changes[0]!.error).toBe('This field can not be NULL.');
  });

  it('leaves out locked cells, and columns beyond the last', () => {
    expect(paste([['9', 'Ann', '1', 'x', 'y', 'z']], 0, 0)).toMatchObject({ lockedCells: 2, skippedColumns: 2 });
  });

  it('fills a range with one value, one row or one column', () => {
    const rect = { top: 0, left: 1, bottom: 1, right: 2 };
    expect(brief(paste([['7']], 0, 1, { rect })).map(([, , draft]) => draft)).toEqual(['7', '7', '7', '7']);
    expect(brief(paste([['a', '1']], 0, 1, { rect })).map(([, , draft]) => draft)).toEqual(['a', '1', 'a', '1']);
    expect(brief(paste([['1'], ['2']], 0, 1, { rect })).map(([, , draft]) => draft)).toEqual(['1', '1', '2', '2']);
  });

  it('beyond the last row makes records where it may, or says how many rows were left out', () => {
    const cells = [['a'], ['b'], ['c'], ['d']];
    expect(paste(cells, 1, 1)).toMatchObject({ skippedRows: 2, newRowCount: 0 });
    const result = paste(cells, 1, 1, { newRowId: (index: number) => `new-${index}` });
    expect(result).toMatchObject({ skippedRows: 0, newRowCount: 2 });
    expect(brief(result).slice(2)).toEqual([
      ['new-0', 'name', 'c'],
      ['new-1', 'name', 'd'],
    ]);
  });

  it('does not give new records the key the database counts', () => {
    const result = paste([['1', 'a']], 3, 0, { newRowId: () => 'new-0' });
    expect(brief(result)).toEqual([['new-0', 'name', 'a']]);
    expect(result.lockedCells).toBe(1);
  });

  it('leaves out rows that are not there', () => {
    expect(paste([['a'], ['b']], 0, 1, { targetAt: () => null })).toMatchObject({ changes: [], skippedRows: 2 });
  });
});
