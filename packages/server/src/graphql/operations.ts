// The fields of queries and mutations of a table, and the one call of the API that each is.
import {
  Failure,
  graphqlField,
  graphqlRoutine,
  readGraphqlRoutine,
  readGraphqlTable,
  type Verb,
} from '@sluice/contract';
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLString,
} from 'graphql';
import { isRecord } from '../call/payload.ts';
import type { DoorRequest } from '../gateway/door-call.ts';
import type { CatalogRoutine, CatalogTable } from './catalog.ts';
import { graphqlError, type RequestContext } from './context.ts';
import { anyValue, readScalar, writtenScalar } from './scalars.ts';
import { selectionOf, selectionParameters } from './selection.ts';
import { keyOf, nonNull, recordOf, recordsOf, type TableTypes } from './types.ts';

type Field = GraphQLFieldConfig<unknown, RequestContext>;
type Arguments = Readonly<Record<string, unknown>>;

/** The fields of both roots by name. */
export interface RootFields {
  query: Map<string, Field>;
  mutation: Map<string, Field>;
}

const writeVerbs = { create: 'POST', replace: 'PUT', update: 'PATCH', delete: 'DELETE' } as const;
type Write = keyof typeof writeVerbs;

/** The table that a field of a root is of; undefined where its name is none. */
export function tableOfField(name: string): { service: string; table: string } | undefined {
  const [, rest] = /^(?:get|create|replace|update|delete)(.+)$/s.exec(name) ?? [];
  return rest === undefined ? undefined : readGraphqlTable(rest);
}

/** The routine that a field of mutations calls; undefined where its name is none. */
export const routineOfField = (name: string) =>
  name.startsWith('call') ? readGraphqlRoutine(name.slice('call'.length)) : undefined;

/** Adds the call of a routine: a mutation, since it may do anything. */
export function addRoutine({ mutation }: RootFields, routine: CatalogRoutine): void {
  const { service, word, name, resource, description } = routine;
  const { parameters } = description;
  const args: GraphQLFieldConfigArgumentMap = Object.fromEntries(
    parameters.map(({ name, field, isRequired }) => {
      const type = writtenScalar(field);
      return [graphqlField(name), { type: isRequired ? nonNull(type) : type }];
    }),
  );
  const text = description.description ? ` ${description.description}` : '';
  mutation.set(`call${graphqlRoutine(service, word, name)}`, {
    ...{ type: anyValue, args, description: `POST ${service}/${resource}/${name}.${text}` },
    resolve: (_root, given, context) =>
      guarded(context, () => {
        const params = parameters
          .filter(({ name }) => Object.hasOwn(given, graphqlField(name)))
          .map(({ name }) => ({ name, value: given[graphqlField(name)] }));
        const payload = params.length > 0 ? { params } : {};
        const type = 'application/json';
        return context.call({ verb: 'POST', service, path: `${resource}/${name}`, query: new Map(), payload, type });
      }),
  });
}

/** Adds what the caller may do with a table. */
export function addOperations(fields: RootFields, table: CatalogTable, types: TableTypes): void {
  const { typeName, verbs } = table;
  const hasKey = keyOf(table.description).length > 0;
  if (canReadOne(table)) fields.query.set(`get${typeName}`, readOne(table, types));
  if (verbs.list.has('GET')) {
    fields.query.set(`get${typeName}List`, readList(table, types));
    fields.query.set(`get${typeName}Count`, readCount(table));
  }
  for (const [write, verb] of Object.entries(writeVerbs) as [Write, Verb][]) {
    const one = write === 'create' ? verbs.list.has(verb) : hasKey && canDoOne(table, verb);
    if (one) fields.mutation.set(`${write}${typeName}`, writeOne(write, table, types));
    if (verbs.list.has(verb)) fields.mutation.set(`${write}${typeName}List`, writeList(write, table, types));
  }
}

/** A record of a key of several fields has no address of its own: it is one of the list. */
function canDoOne({ description, verbs }: CatalogTable, verb: Verb): boolean {
  const key = keyOf(description);
  return key.length === 1 ? verbs.one.has(verb) : key.length > 1 && verbs.list.has(verb);
}

const canReadOne = (table: CatalogTable): boolean => canDoOne(table, 'GET');

// ---- arguments ----

