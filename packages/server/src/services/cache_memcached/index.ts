// A cache in Memcached. The calls are the same for every cache (server/src/caches).
import { configField as field } from '@sluice/contract';
import { cacheType, prefixOf, ttlField } from '../../caches/index.ts';
import { checkHost, hostAddress } from '../../storage/remote-config.ts';
import type { Store } from '../../store/index.ts';
import { openMemcachedValues } from './memcached-values.ts';

const usualPort = 11_211;

/** A cache of a Memcached server; `store` has what tells this instance from others there. */
export const cacheMemcached = (store: Pick<Store, 'db'>) =>
  cacheType({
    name: 'cache_memcached',
    label: 'Memcached',
    description: 'Cache on a Memcached server.',
    config: {
      host: field.string({
        label: 'Host',
        description: 'Name or address of the Memcached server.',
        default: '127.0.0.1',
        required: true,
      }),
      port: field.integer({ label: 'Port', description: 'Blank: 11211, the usual one.', default: usualPort }),
      ...ttlField,
    },
    check: checkHost,
    address: ({ host, port }) => hostAddress(host, port ?? usualPort),
    open: async ({ host, port }, { id }) =>
      openMemcachedValues({ host: host?.trim() ?? '', port: port ?? usualPort }, await prefixOf(store, id)),
  });
