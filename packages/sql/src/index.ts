// A live database in, its schema out; the query language in, SQL and finished rows out. What is particular to an engine
// lives in dialects/<name>/.
export type * from './change/index.ts';
export { foldType, misfitText } from './change/index.ts';
export { filterExpression, type Grammar, isPatternOperator, orderExpression } from './compile/index.ts';
export * from './convert/index.ts';
export { changeSlots } from './dialects/database-slots.ts';
export { dialects } from './dialects/index.ts';
export { openMemsqlDatabase } from './dialects/memsql/connect.ts';
export { openMysqlDatabase } from './dialects/mysql/connect.ts';
export { type MysqlOptions, type TlsMode, tlsModes } from './dialects/mysql/driver.ts';
export { grammar as mysqlGrammar } from './dialects/mysql/grammar.ts';
export { openPgsqlDatabase, type PgsqlDatabaseOptions } from './dialects/pgsql/connect.ts';
export { type SslMode, sslModes } from './dialects/pgsql/driver.ts';
export { grammar as pgsqlGrammar } from './dialects/pgsql/grammar.ts';
export { openRedshiftDatabase } from './dialects/redshift/connect.ts';
export { openSqliteDatabase, type SqliteDatabaseOptions } from './dialects/sqlite/connect.ts';
export {
  openSqlite,
  type Sqlite,
  type SqliteOptions,
  type SqliteResult,
  type SqliteValue,
  sqliteCode,
  sqliteValue,
} from './dialects/sqlite/driver/index.ts';
export { grammar as sqliteGrammar } from './dialects/sqlite/grammar.ts';
export { openSqliteReader, type SqliteReader } from './dialects/sqlite/reader.ts';
export * from './filter/index.ts';
export type * from './query/index.ts';
export { FromStep } from './query/index.ts';
export type * from './schema/index.ts';
export {
  columnNamed,
  fieldDescription,
  isComparable,
  isReadable,
  labelOf,
  makeTable,
  nameIndex,
  naturalOrder,
  oncePer,
  oncePerTable,
  pluralOf,
  relationsOf,
} from './schema/index.ts';
export {
  acquireSlot,
  Bag,
  FairSlots,
  type Placed,
  pause,
  type SlotFailures,
  TurnQueue,
  type Waiter,
  waitInTurn,
} from './shares/index.ts';
