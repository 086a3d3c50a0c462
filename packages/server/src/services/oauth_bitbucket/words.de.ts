import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_bitbucket: { description: 'Anmeldung mit Konten von Bitbucket.', fields: { ...signInFields, ...customFields } },
};
