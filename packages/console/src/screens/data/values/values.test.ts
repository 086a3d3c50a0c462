import { describe, expect, it } from 'vitest';
import { aField, aSchema, thingFields } from '../testing.tsx';
import {
  decodedLength,
  dirtyDrafts,
  fieldOfMessage,
  inputKind,
  isDirty,
  isJson,
  isMultiline,
  lockOf,
  toValue,
  truncateText,
} from './values.ts';

const schema = aSchema(thingFields);

describe('inputs by type (TBL-012, OPEN-127)', () => {
  it.each([
    ['id', 'integer'],
    ['string', 'text'],
    ['text', 'area'],
    ['integer', 'integer'],
    ['bigint', 'integer'],
    ['boolean', 'boolean'],
    ['binary', 'binary'],
    ['float', 'decimal'],
    ['double', 'decimal'],
    ['decimal', 'decimal'],
    ['datetime', 'text'],
    ['date', 'text'],
    ['time', 'text'],
    ['timestamp', 'text'],
    ['reference', 'integer'],
    ['user_id', 'integer'],
    ['user_id_on_create', 'text'],
    ['user_id_on_update', 'text'],
    ['timestamp_on_create', 'text'],
    ['timestamp_on_update', 'text'],
  ] as const)('%s is edited as %s', (type, kind) => expect(inputKind(type)).toBe(kind));
});

describe('texts of several lines', () => {
  const short = aField('short', { length: 20 });
  it.each([
    ['a text without a length', aField('body'), 'x', true],
    ['a short one', short, 'x', false],
    ['a short one with an end of line in it', short, 'a\nb', true],
    ['a date', aField('day', { type: 'date' }), '2018-01-01', false],
  ])('%s', (_name, field, draft, expected) => expect(isMultiline(field, draft)).toBe(expected));
});

describe('from what is typed to what is sent', () => {
  it.each([
    ['integer', '42', 42],
    ['integer', ' -7 ', -7],
    ['integer', '9007199254740993', '9007199254740993'],
    ['bigint', '-9223372036854775808', '-9223372036854775808'],
    ['integer', '', null],
    ['decimal', '9.90', 9.9],
    ['decimal', '12345678901234567890.12', '12345678901234567890.12'],
    ['decimal', '0.1', 0.1],
    ['decimal', '-.5', -0.5],
    ['double', '1e3', '1e3'],
    ['string', '', ''],
    ['string', ' a ', ' a '],
    ['text', '12', '12'],
    ['date', '', null],
    ['date', '2020-01-02', '2020-01-02'],
    ['boolean', false, false],
    ['string', null, null],
  ] as const)('%s %j becomes %j', (type, draft, value) => {
    expect(toValue(aField('x', { type }), draft)).toEqual({ value });
  });

  it.each([
    ['integer', '1.5', 'integer'],
    ['integer', 'abc', 'integer'],
    ['reference', '5x', 'integer'],
    ['decimal', '1,5', 'number'],
    ['decimal', '.', 'number'],
  ] as const)('%s %j is refused: %s', (type, draft, error) => {
    expect(toValue(aField('x', { type }), draft)).toEqual({ error });
  });

  it('requires a value where null is not allowed, and accepts an empty text as one', () => {
    const field = (type: 'string' | 'integer') => aField('x', { type, allow_null: false });
    expect(toValue(field('integer'), '')).toEqual({ error: 'required' });
    expect(toValue(field('string'), null)).toEqual({ error: 'required' });
    expect(toValue(field('string'), '')).toEqual({ value: '' });
  });

  it.each([[aField('x', { type: 'json' })], [aField('x', { db_type: 'jsonb' })], [aField('x', { db_type: 'JSON' })]])(
    'sends JSON as it was typed, and refuses what is none',
    (field) => {
      expect(isJson(field)).toBe(true);
      expect(toValue(field, '{"a": 1.0}')).toEqual({ value: '{"a": 1.0}' });
      expect(toValue(field, '{"a":}')).toEqual({ error: 'json' });
      expect(toValue(field, ' ')).toEqual({ value: null });
      expect(isJson(aField('x', { db_type: 'json_like' }))).toBe(false);
    },
  );
});

describe('what changed', () => {
  const original = { id: 1, name: 'a', note: null, price: 1.5, is_open: true };

  it('is only what differs from the stored values; null is not an empty text', () => {
    expect(dirtyDrafts(original, { name: 'a', note: '', price: '1.5', is_open: false })).toEqual({
      note: '',
      is_open: false,
    });
    expect(isDirty(original, { name: 'a', price: '1.5' })).toBe(false);
  });

  it('does not count created_date and last_modified_date (OPEN-123)', () => {
    expect(
      isDirty({ created_date: 'x', last_modified_date: null }, { created_date: 'y', last_modified_date: 'z' }),
    ).toBe(false);
  });
});

describe('fields that cannot be written', () => {
  it.each([
    [aField('x', { validation: { api_read_only: {} } }), true, 'readOnly'],
    [aField('x', { validation: { create_only: {} } }), false, 'createOnly'],
    [aField('x', { validation: { create_only: {} } }), true, null],
    [aField('x', { is_virtual: true }), false, 'virtual'],
    [aField('x', { type: 'timestamp_on_update' }), true, 'automatic'],
    [aField('x', { type: 'user_id_on_create' }), false, 'automatic'],
    [aField('id', { is_primary_key: true }), false, 'key'],
    [aField('id', { is_primary_key: true }), true, null],
    [aField('x'), false, null],
  ] as const)('%#: for a new record %s it is %s (OPEN-126)', (field, isNew, lock) => {
    expect(lockOf(field, schema, isNew)).toBe(lock);
  });
});

describe('messages of the server', () => {
  it.each([
    ["Field 'name' can not be NULL.", 'name'],
    ["Required field 'is_open' can not be NULL.", 'is_open'],
    ['UNIQUE constraint failed: thing.name', 'name'],
    ["Field 'other' must be a valid integer.", undefined],
    ['The database is locked.', undefined],
  ])('%s is about %s', (message, name) => expect(fieldOfMessage(message, thingFields)).toBe(name));

  it.each([
    ['null value in column "name" of relation "thing" violates not-null constraint', 'name'],
    ['duplicate key value violates unique constraint "u"\nDETAIL: Key (name)=(a) already exists.', 'name'],
    ["Data too long for column 'note' at row 1", 'note'],
    ['Cannot add or update a child row: CONSTRAINT `c` FOREIGN KEY (`price`) REFERENCES `kind` (`id`)', 'price'],
  ])('of another database: %s', (message, name) => expect(fieldOfMessage(message, thingFields)).toBe(name));

  it('finds a field whose name the message has in lower case', () => {
    expect(fieldOfMessage("Required field 'item no' can not be NULL.", [aField('Item No')])).toBe('Item No');
  });
});

describe('cells', () => {
  it('cut long texts', () => {
    expect(truncateText('a'.repeat(500))).toHaveLength(241);
    expect(truncateText('short')).toBe('short');
  });

  it.each([
    ['', 0],
    ['AA==', 1],
    ['AAA=', 2],
    ['AP8Q', 3],
  ])('%j is %i bytes', (base64, bytes) => expect(decodedLength(base64)).toBe(bytes));
});
