import { describe, expect, it } from 'vitest';
import { aField, aSchema } from '../testing.tsx';
import {
  isSameGridState,
  keyOf,
  pageSize,
  readGridState,
  tableAddress,
  withRecordKey,
  writeGridState,
} from './grid-state.ts';

const params = (text: string) => new URLSearchParams(text);

describe('the state in the address', () => {
  it('begins at page 1, offset 0, of 50 records (TBL-042, TBL-044)', () => {
    expect(pageSize).toBe(50);
    expect(readGridState(params(''))).toEqual({ page: 1, order: null, filters: [], isContinuous: false });
  });

  it('is written and read back, names with blanks included', () => {
    const state = {
      page: 3,
      order: { field: 'Item No', descending: true },
      filters: ['a = 1', 'name like "%x%"'],
      isContinuous: true,
    };
    expect(readGridState(writeGridState(params('key=1'), state))).toEqual(state);
  });

  it('keeps blanks at the ends of names', () => {
    for (const field of [' lead', 'trail ', 'x desc']) {
      const order = { field, descending: true };
      expect(readGridState(writeGridState(params(''), { order })).order).toEqual(order);
    }
  });

  it.each(['page=0', 'page=-2', 'page=x', 'page=1.5'])('%s is page 1', (text) => {
    expect(readGridState(params(text)).page).toBe(1);
  });

  it('begins at page 1 with another order or filter, and keeps other parameters', () => {
    const before = params('page=4&order=a+asc&filter=b+%3D+1&other=x');
    expect(writeGridState(before, { order: { field: 'c', descending: false } }).toString()).toBe(
      'other=x&order=c+asc&filter=b+%3D+1',
    );
    expect(readGridState(writeGridState(before, { filters: [] }))).toMatchObject({ page: 1, filters: [] });
  });

  it('is the same whatever record is open', () => {
    expect(isSameGridState(params('page=2&key=1'), params('page=2'))).toBe(true);
    expect(isSameGridState(params('page=2'), params('page=3'))).toBe(false);
    expect(isSameGridState(params('filter=a'), params(''))).toBe(false);
  });

  it('has odd names and keys', () => {
    expect(tableAddress('my db', 'a/b %')).toBe('/data/my%20db/a%2Fb%20%25');
    expect(withRecordKey(params('page=2&key=old'), ['1', 'ann & co']).toString()).toBe('page=2&key=1&key=ann+%26+co');
  });
});

describe('the key of a row', () => {
  const schema = aSchema([aField('a', { is_primary_key: true }), aField('b', { is_primary_key: true })]);
  it('has a text for every field, exact ones too', () => {
    expect(keyOf(schema, { a: '9007199254740993', b: 2 })).toEqual(['9007199254740993', '2']);
  });
  it('is null where a part is null, or the table has no key', () => {
    expect(keyOf(schema, { a: 1, b: null })).toBeNull();
    expect(keyOf(aSchema([aField('a')]), { a: 1 })).toBeNull();
  });
});
