import { describe, expect, it } from 'vitest';
import { changeItemsOf, isOriginUnknown, renameOf, statementsOf } from './steps.ts';

const steps = ['alter table "item" something'];
const price = (length: number, more = {}) => ({
  name: 'price',
  label: 'Price',
  type: 'decimal',
  db_type: `decimal(${length},2)`,
  length,
  precision: length,
  scale: 2,
  ...more,
});
const created = {
  before: null,
  after: { name: 'item', primary_key: ['id'], field: { id: { type: 'id' }, price: price(8) }, steps },
};
const dropped = { before: { name: 'item', field: { price: price(8) } }, after: { steps } };
const renamed = { before: { name: 'item' }, after: { name: 'article', steps } };
const altered = { before: { field: { price: price(8) } }, after: { field: { price: price(10) }, steps } };

describe('a change of the database', () => {
  it('tells of tables that are made, renamed and dropped', () => {
    expect(changeItemsOf(created)).toEqual([{ what: 'created', values: { count: 2 } }]);
    expect(changeItemsOf(dropped)).toEqual([{ what: 'dropped' }]);
    expect(changeItemsOf(renamed)).toEqual([{ what: 'renamed', values: { from: 'item', to: 'article' } }]);
    expect(renameOf(renamed)).toEqual({ from: 'item', to: 'article' });
    expect([created, dropped, altered].map(renameOf)).toEqual([null, null, null]);
  });

  it('tells what of a field is another, once', () => {
    expect(changeItemsOf(altered)).toEqual([
      {
        what: 'fieldChanged',
        values: { name: 'price' },
        facets: [{ name: 'type', before: 'decimal(8,2)', after: 'decimal(10,2)' }],
      },
    ]);
    const more = { is_foreign_key: true, ref_table: 'unit', ref_field: 'id', is_unique: true, required: true };
    expect(
      changeItemsOf({ before: altered.before, after: { field: { price: price(8, more) }, steps } })[0]?.facets,
    ).toEqual([
      { name: 'reference', before: null, after: 'unit.id' },
      { name: 'is_unique', before: undefined, after: true },
    ]);
  });

  it('tells of fields that come and go, and of those a statement renames', () => {
    const before = { field: { price: price(8), old: { name: 'old', type: 'text', db_type: 'text' } } };
    const after = { field: { cost: price(8, { name: 'cost', label: 'Cost' }), note: { name: 'note', type: 'text' } } };
    expect(
      changeItemsOf({ before, after: { ...after, steps: ['ALTER TABLE "item" RENAME COLUMN "price" TO "cost"'] } }),
    ).toEqual([
      { what: 'fieldRenamed', values: { from: 'price', to: 'cost' } },
      { what: 'fieldDropped', values: { name: 'old', type: 'text' } },
      { what: 'fieldAdded', values: { name: 'note', type: 'text' } },
    ]);
    const apart = changeItemsOf({ before, after: { ...after, steps } }).map(
      ({ what, values }) => `${what} ${values?.name}`,
    );
    expect(apart).toEqual(['fieldDropped price', 'fieldDropped old', 'fieldAdded cost', 'fieldAdded note']);
  });

  it('tells of constraints and of the primary key', () => {
    const before = { primary_key: ['id'], constraints: { fk_a: { type: 'x' }, fk_b: {} } };
    const after = { primary_key: ['id', 'kind'], constraints: { fk_a: { type: 'y' }, fk_c: {} }, steps };
    expect(changeItemsOf({ before, after })).toEqual([
      { what: 'constraintChanged', values: { name: 'fk_a' } },
      { what: 'constraintDropped', values: { name: 'fk_b' } },
      { what: 'constraintAdded', values: { name: 'fk_c' } },
      { what: 'tableChanged', facets: [{ name: 'primary_key', before: ['id'], after: ['id', 'kind'] }] },
    ]);
  });

  it('tells of what the service says, where that came with it', () => {
    const before = { alias: 'goods', field: { old: { name: 'old', type: 'integer', is_virtual: true } } };
    const field = { total: { name: 'total', type: 'integer', is_virtual: true } };
    const after = { alias: 'items', field, related: { item_by_id: { name: 'item_by_id', type: 'has_many' } }, steps };
    expect(changeItemsOf({ before, after })).toEqual([
      { what: 'virtualDropped', values: { name: 'old', type: 'integer' } },
      { what: 'virtualAdded', values: { name: 'total', type: 'integer' } },
      { what: 'relationAdded', values: { name: 'item_by_id' } },
      { what: 'tableChanged', facets: [{ name: 'alias', before: 'goods', after: 'items' }] },
    ]);
  });

  it('tells little of what the audit cut, and of what no description shows', () => {
    expect(
      changeItemsOf({ before: null, after: { name: 'item', field: '{"id":{… (cut, 9000 characters)', steps } }),
    ).toEqual([{ what: 'createdWide' }]);
    expect(changeItemsOf({ before: {}, after: { steps } })).toEqual([{ what: 'changed' }]);
    const cutField = { before: { field: { price: '{"name":"pr… (cut, 900 characters)' } }, after: altered.after };
    expect(changeItemsOf(cutField)).toEqual([{ what: 'fieldChanged', values: { name: 'price' }, facets: [] }]);
  });
});

