// What every database service does on the wire: its root, its tables, their descriptions and records. Nothing here
// knows an engine; services/<type> says how the database is opened. Compiling and running is @sluice/sql's.
import { fail, type Soon, soon, type Verb } from '@sluice/contract';
import type { Database } from '@sluice/sql';
import type { Call, Reply } from '../call/call.ts';
import type { Operation, Service, ServiceContext } from '../service/service.ts';
import { type AnswerCache, answerCache } from './cache.ts';
import { accessList, listRoot, listTables } from './listing.ts';
import { openOnce } from './open-once.ts';
import { onTableAsItIs } from './outdated.ts';
import type { DatabaseConfig, DatabaseParts } from './parts.ts';
import { onRoutines, routineOperations } from './routines/index.ts';
import { readSchema } from './schema/describe.ts';
import { writeSchema } from './schema/write.ts';
import { readRecord, readRecords } from './table/read.ts';
import { type TableCall, tableCall } from './table/table-call.ts';
import { createRecords, deleteRecord, deleteRecords, updateRecord, updateRecords } from './table/write.ts';
import { tablesOf } from './tables.ts';

type Handlers<A extends unknown[]> = Partial<Record<Verb, (...args: A) => Soon<Reply>>>;

const onRecords: Handlers<[TableCall]> = {
  GET: readRecords,
  POST: createRecords,
  PUT: updateRecords,
  PATCH: updateRecords,
  DELETE: deleteRecords,
};

const onRecord: Handlers<[TableCall, string]> = {
  GET: readRecord,
  PUT: updateRecord,
  PATCH: updateRecord,
  DELETE: deleteRecord,
};

/** The writes of `_schema`, alike for what they write. */
const schemaWrites = (path: string, what: string): Operation[] => [
  { verb: 'POST', path, summary: `Make or change ${what}` },
  { verb: 'PUT', path, summary: `Change ${what}, dropping fields that are left out` },
  { verb: 'PATCH', path, summary: `Change ${what}` },
  { verb: 'DELETE', path, summary: `Drop ${what}` },
];

/** Every call of a database service. */
const operations: Operation[] = [
  { verb: 'GET', path: '', summary: 'List the resources of the service' },
  { verb: 'GET', path: '_schema', summary: 'List the tables, or describe those of ids=' },
  { verb: 'GET', path: '_schema/{table_name}', summary: 'Describe a table' },
  { verb: 'GET', path: '_schema/{table_name}/_field', summary: 'Describe the fields of a table' },
  { verb: 'GET', path: '_schema/{table_name}/_field/{field_name}', summary: 'Describe a field' },
  { verb: 'GET', path: '_schema/{table_name}/_related', summary: 'Describe the relations of a table' },
  { verb: 'GET', path: '_schema/{table_name}/_related/{related_name}', summary: 'Describe a relation' },
  ...schemaWrites('_schema', 'tables'),
  ...schemaWrites('_schema/{table_name}', 'a table'),
  ...schemaWrites('_schema/{table_name}/_field', 'fields of a table'),
  ...schemaWrites('_schema/{table_name}/_field/{field_name}', 'a field'),
  ...schemaWrites('_schema/{table_name}/_related', 'relations of a table'),
  ...schemaWrites('_schema/{table_name}/_related/{related_name}', 'a relation'),
  { verb: 'GET', path: '_table', summary: 'List the tables' },
  { verb: 'GET', path: '_table/{table_name}', summary: 'Retrieve records' },
  { verb: 'POST', path: '_table/{table_name}', summary: 'Create records' },
  { verb: 'PUT', path: '_table/{table_name}', summary: 'Update records' },
  { verb: 'PATCH', path: '_table/{table_name}', summary: 'Update records' },
  { verb: 'DELETE', path: '_table/{table_name}', summary: 'Delete records' },
  { verb: 'GET', path: '_table/{table_name}/{id}', summary: 'Retrieve a record' },
  { verb: 'PUT', path: '_table/{table_name}/{id}', summary: 'Update a record' },
  { verb: 'PATCH', path: '_table/{table_name}/{id}', summary: 'Update a record' },
  { verb: 'DELETE', path: '_table/{table_name}/{id}', summary: 'Delete a record' },
];

/**
 * The service over the database that `open` opens on first use: routes a call by its path to what answers it.
 * `hasRoutines`: the engine has stored routines.
 */
export function databaseService(
  config: DatabaseConfig,
  context: ServiceContext,
  open: () => Promise<Database>,
  { hasRoutines = false } = {},
): Service {
  const { get, load, close } = openOnce(context.name, open);
  const parts: DatabaseParts = { database: get, tables: tablesOf(get, context.extras), config, hasRoutines, context };
  const cache = answerCache(config);
  return {
    operations: () => (hasRoutines ? [...operations, ...routineOperations] : operations),
    handle: (call) => route(call, parts, cache),
    database: parts,
    accessList: (_call, allowed) => accessList(parts, allowed),
    load,
    close,
  };
}

/** Connects once, says in the driver's words what is wrong, and leaves nothing open. */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    await database.test();
  } finally {
    await database.close();
  }
}

function route(call: Call, parts: DatabaseParts, cache: AnswerCache | undefined): Soon<Reply> {
  const path = call.path.endsWith('/') ? call.path.slice(0, -1) : call.path;
  const [resource = '', table, ...rest] = path.split('/');
  const lower = resource.toLowerCase();
  switch (lower) {
    case '':
      return read(call, call.service, path, () => listRoot(call, parts));
    case '_schema': {
      const segments = table === undefined ? [] : [table, ...rest];
      if (call.verb !== 'GET') return writeSchema(call, segments, parts);
      return table === undefined ? listTables(call, '_schema', parts) : readSchema(call, segments, parts);
    }
    case '_table': {
      if (table === undefined) return read(call, '_table', path, () => listTables(call, '_table', parts));
      const answer = () => onTableAsItIs(call, table, parts, () => records(call, table, rest, parts));
      return cache && call.verb === 'GET' ? cache.get(call, answer) : answer();
    }
    case '_proc':
    case '_func': {
      if (!parts.hasRoutines) break;
      return onRoutines(call, lower, table === undefined ? undefined : path.slice(resource.length + 1), parts);
    }
  }
  throw fail('service.resourceUnknown', { resource, service: parts.context.name });
}

/** Answers a GET; other verbs are a 405. */
function read({ verb }: Call, service: string, path: string, handler: () => Promise<Reply>): Promise<Reply> {
  if (verb === 'GET') return handler();
  const below = path.slice(path.indexOf('/') + 1 || path.length);
  throw fail('http.verbNotSupported', { verb, path: below, service }, { allow: ['GET', 'HEAD'] });
}

function records(call: Call, table: string, rest: string[], parts: DatabaseParts): Soon<Reply> {
  if (rest.length === 0) return soon(tableCall(call, table, parts), onRecords[call.verb]!);
  if (call.verb === 'POST') throw fail('record.createById');
  // A text key may hold slashes: what follows the table is the id.
  const id = rest.length === 1 ? rest[0]! : rest.join('/');
  return soon(tableCall(call, table, parts), (it) => onRecord[call.verb]!(it, id));
}

export { type DatabaseConfig, type DatabaseParts, queryTimeoutOf } from './parts.ts';
