import { describe, expect, it } from 'vitest';
import { pageHost } from '../address/grid-host.ts';
import { aField, anId, aRelation, aSchema } from '../testing.tsx';
import {
  anyKeyFilter,
  childHost,
  childRelations,
  extraFields,
  extraRequiredFields,
  initialDraftsOf,
  parentReference,
  relatedLocation,
} from './related.ts';

const items = aRelation('item_by_thing_id', { ref_table: 'item', ref_field: 'thing_id' });
const pairs = aRelation('pair_by_ab', { field: 'a,b', ref_table: 'pair', ref_field: 'x,y' });
const schema = aSchema([anId(), aField('a', { type: 'integer' }), aField('b')], {
  related: [aRelation('kind_by_kind_id', { type: 'belongs_to' }), items, pairs],
});

describe('the tables of a record', () => {
  it('are those of its relations, except the ones it belongs to', () => {
    expect(childRelations(schema).map(({ name }) => name)).toEqual(['item_by_thing_id', 'pair_by_ab']);
  });

  it('are filtered by its value, or its values, written by their kind (OPEN-132)', () => {
    const one = parentReference(schema, { id: 7 }, ['id'], ['thing_id'])!;
    expect(one.filter).toBe('thing_id = 7');
    const two = parentReference(schema, { a: 1, b: 'z' }, ['a', 'b'], ['x', 'y'])!;
    expect(two.filter).toBe('(x = 1) and (y = "z")');
    expect(initialDraftsOf(two)).toEqual({ x: '1', y: 'z' });
  });

  it('can have no records when it has no value, or lacks one of several', () => {
    expect(parentReference(schema, { id: null }, ['id'], ['thing_id'])).toBeNull();
    expect(parentReference(schema, { a: 1, b: null }, ['a', 'b'], ['x', 'y'])).toBeNull();
    expect(parentReference(schema, { a: 0, b: '' }, ['a', 'b'], ['x', 'y'])?.values).toEqual(['0', '']);
  });

  it('of a junction are found by any of the keys', () => {
    expect(anyKeyFilter([aField('code')], [['a'], ['b'], ['a']])).toBe('(code = "a") or (code = "b")');
    const fields = [aField('code'), aField('no', { type: 'integer' })];
    expect(
      anyKeyFilter(fields, [
        ['a', '1'],
        ['a', '2'],
      ]),
    ).toBe('((code = "a") and (no = 1)) or ((code = "a") and (no = 2))');
  });
});

describe('a junction', () => {
  const junction = aSchema([
    anId(),
    aField('a_id', { required: true }),
    aField('b_id', { required: true }),
    aField('since', { required: true }),
    aField('made', { required: true, type: 'timestamp_on_create' }),
    aField('note'),
  ]);

  it('may require more than the two references, and contain more', () => {
    expect(extraRequiredFields(junction, ['a_id', 'b_id']).map(({ name }) => name)).toEqual(['since']);
    expect(extraFields(junction, ['a_id', 'b_id']).map(({ name }) => name)).toEqual(['since', 'made', 'note']);
  });
});

describe('the address of a child table', () => {
  const page = pageHost('shop', 'thing');
  const here = { pathname: '/data/shop/thing', search: '?page=2&order=name+asc' };
  const open = relatedLocation('shop', 'thing', here, ['7'], 'item_by_thing_id');
  const host = childHost(page, ['7'], 'item_by_thing_id', 'thing_id = 7', {});

  it('has the parent’s state, its record, and which table is open', () => {
    expect(open).toEqual({
      pathname: '/data/shop/thing/related',
      search: 'page=2&order=name+asc&key=7&child=item_by_thing_id',
    });
    expect(relatedLocation('shop', 'thing', { pathname: '/data/shop/other', search: '?page=3' }, ['7'], null)).toEqual({
      pathname: '/data/shop/thing/related',
      search: 'key=7',
    });
  });

  it('has the child’s own state beside it', () => {
    expect(host.parse(open)?.params.toString()).toBe('');
    const moved = host.locationFor(open, new URLSearchParams('page=2&key=9'), 'record');
    expect(moved.search).toBe(
      'page=2&order=name+asc&key=7&child=item_by_thing_id&child.page=2&child.key=9&child.pane=record',
    );
    const parsed = host.parse(moved);
    expect([parsed?.params.toString(), parsed?.pane]).toEqual(['page=2&key=9', 'record']);
    expect(host.locationFor(moved, new URLSearchParams(), null).search).toBe(open.search);
  });

  it('belongs to another table with another record, relation or page', () => {
    for (const [from, to] of [
      ['key=7', 'key=8'],
      ['item_by', 'pair_by'],
    ]) {
      expect(host.parse({ ...open, search: open.search.replace(from!, to!) })).toBeNull();
    }
    expect(host.parse({ ...open, pathname: '/data/shop/thing/record' })).toBeNull();
    expect(host.parse({ ...open, pathname: '/data/shop/other/related' })).toBeNull();
  });

  it('closes with its record', () => {
    const moved = host.locationFor(open, new URLSearchParams('page=2'), null);
    expect(page.parse(moved)?.pane).toBe('related');
    expect(relatedLocation('shop', 'thing', moved, ['8'], null).search).toBe('page=2&order=name+asc&key=8');
  });
});
