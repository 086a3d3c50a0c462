import { describe, expect, it } from 'vitest';
import {
  defaultOrder,
  likeFilter,
  orderText,
  pageAfterDelete,
  pageCount,
  readListState,
  toggleOrder,
  writeListState,
} from './list-state.ts';

const read = (search: string) => readListState(new URLSearchParams(search), ['id', 'name']);

describe('the place of a list in its address', () => {
  it('begins at page 1, by id, without a filter (X-020)', () => {
    expect(read('')).toEqual({ page: 1, order: defaultOrder, filter: '' });
    expect(orderText(defaultOrder)).toBe('id asc');
    expect(orderText({ field: 'say "a,b"', descending: true })).toBe('"say ""a,b""" desc');
  });

  it.each([
    ['page=3&order=name desc&filter=ann', { page: 3, order: { field: 'name', descending: true }, filter: 'ann' }],
    ['page=0', { page: 1, order: defaultOrder, filter: '' }],
    ['page=1.5', { page: 1, order: defaultOrder, filter: '' }],
    ['page=99999999999999999999', { page: 1, order: defaultOrder, filter: '' }],
    ['order=password asc', { page: 1, order: defaultOrder, filter: '' }],
    ['order=name;drop', { page: 1, order: defaultOrder, filter: '' }],
  ])('reads %s', (search, place) => {
    expect(read(search)).toEqual(place);
  });

  it('starts again at page 1 with another order or filter, and keeps what is not its own', () => {
    const now = new URLSearchParams('page=3&filter=a&pane=x');
    expect(writeListState(now, { filter: 'b' }).toString()).toBe('filter=b&pane=x');
    expect(writeListState(now, { order: { field: 'name', descending: true } }).toString()).toBe(
      'filter=a&pane=x&order=name+desc',
    );
    expect(writeListState(now, { page: 2 }).toString()).toBe('page=2&filter=a&pane=x');
    expect(writeListState(now, { page: 1 }).toString()).toBe('filter=a&pane=x');
    expect(writeListState(now, { filter: '  ' }).toString()).toBe('pane=x');
  });

  it('sorts ascending first, then the other way', () => {
    expect(toggleOrder(defaultOrder, 'name')).toEqual({ field: 'name', descending: false });
    expect(toggleOrder({ field: 'name', descending: false }, 'name')).toEqual({ field: 'name', descending: true });
    expect(toggleOrder({ field: 'name', descending: true }, 'name')).toEqual({ field: 'name', descending: false });
  });
});

describe('the filter', () => {
  it.each([
    ['jo', '(name like "%jo%") or (email like "%jo%")'],
    [' jo ', '(name like "%jo%") or (email like "%jo%")'],
    ['say "hi"', `(name like '%say "hi"%') or (email like '%say "hi"%')`],
    [`"it's"`, `(name like "%""it's""%") or (email like "%""it's""%")`],
  ])('finds %s in every field (X-017, OPEN-044)', (words, filter) => {
    expect(likeFilter(['name', 'email'], words)).toBe(filter);
  });

  it('is left out when empty', () => {
    expect(likeFilter(['name'], '  ')).toBeUndefined();
    expect(likeFilter([], 'jo')).toBeUndefined();
  });
});

describe('pages', () => {
  it.each([
    [0, 1],
    [1, 1],
    [100, 1],
    [101, 2],
  ])('%i records fill %i of 100 (OPEN-046)', (count, pages) => {
    expect(pageCount(count, 100)).toBe(pages);
  });

  it('steps back when the last page is empty (X-016)', () => {
    expect(pageAfterDelete(3, 200, 100)).toBe(2);
    expect(pageAfterDelete(3, 201, 100)).toBe(3);
    expect(pageAfterDelete(2, 250, 100)).toBe(2);
    expect(pageAfterDelete(1, 0, 100)).toBe(1);
  });
});
