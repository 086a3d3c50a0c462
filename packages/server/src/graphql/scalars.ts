// The scalars of fields: values pass as the API has them, so that no digit is lost (contract/database-tables.md §9).
import { ExactNumber, type FieldDescription, type SimpleType } from '@sluice/contract';
import { GraphQLBoolean, GraphQLScalarType, GraphQLString, type ValueNode, valueFromASTUntyped } from 'graphql';

/** A value written in a query, its digits kept: a whole number that no double has is a text, as the API takes it. */
function literal(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): unknown {
  if (node.kind === 'IntValue') return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : node.value;
  if (node.kind === 'FloatValue')
    return /^-?[\d.]{1,15}$/.test(node.value) ? Number(node.value) : new ExactNumber(node.value);
  if (node.kind === 'ListValue') return node.values.map((value) => literal(value, variables));
  if (node.kind === 'ObjectValue')
    return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literal(value, variables)]));
  return valueFromASTUntyped(node, variables);
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || value instanceof ExactNumber || (typeof value === 'string' && value !== '');

function scalar(name: string, description: string, accepts: (value: unknown) => boolean): GraphQLScalarType {
  const check = (value: unknown): unknown => {
    if (!accepts(value)) throw new TypeError(`${name} cannot represent a value of this kind.`);
    return value;
  };
  return new GraphQLScalarType({
    ...{ name, description, serialize: (value) => value },
    ...{ parseValue: check, parseLiteral: (node, variables) => check(literal(node, variables)) },
  });
}

const isText = (value: unknown): boolean => typeof value === 'string';
/** A time may be what `{"expression": "NOW()"}` gives. */
const isMoment = (value: unknown): boolean => isText(value) || (typeof value === 'object' && value !== null);

const integer = scalar(
  'Integer',
  'A whole number of any length: a number where a double holds all its digits, else a text.',
  isNumeric,
);
const number = scalar(
  'Decimal',
  'A number in all its digits: a number where a double holds them, else a text.',
  isNumeric,
);
const date = scalar('Date', 'A date as the database prints it.', isMoment);
const time = scalar('Time', 'A time of day as the database prints it.', isMoment);
const dateTime = scalar('DateTime', 'A date and time as the database prints it.', isMoment);
const base64 = scalar('Base64', 'Bytes as base64.', isText);
const uuid = scalar('UUID', 'A UUID.', isText);
/** What takes and gives anything. */
export const anyValue = scalar('JSON', 'Any value.', () => true);

const scalars: Partial<Record<SimpleType, GraphQLScalarType>> = {
  ...{ id: integer, integer, bigint: integer, reference: integer },
  ...{ user_id: integer, user_id_on_create: integer, user_id_on_update: integer },
  ...{ decimal: number, double: number, float: number, money: number },
  ...{ boolean: GraphQLBoolean, binary: base64, uuid, date, time, timetz: time },
  ...{ datetime: dateTime, datetimetz: dateTime, timestamp: dateTime, timestamptz: dateTime },
  ...{ timestamp_on_create: dateTime, timestamp_on_update: dateTime },
};

/** As records show it. A column of no type, of a view of SQLite, say, has values of any. */
export const readScalar = ({ type, db_type }: FieldDescription): GraphQLScalarType =>
  scalars[type] ?? (db_type === '' ? anyValue : GraphQLString);

/** As it is written: JSON as it is, and the elements of an array. */
export const writtenScalar = (field: FieldDescription): GraphQLScalarType =>
  field.type === 'json' || field.db_type?.endsWith('[]') ? anyValue : readScalar(field);
