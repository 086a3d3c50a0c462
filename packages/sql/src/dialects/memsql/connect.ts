import type { Database } from '../../query/index.ts';
import { mysqlEngine } from '../mysql/connect.ts';
import type { MysqlConnection } from '../mysql/connection.ts';
import { type MysqlOptions, MysqlServer, type Session } from '../mysql/driver.ts';
import type { MysqlTable } from '../mysql/introspect.ts';
import type { MysqlPlan } from '../mysql/plan.ts';
import { type Engine, openNetworkDatabase, type SchemaReader, writeAndReadBack } from '../network/index.ts';
import { grammar } from './grammar.ts';

/** Opens a database of SingleStore. Nothing is connected before the first use. */
export const openMemsqlDatabase = (options: MysqlOptions): Database =>
  openNetworkDatabase(memsqlEngine(options, new MysqlServer(options, factsOf, sessionOf)), options);

/** Its version is that of the MySQL it speaks like, and says nothing. */
const factsOf = () => ({ isMariaDb: false, returns: false, jsonTable: false });

/**
 * Sessions are set to what was asked for, and otherwise left as they are: few of the variables of MySQL are known, and the
 * time of a statement is limited by us alone
 * (https://docs.singlestore.com/db/v8.1/en/reference/configuration-reference/engine-variables/engine-variables.html).
 */
export function sessionOf(
  { collation, timezone, modes, strict = true }: MysqlOptions,
  _facts: unknown,
  quoted: (text: string) => string,
): Session {
  const mode = modes || (strict ? 'STRICT_ALL_TABLES' : '');
  return {
    statements: [
      ...(collation ? [`set names utf8mb4 collate ${quoted(collation)}`] : []),
      ...(timezone ? [`set time_zone = ${quoted(timezone)}`] : []),
      ...(mode ? [`set sql_mode = ${quoted(mode)}`] : []),
    ],
  };
}

/**
 * The parts of the engine, over one server. There are no foreign keys, no savepoints are counted on, and rows are not
 * locked before they are written: isolation is READ COMMITTED
 * (https://archived.docs.singlestore.com/v6.8/concepts/mysql-features-unsupported-in-memsql).
 */
export function memsqlEngine(
  options: Pick<MysqlOptions, 'database' | 'schema'>,
  server: MysqlServer,
): Engine<MysqlPlan, MysqlTable> {
  const {
    routines: _noRoutines,
    schemaChanges: _noChanges,
    locking: _noLocks,
    schema,
    ...engine
  } = mysqlEngine(options, server);
  return {
    ...engine,
    grammar,
    schema: withoutSystemDatabases(schema),
    write: (connection, planner, write) =>
      writeAndReadBack({ connection, planner, insertId: () => (connection as MysqlConnection).insertId }, write),
    outlivesFailure: false,
    withoutSavepoints: true,
  };
}

/** Databases of the server itself, besides those that MySQL has too. */
const systemDatabases = new Set(['memsql', 'cluster']);

const withoutSystemDatabases = (reader: SchemaReader<MysqlTable>): SchemaReader<MysqlTable> => ({
  ...reader,
  list: async (runQuery) =>
    (await reader.list(runQuery)).filter((entry) => !systemDatabases.has(entry.database.toLowerCase())),
  keys: async () => [],
});
