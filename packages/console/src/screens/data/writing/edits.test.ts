import { describe, expect, it } from 'vitest';
import {
  changeCells,
  countPending,
  dirtyEdits,
  discardEdit,
  discardGridEdits,
  noEdits,
  removeNewRows,
  setErrors,
  setNewRowErrors,
} from './edits.ts';

const ann = { key: ['1'], original: { id: 1, name: 'Ann', age: 30 } };
const bob = { key: ['2'], original: { id: 2, name: 'Bob', age: 40 } };

describe('changes of many cells', () => {
  const edits = changeCells(noEdits, [
    { target: ann, name: 'name', draft: 'Anna' },
    { target: ann, name: 'age', draft: 'old', error: 'A whole number is needed here.' },
    { target: bob, name: 'age', draft: '40' },
    { target: { newRow: 'new-1' }, name: 'name', draft: 'Cy' },
  ]);

  it('are counted: records, cells, and records with errors', () => {
    expect(countPending(edits)).toEqual({ records: 2, cells: 3, invalid: 1 });
    // What was typed again as it is stored is no change.
    expect(dirtyEdits(edits).map(({ key }) => key)).toEqual([['1']]);
    expect(countPending(noEdits)).toEqual({ records: 0, cells: 0, invalid: 0 });
  });

  it('remove the error of a changed cell, and leave the edits before untouched', () => {
    const corrected = changeCells(edits, [{ target: ann, name: 'age', draft: '31' }]);
    expect(countPending(corrected).invalid).toBe(0);
    expect(countPending(edits).invalid).toBe(1);
  });

  it('without a draft revert the cell', () => {
    const reverted = changeCells(edits, [
      { target: ann, name: 'age' },
      { target: ann, name: 'name' },
    ]);
    expect(dirtyEdits(reverted)).toEqual([]);
  });
});

it('errors belong to their record, if it exists', () => {
  const edits = changeCells(noEdits, [
    { target: ann, name: 'name', draft: '' },
    { target: { newRow: 'new-1' }, name: 'name', draft: '' },
  ]);
  expect(setErrors(edits, ['1'], { name: 'no' }).recordEdits.get('["1"]')!.errors).toEqual({ name: 'no' });
  expect(setErrors(edits, ['7'], { name: 'no' })).toBe(edits);
  expect(setNewRowErrors(edits, 'new-1', { '': 'no' }).newRows.get('new-1')!.errors).toEqual({ '': 'no' });
  expect(setNewRowErrors(edits, 'new-2', { '': 'no' })).toBe(edits);
});

it('discarded edits are gone; the form of a new record stays', () => {
  const newRecord = { drafts: { name: 'D' }, errors: {} };
  const edits = {
    ...changeCells(noEdits, [
      { target: ann, name: 'name', draft: 'x' },
      { target: { newRow: 'new-1' }, name: 'name', draft: 'y' },
    ]),
    newRecord,
  };
  expect(discardEdit(edits, ['1']).recordEdits.size).toBe(0);
  expect(removeNewRows(edits, ['new-1']).newRows.size).toBe(0);
  expect(discardGridEdits(edits)).toEqual({ ...noEdits, newRecord });
});
