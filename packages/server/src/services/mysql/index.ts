// MariaDB and MySQL databases as services. Connecting is the dialect's (@sluice/sql), the rest is the same for every
// database (server/src/database).
import { openMysqlDatabase } from '@sluice/sql';
import { mysqlType } from '../engines/mysql-type.ts';

/** A database of a MariaDB or MySQL server as a REST API. */
export const mysql = mysqlType({
  name: 'mysql',
  label: 'MySQL',
  description: 'Database service supporting MySQL connections.',
  port: 3306,
  hasRoutines: true,
  open: openMysqlDatabase,
});
