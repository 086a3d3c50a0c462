import { describe, expect, it } from 'vitest';
import { changeCells, drop, dropAdded, dropAll, noEdits, object, objectAdded, pending, unsaved } from './edits.ts';

const ann = { key: ['1'], stored: { id: 1, name: 'Ann', age: 30 } };
const bob = { key: ['2'], stored: { id: 2, name: 'Bob', age: 40 } };

describe('changes of many cells', () => {
  const edits = changeCells(noEdits, [
    { target: ann, name: 'name', draft: 'Anna' },
    { target: ann, name: 'age', draft: 'old', error: 'A whole number is needed here.' },
    { target: bob, name: 'age', draft: '40' },
    { target: { added: 'new-1' }, name: 'name', draft: 'Cy' },
  ]);

  it('are counted: records, cells, and records with objections', () => {
    expect(pending(edits)).toEqual({ records: 2, cells: 3, wrong: 1 });
    // What was typed again as it is stored is no change.
    expect(unsaved(edits).map(({ key }) => key)).toEqual([['1']]);
    expect(pending(noEdits)).toEqual({ records: 0, cells: 0, wrong: 0 });
  });

  it('take an error away with the cell, and leave what they came from', () => {
    const mended = changeCells(edits, [{ target: ann, name: 'age', draft: '31' }]);
    expect(pending(mended).wrong).toBe(0);
    expect(pending(edits).wrong).toBe(1);
  });

  it('without a draft give the cell back', () => {
    const back = changeCells(edits, [
      { target: ann, name: 'age' },
      { target: ann, name: 'name' },
    ]);
    expect(unsaved(back)).toEqual([]);
  });
});

it('objections belong to their record, if it is there', () => {
  const edits = changeCells(noEdits, [
    { target: ann, name: 'name', draft: '' },
    { target: { added: 'new-1' }, name: 'name', draft: '' },
  ]);
  expect(object(edits, ['1'], { name: 'no' }).records.get('["1"]')!.errors).toEqual({ name: 'no' });
  expect(object(edits, ['7'], { name: 'no' })).toBe(edits);
  expect(objectAdded(edits, 'new-1', { '': 'no' }).added.get('new-1')!.errors).toEqual({ '': 'no' });
  expect(objectAdded(edits, 'new-2', { '': 'no' })).toBe(edits);
});

it('what is given up is gone; the form of a new record stays', () => {
  const fresh = { drafts: { name: 'D' }, errors: {} };
  const edits = {
    ...changeCells(noEdits, [
      { target: ann, name: 'name', draft: 'x' },
      { target: { added: 'new-1' }, name: 'name', draft: 'y' },
    ]),
    fresh,
  };
  expect(drop(edits, ['1']).records.size).toBe(0);
  expect(dropAdded(edits, ['new-1']).added.size).toBe(0);
  expect(dropAll(edits)).toEqual({ ...noEdits, fresh });
});
