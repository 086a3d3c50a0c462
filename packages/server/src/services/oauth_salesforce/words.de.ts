import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_salesforce: {
    description: 'Anmeldung mit Konten von Salesforce.',
    fields: { ...signInFields, ...customFields },
  },
};
