import { describe, expect, it } from 'vitest';
import { aField, anId, aSchema, thingFields } from '../testing.tsx';
import { toDraft } from '../values/values.ts';
import { changeCells, noEdits } from './edits.ts';
import { checkTyped, patchErrors, postErrors, toPatch, toPost } from './payload.ts';

const schema = aSchema(thingFields);
const original = { id: 1, name: 'a', note: null, price: 1.5, is_open: true };

describe('what changed of a record', () => {
  it('is sent with the key, and nothing else (TBL-025)', () => {
    expect(toPatch(schema, original, { price: '2', name: 'a' })).toEqual({ id: 1, price: 2 });
  });

  it('keeps 64-bit keys exact', () => {
    expect(toPatch(schema, { ...original, id: '9007199254740993' }, { name: 'b' })).toEqual({
      id: '9007199254740993',
      name: 'b',
    });
    expect(toDraft('9007199254740993')).toBe('9007199254740993');
  });

  it('is refused field by field, by all a cell is checked for', () => {
    expect(patchErrors(schema, original, { price: 'x', name: null, is_open: 'perhaps' })).toEqual({
      price: 'A number is needed here.',
      name: 'A value is needed here.',
      is_open: 'TRUE or FALSE is needed here.',
    });
    expect(patchErrors(schema, original, { name: 'x'.repeat(21) })).toEqual({ name: 'At most 20 characters' });
    expect(patchErrors(schema, original, { name: 'x'.repeat(20) })).toEqual({});
  });

  it('that was not checked is not sent', () => {
    expect(() => toPatch(schema, original, { price: 'x' })).toThrow('price was not checked');
  });
});

describe('a new record', () => {
  it('drops null in an auto-increment field that cannot be null (TBL-023)', () => {
    expect(toPost(schema, { id: null, name: 'a' })).toEqual({ name: 'a' });
    expect(toPost(schema, { id: '', name: 'a' })).toEqual({ name: 'a' });
    expect(toPost(schema, { id: '7', name: 'a' })).toEqual({ id: 7, name: 'a' });
  });

  it('sends the fields with a draft, so that the database fills in the rest', () => {
    expect(toPost(schema, { name: 'a', note: null, is_open: undefined })).toEqual({ name: 'a', note: null });
  });

  it('needs its required fields (TBL-009)', () => {
    expect(postErrors(schema, {})).toEqual({ name: 'A value is needed here.' });
  });

  it('leaves a timestamp to the server: its default may be invisible', () => {
    const since = aField('since', { type: 'timestamp', required: true, allow_null: false });
    expect(postErrors(aSchema([anId(), since]), {})).toEqual({});
    expect(toPost(aSchema([anId(), since]), {})).toEqual({});
  });

  it('does not send fields that cannot be written', () => {
    const fields = [anId(), aField('made', { type: 'timestamp_on_create', required: true, allow_null: false })];
    expect(toPost(aSchema(fields), { made: 'x' })).toEqual({});
  });
});

it('marks what a draft brings back as if it had been typed now', () => {
  const edits = changeCells(noEdits, [
    { target: { key: ['1'], original }, name: 'price', draft: 'x' },
    { target: { newRow: 'new-1' }, name: 'note', draft: 'fine' },
  ]);
  const checked = checkTyped(schema, edits);
  expect([...checked.recordEdits.values()][0]?.errors).toEqual({
    price: 'A number is needed here.',
  });
  expect(checked.newRows.get('new-1')?.errors).toEqual({});
});
