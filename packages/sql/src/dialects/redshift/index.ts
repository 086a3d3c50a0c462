// Amazon Redshift: what it does not share with PostgreSQL, whose driver and types it is reached with (../pgsql). There
// was no server to try it on; docs/dialects.md says what was tried in its place.
import { openRedshiftDatabase } from './connect.ts';

export const redshift = {
  name: 'redshift',
  label: 'Amazon Redshift',
  /** What the engine can do; asked instead of its name. */
  can: { routines: false, schemas: true, returning: false },
  open: openRedshiftDatabase,
};
