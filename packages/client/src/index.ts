// A typed client of an instance, made of its OpenAPI document: one TypeScript file without dependencies. runtime/ is what every
// client has, held in runtime-text.ts as text; the rest of this folder writes the types of what the document describes.
import {
  decode,
  isObject,
  type Json,
  member,
  type Operation,
  objectAt,
  type Path,
  readPaths,
  refName,
  textsOf,
} from './document.ts';
import { literal, objectType, union } from './literal.ts';
import { runtimeText } from './runtime-text.ts';
import { createSchemaTypes, type SchemaTypes } from './schema-type.ts';

/** A document as `GET api_docs?openapi=3.1` answers it (contract/services-other.md §9). */
export type OpenApiDocument = Record<string, unknown>;

/** What a client is made with besides the document. */
export interface ClientOptions {
  /** Where the instance answers, without `/api/v2`: what the client calls unless its options name another address. */
  address: string;
}

/** How a client begins: a file that begins otherwise is none of ours. */
export const clientMark = '// The client of a Sluice instance, made of its API document.';

/**
 * The text of the client. What the document says (names, descriptions) stands in it only as escaped literals. The same document
 * gives the same text, byte by byte.
 */
export function generateClient(document: OpenApiDocument, { address }: ClientOptions): string {
  const paths = readPaths(document);
  const tables = findTables(document, paths);
  const records = readRecords(document, tables);
  const types = createSchemaTypes(document, records.ownTypes);
  const operations = pathsType(paths, types);
  const databases = byService(tables, ({ service }) => service).map(([service, list]) => {
    const members = list.map((table) => [table.name, tableType(table, types)] as const);
    return [service, list, lines(members)] as const;
  });
  const procedures = routines(paths, '_proc', types);
  const functions = routines(paths, '_func', types);
  const files = fileServices(paths);
  const api = [
    [
      'databases',
      `{\n${databases.map(([service, , text]) => `    ${literal(service)}: {\n${text}\n    };`).join('\n')}\n  }`,
    ],
    ['procedures', nested(procedures)],
    ['functions', nested(functions)],
    ['files', objectType(files.map(({ name, methods }) => [name, `Pick<Files, ${union(methods)}>`]))],
    ['paths', 'Paths'],
  ].map(([name, type]) => `  ${name}: ${type};`);
  const data = [
    `  records: [\n${records.data.map((list) => `    ${list},\n`).join('')}  ],`,
    `  databases: [\n${databases
      .map(
        ([service, list]) =>
          `    [${literal(service)}, [\n${list.map((table) => `      ${tableData(table, records)},\n`).join('')}    ]],\n`,
      )
      .join('')}  ],`,
    ...(
      [
        ['procedures', procedures],
        ['functions', functions],
      ] as const
    ).map(([name, list]) => `  ${name}: ${listData(list)},`),
    `  files: [${files.map(({ name }) => literal(name)).join(', ')}],`,
  ];
  return [
    clientMark,
    '// Changes here are lost: it is made again by `npm run client`, or by the API documentation of the console.',
    '/* eslint-disable */',
    '',
    runtimeText,
    '// ---- What this instance offers ----',
    '',
    '/** Where the instance answers. */',
    `export const address = ${literal(address)};`,
    '',
    '/** Records as they are read, by the name of their schema. */',
    `export interface Records {\n${records.members.join('\n')}\n}`,
    '',
    '/** Schemas of the document. */',
    `export interface Schemas {\n${lines(types.members(), '  ')}\n}`,
    '',
    '/** Every operation. */',
    operations,
    '',
    `export interface Api {\n${api.join('\n')}\n}`,
    '',
    `const data: ApiData = {\n${data.join('\n')}\n};`,
    '',
    'export const createClient = (options: ClientOptions = {}): Client<Api> => openClient<Api>(data, address, options);',
    '',
  ].join('\n');
}

