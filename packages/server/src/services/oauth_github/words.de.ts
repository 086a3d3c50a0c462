import type { WordsByType } from '@sluice/contract';
import { customFields, signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_github: { description: 'Anmeldung mit Konten von GitHub.', fields: { ...signInFields, ...customFields } },
};
