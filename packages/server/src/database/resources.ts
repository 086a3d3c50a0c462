// The addresses of a database service: its tables' descriptions, its records, and its stored routines where it has some
// (contract/database-tables.md §1, contract/database-schema.md §1, §10).
import { chain, type ErrorKey, fail, type MaybePromise } from '@sluice/contract';
import type { RoutineKind } from '@sluice/sql';
import type { Call, Reply } from '../call/call.ts';
import {
  type Described,
  type Operation,
  type Operations,
  type Resource,
  routesOf,
  type Shape,
} from '../service/operation.ts';
import type { OpenService } from '../service/service.ts';
import type { AnswerCache } from './answer-cache.ts';
import { listTableEntries, listTables } from './listing.ts';
import type { DatabaseParts } from './parts.ts';
import { callRoutine, listRoutines, routineDescriber, routineNames, routineResources } from './routines/index.ts';
import { readField, readFields, readRelation, readRelations, readTable, tableDescriber } from './schema/describe.ts';
import { planWrite } from './schema/plan.ts';
import {
  dropParts,
  dropTable,
  dropTables,
  fieldParts,
  type PartKind,
  relationParts,
  writePart,
  writeParts,
  writeTable,
  writeTables,
} from './schema/write.ts';
import { retryOnSchemaChange } from './schema-change.ts';
import { readRecord, readRecords } from './table/read.ts';
import { createTableCall, type TableCall } from './table/table-call.ts';
import { createRecords, deleteRecord, deleteRecords, updateRecord, updateRecords } from './table/write.ts';

/** A database service that is open. */
export interface DatabaseService extends OpenService {
  database: DatabaseParts;
  /** Absent where its configuration wants none. */
  cache: AnswerCache | undefined;
}

/** The resources of a database service. */
export const databaseResources = (engine: { hasRoutines: boolean; hasFixedSchema: boolean }) => [
  engine.hasFixedSchema ? declareFixed(schemaResource) : schemaResource,
  ...[planResource, tableResource],
  ...(engine.hasRoutines ? [routines('procedure'), routines('function')] : []),
];

const route = routesOf<DatabaseService>();

/** The tables, by the names they have below a resource. */
const tableItems = (resource: string) => ({
  placeholder: 'table_name',
  names: async ({ database }: DatabaseService, refresh?: boolean) =>
    (await listTableEntries(resource, database, refresh)).map(({ name }) => name),
});

const listParameters = ['fields', 'ids', 'as_list', 'refresh', 'schema', 'include_access'];

// ---- descriptions ----

const tables: Operations<DatabaseService> = {
  GET: {
    summary: 'List the tables, or describe those of ids=',
    parameters: listParameters,
    answer: 'records',
    handle: (call, _values, { database }) => listTables(call, '_schema', database),
  },
  ...schemaWrites('tables', {
    body: 'descriptions',
    answer: 'descriptions',
    dropped: { parameters: ['ids'], body: 'records', answer: 'records' },
    errors: {
      write: ['schema.noData', 'schema.tableName', 'schema.noFields', 'schema.value', 'record.batch'],
      create: ['schema.tableExists'],
      drop: ['schema.noData', 'table.unknown', 'record.batch'],
    },
    write: (call, _values, { database }) => writeTables(call, database),
    drop: (call, _values, { database }) => dropTables(call, database),
  }),
};

const table: Operations<DatabaseService, '{table_name}'> = {
  GET: {
    summary: 'Describe a table',
    parameters: ['refresh'],
    answer: 'description',
    errors: ['table.unknown'],
    handle: (call, { table_name }, { database }) => readTable(call, table_name, database),
  },
  ...schemaWrites<{ table_name: string }>('a table', {
    body: 'description',
    answer: 'description',
    errors: { write: ['table.unknown', 'schema.noTypedFields', 'schema.value'], drop: ['table.unknown'] },
    write: (call, { table_name }, { database }) => writeTable(call, table_name, database),
    drop: (call, { table_name }, { database }) => dropTable(call, table_name, database),
  }),
};

/** What writes of fields and of relations refuse, by kind. */
interface PartErrors {
  write: readonly ErrorKey[];
  drop: readonly ErrorKey[];
}

const partErrors = {
  fields: { write: ['table.unknown', 'schema.value'], drop: ['table.unknown'] },
  relations: { write: ['table.unknown', 'schema.relationType'], drop: ['table.unknown'] },
} as const satisfies Record<string, PartErrors>;

