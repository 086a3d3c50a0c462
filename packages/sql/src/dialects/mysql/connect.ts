import type { Database } from '../../query/index.ts';
import { type Engine, needsTransaction, openNetworkDatabase } from '../network/index.ts';
import { schemaChanges } from './change/index.ts';
import type { MysqlConnection } from './connection.ts';
import { type MysqlOptions, MysqlServer } from './driver.ts';
import { translate } from './errors.ts';
import { liveGrammar } from './grammar.ts';
import { type MysqlTable, schemaReader } from './introspect.ts';
import { type MysqlPlan, mysqlPlan } from './plan.ts';
import { routineReader } from './routines.ts';
import { isDenied, locking, writeAndFind } from './write.ts';

/** Opens a database of a MariaDB or MySQL server. Nothing is connected before the first use. */
export const openMysqlDatabase = (options: MysqlOptions): Database =>
  openNetworkDatabase(mysqlEngine(options, new MysqlServer(options)), options);

/** The parts of the engine, over one server. */
export const mysqlEngine = (
  { database, schema = '' }: Pick<MysqlOptions, 'database' | 'schema'>,
  server: MysqlServer,
): Engine<MysqlPlan, MysqlTable> => ({
  grammar: liveGrammar(() => server.facts),
  makePlan: mysqlPlan,
  connect: () => server.connect(),
  translate,
  schema: schemaReader({ database, schema }, () => server.facts.isMariaDb),
  routines: routineReader({ database, schema }),
  schemaChanges: schemaChanges(database, () => server.facts),
  needsTransaction,
  write: (connection, planner, write) => writeAndFind(connection as MysqlConnection, planner, write),
  locking,
  refusesReturning: isDenied,
  outlivesFailure: true,
});
