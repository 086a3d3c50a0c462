import type { WordsByType } from '@sluice/contract';
import { cacheFields } from '../../caches/words.de.ts';

export const words: WordsByType = {
  cache_local: {
    label: 'Lokaler Cache',
    description: 'Cache im Speicher dieser Instanz, den alle ihre Prozesse teilen.',
    fields: {
      store: { label: 'Speicher', description: 'Wo Werte liegen: es gibt einen Ort.' },
      ...cacheFields,
    },
  },
};
