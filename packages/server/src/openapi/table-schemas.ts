// The schemas of a table: as records are read and as they are written (contract/database-tables.md §3, §10).
import type { FieldDescription, RelationDescription, TableDescription } from '@sluice/contract';
import type { Components } from './components.ts';
import { type Form, fieldSchema, nullable, type Schema, writtenSchema } from './schema.ts';

/** What the schemas of a table depend on besides it. */
export interface TableContext {
  components: Components;
  form: Form;
  /** Of the service; names of components begin with it. */
  prefix: string;
  /** The schemas of the table of a relation as far as the caller may read and write it; `any` where nothing describes it. */
  related(relation: RelationDescription): { read?: Schema | 'any'; write?: Schema };
  /** Whether the caller reaches a table in any way. */
  isKnown(table: string): boolean;
}

export interface RecordSchemas {
  /** A record as it is read; all of its fields are there unless `fields` names some. */
  read: Schema;
  /** What a write answers: the key, or what `fields` names. */
  answer: Schema;
  create: Schema;
  change: Schema;
}

/** The schemas of records, made when something refers to them; `table` answers undefined where it cannot be described. */
export function tableSchemas(name: string, table: () => Promise<TableDescription | undefined>, context: TableContext) {
  const { components, prefix } = context;
  const ref = (kind: string, make: (table: TableDescription) => Schema) =>
    components.ref('schemas', `${prefix}\0${name}\0${kind}`, `${prefix}${name}${kind}`, async () => {
      const description = await table();
      return description ? make(description) : { type: 'object' };
    });
  const part = () => ref('.part', (description) => partSchema(description, context));
  const change = () => ref('.change', (description) => changeSchema(description, context));
  return {
    read: () => ref('', (description) => withRequired(part(), readNames(description))),
    answer: part,
    create: () => ref('.new', (description) => withRequired(change(), requiredNames(description))),
    change,
  };
}

/** Generators of clients know names that are required beside what they are properties of, not a schema of them alone. */
const withRequired = (schema: Schema, required: string[]): Schema =>
  required.length === 0 ? { allOf: [schema] } : { allOf: [schema], required };

const apiName = ({ alias, name }: { alias?: string | null; name: string }): string => alias ?? name;

const readNames = ({ field }: TableDescription): string[] =>
  field.filter(({ is_aggregate }) => !is_aggregate).map(apiName);

/** Fields whose values the server makes, whatever is sent. */
const ownTypes: readonly string[] = [
  ...['timestamp_on_create', 'timestamp_on_update', 'user_id_on_create', 'user_id_on_update'],
];

const isWritable = ({ type, is_aggregate }: FieldDescription): boolean => !is_aggregate && !ownTypes.includes(type);

const requiredNames = ({ field }: TableDescription): string[] =>
  field.filter((one) => one.required && isWritable(one) && !one.is_virtual).map(apiName);

function partSchema(table: TableDescription, context: TableContext): Schema {
  const { form } = context;
  const fields = table.field.map((field) => [apiName(field), describedField(field, fieldSchema(field, form), context)]);
  const relations = table.related.flatMap((relation) => {
    const { read } = context.related(relation);
    return read === undefined ? [] : [[apiName(relation), readRelationSchema(relation, read, context)]];
  });
  return {
    type: 'object',
    ...describe(table),
    properties: Object.fromEntries([...fields, ...relations]),
    ...(table.primary_key.length > 0 ? { 'x-primary-key': table.primary_key } : {}),
  };
}

function changeSchema(table: TableDescription, context: TableContext): Schema {
  const { form } = context;
  const fields = table.field
    .filter(isWritable)
    .map((field) => [
      apiName(field),
      { ...describedField(field, writtenSchema(field, form), context), ...defaultOf(field) },
    ]);
  const relations = table.related.flatMap((relation) => {
    const { write } = context.related(relation);
    return write === undefined ? [] : [[apiName(relation), relationSchema(relation, write, context)]];
  });
  return { type: 'object', ...describe(table), properties: Object.fromEntries([...fields, ...relations]) };
}

const describe = ({ description }: { description: string | null }) =>
  description === null || description === '' ? {} : { description };

function describedField(field: FieldDescription, schema: Schema, { form, isKnown }: TableContext): Schema {
  const leadsTo = field.is_foreign_key && field.ref_table !== null && isKnown(field.ref_table);
  const withWords: Schema = {
    ...schema,
    ...describe(field),
    'x-type': field.type,
    ...(leadsTo ? { 'x-foreign-key': { table: field.ref_table, field: field.ref_field } } : {}),
  };
  return field.allow_null || field.is_virtual ? nullable(withWords, form) : withWords;
}

/** A default that is a value, not an expression. */
function defaultOf({ default: value, type }: FieldDescription): Schema {
  if (type === 'boolean') return typeof value === 'boolean' ? { default: value } : {};
  return typeof value === 'number' && schemaIsNumeric(type) ? { default: value } : {};
}

const schemaIsNumeric = (type: string) => ['integer', 'bigint', 'float', 'double', 'decimal', 'money'].includes(type);

/** What stands where no record is found, depends on the kind (contract/database-tables.md §6.1). */
function readRelationSchema(relation: RelationDescription, target: Schema | 'any', context: TableContext): Schema {
  if (relation.type !== 'has_one') return relationSchema(relation, target, context);
  return { anyOf: [target === 'any' ? { type: 'object' } : target, { type: 'array', items: {}, maxItems: 0 }] };
}

function relationSchema(relation: RelationDescription, target: Schema | 'any', { form }: TableContext): Schema {
  const record: Schema = target === 'any' ? { type: 'object' } : target;
  const isMany = relation.type === 'has_many' || relation.type === 'many_many';
  return isMany ? { type: 'array', items: record, ...describe(relation) } : nullable(record, form);
}
