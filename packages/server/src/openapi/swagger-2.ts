// Documents of Swagger 2.0, as definitions of older services are, in the form of OpenAPI 3.0. Pure, linear in the document, and
// it refuses nothing: what is of no known shape is left out.
import { verbs } from '@sluice/contract';
import { isRecord } from '../call/payload.ts';

type Json = Record<string, unknown>;

export const isSwagger2 = ({ swagger }: Json): boolean => /^2(\.|$)/.test(String(swagger));

/** The document as one of OpenAPI 3.0. Where calls go (`host`, `basePath`, `schemes`) and with which credentials is not kept. */
export function upgradeSwagger2(document: Json): Json {
  const whole: Whole = {
    parameters: new Map(Object.entries(recordOf(document.parameters))),
    consumes: textsOf(document.consumes) ?? usualTypes,
    produces: textsOf(document.produces) ?? usualTypes,
  };
  const { info, tags, externalDocs, paths } = document;
  return {
    openapi: '3.0.3',
    ...Object.fromEntries(Object.entries({ info, tags, externalDocs }).filter(([, value]) => value !== undefined)),
    paths: mapEntries(paths, (item) => upgradePath(item, whole)),
    components: {
      schemas: mapEntries(document.definitions, upgradeSchema),
      parameters: Object.fromEntries(
        [...whole.parameters].flatMap(([name, value]) =>
          isRecord(value) && !isOfBody(value) ? [[name, upgradeParameter(value)]] : [],
        ),
      ),
      responses: mapEntries(document.responses, (response) => upgradeResponse(response, whole.produces)),
    },
  };
}

/** What holds for all operations. */
interface Whole {
  parameters: ReadonlyMap<string, unknown>;
  consumes: string[];
  produces: string[];
}

const usualTypes = ['application/json'];

const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

const mapEntries = (value: unknown, upgrade: (member: unknown) => unknown): Json =>
  Object.fromEntries(
    Object.entries(recordOf(value)).map(([name, member]) => [name, isExtension(name) ? member : upgrade(member)]),
  );

const isExtension = (name: string): boolean => name.startsWith('x-');

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((item): item is string => typeof item === 'string' && item !== '');
  return texts.length > 0 ? [...new Set(texts)] : undefined;
}

const isOfBody = (parameter: Json): boolean => parameter.in === 'body' || parameter.in === 'formData';

// ---- paths ----

function upgradePath(item: unknown, whole: Whole): unknown {
  if (!isRecord(item)) return item;
  const shared = parametersOf(item.parameters, whole);
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'parameters') return [[name, shared.filter(({ isBody }) => !isBody).map(({ upgraded }) => upgraded)]];
    if (!verbs.some((verb) => verb.toLowerCase() === name)) return isExtension(name) ? [[name, value]] : [];
    return isRecord(value) ? [[name, upgradeOperation(value, shared, whole)]] : [];
  });
  return Object.fromEntries(entries);
}

function upgradeOperation(operation: Json, shared: readonly Parameter[], whole: Whole): Json {
  const { parameters, consumes, produces, schemes: _schemes, responses, ...rest } = operation;
  const own = parametersOf(parameters, whole);
  const ownBody = own.filter(({ isBody }) => isBody);
  const body = (ownBody.length > 0 ? ownBody : shared.filter(({ isBody }) => isBody)).map(({ source }) => source);
  const requestBody = bodyOf(body, textsOf(consumes) ?? whole.consumes);
  const others = own.filter(({ isBody }) => !isBody).map(({ upgraded }) => upgraded);
  return {
    ...rest,
    ...(others.length > 0 ? { parameters: others } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: mapEntries(responses, (response) => upgradeResponse(response, textsOf(produces) ?? whole.produces)),
  };
}

interface Parameter {
  isBody: boolean;
  source: Json;
  /** A reference where it was one. */
  upgraded: Json;
}

/** The parameters of a list; a reference leads to one of the document or nowhere. */
function parametersOf(list: unknown, { parameters }: Whole): Parameter[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item): Parameter[] => {
    if (!isRecord(item)) return [];
    if (typeof item.$ref !== 'string')
      return [{ isBody: isOfBody(item), source: item, upgraded: upgradeParameter(item) }];
    const source = parameters.get(nameIn(item.$ref, '#/parameters/') ?? '');
    return isRecord(source) ? [{ isBody: isOfBody(source), source, upgraded: upgradeReference(item.$ref) }] : [];
  });
}

const nameIn = ($ref: string, place: string): string | undefined =>
  $ref.startsWith(place) ? $ref.slice(place.length).replaceAll('~1', '/').replaceAll('~0', '~') : undefined;

/** What of a parameter describes its values. */
const valueMembers = [
  ...['type', 'format', 'items', 'default', 'enum', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'x-nullable'],
];