const lines = (members: readonly (readonly [string, string])[], indent = '      '): string =>
  members.map(([name, type]) => `${indent}${literal(name)}: ${type};`).join('\n');

function byService<T>(list: readonly T[], serviceOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(serviceOf(item)) ?? [];
    group.push(item);
    groups.set(serviceOf(item), group);
  }
  return [...groups];
}

// ---- Tables ----

interface TableParts {
  service: string;
  name: string;
  /** The component of its records, with all fields optional. */
  record: string;
  methods: string[];
  /** The schemas of what is written. */
  create: unknown;
  change: unknown;
  /** The fields of the key; of a table without one there are none. */
  key: string[];
}

const itemsOf = (schema: unknown): unknown => member(objectAt(schema, 'properties', 'resource'), 'items');

/** Tables by their own paths, `/_table/contact`: a template has no schema. */
function findTables(document: OpenApiDocument, paths: Path[]): TableParts[] {
  const schemas = objectAt(document, 'components', 'schemas');
  const found = new Map<string, TableParts>();
  for (const { service, rest, operations } of paths) {
    const [, segment, isRecord] = /^\/_table\/([^/{}]+)(\/\{id\})?$/.exec(rest) ?? [];
    if (segment === undefined) continue;
    const name = decode(segment);
    const id = JSON.stringify([service, name]);
    const table = found.get(id) ?? { service, name, record: '', methods: ['where'], create: {}, change: {}, key: [] };
    found.set(id, table);
    for (const operation of operations) addOperation(table, operation, isRecord !== undefined, schemas);
  }
  return [...found.values()].filter(({ record }) => record !== '').map((table) => withKey(table, schemas));
}

function addOperation(table: TableParts, { verb, answer, body }: Operation, isRecord: boolean, schemas: Json): void {
  table.methods.push(...(isRecord ? ofRecord : ofTable)[verb]);
  table.record ||= partName(isRecord ? answer : itemsOf(answer), schemas);
  if (verb === 'post') table.create = itemsOf(body);
  else if (verb !== 'delete' && body !== undefined) table.change = isRecord ? body : itemsOf(body);
}

const ofTable: Record<Operation['verb'], string[]> = {
  get: ['list', 'all', 'count'],
  post: ['create', 'createMany'],
  put: [],
  patch: ['updateMany', 'updateWhere'],
  delete: ['deleteWhere'],
};
const ofRecord: Record<Operation['verb'], string[]> = {
  get: ['get'],
  post: [],
  put: [],
  patch: ['update'],
  delete: ['delete'],
};

/** The component that has the fields: that of whole records is made of it. */
function partName(schema: unknown, schemas: Json): string {
  const name = refName(schema, 'schemas');
  if (name === undefined) return '';
  const whole = member(schemas, name);
  const parts = member(whole, 'allOf');
  const part = Array.isArray(parts) ? refName(parts[0], 'schemas') : undefined;
  const found = part ?? name;
  return isObject(member(member(schemas, found), 'properties')) ? found : '';
}

/** The key: without one, records are found by filters. */
function withKey(table: TableParts, schemas: Json): TableParts {
  const part = member(schemas, table.record);
  const names = textsOf(member(part, 'x-primary-key'));
  if (names.length > 0 && names.every((name) => Object.hasOwn(objectAt(part, 'properties'), name)))
    return { ...table, key: names };
  const methods = table.methods.filter((method) => !['get', 'update', 'delete', 'updateMany'].includes(method));
  return { ...table, methods };
}

function tableType({ record, key, methods, create, change }: TableParts, types: SchemaTypes): string {
  const names = [`Records[${literal(record)}]`, union(key), types.typeOf(create), types.typeOf(change)];
  return `Pick<Table<${names.join(', ')}>, ${union(methods)}>`;
}

// ---- Records ----

