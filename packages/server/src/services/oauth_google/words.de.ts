import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_google: { description: 'Anmeldung mit Konten von Google.', fields: { ...signInFields, ...customFields } },
};
