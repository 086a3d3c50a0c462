import { describe, expect, it } from 'vitest';
import { findMatches, neighbourhoodOf, neighboursOf } from './model.ts';
import { aField, anId, aReference, aRelation, aTable, modelOf, shopTables } from './schema.fixture.ts';

const linesOf = (tables: Parameters<typeof modelOf>[0]) =>
  modelOf(tables).lines.map(({ from, to, isVirtual }) => {
    const side = ({ table, fields, end }: typeof from) => `${table}.${fields.join('+')} ${end}`;
    return `${side(from)} -> ${side(to)}${isVirtual ? ' virtual' : ''}`;
  });

describe('the lines of a diagram', () => {
  it('are each drawn once, though both tables describe them, and a reference to the table itself as well', () => {
    expect(linesOf(shopTables())).toEqual([
      'product.category_id many -> category.id some',
      'category.parent_id many -> category.id some',
      'order line.product_id many -> product.id one',
    ]);
  });

  it('lead to one record where the referring field is a key or unique', () => {
    const tables = [
      aTable('person'),
      aTable(
        'passport',
        [aReference('id', 'person', { is_primary_key: true, allow_null: false })],
        [aRelation({ field: 'id', ref_table: 'person' })],
      ),
      aTable(
        'seat',
        [anId(), aReference('person_id', 'person', { is_unique: true })],
        [aRelation({ field: 'person_id', ref_table: 'person' })],
      ),
    ];
    expect(linesOf(tables)).toEqual(['passport.id some -> person.id one', 'seat.person_id some -> person.id some']);
  });

  it('keep the columns of a key together', () => {
    const key = { is_primary_key: true, allow_null: false };
    const tables = [
      aTable('line', [aField('order_id', key), aField('number', key)]),
      aTable(
        'parcel',
        [anId(), aField('order', { allow_null: false }), aField('line', { allow_null: false })],
        [aRelation({ field: 'order,line', ref_table: 'line', ref_field: 'order_id,number' })],
      ),
    ];
    expect(linesOf(tables)).toEqual(['parcel.order+line many -> line.order_id+number one']);
  });

  it('show virtual relations, those of many with many too, but none of another service and none to what is not there', () => {
    const virtual = { is_virtual: true };
    const tables = [
      aTable(
        'a',
        [anId(), aField('b_id')],
        [
          aRelation({ ...virtual, field: 'b_id', ref_table: 'b' }),
          aRelation({ ...virtual, type: 'many_many', ref_table: 'b', junction_table: 'ab' }),
          aRelation({ ...virtual, field: 'b_id', ref_table: 'b', ref_field: 'code', ref_service_id: 6 }),
          aRelation({ field: 'b_id', ref_table: 'gone' }),
        ],
      ),
      aTable(
        'b',
        [anId()],
        [
          aRelation({ ...virtual, type: 'many_many', ref_table: 'a', junction_table: 'ab' }),
          aRelation({ type: 'many_many', ref_table: 'a', ref_field: 'b_id', junction_table: 'ab' }),
        ],
      ),
    ];
    expect(linesOf(tables)).toEqual(['a.b_id many -> b.id some virtual', 'a.id many -> b.id many virtual']);
  });

  it('are a foreign key where there is a virtual relation of the same fields', () => {
    const tables = [
      aTable('a', [anId(), aReference('b_id', 'b')], [aRelation({ field: 'b_id', ref_table: 'b' })]),
      aTable('b', [anId()], [aRelation({ is_virtual: true, type: 'has_many', ref_table: 'a', ref_field: 'b_id' })]),
    ];
    expect(linesOf(tables)).toEqual(['a.b_id many -> b.id some']);
  });
});

describe('a neighbourhood', () => {
  it('reaches the requested number of steps', () => {
    const model = modelOf(shopTables());
    expect(neighboursOf(model, 'product')).toEqual(['category', 'order line']);
    expect([...neighbourhoodOf(model, 'category', 1)]).toEqual(['category', 'product']);
    expect([...neighbourhoodOf(model, 'category', 2)]).toEqual(['category', 'product', 'order line']);
    expect([...neighbourhoodOf(model, 'note', 2)]).toEqual(['note']);
    expect([...neighbourhoodOf(model, 'gone', 1)]).toEqual([]);
  });
});

describe('a search', () => {
  const model = modelOf(shopTables());
  const found = (text: string) => findMatches(model, text).map(({ table, fields }) => [table, ...fields]);

  it('finds tables first, then fields, in any case and with all its words', () => {
    expect(found('PRODUCT')).toEqual([['product'], ['order line', 'product_id']]);
    expect(found('line order')).toEqual([['order line']]);
    expect(found('title')).toEqual([
      ['category', 'title'],
      ['product', 'title'],
    ]);
  });

  it('finds nothing without words', () => {
    expect(found('  ')).toEqual([]);
    expect(found('nowhere')).toEqual([]);
  });
});
