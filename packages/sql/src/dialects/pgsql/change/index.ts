// Changes of the schema of a PostgreSQL database: planned as statements of one transaction
// (https://www.postgresql.org/docs/current/sql-altertable.html).
import type { SchemaChanges } from '../../network/index.ts';
import { locksOf } from './locks.ts';
import { planAll } from './plan.ts';
import { describeType, isKnownType } from './types.ts';

export const schemaChanges: SchemaChanges = {
  isTransactional: true,
  isKnownType,
  describeType,
  plan: planAll,
  locks: locksOf,
  // Checks must see what was written while a lock was waited for, whatever the isolation of the session.
  setLockTimeout: (ms) =>
    `set transaction isolation level read committed; set local lock_timeout = ${Math.max(1, Math.round(ms))}`,
  // A deadlock is one of the ways in which a lock is not to be had: nothing was done, and the next attempt may get it.
  isLockTimeout: (error) => ['55P03', '40P01'].includes(String((error as { code?: unknown }).code)),
};
