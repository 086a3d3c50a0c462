// Writes whose rows the server does not return (../network/returning-emulation.ts), in its own words.
import type { Planner } from '../../compile/plan.ts';
import { type RealWrite, writeAndReadBack } from '../network/index.ts';
import type { MysqlConnection } from './connection.ts';
import { translate } from './errors.ts';
import type { MysqlPlan } from './plan.ts';

/** Does the write and answers its `returning` columns. */
export const writeAndFind = (connection: MysqlConnection, planner: Planner<MysqlPlan>, write: RealWrite) =>
  writeAndReadBack({ connection, planner, insertId: () => connection.insertId, locking, isDenied }, write);

/** True for the error of a statement that the account has no right to. */
export const isDenied = (error: unknown) => translate(error).failure.key === 'database.denied';

const lockingPlans = new WeakMap<MysqlPlan, MysqlPlan>();

/** A query whose rows nobody else writes until the transaction ends. */
export function locking(plan: MysqlPlan): MysqlPlan {
  const locked = lockingPlans.get(plan) ?? { ...plan, sql: `${plan.sql} for update` };
  lockingPlans.set(plan, locked);
  return locked;
}
