// JSON schemas in the two forms of our documents: OpenAPI 3.0.0, which has `nullable`, and 3.1, where null is a type.
import type { FieldDescription, SimpleType } from '@sluice/contract';
import type { ObjectShape, ValueShape } from '../service/operation.ts';

export type Form = '3.0' | '3.1';
export type Schema = Record<string, unknown>;

/**
 * A schema that takes null, too. In 3.0 `nullable` counts beside a `type` only, a `$ref` takes nothing beside it, and a list of
 * values has to name null in both forms.
 */
export function nullable(schema: Schema, form: Form): Schema {
  if ('$ref' in schema)
    return form === '3.0' ? { type: 'object', nullable: true, allOf: [schema] } : { anyOf: [schema, { type: 'null' }] };
  if (Array.isArray(schema.anyOf)) {
    const [first, ...rest] = schema.anyOf as Schema[];
    return { ...schema, anyOf: [nullable(first as Schema, form), ...rest] };
  }
  // It takes anything.
  if (schema.type === undefined) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return form === '3.0'
    ? { ...schema, nullable: true, ...values }
    : { ...schema, type: [schema.type, 'null'], ...values };
}

/** An object of an operation's own. */
export function objectSchema(fields: ObjectShape, form: Form): Schema {
  const required = Object.entries(fields).flatMap(([name, { required }]) => (required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, valueSchema(shape, form)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A value of an operation's own. */
export function valueSchema(
  { type, description, nullable: takesNull, enum: values, items, fields }: ValueShape,
  form: Form,
) {
  const texts = description === undefined ? {} : { description };
  const schema: Schema =
    type === 'object' && fields
      ? { ...objectSchema(fields, form), ...texts }
      : {
          ...(type === 'file' ? file[form] : type ? { type } : {}),
          ...texts,
          ...(values ? { enum: [...values] } : {}),
          ...(type === 'array' ? { items: items ? valueSchema(items, form) : {} } : {}),
        };
  return takesNull ? nullable(schema, form) : schema;
}

/** The content of a file in a multipart form. */
const file: Record<Form, Schema> = {
  '3.0': { type: 'string', format: 'binary' },
  '3.1': { type: 'string', contentMediaType: 'application/octet-stream' },
};

const integer: Schema = { type: 'integer' };
const text: Schema = { type: 'string' };
/** What is no double in all its digits goes as text (contract/database-tables.md §10). */
const exactInteger: Schema = { anyOf: [integer, text] };
const exactNumber: Schema = { anyOf: [{ type: 'number' }, text] };

const schemas: Partial<Record<SimpleType, Schema>> = {
  id: integer,
  integer,
  reference: integer,
  user_id: integer,
  user_id_on_create: integer,
  user_id_on_update: integer,
  bigint: exactInteger,
  decimal: exactNumber,
  double: exactNumber,
  float: exactNumber,
  money: exactNumber,
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
};

const bytes: Record<Form, Schema> = {
  '3.0': { type: 'string', format: 'byte' },
  '3.1': { type: 'string', contentEncoding: 'base64' },
};

/** The values of a field as records show them; dates are texts as the database prints them. */
export function fieldSchema(field: FieldDescription, form: Form): Schema {
  const { type, length, picklist } = field;
  if (type === 'binary') return bytes[form];
  const schema = schemas[type];
  if (schema) return schema;
  // A column that SQLite knows no type of, of a view, say, holds values of any.
  if (field.db_type === '') return {};
  const maxLength =
    (type === 'string' || type === 'text') && length !== null && length > 0 ? { maxLength: length } : {};
  return { type: 'string', ...(picklist && picklist.length > 0 ? { enum: [...new Set(picklist)] } : maxLength) };
}

/** The values a field takes: JSON as it is, and the elements of an array. */
export function writtenSchema(field: FieldDescription, form: Form): Schema {
  const takesAnything = field.type === 'json' || field.db_type?.endsWith('[]') === true;
  return takesAnything ? {} : fieldSchema(field, form);
}