const fields: Operations<DatabaseService, '{table_name}'> = {
  GET: {
    summary: 'Describe the fields of a table',
    parameters: ['ids', 'refresh'],
    ...{ answer: 'descriptions', describes: 'field' },
    errors: ['table.unknown', 'table.noFields'],
    handle: (call, { table_name }, { database }) => readFields(call, table_name, database),
  },
  ...partsWrites('fields of a table', 'field', fieldParts, partErrors.fields),
};

const field: Operations<DatabaseService, '{table_name}/{field_name}'> = {
  GET: {
    summary: 'Describe a field',
    parameters: ['refresh'],
    ...{ answer: 'description', describes: 'field' },
    errors: ['table.unknown', 'table.noFields'],
    handle: (call, { table_name, field_name }, { database }) => readField(call, table_name, field_name, database),
  },
  ...schemaWrites<{ table_name: string; field_name: string }>('a field', {
    ...{ describes: 'field', body: 'description', answer: 'any value', errors: partErrors.fields },
    write: (call, { table_name, field_name }, { database }) =>
      writePart(call, table_name, field_name, fieldParts, database),
    drop: (call, { table_name, field_name }, { database }) =>
      dropParts(call, table_name, field_name, fieldParts, database),
  }),
};

const relations: Operations<DatabaseService, '{table_name}'> = {
  GET: {
    summary: 'Describe the relations of a table',
    parameters: ['refresh'],
    ...{ answer: 'descriptions', describes: 'relation' },
    errors: ['table.unknown'],
    handle: (call, { table_name }, { database }) => readRelations(call, table_name, database),
  },
  ...partsWrites('relations of a table', 'relation', relationParts, partErrors.relations),
};

const relation: Operations<DatabaseService, '{table_name}/{related_name}'> = {
  GET: {
    summary: 'Describe a relation',
    parameters: ['refresh'],
    ...{ answer: 'description', describes: 'relation' },
    errors: ['table.unknown', 'table.noRelations'],
    handle: (call, { table_name, related_name }, { database }) =>
      readRelation(call, table_name, related_name, database),
  },
  ...schemaWrites<{ table_name: string; related_name: string }>('a relation', {
    ...{ describes: 'relation', body: 'description', answer: 'any value', errors: partErrors.relations },
    write: (call, { table_name, related_name }, { database }) =>
      writePart(call, table_name, related_name, relationParts, database),
    drop: (call, { table_name, related_name }, { database }) =>
      dropParts(call, table_name, related_name, relationParts, database),
  }),
};

