import type { WordsByType } from '@sluice/contract';
import { pgsqlFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  pgsql: { description: 'Eine PostgreSQL-Datenbank als API.', fields: pgsqlFields(5432) },
};
