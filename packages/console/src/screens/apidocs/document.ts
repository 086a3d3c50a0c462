// What the screen reads of an OpenAPI document: operations, their parameters, and schemas as samples and rows. Pure. Texts of a
// document are shown as text, whatever they hold.

export type Json = Record<string, unknown>;

export interface OpenApiDocument {
  info?: { title?: string; description?: string };
  paths?: Record<string, Json>;
  components?: Record<string, Record<string, Json>>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  description: string;
  isRequired: boolean;
  isFlag: boolean;
  /** What it may be, where that is listed. */
  values: string[];
  example: string;
}

export interface ApiOperation {
  id: string;
  verb: string;
  /** Below the service, with its slash. */
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  /** The schema of the JSON it takes; absent where it takes none. */
  body?: Json;
  /** It takes something else than JSON. */
  takesBytes: boolean;
  answers: { status: string; description: string; schema?: Json }[];
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'];

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a reference leads to, inside the document; the value itself where it is none. */
export function resolve(document: OpenApiDocument, value: unknown): Json {
  let current = value;
  for (let count = 0; count < 10 && isJson(current) && typeof current.$ref === 'string'; count += 1)
    current = followed(document, current.$ref);
  return isJson(current) ? current : {};
}

function followed(document: OpenApiDocument, reference: string): unknown {
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
  const list = document.components;
  if (!list || !Object.hasOwn(list, section)) return undefined;
  const entries = list[section] as Record<string, Json>;
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** The operations in the order of the document. */
export function readOperations(document: OpenApiDocument): ApiOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    verbs.flatMap((verb) => {
      const operation = isJson(item) && Object.hasOwn(item, verb) ? item[verb] : undefined;
      return isJson(operation) ? [readOperation(document, path, verb, item, operation)] : [];
    }),
  );
}

