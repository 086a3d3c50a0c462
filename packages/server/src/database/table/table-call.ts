// A call on the records of a table, with everything every verb needs to answer it.
import { chain, fail, type MaybePromise } from '@sluice/contract';
import type { Database, FilterContext, RunOptions, Table } from '@sluice/sql';
import type { AccessRow } from '../../access/decide.ts';
import { type Lookup, sessionLookup } from '../../access/lookups.ts';
import type { Call, Payload } from '../../call/call.ts';
import { type ListQuery, listQuery, noParameters } from '../../call/list-query.ts';
import { isRecord } from '../../call/payload.ts';
import { type DatabaseParts, maxRecordsOf, queryTimeoutOf } from '../parts.ts';
import { type Records, recordsLeft } from '../record-filter/restriction.ts';
import { type Asked, alwaysFetches, askedRelations } from '../related/asked.ts';
import type { SideAccess } from '../related/reach.ts';
import { withRelated } from '../related/read.ts';
import type { Tables } from '../tables.ts';
import { mayRead, type ReadAccess, readAccessOf } from './read-access.ts';

/** A class and not a literal: what most calls never ask for is made when one does. */
export class TableCall {
  readonly call: Call;
  /** What the verb of the call leaves of the records, read with what is related; there is no other way to them. */
  readonly database: Records;
  readonly table: Table;
  readonly payload: Payload;
  readonly query: ListQuery;
  /** What is read with the records. */
  readonly related: readonly Asked[];
  /** Relations that had more records than one answer holds. */
  readonly cut = new Set<string>();
  readonly parts: DatabaseParts;
  /** Every record of every table; for what is restricted by other rights than those of the verb. */
  private readonly whole: Database;
  /** The row whose record filter narrows `database`. */
  readonly filterRow: AccessRow | undefined;
  private readAccess: ReadAccess | 'none' | undefined;

  constructor(
    call: Call,
    {
      whole,
      database,
      filterRow,
      table,
      payload,
      query,
      related,
    }: Pick<TableCall, 'database' | 'filterRow' | 'table' | 'payload' | 'query' | 'related'> & { whole: Database },
    parts: DatabaseParts,
  ) {
    this.call = call;
    this.whole = whole;
    this.filterRow = filterRow;
    this.table = table;
    this.payload = payload;
    this.query = query;
    this.related = related;
    this.parts = parts;
    this.database = this.withRelated(database);
  }

  /** The same call put to another table, of whose records it may have these. */
  on(table: Table, { records, filterRow }: SideAccess): TableCall {
    const { whole, parts } = this;
    return new TableCall(
      this.call,
      { whole, database: records, filterRow, table, payload: undefined, query: noParameters, related: [] },
      parts,
    );
  }

  /** What GET leaves of the records; undefined where the caller may not read the table. */
  get reads(): ReadAccess | undefined {
    const { call, table, whole, database, filterRow } = this;
    const written = { records: database, filterRow };
    this.readAccess ??=
      call.verb === 'GET'
        ? { records: database, isFiltered: filterRow !== undefined }
        : (readAccessOf(call, table, { whole, written, present: (records) => this.withRelated(records) }) ?? 'none');
    return this.readAccess === 'none' ? undefined : this.readAccess;
  }

  private withRelated(records: Records): Records {
    return this.related.length > 0 ? withRelated(records, this.related, (path) => this.cut.add(path)) : records;
  }

  /** Id of the service called. */
  get serviceId(): number {
    return this.parts.context.id;
  }

  /** Most records the service answers at once (contract/database-tables.md §8). */
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
    return sessionLookup(this.call);
  }

  get filterContext(): FilterContext {
    const userId = this.call.caller.user?.id;
    const { params } = this.query;
    return { lookup: this.lookup, params: userId === undefined ? params : { ':user_id': userId, ...params } };
  }

  /** For work that is stopped when its caller goes away. */
  get run(): RunOptions {
    return new Watched(this.call, this.queryTimeout);
  }

  /** For work by a key, too short to be stopped: watching whether the caller is still there would cost more. */
  get unwatched(): RunOptions {
    // Other columns may have no index.
    if (this.query.idField) return this.run;
    return { timeout: this.queryTimeout };
  }
}

/** The signal is made when the database asks for it: watching whether a caller is still there costs something. */
class Watched implements RunOptions {
  readonly timeout: number;
  private readonly call: Call;

  constructor(call: Call, timeout: number) {
    this.call = call;
    this.timeout = timeout;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }
}

/** Reads parameters, body and table description of a call on `_table/{name}`. */
export function tableCall(call: Call, name: string, parts: DatabaseParts): MaybePromise<TableCall> {
  return chain(call.body(), (payload) => {
    const query = listQuery(call, payload);
    if (query.continue && query.rollback) throw fail('table.bothModes');
    return chain(parts.database(), (database) =>
      chain(tableFor(call, name, payload, parts.tables), (table) =>
        chain(relatedFor(call, table, query, parts), (related) => {
          // As the role's record filter leaves them (contract/role-access.md §5).
          const { filterRow } = call.decision;
          const records = recordsLeft(database, table, call, filterRow);
          const given = { whole: database, database: records, filterRow, table, payload, query, related };
          return new TableCall(call, given, parts);
        }),
      ),
    );
  });
}

/** The table; for a write that brings a field it is not known to have, as it is in the database by now. */
function tableFor({ verb }: Call, name: string, payload: Payload, tables: Tables): MaybePromise<Table> {
  const table = tables.byName(name);
  if (verb !== 'POST' && verb !== 'PUT' && verb !== 'PATCH') return table;
  return chain(table, (it) => (hasUnknownField(it, payload) ? tables.byName(name, { recheck: true }) : it));
}

/** What is in a field that is not known is dropped: it may be a column that was added a moment ago. */
function hasUnknownField({ column, description }: Table, payload: Payload): boolean {
  const isKnown = (key: string) =>
    column(key) !== undefined || description.related.some(({ alias, name }) => (alias ?? name) === key);
  const sent = isRecord(payload) && 'resource' in payload ? payload.resource : payload;
  return [sent].flat().some((record) => isRecord(record) && !Object.keys(record).every(isKnown));
}

/** The relations to read; plain lists of values have none, nor have records the caller may write but not read. */
function relatedFor(
  call: Call,
  table: Table,
  { related, asList }: ListQuery,
  parts: DatabaseParts,
): MaybePromise<Asked[]> {
  if (asList || (related.length === 0 && !alwaysFetches(table)) || !mayRead(call, table)) return none;
  return askedRelations(call, related, table, parts);
}

const none: Asked[] = [];
