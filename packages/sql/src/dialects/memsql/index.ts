// SingleStore, once MemSQL: what it does not share with MySQL, whose driver and types it is reached with (../mysql). There
// was no server to try it on; docs/dialects.md says what was tried in its place.
import { openMemsqlDatabase } from './connect.ts';

export const memsql = {
  name: 'memsql',
  label: 'MemSQL',
  /** What the engine can do; asked instead of its name. */
  can: { routines: false, schemas: true, returning: false },
  open: openMemsqlDatabase,
};
