// PostgreSQL 12 and newer, through the package pg. Pool, schema cache and write modes are those of all engines reached
// over a network (../network).
import { openPgsqlDatabase } from './connect.ts';

export const pgsql = {
  name: 'pgsql',
  label: 'PostgreSQL',
  /** What the engine can do; asked instead of its name. */
  can: { routines: true, schemas: true, returning: true },
  open: openPgsqlDatabase,
};