function readOperation(
  document: OpenApiDocument,
  path: string,
  verb: string,
  item: Json,
  operation: Json,
): ApiOperation {
  const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)]
    .map((parameter) => readParameter(document, parameter))
    .filter((parameter) => parameter !== undefined);
  const content = resolve(document, operation.requestBody).content;
  const json = isJson(content) ? content['application/json'] : undefined;
  const body = isJson(json) && isJson(json.schema) ? json.schema : undefined;
  return {
    id: textOf(operation.operationId) || `${verb} ${path}`,
    verb: verb.toUpperCase(),
    path,
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    parameters,
    ...(body ? { body } : {}),
    takesBytes: isJson(content) && !json,
    answers: Object.entries(isJson(operation.responses) ? operation.responses : {}).map(([status, response]) => {
      const { description, content: answered } = resolve(document, response);
      const ofJson = isJson(answered) ? answered['application/json'] : undefined;
      const schema = isJson(ofJson) && isJson(ofJson.schema) ? ofJson.schema : undefined;
      return { status, description: textOf(description), ...(schema ? { schema } : {}) };
    }),
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function readParameter(document: OpenApiDocument, value: unknown): Parameter | undefined {
  const parameter = resolve(document, value);
  const name = textOf(parameter.name);
  if (name === '' || (parameter.in !== 'path' && parameter.in !== 'query')) return undefined;
  const schema = resolve(document, parameter.schema);
  const { example } = parameter;
  return {
    name,
    in: parameter.in,
    description: textOf(parameter.description),
    isRequired: parameter.required === true,
    isFlag: schema.type === 'boolean',
    values: listOf(schema.enum).map(String),
    example: ['string', 'number', 'boolean'].includes(typeof example) ? String(example) : '',
  };
}

/** Operations whose address or words have every word of the text; `translate` says the words that a reader sees. */
export function findOperations(
  operations: readonly ApiOperation[],
  text: string,
  translate: (summary: string) => string = (summary) => summary,
): ApiOperation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...operations];
  return operations.filter(({ verb, path, summary }) => {
    const whole = `${verb} ${path} ${summary} ${translate(summary)}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

/** Operations by their path, in order. */
export function byPath(operations: readonly ApiOperation[]): [path: string, operations: ApiOperation[]][] {
  const paths = new Map<string, ApiOperation[]>();
  for (const operation of operations) paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
  return [...paths];
}

const maxDepth = 4;

/** All properties of a schema, those of `allOf` included, and which are required. */
export function propertiesOf(
  document: OpenApiDocument,
  value: unknown,
  depth = 0,
): { properties: Json; required: string[] } {
  const schema = resolve(document, value);
  const parts = depth < maxDepth ? listOf(schema.allOf).map((part) => propertiesOf(document, part, depth + 1)) : [];
  return {
    properties: Object.assign(
      {},
      ...parts.map(({ properties }) => properties),
      isJson(schema.properties) ? schema.properties : {},
    ),
    required: [...parts.flatMap(({ required }) => required), ...listOf(schema.required).map(String)],
  };
}

/** A value a schema takes, to begin with: what is required, or the first few fields where nothing is. */
export function sampleOf(document: OpenApiDocument, value: unknown, depth = 0): unknown {
  const schema = resolve(document, value);
  const [first] = [...listOf(schema.enum)];
  if (first !== undefined) return first;
  const choice = listOf(schema.anyOf)[0] ?? listOf(schema.oneOf)[0];
  if (choice !== undefined) return sampleOf(document, choice, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return depth > maxDepth ? [] : [sampleOf(document, schema.items, depth + 1)];
  const { properties, required } = propertiesOf(document, schema);
  const names = Object.keys(properties);
  if (names.length > 0 && depth <= maxDepth) {
    const plain = names.filter((name) => !/array|object/.test(String(resolve(document, properties[name]).type)));
    const wanted = required.length > 0 ? required : plain.slice(0, 3);
    return Object.fromEntries(wanted.map((name) => [name, sampleOf(document, properties[name], depth + 1)]));
  }
  return { integer: 1, number: 1, boolean: true, string: 'text' }[String(type)] ?? {};
}

/** The names that a body may hold anywhere, with the type of each; for completion. */
export function namesIn(document: OpenApiDocument, schema: unknown): Map<string, string> {
  const names = new Map<string, string>();
  const visit = (value: unknown, depth: number) => {
    if (depth > maxDepth || names.size > 1_000) return;
    const { properties } = propertiesOf(document, value);
    for (const [name, property] of Object.entries(properties)) {
      if (!names.has(name)) names.set(name, typeText(document, property));
      visit(property, depth + 1);
    }
    const { items } = resolve(document, value);
    if (items) visit(items, depth + 1);
  };
  visit(schema, 0);
  return names;
}

/** `string (40) or null`, `array of contact.part` */
export function typeText(document: OpenApiDocument, value: unknown): string {
  if (isJson(value) && typeof value.$ref === 'string') return value.$ref.slice(value.$ref.lastIndexOf('/') + 1);
  const schema = resolve(document, value);
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeText(document, choice)))].join(' | ');
  if (schema.type === 'array') return `${typeText(document, schema.items)}[]`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any'];
  const length = typeof schema.maxLength === 'number' ? ` (${schema.maxLength})` : '';
  return types.map((type) => (type === 'string' ? `string${length}` : String(type))).join(' | ');
}

export interface SchemaRow {
  name: string;
  type: string;
  isRequired: boolean;
  isKey: boolean;
  values: string[];
  leadsTo: string;
  description: string;
}

/** The fields of a schema, for a table of them. */
export function schemaRows(document: OpenApiDocument, schema: unknown): SchemaRow[] {
  const { properties, required } = propertiesOf(document, schema);
  const whole = resolve(document, schema);
  const keys = [whole, ...listOf(whole.allOf).map((part) => resolve(document, part))].flatMap((part) =>
    listOf(part['x-primary-key']).map(String),
  );
  return Object.entries(properties).map(([name, property]) => {
    const field = resolve(document, property);
    const { table, field: target } = isJson(field['x-foreign-key']) ? field['x-foreign-key'] : {};
    return {
      name,
      type: typeText(document, property),
      isRequired: required.includes(name),
      isKey: keys.includes(name),
      values: listOf(field.enum)
        .filter((value) => value !== null)
        .map(String),
      leadsTo: table === undefined ? '' : `${String(table)}.${String(target)}`,
      description: textOf(field.description),
    };
  });
}
