import type { WordsByType } from '@sluice/contract';
import { mysqlFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  memsql: { description: 'Eine Datenbank von MemSQL (SingleStore) als API.', fields: mysqlFields(3306) },
};
