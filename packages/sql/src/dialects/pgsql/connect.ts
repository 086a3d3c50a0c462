import type { Database } from '../../query/index.ts';
import { type NetworkOptions, openNetworkDatabase } from '../network/index.ts';
import { schemaChanges } from './change/index.ts';
import { connect, type PgsqlServer, planOf } from './driver.ts';
import { translate } from './errors.ts';
import { grammar } from './grammar.ts';
import { schemaReader } from './introspect.ts';
import { routineReader } from './routines.ts';

export interface PgsqlDatabaseOptions extends PgsqlServer, NetworkOptions {
  /** Which schemas are shown: blank or `all`, `default` for the connection's own, or a name. */
  schema?: string;
}

/** Opens a database of a PostgreSQL server. Nothing is connected before the first use. */
export function openPgsqlDatabase(options: PgsqlDatabaseOptions): Database {
  return openNetworkDatabase(
    {
      grammar,
      makePlan: planOf,
      connect: () => connect(options),
      translate,
      schema: schemaReader(options.schema ?? ''),
      routines: routineReader(options.schema ?? ''),
      schemaChanges,
    },
    options,
  );
}
