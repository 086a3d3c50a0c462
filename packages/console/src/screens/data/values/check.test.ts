import { describe, expect, it } from 'vitest';
import { aField, anId, aSchema } from '../testing.tsx';
import { lockReason, textToDraft, validateDraft } from './check.ts';

describe('a text in a cell', () => {
  it.each([
    ['boolean', 'TRUE', true],
    ['boolean', '0', false],
    ['boolean', 'yes', true],
    ['boolean', 'maybe', 'maybe'],
    ['boolean', '', null],
    ['integer', '', null],
    ['date', '', null],
    ['string', '', ''],
    ['text', 'x', 'x'],
    ['json', '', ''],
  ] as const)('of a %s, %j, means %j', (type, typed, draft) => {
    expect(textToDraft(aField('x', { type }), typed)).toBe(draft);
  });
});

describe('the error of a draft', () => {
  it.each([
    [{ type: 'integer' }, '1.5', 'A whole number is needed here.'],
    [{ type: 'integer' }, '15', null],
    [{ type: 'decimal' }, '1.234,5', 'A number is needed here.'],
    [{ type: 'boolean' }, 'maybe', 'TRUE or FALSE is needed here.'],
    [{ type: 'boolean' }, false, null],
    [{ allow_null: false }, null, 'This field can not be NULL.'],
    [{ allow_null: false, required: true }, null, 'A value is needed here.'],
    [{ allow_null: true }, null, null],
    [{ length: 3 }, 'four', 'At most 3 characters'],
    [{ length: 3 }, '😀😀😀', null],
    [{ picklist: ['S', 'M'], validation: { picklist: {} } }, 'L', 'This is none of the values of the list.'],
    [{ picklist: ['S', 'M'], validation: { picklist: {} } }, 'M', null],
    [{ picklist: ['S', 'M'] }, 'L', null],
  ] as const)('%j of %j: %s', (changes, draft, words) => {
    expect(validateDraft(aField('x', changes as never), draft)).toBe(words);
  });

  it('is none for a key that the database counts up', () => expect(validateDraft(anId(), null)).toBeNull());
});

describe('a cell that is locked', () => {
  const schema = aSchema([anId(), aField('name')]);
  it.each([
    [anId(), false, 'Key: it names the record and cannot be changed'],
    [anId(), true, 'The database counts this up by itself.'],
    [aField('x', { validation: { api_read_only: {} } }), false, 'Read only'],
    [aField('x', { is_virtual: true }), false, 'Computed when it is read'],
    [aField('x', { type: 'binary' }), false, 'Bytes cannot be typed here; open the record to change them.'],
    [aField('x'), false, null],
  ])('says why: %#', (field, isNew, words) => expect(lockReason(field, schema, isNew)).toBe(words));

  it('may be locked because its record has no key', () => {
    expect(lockReason(aField('x'), aSchema([aField('x')]), false)).toMatch(/no primary key/);
    expect(lockReason(aField('x'), aSchema([aField('x')], { is_view: true }), false)).toMatch(/view without a key/);
  });
});
