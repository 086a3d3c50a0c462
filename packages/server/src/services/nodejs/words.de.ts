import type { WordsByType } from '@sluice/contract';
import { scriptFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  nodejs: { description: 'Skripte in Node.js, die auf Aufrufe antworten.', fields: scriptFields },
};