const text = (description: string) => ({ type: GraphQLString, description });
const flag = (description: string) => ({ type: GraphQLBoolean, description });

const filterArguments: GraphQLFieldConfigArgumentMap = {
  filter: text("As the parameter filter of the API: `(price > 5) and (name like 'A%')`."),
  params: { type: anyValue, description: 'Values of placeholders in the filter: `{":name": "A"}`.' },
};

const listArguments: GraphQLFieldConfigArgumentMap = {
  ...filterArguments,
  limit: { type: GraphQLInt, description: 'How many records at most.' },
  offset: { type: GraphQLInt, description: 'How many records are left out first.' },
  order: text('As the parameter order of the API: `name desc,id`.'),
};

const batchArguments: GraphQLFieldConfigArgumentMap = {
  rollback: flag('All records or none.'),
  continue: flag('Goes on after a record that fails.'),
};

/** `id`, or of a key of several fields each by its name. */
function keyArguments({ description }: CatalogTable): GraphQLFieldConfigArgumentMap {
  const key = keyOf(description);
  const [only] = key;
  if (key.length === 1 && only)
    return { id: { type: nonNull(readScalar(only)), description: `The key: ${only.name}.` } };
  return Object.fromEntries(key.map((field) => [keyArgument(field.name), { type: nonNull(readScalar(field)) }]));
}

/** Beside the argument that holds the record. */
const keyArgument = (name: string): string => (name === 'record' ? '_0x72_ecord' : graphqlField(name));

function idsArguments({ description }: CatalogTable): GraphQLFieldConfigArgumentMap {
  const [only, ...others] = keyOf(description);
  if (!only || others.length > 0) return {};
  return { ids: { type: new GraphQLList(nonNull(readScalar(only))), description: 'The records of these keys.' } };
}

/** The key as the API takes it in a body: by the names of its fields. */
const keyRecord = ({ description }: CatalogTable, args: Arguments): Record<string, unknown> =>
  Object.fromEntries(keyOf(description).map(({ name }) => [name, args[keyArgument(name)]]));

// ---- reading ----

const isSingleKey = ({ description }: CatalogTable): boolean => keyOf(description).length === 1;

function readOne(table: CatalogTable, types: TableTypes): Field {
  return {
    ...{
      type: types.read(table),
      args: keyArguments(table),
      description: `GET ${table.service}/_table/${table.name}/{id}`,
    },
    resolve: (_root, args, context, info) =>
      guarded(context, async () => {
        const query = parametersOf(info, types.read(table), table);
        const id = isSingleKey(table) ? idPath(args.id) : undefined;
        if (id !== undefined) return context.call(request('GET', table, `/${id}`, query));
        const payload = isSingleKey(table) ? { ids: [args.id] } : { resource: [keyRecord(table, args)] };
        return firstOf(await context.call(request('GET', table, '', query, payload)));
      }),
  };
}

function readList(table: CatalogTable, types: TableTypes): Field {
  return {
    type: listOf(types.read(table)),
    args: { ...idsArguments(table), ...listArguments },
    description: `GET ${table.service}/_table/${table.name}`,
    resolve: (_root, args, context, info) =>
      guarded(context, async () => {
        const query = parametersOf(info, types.read(table), table);
        // No ids are no records, not all.
        if (Array.isArray(args.ids) && args.ids.length === 0) return [];
        for (const name of ['limit', 'offset', 'order', 'filter'])
          if (isGiven(args[name])) query.set(name, String(args[name]));
        const payload = bodyOf(args, ['ids', 'params']);
        return recordsOf(resourceOf(await context.call(request('GET', table, '', query, payload))), context);
      }),
  };
}

function readCount(table: CatalogTable): Field {
  return {
    ...{ type: GraphQLInt, args: filterArguments },
    description: `How many records GET ${table.service}/_table/${table.name} has.`,
    resolve: (_root, args, context) =>
      guarded(context, async () => {
        const query = new Map([['count_only', 'true']]);
        if (isGiven(args.filter)) query.set('filter', String(args.filter));
        return context.call(request('GET', table, '', query, bodyOf(args, ['params'])));
      }),
  };
}

// ---- writing ----

