// What a tool takes: arguments for the service, the placeholders of the address and the query parameters, and the body.
import { parameterTexts } from '../openapi/parameters.ts';
import { objectSchema, type Schema } from '../openapi/schema.ts';
import type { ListedOperation } from '../service/route-table.ts';

/** What an argument of a tool becomes. */
export interface Argument {
  in: 'path' | 'query';
  /** The placeholder or the parameter. */
  name: string;
}

/** Names that clients take for arguments. */
const argumentPattern = /^[A-Za-z0-9_.-]{1,64}$/;
const maxArguments = 60;

/** The arguments of an operation by their names, besides `service` and `body`; placeholders first. */
export function argumentsOf({ path, parameters = [] }: ListedOperation): Map<string, Argument> {
  const placeholders = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string);
  const all = new Map<string, Argument>();
  const add = (argument: Argument, other: string) => {
    const isFree = argumentPattern.test(argument.name) && !reserved.has(argument.name) && !all.has(argument.name);
    const name = isFree ? argument.name : other;
    if (argumentPattern.test(name) && !all.has(name) && all.size < maxArguments) all.set(name, argument);
  };
  for (const [index, name] of placeholders.entries()) add({ in: 'path', name }, `path_${index + 1}`);
  for (const name of parameters) add({ in: 'query', name }, `query_${name}`);
  return all;
}

const reserved = new Set(['service', 'body']);

/** Values of an argument that are listed, and characters of all of them together; else a few are examples. */
const maxListed = { values: 60, characters: 4_000 };
const maxExamples = { values: 5, characters: 400 };

/** What may stand for an argument. */
export interface Choices {
  values: ReadonlySet<string>;
  /** Nothing else may. */
  isComplete: boolean;
}

export function textSchema(choices: Choices | undefined, description?: string): Schema {
  const schema: Schema = { type: 'string', ...(description === undefined ? {} : { description }) };
  if (!choices || choices.values.size === 0) return schema;
  const values = [...choices.values];
  if (choices.isComplete && fits(values, maxListed)) return { ...schema, enum: values };
  const examples = values.slice(0, maxExamples.values);
  return fits(examples, maxExamples) ? { ...schema, examples } : schema;
}

const fits = (texts: string[], max: typeof maxListed) =>
  texts.length <= max.values && texts.reduce((sum, { length }) => sum + length, 0) <= max.characters;

/** The schema of the arguments. `choices` are those of `service` and of placeholders, by their names. */
export function inputSchema(operation: ListedOperation, choices: ReadonlyMap<string, Choices>): Schema {
  const properties: Record<string, Schema> = {
    service: textSchema(choices.get('service'), 'The name of the service.'),
  };
  const required = ['service'];
  const args = argumentsOf(operation);
  const last = [...args.values()].filter((argument) => argument.in === 'path').at(-1);
  for (const [name, argument] of args) {
    if (argument.in === 'query') properties[name] = parameterSchema(argument.name);
    else {
      const takesSlashes = operation.takesSlashes && argument === last;
      const note = takesSlashes && argument.name.endsWith('path') ? 'May hold slashes: a/b.' : undefined;
      properties[name] = textSchema(choices.get(argument.name), note);
      required.push(name);
    }
  }
  const body = bodySchema(operation);
  if (body) {
    properties.body = body;
    if (operation.verb !== 'DELETE') required.push('body');
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

function parameterSchema(name: string): Schema {
  const known = Object.hasOwn(parameterTexts, name) ? parameterTexts[name] : undefined;
  return known ? { ...known.schema, description: known.description } : { type: 'string' };
}

const anyObject: Schema = { type: 'object' };
const listed = (what: string): Schema => ({
  type: 'object',
  properties: { resource: { type: 'array', items: anyObject, description: what } },
  required: ['resource'],
});

function bodySchema({ body, bodyFields }: ListedOperation): Schema | undefined {
  switch (body) {
    case undefined:
      return undefined;
    case 'records':
      return bodyFields ? objectSchema(bodyFields, '3.1') : listed('Records, values by field.');
    case 'descriptions':
      return listed('Descriptions: name, and what else is to be set.');
    case 'text':
      return { type: 'string' };
    case 'bytes':
      return { type: 'string', description: 'The content, as text.' };
    case 'any value':
      return bodyFields ? objectSchema(bodyFields, '3.1') : { description: 'Any JSON value.' };
    default:
      return bodyFields ? objectSchema(bodyFields, '3.1') : anyObject;
  }
}
