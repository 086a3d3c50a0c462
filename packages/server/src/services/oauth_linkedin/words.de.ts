import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_linkedin: { description: 'Anmeldung mit Konten von LinkedIn.', fields: { ...signInFields, ...customFields } },
};
