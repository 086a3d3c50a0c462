// A database narrowed to the rows of one table that a caller may use (contract/role-access.md §5): it adds the record filter
// to every query and refuses records that do not pass. The types keep the filter from being forgotten. Only this
// file makes a `ScopedDatabase`, for a call without a filter too, and that writes only what `authorizeWrite` returned.
import { Failure, fail } from '@sluice/contract';
import type { BoundFilter, Check, Database, RunOptions, Table, Unit, UnitStep, Write, WriteOutcome } from '@sluice/sql';
import type { AccessRow } from '../../access/decide.ts';
import { sessionLookup } from '../../access/lookups.ts';
import type { Call } from '../../call/call.ts';
import { bindRecordFilter, type RecordFilter } from './record-filter.ts';

/** A mark for the compiler alone. No object literal has it, and a copy (`{ ...write }`) loses it. */
declare class Brand<Name extends string> {
  private readonly brand: Name;
}

export type RecordReader = Pick<Database, 'select' | 'stream' | 'selectOrStream' | 'count'>;

export interface ScopedDatabase extends RecordReader, Brand<'ScopedDatabase'> {
  write(
    writes: readonly BatchWrite[],
    mode: 'stop' | 'continue' | 'rollback',
    options?: RunOptions,
  ): Promise<WriteOutcome[]>;
  /** The write within the record filter, or its refusal; absent without a filter. Call `authorizeWrite` instead. */
  filterWrite?(write: Write): Write;
  /** The condition within the record filter; absent without a filter. */
  filterWhere?(where: BoundFilter): BoundFilter;
}

/** A write that the record filter of its own table has judged. */
export type AuthorizedWrite = Write & Brand<'AuthorizedWrite'>;

export interface AuthorizedUnit extends Unit {
  steps: AuthorizedStep[];
  check?: AuthorizedCheck;
}

/** A check that reads no more than the record filter leaves. */
export type AuthorizedCheck = Check & Brand<'AuthorizedCheck'>;

export interface AuthorizedStep extends UnitStep {
  write: AuthorizedWrite;
}

/** What stands for one record of a batch. */
export type BatchWrite = AuthorizedWrite | AuthorizedUnit;

/** The write as the caller may do it, or its refusal. `database` is that of the table the write is for. */
export const authorizeWrite = ({ filterWrite }: ScopedDatabase, write: Write): AuthorizedWrite =>
  (filterWrite ? filterWrite(write) : write) as AuthorizedWrite;

/** The check of rows that the caller may write. `database` is that of the table the write is for. */
export const authorizeCheck = ({ filterWhere }: ScopedDatabase, check: Check): AuthorizedCheck =>
  (filterWhere ? { ...check, where: filterWhere(check.where) } : check) as AuthorizedCheck;

/** The same write for fewer rows, which is authorized as the write was. */
export const narrowWrite = (write: Extract<AuthorizedWrite, { kind: 'update' }>, where: BoundFilter): AuthorizedWrite =>
  ({ ...write, where: { kind: 'and', left: write.where, right: where } }) as AuthorizedWrite;

/** The database as a row of service access leaves it to a call: whole where the row has no filter. */
export function applyRecordFilter(
  database: Database,
  table: Table,
  call: Pick<Call, 'caller' | 'baseUrl'>,
  filterRow: AccessRow | undefined,
): ScopedDatabase {
  if (!filterRow) return database as Database & Brand<'ScopedDatabase'>;
  return withRecordFilter(database, bindRecordFilter(filterRow, table, sessionLookup(call)));
}

/** The database narrowed to the rows that a record filter leaves. */
export function withRecordFilter(database: Database, { where, permits }: RecordFilter): ScopedDatabase {
  const filterWhere = (left: BoundFilter): BoundFilter => ({ kind: 'and', left, right: where });
  const withCondition = <Q extends { where?: BoundFilter }>(query: Q): Q & { where: BoundFilter } => ({
    ...query,
    where: query.where ? filterWhere(query.where) : where,
  });
  const filterInsert = (write: Extract<Write, { kind: 'insert' }>) =>
    permits(write.values, 'create') ? write : fail('access.recordDenied');
  const refusal = (failure: Failure): Write => ({ kind: 'refuse', failure });
  const filterWrite = (write: Write): Write => {
    switch (write.kind) {
      case 'refuse':
        return write;
      case 'insert': {
        const insert = filterInsert(write);
        return insert instanceof Failure ? refusal(insert) : insert;
      }
      case 'update': {
        if (!permits(write.values, 'change')) return refusal(fail('access.recordDenied'));
        const { missing } = write;
        // An upsert of a hidden record meets the database's own refusal of a second one under its key.
        return {
          ...withCondition(write),
          missing: !missing || missing instanceof Failure ? missing : filterInsert(missing),
        };
      }
      case 'delete':
        return withCondition(write);
    }
  };
  const scoped: Omit<ScopedDatabase, 'brand'> = {
    select: (query, options) => database.select(withCondition(query), options),
    stream: (query, options) => database.stream(withCondition(query), options),
    selectOrStream: (query, options) => database.selectOrStream(withCondition(query), options),
    count: (query, options) => database.count(withCondition(query), options),
    write: (writes, mode, options) => database.write(writes, mode, options),
    filterWrite,
    filterWhere,
  };
  return scoped as ScopedDatabase;
}