describe('a change of what the service says', () => {
  const row = { table: 'item', field: 'kind', label: 'Kind', alias: null, is_virtual: 0, extra_type: null };

  it('tells the differing properties of a table, a field and a relation', () => {
    expect(changeItemsOf({ before: null, after: { table: 'item', alias: 'items', label: null } })).toEqual([
      { what: 'tableChanged', facets: [{ name: 'alias', before: undefined, after: 'items' }] },
    ]);
    expect(changeItemsOf({ before: row, after: { ...row, label: 'Sort' } })).toEqual([
      { what: 'fieldChanged', values: { name: 'kind' }, facets: [{ name: 'label', before: 'Kind', after: 'Sort' }] },
    ]);
    expect(changeItemsOf({ before: row, after: null })[0]?.facets).toEqual([
      { name: 'label', before: 'Kind', after: undefined },
    ]);
    const relation = { table: 'item', relationship: 'a_by_b', always_fetch: 1, flatten: 0 };
    expect(changeItemsOf({ before: null, after: relation })).toEqual([
      {
        what: 'relationChanged',
        values: { name: 'a_by_b' },
        facets: [{ name: 'always_fetch', before: undefined, after: 1 }],
      },
    ]);
  });

  it('tells of virtual fields and relations', () => {
    const virtual = { ...row, is_virtual: 1, extra_type: 'integer' };
    const values = { name: 'kind', type: 'integer' };
    expect(changeItemsOf({ before: null, after: virtual })).toEqual([{ what: 'virtualAdded', values }]);
    expect(changeItemsOf({ before: virtual, after: null })).toEqual([{ what: 'virtualDropped', values }]);
    const relation = { table: 'item', type: 'has_many', field: 'id', ref_table: 'order', ref_field: 'item_id' };
    const name = 'has_many id → order.item_id';
    expect(changeItemsOf({ before: null, after: relation })).toEqual([{ what: 'relationAdded', values: { name } }]);
    expect(changeItemsOf({ before: relation, after: null })).toEqual([{ what: 'relationDropped', values: { name } }]);
  });
});

it('reads statements, also of a list that was cut', () => {
  expect(statementsOf(created)).toEqual({ statements: steps, isCut: false });
  expect(statementsOf({ before: null, after: { label: 'x' } })).toEqual({ statements: [], isCut: false });
  const json = JSON.stringify(['a "b"\nc', 'drop table "d"']);
  const cut = (length: number) => ({
    before: null,
    after: { steps: `${json.slice(0, length)}… (cut, 4000 characters)` },
  });
  expect(statementsOf(cut(json.length - 5))).toEqual({ statements: ['a "b"\nc', 'drop table "…'], isCut: true });
  expect(statementsOf(cut(6)).isCut).toBe(true);
});

it('knows whether entries tell where a table came from', () => {
  expect(isOriginUnknown([altered, created], true)).toBe(false);
  expect(isOriginUnknown([altered], true)).toBe(true);
  expect(isOriginUnknown([], true)).toBe(true);
  expect(isOriginUnknown([], false)).toBe(false);
  // Another table has the name since.
  expect(isOriginUnknown([renamed, created], true)).toBe(true);
  expect(isOriginUnknown([renamed, created], false)).toBe(false);
  expect(isOriginUnknown([altered, dropped, created], true)).toBe(true);
});
