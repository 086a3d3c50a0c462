// A call on the records of a table, with everything every verb needs to answer it.
import { fail, type Soon, soon } from '@sluice/contract';
import type { Database, FilterContext, RunOptions, Table } from '@sluice/sql';
import { type Lookup, sessionLookup } from '../access/lookups.ts';
import type { Call, Payload } from '../gateway/call.ts';
import { type ListQuery, listQuery } from '../gateway/list-query.ts';
import { isRecord } from '../gateway/payload.ts';
import type { ServiceContext } from '../services/service.ts';
import { type Records, restricted, restrictionOf } from './restriction.ts';
import type { Tables } from './tables.ts';

/** The part of a configuration that every database type has (contract/service-types.md §2, [DBX]). */
export interface DatabaseConfig {
  allow_upsert?: boolean | null;
  max_records?: number | null;
  cache_enabled?: boolean | null;
  cache_ttl?: number | null;
}

/** What a database service is made of; `database` opens it, again after it failed. */
export interface DatabaseParts {
  database(): Soon<Database>;
  tables: Tables;
  config: DatabaseConfig;
  context: ServiceContext;
}

/** A class and not a literal: what most calls never ask for is made when one does. */
export class TableCall {
  readonly call: Call;
  /** What the caller may see and write of the records; there is no other way to them. */
  readonly database: Records;
  readonly table: Table;
  readonly payload: Payload;
  readonly query: ListQuery;
  private readonly parts: DatabaseParts;

  constructor(
    call: Call,
    { database, table, payload, query }: Pick<TableCall, 'database' | 'table' | 'payload' | 'query'>,
    parts: DatabaseParts,
  ) {
    this.call = call;
    this.database = database;
    this.table = table;
    this.payload = payload;
    this.query = query;
    this.parts = parts;
  }

  /** Id of the service called. */
  get serviceId(): number {
    return this.parts.context.id;
  }

  /** Most records the service answers at once (contract/database-tables.md §8). */
  get maxRecords(): number {
    const configured = this.parts.config.max_records ?? 0;
    return Math.min(configured > 0 ? configured : usualMaxRecords, this.parts.context.limits.maxRecords);
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
    return new Watched(this.call, this.parts.context.limits.queryTimeout);
  }

  /** For work by a key, too short to be stopped: watching whether the caller is still there would cost more. */
  get unwatched(): RunOptions {
    // Other columns may have no index.
    if (this.query.idField) return this.run;
    return { timeout: this.parts.context.limits.queryTimeout };
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

const usualMaxRecords = 1000;

/** Reads parameters, body and table description of a call on `_table/{name}`. */
export function tableCall(call: Call, name: string, parts: DatabaseParts): Soon<TableCall> {
  return soon(call.body(), (payload) => {
    const query = listQuery(call, payload);
    if (query.continue && query.rollback) throw fail('table.bothModes');
    return soon(parts.database(), (database) =>
      soon(tableFor(call, name, payload, parts.tables), (table) => {
        refuseRelated(table, query.related);
        return new TableCall(call, { database: recordsFor(call, table, database), table, payload, query }, parts);
      }),
    );
  });
}

/** The records of a table as the role's record filter leaves them (contract/role-access.md §5). */
function recordsFor(call: Call, table: Table, database: Database): Records {
  const { filterRow } = call.decision;
  return filterRow ? restricted(database, restrictionOf(filterRow, table, sessionLookup(call))) : database;
}

/** The table; for a write that brings a field it is not known to have, as it is in the database by now. */
function tableFor({ verb }: Call, name: string, payload: Payload, tables: Tables): Soon<Table> {
  const table = tables.byName(name);
  if (verb !== 'POST' && verb !== 'PUT' && verb !== 'PATCH') return table;
  return soon(table, (it) => (hasUnknownField(it, payload) ? tables.byName(name, { recheck: true }) : it));
}

/** What is in a field that is not known is dropped: it may be a column that was added a moment ago. */
function hasUnknownField({ column, description }: Table, payload: Payload): boolean {
  const isKnown = (key: string) =>
    column(key) !== undefined || description.related.some(({ alias, name }) => (alias ?? name) === key);
  const sent = isRecord(payload) && 'resource' in payload ? payload.resource : payload;
  return [sent].flat().some((record) => isRecord(record) && !Object.keys(record).every(isKnown));
}

/** Unknown relations are ignored by contract; leaving out one that exists would be a wrong answer. */
function refuseRelated({ description }: Table, asked: string[]): void {
  if (asked.length === 0) return;
  const names = asked.map((name) => name.toLowerCase());
  const isAsked = description.related.some(
    ({ alias, name }) => names.includes('*') || names.includes((alias ?? name).toLowerCase()),
  );
  if (isAsked) throw fail('table.relatedLater');
}
