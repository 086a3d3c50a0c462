import type { WordsByType } from '@sluice/contract';
import { mysqlFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  mysql: { description: 'Eine MySQL-Datenbank als API.', fields: mysqlFields(3306) },
};
