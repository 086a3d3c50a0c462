import { expect, it } from 'vitest';
import { sampleQuery } from './sample-query.ts';

it('makes a query of the first table that may be read', () => {
  const document = {
    paths: {
      '/_table': { get: {} },
      '/_table/{table_name}': { get: {} },
      '/_table/secret': { post: {} },
      '/_table/order%20item': { get: {} },
    },
    components: {
      schemas: {
        'order item.part': {
          properties: {
            id: { 'x-type': 'id' },
            'unit price': { 'x-type': 'decimal' },
            product_by_id: { type: 'array' },
          },
        },
      },
    },
  };
  expect(sampleQuery('shop', document)).toBe('{ getShopTableOrder_0x20_itemList(limit: 5) { id unit_0x20_price } }');
  expect(sampleQuery('files', { paths: { '/': { get: {} } } })).toBeUndefined();
});