const schemaActions = { GET: 'describe', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' } as const;

/** The names of their events on older servers, where what lies deeper has those of the resource. */
const partEvents = { event: '_schema.{table_name}.{field}' };
const deepEvents = { event: '_schema' };

const schemaResource: Resource<DatabaseService> = {
  entry: { name: '_schema', class_name: 'Schema', label: 'Schema' },
  items: tableItems('_schema'),
  routes: [
    route('', tables),
    route('{table_name}', table),
    route('{table_name}/_field', fields, partEvents),
    route('{table_name}/_field/{field_name}', field, deepEvents),
    route('{table_name}/_related', relations, partEvents),
    route('{table_name}/_related/{related_name}', relation, deepEvents),
    // For older clients.
    route('{table_name}/{field_name}', field, { ...partEvents, isHidden: true }),
    route(
      '{table_name}/{field_name}/{+rest}',
      {},
      { isHidden: true, refusal: (verb) => fail('table.schemaPath', { act: schemaActions[verb] }) },
    ),
  ],
};

/** What only comes where tables and columns are changed; with several tables it comes with the batch. */
const changeErrors: ReadonlySet<ErrorKey> = new Set(['schema.value', 'schema.noTypedFields', 'record.batch']);

/** The same addresses where that is not offered: what is said of tables besides can be written all the same. */
const declareFixed = (resource: Resource<DatabaseService>): Resource<DatabaseService> => ({
  ...resource,
  routes: resource.routes.map((added) => ({
    ...added,
    operations: Object.fromEntries(
      Object.entries(added.operations).map(([verb, { errors = [], ...operation }]) => {
        const isOffered = verb === 'GET' || verb === 'DELETE' || !errors.some((key) => changeErrors.has(key));
        const rest = errors.filter((key) => !changeErrors.has(key));
        return [verb, { ...operation, errors: isOffered ? errors : [...rest, 'schema.notOffered' as const] }];
      }),
    ),
  })),
});

/** An address of ours, which lists do not show: clients of other servers see none. */
const planResource: Resource<DatabaseService> = {
  entry: { name: '_plan', class_name: 'Plan', label: 'Schema Plan' },
  isHidden: true,
  routes: [
    route(
      '',
      {
        POST: {
          summary: 'Tell what a write of the schema would do, without doing it',
          body: 'object',
          answer: 'object',
          handle: (call, _values, { database }) => planWrite(call, database),
        },
      },
      // Decided as the write in its body, which is not read before.
      { public: ['POST'] },
    ),
  ],
};

type SchemaHandler<Values> = (call: Call, values: Values, service: DatabaseService) => MaybePromise<Reply>;

interface SchemaWrites<Values> {
  describes?: Described;
  body: Shape;
  answer: Shape;
  /** What a DELETE takes and answers; absent: nothing, and that it went well. */
  dropped?: Pick<Operation<DatabaseService>, 'parameters' | 'body' | 'answer'>;
  errors: { write: readonly ErrorKey[]; create?: readonly ErrorKey[]; drop: readonly ErrorKey[] };
  write: SchemaHandler<Values>;
  drop: SchemaHandler<Values>;
}

/** The writes of `_schema`, the same for tables, fields and relations. */
function schemaWrites<Values>(subject: string, { write, drop, errors, ...facts }: SchemaWrites<Values>) {
  const { body, answer, describes = 'table', dropped = { answer: 'success' } } = facts;
  const writes = { parameters: ['fields'], body, answer, describes, errors: errors.write, handle: write };
  return {
    POST: { summary: `Make or change ${subject}`, ...writes, errors: [...errors.write, ...(errors.create ?? [])] },
    PUT: { summary: `Change ${subject}, dropping fields that are left out`, ...writes },
    PATCH: { summary: `Change ${subject}`, ...writes },
    DELETE: { summary: `Drop ${subject}`, ...dropped, errors: errors.drop, handle: drop },
  };
}

/** Several fields or relations: what a write answers of them is nothing, unless `fields` asks for it. */
function partsWrites(subject: string, describes: Described, kind: PartKind, { write, drop }: PartErrors) {
  return schemaWrites<{ table_name: string }>(subject, {
    ...{
      describes,
      body: 'descriptions',
      answer: 'any value',
      dropped: { parameters: ['ids'], body: 'records', answer: 'success' },
    },
    errors: { write: ['schema.noFieldNames', ...write], drop: ['schema.noData', ...drop] },
    write: (call, { table_name }, { database }) => writeParts(call, table_name, kind, database),
    drop: (call, { table_name }, { database }) => dropParts(call, table_name, undefined, kind, database),
  });
}

// ---- records ----

/** Answers a call on the records of a table, as the table is now. */
function handleRecords(
  call: Call,
  name: string,
  { database, cache }: DatabaseService,
  handler: (tableCall: TableCall) => MaybePromise<Reply>,
): MaybePromise<Reply> {
  const run = () =>
    retryOnSchemaChange(call, name, database, () => chain(createTableCall(call, name, database), handler));
  if (!cache || call.verb !== 'GET') return run();
  // With the extras comes the news that another process changed the tables: what is cached is then cleared.
  return chain(database.extras.current(), () => cache.get(call, run));
}

type TableOperations = Operations<DatabaseService, '{table_name}'>;
type RecordOperations = Operations<DatabaseService, '{table_name}/{+id}'>;

const tableHandler =
  (handler: (tableCall: TableCall) => MaybePromise<Reply>): NonNullable<TableOperations['GET']>['handle'] =>
  (call, { table_name }, service) =>
    handleRecords(call, table_name, service, handler);

const recordHandler =
  (
    handler: (tableCall: TableCall, id: string) => MaybePromise<Reply>,
  ): NonNullable<RecordOperations['GET']>['handle'] =>
  (call, { table_name, id }, service) =>
    handleRecords(call, table_name, service, (tableCall) => handler(tableCall, id));

const recordParameters = ['fields', 'related', 'id_field'];
const batchParameters = [...recordParameters, 'ids', 'filter', 'continue', 'rollback'];
const readParameters = [
  ...recordParameters,
  ...['filter', 'limit', 'offset', 'after', 'order', 'group', 'ids', 'include_count', 'include_schema', 'count_only'],
  ...['as_list', 'refresh'],
];

const tableErrors = ['table.unknown', 'filter.requestedField'] as const;
const readErrors = [...tableErrors, 'filter.unparsable', 'filter.field', 'filter.orderField'] as const;
const batchErrors = [...tableErrors, 'record.none', 'record.batch'] as const;
const updateErrors = [...batchErrors, 'filter.unparsable'] as const;
const recordErrors = ['record.notFound', ...tableErrors] as const;

const updates = {
  summary: 'Update records',
  errors: updateErrors,
  parameters: batchParameters,
  body: 'records',
  answer: 'records',
  handle: tableHandler(updateRecords),
} as const;

const update = {
  summary: 'Update a record',
  errors: [...recordErrors, 'record.moreThanOne', 'record.stale'],
  parameters: recordParameters,
  body: 'record',
  answer: 'record',
  handle: recordHandler(updateRecord),
} as const;

const tableResource: Resource<DatabaseService> = {
  entry: { name: '_table', class_name: 'Table', label: 'Tables' },
  items: { ...tableItems('_table'), describe: ({ database }) => tableDescriber(database) },
  routes: [
    route('', {
      GET: {
        summary: 'List the tables',
        parameters: listParameters,
        answer: 'records',
        handle: (call, _values, { database }) => listTables(call, '_table', database),
      },
    }),
    route('{table_name}', {
      GET: {
        summary: 'Retrieve records',
        errors: readErrors,
        parameters: readParameters,
        answer: 'records',
        handle: tableHandler(readRecords),
      },
      POST: {
        summary: 'Create records',
        errors: batchErrors,
        parameters: [...recordParameters, 'continue', 'rollback'],
        body: 'records',
        answer: 'records',
        handle: tableHandler(createRecords),
      },
      PUT: updates,
      PATCH: updates,
      DELETE: {
        summary: 'Delete records',
        errors: [...tableErrors, 'filter.unparsable', 'record.batch', 'record.noneToDelete'],
        parameters: [...batchParameters, 'force'],
        body: 'records',
        answer: 'records',
        handle: tableHandler(deleteRecords),
      },
    }),
    // A text key may hold slashes.
    route(
      '{table_name}/{+id}',
      {
        GET: {
          summary: 'Retrieve a record',
          errors: recordErrors,
          parameters: recordParameters,
          answer: 'record',
          handle: recordHandler(readRecord),
        },
        PUT: update,
        PATCH: update,
        DELETE: {
          summary: 'Delete a record',
          errors: recordErrors,
          parameters: recordParameters,
          answer: 'record',
          handle: recordHandler(deleteRecord),
        },
      },
      { refusal: (verb) => (verb === 'POST' ? fail('record.createById') : undefined) },
    ),
  ],
};

// ---- routines ----

const routineTexts = {
  procedure: { plural: 'procedures', label: 'Stored Procedures', class_name: 'StoredProcedure' },
  function: { plural: 'functions', label: 'Stored Functions', class_name: 'StoredFunction' },
};

function routines(kind: RoutineKind): Resource<DatabaseService> {
  const { plural, label, class_name } = routineTexts[kind];
  const name = routineResources[kind];
  const placeholder = `${kind}_name`;
  const call = {
    answer: 'any value',
    errors: ['routine.unknown', 'routine.failed', 'routine.parametersTooMany'],
    handle: (call: Call, values: Readonly<Record<string, string>>, { database }: DatabaseService) =>
      callRoutine(call, kind, values[placeholder] as string, database),
  } as const;
  return {
    entry: { name, class_name, label },
    items: {
      placeholder,
      names: ({ database }, refresh) => routineNames(kind, database, refresh),
      components: (component) => [component],
      describe: async ({ database }) => routineDescriber(kind, database),
    },
    routes: [
      route('', {
        GET: {
          summary: `List the stored ${plural}, or describe those of ids=`,
          parameters: listParameters,
          answer: 'records',
          handle: (call, _values, { database }) => listRoutines(call, kind, database),
        },
      }),
      // Values in parentheses may hold slashes.
      route(`{+${placeholder}}`, {
        GET: { summary: `Call a stored ${kind}`, mayWrite: true, ...call },
        POST: { summary: `Call a stored ${kind} with parameters`, body: 'object', ...call },
      }),
    ],
  };
}
