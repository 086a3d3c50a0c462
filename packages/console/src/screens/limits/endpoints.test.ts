import { expect, it } from 'vitest';
import { coverageOf, offeredEndpoints } from './endpoints.ts';

const offered = offeredEndpoints([
  '',
  '*',
  '_table/',
  '_table/*',
  '_table/contact/',
  '_table/contact/*',
  '_table/contacts/',
  '_table/contacts/*',
]);

it('offers the paths of a service without the slashes at their ends', () => {
  expect(offered).toEqual([
    '_table',
    '_table/*',
    '_table/contact',
    '_table/contact/*',
    '_table/contacts',
    '_table/contacts/*',
  ]);
});

it('says which of them an endpoint covers (contract/limits.md §4)', () => {
  expect(coverageOf(' / ', offered)).toEqual({ kind: 'root' });
  expect(coverageOf('_table/contact/', offered)).toEqual({ kind: 'exact', path: '_table/contact', isKnown: true });
  expect(coverageOf('_table/Contact', offered)).toMatchObject({ isKnown: false });
  expect(coverageOf('_table/contact*', offered)).toEqual({
    kind: 'prefix',
    prefix: '_table/contact',
    paths: ['_table/contact', '_table/contacts'],
    ignored: '',
  });
  expect(coverageOf('_table/contact/*', offered)).toMatchObject({ prefix: '_table/contact/', paths: [] });
  expect(coverageOf('_table/*/x', offered)).toMatchObject({ prefix: '_table/', ignored: '/x' });
});
