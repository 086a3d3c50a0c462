// The schema of a caller as a client has it, and queries made of it.
import type { Answer, AskOptions, TestPlatform } from '@sluice/testkit';
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  validateSchema,
} from 'graphql';

export const ask = (platform: TestPlatform, query: string, options: AskOptions = {}): Promise<Answer> =>
  platform.ask('POST', '/graphql', { ...options, body: { query } });

/** Asks for the whole schema, as clients do; throws where it is none. */
export async function schemaFor(platform: TestPlatform, options: AskOptions = {}): Promise<GraphQLSchema> {
  const { body, text } = await ask(
    platform,
    getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }),
    options,
  );
  if (body?.errors || !body?.data) throw new Error(text.slice(0, 1000));
  const schema = buildClientSchema(body.data as IntrospectionQuery);
  const errors = validateSchema(schema);
  if (errors.length > 0) throw errors[0];
  return schema;
}

/** A query of one field, with a value for each argument that is required and all fields of a record. */
export function queryOf(
  field: GraphQLField<unknown, unknown>,
  kind: 'query' | 'mutation',
  more: string[] = [],
): string {
  const args = [
    ...field.args.filter(({ type }) => isNonNullType(type)).map(({ name, type }) => `${name}: ${sample(type)}`),
    ...more.filter((text) => field.args.some(({ name }) => text.startsWith(`${name}:`))),
  ];
  return `${kind} { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selected(field.type, 1)} }`;
}

function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return `[${sample(type.ofType)}]`;
  if (!isInputObjectType(type)) return `"${type.toString() === 'DateTime' ? '2020-01-01 00:00:00' : '4711'}"`;
  const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
  return `{${required.map((field) => `${field.name}: ${sample(field.type)}`).join(', ')}}`;
}

function selected(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    const isRecord = isObjectType(getNamedType(field.type));
    if (isRecord && depth === 0) return [];
    return [`${field.name}${selected(field.type, depth - 1)}`];
  });
  return ` { ${['__typename', ...fields].join(' ')} }`;
}
