// Values that propagate from a record to those that point to it: what is written there can be read there. Of a record the
// caller may not read, only the key and what the caller sent may propagate (docs/design.md, difference 16).
import { Failure } from '@sluice/contract';
import { type Column, FromStep, type Table, type Write } from '@sluice/sql';
import { type AuthorizedWrite, narrowWrite } from '../record-filter/scoped-database.ts';
import type { TableCall } from '../table/table-call.ts';
import { tableAccessDenied } from './relation.ts';

/** Whether a value propagates that is neither of the record's key nor sent by the caller. */
export const isUnsentNonKey = ({ key }: Table, column: Column, value: unknown): boolean =>
  value instanceof FromStep && !key.includes(column);

/** What the caller sent for a column of a new record; of an existing one only the database knows the value. */
export const propagatedValue = (column: Column, write: Write): unknown =>
  write.kind === 'insert' && write.values[column.name] !== undefined
    ? write.values[column.name]
    : new FromStep(0, column);

/**
 * A write whose record propagates a value that its caller did not send: only of a record they may read. Throws
 * `access.deniedInside`.
 */
export function authorizePropagation(tableCall: TableCall, write: AuthorizedWrite): AuthorizedWrite {
  if (write.kind === 'refuse') return write;
  const { readAccess, call, table } = tableCall;
  // Whether a record filter shows a new record is not known yet.
  const mayBeHidden = canBecomeInsert(write) && readAccess?.isFiltered;
  if (!readAccess || mayBeHidden) throw tableAccessDenied('GET', call.service, table);
  return write.kind === 'update' && readAccess.where ? narrowWrite(write, readAccess.where) : write;
}

const canBecomeInsert = (write: Write): boolean =>
  write.kind === 'insert' ||
  (write.kind === 'update' && write.missing !== undefined && !(write.missing instanceof Failure));
