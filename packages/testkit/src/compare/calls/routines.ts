// Stored procedures and functions, on engines that have them.
import type { CallGroup, CallLine, Json } from '../call.ts';
import type { ShopEngine } from '../databases/shop.ts';
import { serviceOf } from './beginnings.ts';

/** Called by address, parameters and body. */
export function routines(engine: ShopEngine): CallGroup {
  const db = serviceOf(engine);
  const call = (path: string, body: Json): CallLine => [`POST ${db}/${path}`, { body }];
  if (engine === 'sqlite')
    return {
      title: 'sqlite routines',
      calls: [
        `GET ${db}/_proc`,
        `GET ${db}/_func?fields=*`,
        `GET ${db}/_func/add(1,2)`,
        call('_proc/put', {}),
        `PUT ${db}/_func`,
      ],
    };
  return {
    title: `${engine} routines`,
    calls: [
      ...[
        '_proc',
        '_func',
        '_proc?fields=*',
        '_func?fields=*',
        '_func?as_list=true',
        '_func?ids=add,same',
        '_proc?ids=put',
        '_func?ids=none',
        '_func/add?a=1&b=2',
        '_func/add(1,2)',
        '_func/add(1)',
        '_func/add(1,2,3)',
        '_func/add?a=x&b=1',
        '_func/ADD?A=1&B=2',
        '_func/greet(Bob)',
        "_func/greet('Bob, Jr')",
        '_func/greet(Bob)?word=Hi',
        '_func/is_big?n=9007199254740993',
        '_func/same?v=9007199254740993',
        '_func/same?v=7&returns=string',
        '_func/cheap?below=3',
        '_proc/cheap?below=3',
        '_func/bad',
        '_func/none',
        '_proc/none',
        '_proc/two_lists',
        '_proc/fails',
        '_func/add(1,2)x',
        '_func/',
        '_func/add?c=1',
        '_func/same?v=7&accept=text/csv',
        '_proc/cheap?below=3&accept=application/xml',
        '_func/greet?name={user.email}',
      ].map((path) => `GET ${db}/${path}`),
      call('_func/add', { params: [1, 2] }),
      call('_func/add', { params: { a: 1, b: { value: 2 } } }),
      call('_func/add', {
        params: [
          { name: 'B', value: 2 },
          { name: 'a', value: 1 },
        ],
      }),
      call('_func/add', { params: '1,2' }),
      call('_func/add', { params: 7 }),
      call('_func/add', { params: { c: 1 } }),
      call('_func/same', { params: ['9007199254740993'], returns: 'string', wrapper: 'rows' }),
      call('_func/cheap', { params: [3], wrapper: 'rows', schema: { id: 'string' } }),
      call('_proc/cheap', { params: [3], wrapper: 'rows', schema: { id: 'string' } }),
      call('_proc/twice%2C%20with%20all', { params: [4, 1] }),
      call('_proc/twice, with all', { params: { n: 4 }, wrapper: 'rows' }),
      call('_proc/put', { params: ['put there'] }),
      call('_proc/fails', {}),
      call('_func', {}),
      `PUT ${db}/_func/add`,
      `DELETE ${db}/_proc/put`,
      `PATCH ${db}/_proc`,
      `GET ${db}/_table/tag?filter=name = "put there"&fields=name`,
    ],
  };
}
