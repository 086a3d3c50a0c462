import type { WordsByType } from '@sluice/contract';
import { scriptFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  python: { description: 'Skripte in Python, die auf Aufrufe antworten.', fields: scriptFields },
};
