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
const changedCells = ({ changes }: ReturnType<typeof paste>) =>
  changes.map(({ target: to, name, draft }) => ['newRow' in to ? to.newRow : to.key[0], name, draft]);

describe('a paste', () => {
  it('overwrites the cells below and beside, and reads their types', () => {
    const result = paste(
      [
        ['Ann', '30'],
        ['Bob', ''],
      ],
      0,
      1,
    );
    expect(changedCells(result)).toEqual([
      ['0', 'name', 'Ann'],
      ['0', 'age', '30'],
      ['1', 'name', 'Bob'],
      ['1', 'age', null],
    ]);
    expect(result).toMatchObject({ newRowCount: 0, skippedRows: 0, skippedColumns: 0, lockedCells: 0 });
  });

  it('of a wrong type stays in its cell with an error', () => {
    const [, age] = paste([['Ann', 'old']], 0, 1).changes;
    expect(age).toMatchObject({ draft: 'old', error: 'A whole number is needed here.' });
  });

  it('tells the empty text from null where the cells have both', () => {
    expect(changedCells(paste([[null]], 0, 2))).toEqual([['0', 'age', null]]);
    expect(changedCells(paste([['']], 0, 1))).toEqual([['0', 'name', '']]);
    const note = { fields: [aField('note')] };
    expect(changedCells(paste([['']], 0, 0, note))).toEqual([['0', 'note', null]]);
    expect(changedCells(paste([['']], 0, 0, { ...note, hasNulls: true }))).toEqual([['0', 'note', '']]);
    expect(changedCells(paste([[true]], 0, 0, { ...note, hasNulls: true }))).toEqual([['0', 'note', 'true']]);
    expect(paste([[null]], 0, 1).changes[0]!.error).toBe('This field can not be NULL.');
  });

  it('skips locked cells, and columns beyond the last', () => {
    expect(paste([['9', 'Ann', '1', 'x', 'y', 'z']], 0, 0)).toMatchObject({ lockedCells: 2, skippedColumns: 2 });
  });

  it('fills a range with one value, one row or one column', () => {
    const rect = { top: 0, left: 1, bottom: 1, right: 2 };
    expect(changedCells(paste([['7']], 0, 1, { rect })).map(([, , draft]) => draft)).toEqual(['7', '7', '7', '7']);
    expect(changedCells(paste([['a', '1']], 0, 1, { rect })).map(([, , draft]) => draft)).toEqual(['a', '1', 'a', '1']);
    expect(changedCells(paste([['1'], ['2']], 0, 1, { rect })).map(([, , draft]) => draft)).toEqual([
      '1',
      '1',
      '2',
      '2',
    ]);
  });

  it('beyond the last row adds rows where it may, or counts the skipped ones', () => {
    const cells = [['a'], ['b'], ['c'], ['d']];
    expect(paste(cells, 1, 1)).toMatchObject({ skippedRows: 2, newRowCount: 0 });
    const result = paste(cells, 1, 1, { newRowId: (index: number) => `new-${index}` });
    expect(result).toMatchObject({ skippedRows: 0, newRowCount: 2 });
    expect(changedCells(result).slice(2)).toEqual([
      ['new-0', 'name', 'c'],
      ['new-1', 'name', 'd'],
    ]);
  });

  it('does not set the key of new rows where the database counts it up', () => {
    const result = paste([['1', 'a']], 3, 0, { newRowId: () => 'new-0' });
    expect(changedCells(result)).toEqual([['new-0', 'name', 'a']]);
    expect(result.lockedCells).toBe(1);
  });

  it('skips rows that do not exist', () => {
    expect(paste([['a'], ['b']], 0, 1, { targetAt: () => null })).toMatchObject({ changes: [], skippedRows: 2 });
  });
});
