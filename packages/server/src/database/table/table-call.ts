// A call on the records of a table, with everything every verb needs to answer it.
import { chain, fail, type MaybePromise } from '@sluice/contract';
import type { Database, FilterContext, RunOptions, Table } from '@sluice/sql';
import type { AccessRow } from '../../access/decide.ts';
import { type Lookup, sessionLookup } from '../../access/lookups.ts';
import type { Call, Payload } from '../../call/call.ts';
import { callerKey } from '../../call/caller-key.ts';
import { emptyListQuery, type ListQuery, readListQuery } from '../../call/list-query.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { type DatabaseParts, maxRecordsOf, queryTimeoutOf } from '../parts.ts';
import { applyRecordFilter, type RecordReader, type ScopedDatabase } from '../record-filter/scoped-database.ts';
import { withRelated } from '../related/read.ts';
import { findRelation, type TableAccess } from '../related/relation.ts';
import { alwaysFetches, type RelationRequest, resolveRelationRequests } from '../related/relation-request.ts';
import { describedTable } from '../schema-change.ts';
import type { Tables } from '../tables.ts';
import { mayRead, type ReadAccess, readAccessOf } from './read-access.ts';

/** A class and not a literal: what most calls never need is made when it is first read. */
export class TableCall {
  readonly call: Call;
  /** The database as the verb of the call may use it; there is no other way to the records. */
  readonly database: ScopedDatabase;
  /** Reads the same records with those they are related to. */
  readonly reader: RecordReader;
  readonly table: Table;
  readonly payload: Payload;
  readonly query: ListQuery;
  /** The relations that are read with the records. */
  readonly related: readonly RelationRequest[];
  /** Relations that had more records than one answer holds. */
  readonly truncatedRelations = new Set<string>();
  readonly parts: DatabaseParts;
  /** That of the gate before its table was looked up. */
  readonly schemaVersion: number;
  /** Without a record filter; for access by other rights than those of the verb. */
  private readonly wholeDatabase: Database;
  /** The row whose record filter narrows `database`. */
  readonly filterRow: AccessRow | undefined;
  private cachedLookup: Lookup | undefined;
  private cachedReadAccess: ReadAccess | 'none' | undefined;

  constructor(
    call: Call,
    {
      wholeDatabase,
      database,
      filterRow,
      table,
      payload,
      query,
      related,
      schemaVersion,
    }: Pick<TableCall, 'database' | 'filterRow' | 'table' | 'payload' | 'query' | 'related' | 'schemaVersion'> & {
      wholeDatabase: Database;
    },
    parts: DatabaseParts,
  ) {
    this.call = call;
    this.wholeDatabase = wholeDatabase;
    this.database = database;
    this.filterRow = filterRow;
    this.table = table;
    this.payload = payload;
    this.query = query;
    this.related = related;
    this.schemaVersion = schemaVersion;
    this.parts = parts;
    this.reader = this.withRelated(database);
  }

  /** The same call on another table, with the access it has there. */
  forTable(table: Table, { database, filterRow }: TableAccess): TableCall {
    const { wholeDatabase, parts, schemaVersion } = this;
    const query = emptyListQuery;
    const call = new TableCall(
      this.call,
      { wholeDatabase, database, filterRow, table, payload: undefined, query, related: [], schemaVersion },
      parts,
    );
    // It has filled long texts of related records already.
    call.cachedLookup = this.cachedLookup;
    return call;
  }

  /** What GET may read of the records; undefined where the caller may not read the table. */
  get readAccess(): ReadAccess | undefined {
    const { call, table, wholeDatabase, reader, filterRow } = this;
    this.cachedReadAccess ??=
      call.verb === 'GET'
        ? { reader, isFiltered: filterRow !== undefined }
        : (readAccessOf(call, table, {
            wholeDatabase,
            reader,
            filterRow,
            withRelated: (database) => this.withRelated(database),
          }) ?? 'none');
    return this.cachedReadAccess === 'none' ? undefined : this.cachedReadAccess;
  }

  private withRelated(database: ScopedDatabase): RecordReader {
    return this.related.length > 0
      ? withRelated(database, this.related, (path) => this.truncatedRelations.add(path))
      : database;
  }

  /** Id of the service called. */
  get serviceId(): number {
    return this.parts.context.id;
  }

  /** How many records the service answers at most (contract/database-tables.md §8). */
  get maxRecords(): number {
    return maxRecordsOf(this.parts);
  }

  /** Milliseconds each of its queries may take. */
  private get queryTimeout(): number {
    return queryTimeoutOf(this.parts.config, this.parts.context);
  }

  get allowUpsert(): boolean {
    return this.parts.config.allow_upsert === true;
  }

  get lookup(): Lookup {
    this.cachedLookup ??= sessionLookup(this.call);
    return this.cachedLookup;
  }

  get filterContext(): FilterContext {
    const userId = this.call.caller.user?.id;
    const { params } = this.query;
    return { lookup: this.lookup, params: userId === undefined ? params : { ':user_id': userId, ...params } };
  }

