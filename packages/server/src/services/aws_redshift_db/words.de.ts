import type { WordsByType } from '@sluice/contract';
import { pgsqlFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  aws_redshift_db: { description: 'Eine Datenbank von AWS Redshift als API.', fields: pgsqlFields(5439) },
};
