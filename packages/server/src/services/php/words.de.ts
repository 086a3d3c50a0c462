import type { WordsByType } from '@sluice/contract';
import { scriptFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  php: { description: 'Skripte in PHP, die auf Aufrufe antworten.', fields: scriptFields },
};