interface RecordTypes {
  /** The members of `Records`. */
  members: string[];
  /** For the runtime, by number. */
  data: string[];
  numbers: ReadonlyMap<string, number>;
  /** What the components of records are in `Schemas`. */
  ownTypes: Map<string, string>;
}

/** The records of tables, and those that relations of theirs lead to. */
function readRecords(document: OpenApiDocument, tables: readonly TableParts[]): RecordTypes {
  const schemas = objectAt(document, 'components', 'schemas');
  const wholes = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const parts = member(schema, 'allOf');
    const part = Array.isArray(parts) && parts.length === 1 ? refName(parts[0], 'schemas') : undefined;
    if (part !== undefined && !wholes.has(part)) wholes.set(part, name);
  }
  const names = new Set(tables.map(({ record }) => record));
  const numbers = new Map<string, number>();
  const found: { name: string; fields: [string, unknown][]; related: Relation[] }[] = [];
  for (const name of names) {
    const properties = Object.entries(objectAt(member(schemas, name), 'properties'));
    const related = properties.flatMap(([property, schema]) => readRelation(property, schema, schemas));
    for (const { target } of related) if (target !== undefined) names.add(target);
    const isRelation = new Set(related.map((relation) => relation.name));
    numbers.set(name, found.length);
    found.push({ name, fields: properties.filter(([property]) => !isRelation.has(property)), related });
  }
  const types = createSchemaTypes({ ...document, components: {} }, new Map());
  const ownTypes = new Map<string, string>();
  const members = found.map(({ name, fields, related }) => {
    const whole = wholes.get(name);
    const required = new Set(textsOf(member(whole === undefined ? undefined : member(schemas, whole), 'required')));
    const unselected =
      whole === undefined ? [] : fields.map(([field]) => field).filter((field) => !required.has(field));
    const shape = `Records[${literal(name)}]`;
    ownTypes.set(name, `Part<${shape}>`);
    if (whole !== undefined) ownTypes.set(whole, `Whole<${shape}>`);
    const relations = related.map((relation) => [relation.name, relationType(relation)] as const);
    return [
      `  ${literal(name)}: {`,
      `    fields: ${objectType(fields.map(([field, schema]) => [field, types.typeOf(schema)]))};`,
      `    unselected: ${union(unselected)};`,
      `    related: ${objectType(relations)};`,
      '  };',
    ].join('\n');
  });
  const data = found.map(({ related }) => {
    const list = related.map(
      ({ name, isMany, target }) => `[${literal(name)}, ${isMany}, ${target === undefined ? -1 : numbers.get(target)}]`,
    );
    return `[${list.join(', ')}]`;
  });
  return { members, data, numbers, ownTypes };
}

interface Relation {
  name: string;
  isMany: boolean;
  /** The component of its records; undefined where the document has none. */
  target?: string;
}

/** A property that leads to records; fields have a type of the database. */
function readRelation(name: string, schema: unknown, schemas: Json): Relation[] {
  if (!isObject(schema) || schema['x-type'] !== undefined) return [];
  const isMany = schema.type === 'array';
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const target = refName(isMany ? schema.items : choices[0], 'schemas');
  const isDescribed = target !== undefined && isObject(member(member(schemas, target), 'properties'));
  return [{ name, isMany, ...(isDescribed ? { target } : {}) }];
}

const relationType = ({ isMany, target }: Relation): string =>
  `${isMany ? 'Many' : 'One'}<${target === undefined ? 'AnyRecord' : `Records[${literal(target)}]`}>`;

const tableData = ({ name, key, record }: TableParts, { numbers }: RecordTypes): string =>
  `[${literal(name)}, [${key.map(literal).join(', ')}], ${numbers.get(record)}]`;

// ---- Routines and files ----

interface Routine {
  service: string;
  name: string;
  type: string;
}

