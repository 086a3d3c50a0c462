import type { WordsByType } from '@sluice/contract';
import { scriptFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  v8js: {
    description: 'Skripte in JavaScript, die auf Aufrufe antworten und nur die API erreichen.',
    fields: scriptFields,
  },
};
