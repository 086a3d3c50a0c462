// PostgreSQL databases as services. Connecting is the dialect's (@sluice/sql), the rest is the same for every database
// (server/src/database).
import { openPgsqlDatabase } from '@sluice/sql';
import { pgsqlType } from '../engines/pgsql-type.ts';

/** A database of a PostgreSQL server as a REST API. */
export const pgsql = pgsqlType({
  name: 'pgsql',
  label: 'PostgreSQL',
  description: 'Database service supporting PostgreSQL connections.',
  port: 5432,
  hasRoutines: true,
  open: openPgsqlDatabase,
});