  /** For queries that are stopped when their caller goes away, and whose rows are collected. */
  get runOptions(): RunOptions {
    return new CollectedRun(this.call, this.queryTimeout);
  }

  /** For queries whose rows go out as they come. */
  get streamOptions(): RunOptions {
    return new AbortableRun(this.call, this.queryTimeout);
  }

  /** For queries by a key, too short to be stopped: watching whether the caller is still there would cost more. */
  get shortRunOptions(): RunOptions {
    // Other columns may have no index.
    if (this.query.idField) return this.runOptions;
    return new ShortRun(this.call, this.queryTimeout);
  }
}

/** A query of a call. Who calls is put into words when the database reads it: not all queries have to share it. */
class CallRun implements RunOptions {
  readonly timeout: number;
  protected readonly call: Call;

  constructor(call: Call, timeout: number) {
    this.call = call;
    this.timeout = timeout;
  }

  get caller(): string {
    return callerKey(this.call);
  }
}

/** The signal is made when the database reads it: watching whether a caller is still there has a cost. */
class AbortableRun extends CallRun {
  get signal(): AbortSignal {
    return this.call.signal;
  }
}

/** What is collected counts in the memory for answers. */
class CollectedRun extends AbortableRun {
  onText(length: number): void {
    this.call.memory?.take(length);
  }
}

class ShortRun extends CallRun {
  onText(length: number): void {
    this.call.memory?.take(length);
  }
}

/** Reads parameters, body and table description of a call on `_table/{name}`. */
export function createTableCall(call: Call, name: string, parts: DatabaseParts): MaybePromise<TableCall> {
  return chain(call.body(), (payload) => {
    const isBare = isWrite(call) && isRecord(payload) && !isWrapped(payload);
    const wrappedQuery = isBare ? undefined : readQuery(call, payload);
    const schemaVersion = parts.gate.version;
    return chain(parts.database(), (database) =>
      chain(findTable(call, name, payload, parts.tables), (table) => {
        const query = wrappedQuery ?? readQuery(call, withoutFields(payload, table));
        return chain(findRelated(call, table, query, parts), (related) => {
          // Within the record filter of the role (contract/role-access.md §5).
          const { filterRow } = call.decision;
          call.state.set(describedTable, table);
          const scoped = applyRecordFilter(database, table, call, filterRow);
          const request = {
            table,
            payload,
            query,
            related,
            schemaVersion,
            filterRow,
            wholeDatabase: database,
            database: scoped,
          };
          return new TableCall(call, request, parts);
        });
      }),
    );
  });
}

function readQuery(call: Call, payload: Payload): ListQuery {
  const query = readListQuery(call, payload);
  if (query.continue && query.rollback) throw fail('table.bothModes');
  return query;
}

/** Whether records stand in a `resource`, and parameters beside it. */
const isWrapped = (payload: RecordInput): boolean => typeof payload.resource === 'object' && payload.resource !== null;

/** What of a bare record may be parameters: names of fields are fields there (contract/http-basics.md §6). */
function withoutFields(payload: Payload, table: Table): Payload {
  if (!isRecord(payload)) return payload;
  const isParameter = (name: string) => table.column(name) === undefined;
  if (Object.keys(payload).every(isParameter)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => isParameter(name)));
}

/** The table; read again for a write that sends a field it does not have. */
function findTable(call: Call, name: string, payload: Payload, tables: Tables): MaybePromise<Table> {
  const table = tables.byName(name);
  if (!isWrite(call)) return table;
  return chain(table, (cached) => (hasUnknownField(cached, payload) ? tables.byName(name, { recheck: true }) : cached));
}

const isWrite = ({ verb }: Call): boolean => verb === 'POST' || verb === 'PUT' || verb === 'PATCH';

/** What was sent as records, whatever it is. */
function sentRecords(payload: Payload): readonly unknown[] {
  const records = isRecord(payload) && 'resource' in payload ? payload.resource : payload;
  return Array.isArray(records) ? records : [records];
}

/** A field that is not known would be dropped: it may be a column that was added a moment ago. */
const hasUnknownField = (table: Table, payload: Payload): boolean =>
  sentRecords(payload).some((record) => hasUnknownName(table, record));

const hasUnknownName = (table: Table, record: unknown): boolean =>
  isRecord(record) &&
  Object.keys(record).some((key) => table.column(key) === undefined && findRelation(table)(key) === undefined);

/** The relations to read; plain lists of values have none, nor have records that the caller may write but not read. */
function findRelated(
  call: Call,
  table: Table,
  { related, asList }: ListQuery,
  parts: DatabaseParts,
): MaybePromise<RelationRequest[]> {
  if (asList || (related.length === 0 && !alwaysFetches(table)) || !mayRead(call, table)) return none;
  return resolveRelationRequests(call, related, table, parts);
}

const none: RelationRequest[] = [];