function writeOne(write: Write, table: CatalogTable, types: TableTypes): Field {
  const verb = writeVerbs[write];
  const input = write === 'create' ? types.create(table) : types.change(table);
  const record = write === 'delete' ? undefined : { record: { type: nonNull(input) } };
  return {
    type: types.answer(table),
    args: { ...(write === 'create' ? {} : keyArguments(table)), ...record },
    description: `${verb} ${table.service}/_table/${table.name}${write === 'create' ? '' : '/{id}'}`,
    resolve: (_root, args, context, info) =>
      guarded(context, async () => {
        const query = parametersOf(info, types.answer(table), table);
        const sent = record ? recordOf(args.record, input) : undefined;
        const id = write !== 'create' && isSingleKey(table) ? idPath(args.id) : undefined;
        if (id !== undefined) return context.call(request(verb, table, `/${id}`, query, sent));
        if (write !== 'create' && isSingleKey(table))
          return firstOf(await context.call(request(verb, table, '', query, { resource: sent, ids: [args.id] })));
        const key = write === 'create' ? {} : keyRecord(table, args);
        return firstOf(await context.call(request(verb, table, '', query, { resource: [{ ...sent, ...key }] })));
      }),
  };
}

function writeList(write: Write, table: CatalogTable, types: TableTypes): Field {
  const verb = writeVerbs[write];
  const input = write === 'create' ? types.create(table) : types.change(table);
  const records = { type: new GraphQLList(nonNull(input)), description: 'The records, each with its key.' };
  const record = { type: input, description: 'What to change of all records of ids or filter.' };
  const args: GraphQLFieldConfigArgumentMap = {
    ...(write === 'create' ? { records: { ...records, type: new GraphQLNonNull(records.type) } } : {}),
    ...(write === 'update' || write === 'replace' ? { records, record } : {}),
    ...(write === 'create' ? {} : { ...idsArguments(table), ...filterArguments }),
    ...batchArguments,
  };
  return {
    ...{ type: listOf(types.answer(table)), args, description: `${verb} ${table.service}/_table/${table.name}` },
    resolve: (_root, args, context, info) =>
      guarded(context, async () => {
        const query = parametersOf(info, types.answer(table), table);
        const sent = (args.records as unknown[] | null | undefined)?.map((item) => recordOf(item, input));
        const one = isGiven(args.record) ? recordOf(args.record, input) : undefined;
        // A filter or ids that are sent empty must not select everything, nor something else.
        if (Array.isArray(args.ids) && args.ids.length === 0) return [];
        const payload = {
          ...(sent || one ? { resource: sent ?? one } : {}),
          ...bodyOf(args, ['ids', 'filter', 'params', 'rollback', 'continue']),
        };
        return recordsOf(resourceOf(await context.call(request(verb, table, '', query, payload))), context);
      }),
  };
}

// ---- calls ----

/** Null where its call fails: other fields of the query keep what they have. */
const listOf = (type: GraphQLObjectType): GraphQLOutputType => new GraphQLList(new GraphQLNonNull(type));

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function bodyOf(args: Arguments, names: readonly string[]): Record<string, unknown> | undefined {
  const given = names.filter((name) => isGiven(args[name])).map((name) => [name, args[name]] as const);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** The id as a part of an address; undefined for one that would make another address. */
function idPath(id: unknown): string | undefined {
  const text = typeof id === 'object' ? String((id as { text?: string }).text) : String(id);
  return text === '' || text.includes('/') ? undefined : text;
}

const request = (
  verb: Verb,
  { service, name }: CatalogTable,
  rest: string,
  query: ReadonlyMap<string, string>,
  payload?: unknown,
): DoorRequest => ({
  ...{ verb, service, path: `_table/${name}${rest}`, query },
  ...(payload === undefined ? {} : { payload, type: 'application/json' }),
});

const parametersOf = (info: GraphQLResolveInfo, type: GraphQLObjectType, table: CatalogTable): Map<string, string> =>
  selectionParameters(selectionOf(info.fieldNodes, type, info), table);

const resourceOf = (value: unknown): unknown => (isRecord(value) ? value.resource : value);

function firstOf(value: unknown): unknown {
  const records = resourceOf(value);
  return Array.isArray(records) ? (records[0] ?? null) : records;
}

/** What the request itself is refused for is an error of its field, too. */
async function guarded<T>(context: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? graphqlError(error, context.message) : error;
  }
}
