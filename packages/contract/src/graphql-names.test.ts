// Names of GraphQL are one-to-one: each leads back to its table, and no two tables have one.
import { describe, expect, it } from 'vitest';
import { graphqlField, graphqlRoutine, graphqlTable, readGraphqlRoutine, readGraphqlTable } from './graphql-names.ts';

const odd = [
  ...[
    'product',
    'Product',
    '_product',
    '__product',
    'productList',
    'product_list',
    'ProductCount',
    'priceChange',
    'New',
  ],
  ...['new', 'list', 'List', '1a', '_1a', 'a b', 'a_20_b', 'a_0x20_b', 'a_0x5f_0x20_b', 'a__0x20_b', '_0x20_b', ' b'],
  ...[
    '',
    '_0x_',
    'größe',
    'naïve.table',
    '表',
    '😀',
    '__proto__',
    'constructor',
    'aTableB',
    'Table',
    'table',
    '"',
    '$',
    '_',
    '__',
  ],
  ...['x_0x', 'x_0x_', '0x20_', '_0x31_a', '\0', '\ufffd'],
];
const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

describe('names of tables', () => {
  it('are names, differ, and lead back', () => {
    const seen = new Map<string, string>();
    for (const service of ['shop', 'table', 'atableb', 'my-db', '1db', 'db_0x2d_x'])
      for (const table of odd)
        for (const suffix of ['', 'List', 'Count', 'Answer', 'New', 'Change']) {
          const name = `${graphqlTable(service, table)}${suffix}`;
          expect(name).toMatch(isName);
          expect(seen.get(name), `${service} ${table}`).toBeUndefined();
          seen.set(name, table);
          expect(readGraphqlTable(name), name).toEqual({ service, table, suffix });
        }
  });

  it('of routines are none of tables, and lead back', () => {
    for (const routine of odd)
      for (const word of ['Procedure', 'Function'] as const) {
        const name = graphqlRoutine('shop', word, routine);
        expect(name).toMatch(isName);
        expect(readGraphqlTable(name)).toBeUndefined();
        expect(readGraphqlRoutine(name), name).toEqual({ service: 'shop', word, routine });
      }
  });

  it('read well where they can', () => {
    expect(graphqlTable('shop', 'product')).toBe('ShopTableProduct');
    expect(graphqlTable('Shop', 'order_item')).toBe('ShopTableOrder_item');
    expect(graphqlTable('shop', 'Album')).toBe('ShopTable_Album');
  });
});

it('names of fields are names that differ, and none is of GraphQL itself', () => {
  const names = odd.map(graphqlField);
  for (const name of names) expect(name).toMatch(/^(?!__)[A-Za-z_][A-Za-z0-9_]*$/);
  expect(new Set(names).size).toBe(names.length);
  expect(graphqlField('first_name')).toBe('first_name');
  expect(graphqlField('first name')).toBe('first_0x20_name');
});
