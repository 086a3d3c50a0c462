// Databases of SingleStore, once MemSQL, as services: configured as MySQL's are. docs/dialects.md says what was tried.
import { openMemsqlDatabase } from '@sluice/sql';
import { mysqlType } from '../engines/mysql-type.ts';

/** A database of SingleStore as a REST API. */
export const memsql = mysqlType({
  name: 'memsql',
  label: 'MemSQL',
  description: 'Database service supporting MemSQL (SingleStore) connections.',
  port: 3306,
  hasFixedSchema: true,
  open: openMemsqlDatabase,
});
