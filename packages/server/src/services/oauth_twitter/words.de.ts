import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_twitter: {
    description: 'Anmeldung mit Konten von X, vormals Twitter.',
    fields: { ...signInFields, ...customFields },
  },
};
