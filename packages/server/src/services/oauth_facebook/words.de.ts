import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_facebook: { description: 'Anmeldung mit Konten von Facebook.', fields: { ...signInFields, ...customFields } },
};
