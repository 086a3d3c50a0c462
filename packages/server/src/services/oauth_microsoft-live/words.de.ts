import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  'oauth_microsoft-live': {
    description: 'Anmeldung mit persönlichen Konten von Microsoft.',
    fields: { ...signInFields, ...customFields },
  },
};
