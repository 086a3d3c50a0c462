import { beforeEach, expect, it } from 'vitest';
import { queryClient } from '../../api/index.ts';
import { fakeInstance, refusal } from '../../api/testing.ts';
import { signIn } from '../../list/testing.tsx';
import { schemaPalette } from './palette.ts';

const services = [
  { id: 1, name: 'system', label: 'System', description: null, type: 'system' },
  { id: 5, name: 'shop', label: 'Shop', description: null, type: 'sqlite' },
  { id: 6, name: 'old', label: '', description: null, type: 'mysql' },
];

const open = () =>
  fakeInstance(({ path }) => {
    if (path === '') return { body: { services } };
    if (!path.startsWith('shop/_schema?')) return refusal(500, 'The database does not answer.');
    return {
      body: {
        resource: [
          { name: 'order item', label: 'Order Item' },
          { name: 'thing', label: 'Thing' },
        ],
      },
    };
  });

beforeEach(() => {
  signIn();
  queryClient.clear();
});

it('asks for nothing before there is a word', async () => {
  const calls = open();
  expect(await schemaPalette(' ')).toEqual([]);
  expect(calls).toEqual([]);
});

it('finds tables to edit, though a service does not answer; and asks once', async () => {
  const calls = open();
  const found = [
    { group: 'tables', label: 'Edit table order item', note: 'Schema · Shop', to: '/schema/shop/order%20item' },
  ];
  expect(await schemaPalette('order')).toEqual(found);
  expect(await schemaPalette('edit ITEM shop')).toEqual(found);
  expect(calls.filter(({ path }) => path.startsWith('shop/')).map(({ path }) => path)).toEqual([
    'shop/_schema?refresh=true&fields=name%2Clabel',
  ]);
});

it('finds the ways to new tables, of every service that may have some', async () => {
  open();
  expect(await schemaPalette('create table')).toEqual([
    { group: 'actions', label: 'Create table in Shop', note: 'Schema', to: '/schema/shop?make=table' },
    { group: 'actions', label: 'Create table in old', note: 'Schema', to: '/schema/old?make=table' },
  ]);
  expect(await schemaPalette('json shop')).toEqual([
    { group: 'actions', label: 'Upload schema JSON', note: 'Schema · Shop', to: '/schema/shop?make=upload' },
  ]);
});
