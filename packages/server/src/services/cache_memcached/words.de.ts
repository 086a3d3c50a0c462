import type { WordsByType } from '@sluice/contract';
import { cacheFields } from '../../caches/words.de.ts';

export const words: WordsByType = {
  cache_memcached: {
    description: 'Cache auf einem Memcached-Server.',
    fields: {
      host: { label: 'Host', description: 'Name oder Adresse des Memcached-Servers.' },
      port: { label: 'Port', description: 'Leer: 11211, der übliche.' },
      ...cacheFields,
    },
  },
};
