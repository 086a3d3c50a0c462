// The driver, and what is done with an open SQLite file, wherever it is open: on the main thread or in the child
// process. It knows no Kysely and no catalogue of errors, so that the child starts fast.
export { type FileOptions, openFile } from './open.ts';
export { perform } from './perform.ts';
export { isBusy, type Problem, problemOf } from './problem.ts';
export { type RowCount, readBatches, readOne, readPage, readValues, TooLargeError } from './read.ts';
export {
  openSqlite,
  type Sqlite,
  type SqliteOptions,
  type SqliteResult,
  type SqliteValue,
  sqliteCode,
  sqliteValue,
  stopFunction,
} from './sqlite.ts';
export type * from './task.ts';