function upgradeParameter(parameter: Json): Json {
  const { name, in: place, description, required } = parameter;
  const isKept = (member: string) =>
    !valueMembers.includes(member) && !['collectionFormat', 'allowEmptyValue'].includes(member);
  return {
    ...Object.fromEntries(Object.entries(parameter).filter(([member]) => isKept(member))),
    ...{ name, in: place },
    ...(typeof description === 'string' ? { description } : {}),
    ...(place === 'path' || required === true ? { required: true } : {}),
    schema: valueSchema(parameter),
    ...serialization(parameter),
  };
}

const valueSchema = (parameter: Json): Json =>
  upgradeSchema(Object.fromEntries(Object.entries(parameter).filter(([name]) => valueMembers.includes(name)))) as Json;

/** How the values of a list stand in an address: separated by commas where nothing is said. */
function serialization({ type, in: place, collectionFormat }: Json): Json {
  if (type !== 'array') return {};
  if (place !== 'query') return { style: 'simple' };
  const styles = new Map([
    ['ssv', 'spaceDelimited'],
    ['pipes', 'pipeDelimited'],
  ]);
  return { style: styles.get(String(collectionFormat)) ?? 'form', explode: collectionFormat === 'multi' };
}

/** The body, of the one parameter that is it, or of the fields of a form. */
function bodyOf(parameters: readonly Json[], types: readonly string[]): Json | undefined {
  const [first] = parameters;
  if (!first) return undefined;
  const whole = parameters.find((parameter) => parameter.in === 'body');
  if (whole) {
    const { description, required, schema } = whole;
    return {
      ...(typeof description === 'string' ? { description } : {}),
      ...(required === true ? { required: true } : {}),
      content: contentOf(types, upgradeSchema(recordOf(schema))),
    };
  }
  const fields = parameters.filter(({ name }) => typeof name === 'string');
  const required = fields.filter((field) => field.required === true).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        { ...valueSchema(field), ...(typeof field.description === 'string' ? { description: field.description } : {}) },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
  const hasFile = fields.some(({ type }) => type === 'file');
  const named = types.filter((type) => (hasFile ? isMultipart(type) : isMultipart(type) || isForm(type)));
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: contentOf(named.length > 0 ? named : [usual], schema),
  };
}

const isMultipart = (type: string): boolean => type.startsWith('multipart/');
const isForm = (type: string): boolean => type.startsWith('application/x-www-form-urlencoded');

const contentOf = (types: readonly string[], schema: unknown): Json =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

// ---- answers and schemas ----

function upgradeResponse(response: unknown, types: readonly string[]): unknown {
  if (!isRecord(response)) return { description: '' };
  if (typeof response.$ref === 'string') return upgradeReference(response.$ref);
  const { description, schema, headers, examples, ...rest } = response;
  const samples = new Map(Object.entries(recordOf(examples)));
  const content = Object.entries(schema === undefined ? {} : contentOf(types, upgradeSchema(schema))).map(
    ([type, media]) => [type, samples.has(type) ? { ...recordOf(media), example: samples.get(type) } : media],
  );
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => isExtension(name))),
    description: typeof description === 'string' ? description : '',
    ...(isRecord(headers) ? { headers: mapEntries(headers, upgradeHeader) } : {}),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  };
}

function upgradeHeader(header: unknown): Json {
  const { description } = recordOf(header);
  return { ...(typeof description === 'string' ? { description } : {}), schema: valueSchema(recordOf(header)) };
}

/** Members of a schema that hold one, a list or a map of others. */
const nested = new Set(['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']);
const named = new Set(['properties', 'patternProperties']);

function upgradeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(upgradeSchema);
  if (!isRecord(schema)) return schema;
  if (typeof schema.$ref === 'string') return upgradeReference(schema.$ref);
  return Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => upgradeMember(name, value, schema)));
}

function upgradeMember(name: string, value: unknown, { type }: Json): [string, unknown][] {
  if (nested.has(name)) return [[name, upgradeSchema(value)]];
  if (named.has(name)) return [[name, mapEntries(value, upgradeSchema)]];
  if (name === 'x-nullable') return [['nullable', value === true]];
  if (name === 'discriminator' && typeof value === 'string') return [[name, { propertyName: value }]];
  if (type !== 'file') return [[name, value]];
  if (name === 'type')
    return [
      [name, 'string'],
      ['format', 'binary'],
    ];
  return name === 'format' ? [] : [[name, value]];
}

const places = [
  ['#/definitions/', '#/components/schemas/'],
  ['#/parameters/', '#/components/parameters/'],
  ['#/responses/', '#/components/responses/'],
] as const;

/** A reference within the document at its new place; one that leads elsewhere stays, and is left out later. */
function upgradeReference($ref: string): Json {
  const [from, to] = places.find(([start]) => $ref.startsWith(start)) ?? ['', ''];
  return { $ref: `${to}${$ref.slice(from.length)}` };
}
