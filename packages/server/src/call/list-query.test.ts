import { describe, expect, it } from 'vitest';
import { queryOf } from './address.ts';
import { readListQuery } from './list-query.ts';

const read = (query: string, body?: unknown) => {
  const parameters = new URLSearchParams(query);
  const names = [...new Set(parameters.keys())];
  const get = (name: string) => parameters.get(name) ?? undefined;
  const has = (name: string) => parameters.has(name);
  const read = { get, has, names: () => names, pairs: () => [...parameters], isEmpty: names.length === 0 };
  return readListQuery({ query: read, verb: 'GET' }, body);
};
const nothing = read('');
const noQuery = queryOf(new Map());

describe('the list parameters (contract/http-basics.md §10)', () => {
  it.each<[string, Partial<typeof nothing>]>([
    ['fields=a,b', { fields: 'a,b' }],
    ['select=a', { fields: 'a' }],
    ['filter=a%3D1', { filter: 'a=1' }],
    ['where=a%3D1', { filter: 'a=1' }],
    ['limit=3', { limit: 3 }],
    ['top=3', { limit: 3 }],
    ['offset=4', { offset: 4 }],
    ['skip=4', { offset: 4 }],
    ['order=a desc', { order: 'a desc' }],
    ['sort=a', { order: 'a' }],
    ['order_by=a', { order: 'a' }],
    ['group=a', { group: 'a' }],
    ['group_by=a', { group: 'a' }],
    ['after=x', { after: 'x' }],
    ['ids=1, 2,', { ids: ['1', '2'] }],
    ['id_field=a,b', { idField: ['a', 'b'] }],
    ['related=x,y', { related: ['x', 'y'] }],
    ['include_count=Yes', { includeCount: true }],
    ['include_schema=on', { includeSchema: true }],
    ['count_only=t', { countOnly: true }],
    ['as_list=1', { asList: true }],
    ['continue=y', { continue: true }],
    ['rollback=TRUE', { rollback: true }],
    ['force=true', { force: true }],
    ['refresh=true', { refresh: true }],
    ['params={"a":1}', { params: { a: 1 } }],
  ])('%s', (query, expected) => {
    expect(read(query)).toEqual({ ...nothing, ...expected });
  });

  it.each<[string, Partial<typeof nothing>]>([
    ['offset=-1', { offset: 0 }],
    ['offset=-9007199254740991', { offset: 0 }],
    ['offset=x', { offset: 0 }],
    ['offset=1.5', { offset: 0 }],
    ['offset=9007199254740993', { offset: 0 }],
    ['offset=', { offset: 0 }],
    ['limit=', { limit: undefined }],
    ['limit=x', { limit: undefined }],
    ['limit=0', { limit: 0 }],
    ['limit=-2', { limit: -2 }],
    ['include_count=2', { includeCount: false }],
    ['params=[1]', { params: {} }],
    ['params={', { params: {} }],
    ['other=1', {}],
  ])('what is none counts for nothing: %s', (query, expected) => {
    expect(read(query)).toEqual({ ...nothing, ...expected });
  });

  it('the documented name wins over its other spellings, and the query over the body', () => {
    expect(read('top=2&limit=1').limit).toBe(1);
    expect(read('skip=7', { offset: 9 }).offset).toBe(7);
  });

  it('a body may carry them, but for those of the query alone', () => {
    const body = { fields: ['a', 'b'], filter: 'a=:x', params: { x: 1 }, limit: 5, offset: -3, ids: [1, { id: 2 }] };
    expect(read('', body)).toEqual({ ...nothing, ...body, offset: 0 });
    expect(read('', { related: 'x', include_count: true, id_field: 'a', refresh: true })).toEqual(nothing);
    expect(read('', { ids: 4 }).ids).toEqual([4]);
    for (const none of [null, 'text', [1]]) expect(read('', none)).toEqual(nothing);
  });

  it('abuse: more ids than a batch may hold are refused, but for a record that is created', () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => index);
    expect(() => read('', { ids })).toThrow('A batch may hold 10000 records at most.');
    expect(read('', { ids: ids.slice(1) }).ids).toHaveLength(10_000);
    expect(readListQuery({ query: noQuery, verb: 'POST' }, { ids }).ids).toHaveLength(10_001);
  });
});
