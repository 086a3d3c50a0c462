// SQLite: files opened through `node:sqlite` or a package with its interface. Where the two lanes of design.md ("SQL
// and speed") part is in connect.ts; what both do with an open file is in driver/, changing the schema in change/.
import { openSqliteDatabase } from './connect.ts';

export const sqlite = {
  name: 'sqlite',
  label: 'SQLite',
  /** What the engine can do; asked instead of its name. */
  can: { routines: false, schemas: false, returning: true },
  open: openSqliteDatabase,
};
