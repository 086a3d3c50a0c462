// Values that a record hands on to those that point to it: what is written there can be read there. Of a record the caller
// may not read, only its key and what they sent may leave it (docs/design.md, difference 16).
import { Failure } from '@sluice/contract';
import { type Column, FromStep, type Table, type Write } from '@sluice/sql';
import { type AuthorizedWrite, narrowWrite } from '../record-filter/scoped-database.ts';
import type { TableCall } from '../table/table-call.ts';
import { tableDenied } from './reach.ts';

/** A value of a record that others are given without being in its key or sent. */
export const isUnsent = ({ key }: Table, column: Column, value: unknown): boolean =>
  value instanceof FromStep && !key.includes(column);

/** What a new record was sent of a column; of one that was there only the database knows what it keeps. */
export const onwardValue = (column: Column, write: Write): unknown =>
  write.kind === 'insert' && write.values[column.name] !== undefined
    ? write.values[column.name]
    : new FromStep(0, column);

/**
 * A write whose record hands a value on that its caller did not send, so that others point to it: only of a record they
 * may read. Throws `access.deniedInside`.
 */
export function handingOn(table: TableCall, write: AuthorizedWrite): AuthorizedWrite {
  if (write.kind === 'refuse') return write;
  const { reads, call } = table;
  // Of a record that is made nobody knows whether a record filter shows it.
  const mayBeHidden = mayInsert(write) && reads?.isFiltered;
  if (!reads || mayBeHidden) throw tableDenied('GET', call.service, table.table);
  return write.kind === 'update' && reads.where ? narrowWrite(write, reads.where) : write;
}

const mayInsert = (write: Write): boolean =>
  write.kind === 'insert' ||
  (write.kind === 'update' && write.missing !== undefined && !(write.missing instanceof Failure));
