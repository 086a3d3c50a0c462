import type { Database } from '../../query/index.ts';
import { type Engine, needsTransaction, openNetworkDatabase, writeAndReadBack } from '../network/index.ts';
import type { PgsqlDatabaseOptions } from '../pgsql/connect.ts';
import { connect, type Plan, planOf } from '../pgsql/driver.ts';
import type { PgsqlTable } from '../pgsql/introspect.ts';
import { translate } from './errors.ts';
import { grammar } from './grammar.ts';
import { redshiftReader } from './introspect.ts';

/** Opens a database of an Amazon Redshift cluster. Nothing is connected before the first use. */
export const openRedshiftDatabase = (options: PgsqlDatabaseOptions): Database =>
  openNetworkDatabase(redshiftEngine({ port: 5439, ...options }), options);

/**
 * The parts of the engine. Sessions are set to no more than Redshift knows
 * (https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html); it has no savepoints to go back to
 * (https://docs.aws.amazon.com/redshift/latest/dg/c_unsupported-postgresql-functions.html), and no row locks.
 */
export const redshiftEngine = (options: PgsqlDatabaseOptions): Engine<Plan, PgsqlTable> => ({
  grammar,
  makePlan: planOf,
  connect: () =>
    connect({
      ...options,
      settings: {
        client_encoding: 'UTF8',
        timezone: options.timeZone || 'UTC',
        datestyle: 'ISO, YMD',
        extra_float_digits: '2',
        application_name: options.applicationName || 'sluice',
      },
    }),
  translate,
  schema: redshiftReader(options.schema ?? ''),
  needsTransaction,
  write: (connection, planner, write) => writeAndReadBack({ connection, planner }, write),
  withoutSavepoints: true,
});