function routines(paths: Path[], resource: '_proc' | '_func', types: SchemaTypes): [string, Routine[]][] {
  const found = paths.flatMap(({ service, rest, operations }): Routine[] => {
    const [, segment] = new RegExp(`^/${resource}/([^/{}]+)$`).exec(rest) ?? [];
    const post = operations.find(({ verb }) => verb === 'post');
    if (segment === undefined || !post) return [];
    const params = objectAt(post.body, 'properties', 'params');
    const isRequired = textsOf(params.required).length > 0;
    const type = `(params${isRequired ? '' : '?'}: ${types.typeOf(params)}, options?: CallOptions) => Promise<${types.typeOf(post.answer)}>`;
    return [{ service, name: decode(segment), type }];
  });
  return byService(found, ({ service }) => service);
}

const nested = (list: [string, Routine[]][]): string =>
  objectType(list.map(([service, found]) => [service, objectType(found.map(({ name, type }) => [name, type]))]));

const listData = (list: [string, Routine[]][]): string =>
  `[${list.map(([service, found]) => `[${literal(service)}, [${found.map(({ name }) => literal(name)).join(', ')}]]`).join(', ')}]`;

/** Services of files, and what may be done there. */
function fileServices(paths: Path[]): { name: string; methods: string[] }[] {
  const found = new Map<string, string[]>();
  const methods: Record<string, Partial<Record<Operation['verb'], string>>> = {
    '/{file_path}': { get: 'read', post: 'write', delete: 'delete' },
    '/{folder_path}/': { get: 'list', post: 'createFolder', delete: 'deleteFolder' },
  };
  for (const { service, rest, operations } of paths)
    for (const { verb } of operations) {
      const method = Object.hasOwn(methods, rest) ? methods[rest]?.[verb] : undefined;
      if (method) found.set(service, [...(found.get(service) ?? []), method]);
    }
  return [...found].map(([name, methods]) => ({ name, methods }));
}

// ---- Operations ----

/** `Paths`, with the query of each operation by a name, as most share theirs. */
function pathsType(paths: Path[], types: SchemaTypes): string {
  const queries = new Map<string, string>();
  const members = paths.flatMap(({ service, rest, operations }) => {
    if (operations.length === 0) return [];
    const placeholders = [...rest.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string);
    const list = operations.map((operation) => {
      const parts = [
        objectType(placeholders.map((name) => [name, placeholderType(operation, name, types)])),
        queryType(operation, types, queries),
        bodyType(operation, types),
        operation.isAnswerJson ? types.typeOf(operation.answer) : 'unknown',
      ];
      return `    ${literal(operation.verb)}: Operation<${parts.join(', ')}>;`;
    });
    return [`  ${literal(`/${service}${rest}`)}: {\n${list.join('\n')}\n  };`];
  });
  const named = [...queries].map(([type, name]) => `export type ${name} = ${type};`);
  return `export interface Paths {\n${members.join('\n')}\n}\n${named.length > 0 ? `\n${named.join('\n')}\n` : ''}`;
}

function placeholderType({ parameters }: Operation, name: string, types: SchemaTypes): string {
  const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
  const type = types.typeOf(parameter?.schema);
  return type === 'unknown' ? 'string' : type;
}

function queryType({ parameters }: Operation, types: SchemaTypes, queries: Map<string, string>): string {
  const found = new Map<string, string>();
  for (const { in: place, name, schema } of parameters)
    if (place === 'query' && typeof name === 'string') found.set(name, `${types.typeOf(schema)} | undefined`);
  if (found.size === 0) return 'Record<never, never>';
  const type = objectType([...found], true);
  const name = queries.get(type) ?? `Query${queries.size + 1}`;
  queries.set(type, name);
  return name;
}

function bodyType({ body, isBodyJson, isBodyRequired }: Operation, types: SchemaTypes): string {
  if (body === undefined) return 'undefined';
  const type = isBodyJson ? types.typeOf(body) : 'Blob | string | Uint8Array<ArrayBuffer>';
  return isBodyRequired ? type : `${type} | undefined`;
}
