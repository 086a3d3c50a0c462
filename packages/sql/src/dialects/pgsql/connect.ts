import type { Database } from '../../query/index.ts';
import { type NetworkOptions, openNetworkDatabase } from '../network/index.ts';
import { schemaChanges } from './change/index.ts';
import { connect, type PgsqlServer, type Plan, planOf } from './driver.ts';
import { refusesReturning, translate } from './errors.ts';
import { grammar } from './grammar.ts';
import { schemaReader } from './introspect.ts';
import { routineReader } from './routines.ts';
import { whyUntouched } from './untouched.ts';

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
      locking,
      refusesReturning,
      whyUntouched,
    },
    options,
  );
}

const lockingPlans = new WeakMap<Plan, Plan>();

/**
 * A query whose rows nobody else writes until the transaction ends; rows that refer to them may be written
 * (https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS).
 */
function locking(plan: Plan): Plan {
  const locked = lockingPlans.get(plan) ?? { ...plan, sql: `${plan.sql} for no key update`, runs: 0, name: undefined };
  lockingPlans.set(plan, locked);
  return locked;
}
