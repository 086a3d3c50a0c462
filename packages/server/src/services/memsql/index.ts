// Databases of SingleStore, once MemSQL, as services: configured as MySQL's are. What was tried is told in docs/dialects.md.
import { openMemsqlDatabase } from '@sluice/sql';
import { mysqlType } from '../engines/mysql-type.ts';

/** A database of SingleStore as a REST API. */
export const memsql = mysqlType({
  name: 'memsql',
  label: 'MemSQL',
  description: 'Database service supporting MemSQL (SingleStore) connections.',
  port: 3306,
  open: openMemsqlDatabase,
});
