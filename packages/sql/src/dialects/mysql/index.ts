// MariaDB and MySQL, through the package mysql2. What differs between the two is asked of the server at connect
// (driver.ts). Pool, schema cache and write modes are those of all engines reached over a network (../network).
import { openMysqlDatabase } from './connect.ts';

export const mysql = {
  name: 'mysql',
  label: 'MySQL',
  /** What the engine can do; asked instead of its name. */
  can: { routines: true, schemas: true, returning: false },
  open: openMysqlDatabase,
};
