import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { compareForms } from '../../../editor/index.ts';
import { aField, anId, aSchema } from '../testing.tsx';
import type { RecordEdit } from './edits.ts';
import { isStale, loadedOf } from './loaded.ts';
import { hasChanges, rebaseEdit } from './stale.ts';

describe('a record as it was loaded', () => {
  const schema = aSchema([
    anId(),
    aField('name'),
    aField('ratio', { type: 'double' }),
    aField('photo', { type: 'binary' }),
    aField('shout', { db_function: [{ use: ['SELECT'], function: 'upper(name)' }] as never }),
    aField('age', { is_virtual: true }),
  ]);

  it('is sent with its stored fields; what is computed may differ each time it is read', () => {
    const row = { id: 1, name: null, ratio: 0.5, photo: 'AA==', shout: 'A', age: 7, gone: 'x' };
    expect(loadedOf(schema, row)).toEqual({ id: 1, name: null, ratio: 0.5, photo: 'AA==' });
  });

  it('leaves long texts out that are not written', () => {
    const row = { id: 1, name: 'a', photo: 'A'.repeat(70_000) };
    expect(loadedOf(schema, row)).toEqual({ id: 1, name: 'a' });
    expect(loadedOf(schema, row, ['photo'])).toEqual(row);
  });

  it('has doubles past 2^53 as text: as integers the server would refuse them', () => {
    expect(loadedOf(schema, { id: 1, ratio: 1e19 })).toEqual({ id: 1, ratio: '10000000000000000000' });
    expect(loadedOf(schema, { id: 1, ratio: 1e300 }).ratio).toBe(String(1e300));
  });
});

it('tells the record of a batch that somebody changed from others', () => {
  const resource = [{ id: 1 }, { code: 412, context: null, message: 'changed', status_code: 412 }];
  const error = new ApiError({ status: 400, code: 1000, message: '', context: { error: [1], resource } });
  expect([isStale(error, 0), isStale(error, 1), isStale(error, 2), isStale(new Error('x'), 0)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

describe('a merge', () => {
  const original = { id: 1, name: 'a', note: 'b', price: 1, city: 'c' };
  const edit: RecordEdit = {
    key: ['1'],
    original,
    drafts: { name: 'mine', note: 'mine', price: '2', city: 'same' },
    errors: { '': 'changed' },
  };
  const theirs = { ...original, name: 'theirs', note: 'theirs', city: 'same' };
  const mine = { ...original, name: 'mine', note: 'mine', price: 2, city: 'same' };
  const differences = compareForms(original, mine, theirs);

  it('keeps what only I changed and what was chosen, on top of theirs', () => {
    const merged = rebaseEdit(edit, theirs, differences, { name: 'mine', note: 'theirs' });
    expect(merged).toEqual({ key: ['1'], original: theirs, drafts: { name: 'mine', price: '2' }, errors: {} });
    expect(hasChanges(merged)).toBe(true);
  });

  it('has nothing to save where all is theirs', () => {
    const noted: RecordEdit = { ...edit, drafts: { note: 'mine' } };
    const found = compareForms(original, { ...original, note: 'mine' }, theirs);
    expect(hasChanges(rebaseEdit(noted, theirs, found, { note: 'theirs' }))).toBe(false);
  });
});
