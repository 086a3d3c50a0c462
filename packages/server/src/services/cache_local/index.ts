// A cache in the store of the instance. The calls are the same for every cache (server/src/caches).
import { configField as field } from '@sluice/contract';
import { cacheType, ttlField } from '../../caches/index.ts';
import type { Store } from '../../store/index.ts';
import { openStoredValues } from './stored-values.ts';

export { purgeStoredValues } from './stored-values.ts';

/** A cache of the instance's own. */
export const cacheLocal = (store: Pick<Store, 'db' | 'transaction'>) =>
  cacheType({
    name: 'cache_local',
    label: 'Local Cache',
    description: 'Cache in the store of this instance, which all its processes share.',
    config: {
      store: field.picklist({
        label: 'Store',
        description: 'Where values are kept: there is one place.',
        default: 'default',
        required: true,
        checkedByType: true,
        values: [{ label: 'Store of the instance', name: 'default' }],
      }),
      ...ttlField,
    },
    open: async (_config, { id }) => openStoredValues(store, id),
  });
