// One operation as a document has it: parameters, body and answers.
import type { FieldDescription, TableDescription } from '@sluice/contract';
import type { ItemDescription, OperationDescription, Shape } from '../service/operation.ts';
import type { ListedOperation } from '../service/route-table.ts';
import type { Components } from './components.ts';
import { descriptionSchema } from './descriptions.ts';
import { parameterTexts } from './parameters.ts';
import type { Reach } from './reach.ts';
import { commonResponse, errorResponses } from './responses.ts';
import { type Form, fieldSchema, objectSchema, type Schema, valueSchema } from './schema.ts';

/** The schemas of what `record` and `records` of an operation are. */
export interface SchemasOfRecords {
  read(): Schema;
  answer(): Schema;
  create(): Schema;
  change(): Schema;
}

/** What an operation object is made of. */
export interface DescribedOperation {
  operation: ListedOperation;
  id: string;
  /** The name of the service. */
  tag: string;
  reach: Reach;
  /** Placeholders of the path that nothing stands for. */
  placeholders: string[];
  /** Values that a placeholder takes, where they are known. */
  known: Readonly<Record<string, { names: string[]; isOpen: boolean }>>;
  /** Whose address it is: the name of the table, say. */
  item?: { name: string; description?: ItemDescription } | undefined;
  schemas?: SchemasOfRecords | undefined;
  /** Of its table. */
  examples?: TableExamples | undefined;
}

export interface ObjectContext {
  components: Components;
  form: Form;
}

export function operationObject(described: DescribedOperation, context: ObjectContext): Record<string, unknown> {
  const { operation, id, tag, item } = described;
  const { summary, description } = operation;
  const parameters = [...pathParameters(described, context), ...queryParameters(described, context)];
  const body = requestBody(described, context);
  return {
    tags: [tag],
    summary: item ? `${item.name}: ${summary}` : summary,
    ...(description === undefined ? {} : { description }),
    operationId: id,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responses(described, context),
  };
}

// ---- parameters ----

function pathParameters(
  { placeholders, known, reach, item, operation }: DescribedOperation,
  { components }: ObjectContext,
) {
  return placeholders.map((name) => {
    const names = known[name];
    if (names) {
      const values = names.isOpen ? {} : { enum: names.names };
      const key = `path ${name} ${names.isOpen} ${names.names.join('\n')}`;
      const example = names.names[0] ?? 'name';
      return components.ref('parameters', key, name, () => ({
        ...{ name, in: 'path', required: true, schema: { type: 'string', ...values }, example },
      }));
    }
    const values = [...new Set(reach.values.flatMap((value) => value[name] ?? []))];
    const example = values[0] ?? exampleOf(name, operation, item?.description);
    const isListed = !reach.isOpen && reach.isComplete && values.length > 0;
    const schema = { type: 'string', ...(isListed ? { enum: values } : {}) };
    return { name, in: 'path', required: true, schema, example };
  });
}

/** A value of a placeholder, for the first try. */
function exampleOf(name: string, { records, endsInSlash }: ListedOperation, item: ItemDescription | undefined): string {
  const key = item && 'table' in item ? keyOf(item.table) : undefined;
  if (name === 'id') return key && isText(key) ? 'a' : '1';
  if (name === records?.identifier) return 'name';
  if (name.endsWith('path')) return endsInSlash ? 'example' : 'example.txt';
  return 'name';
}

const keyOf = ({ field, primary_key }: TableDescription): FieldDescription | undefined =>
  field.find(({ name, alias }) => primary_key.includes(alias ?? name));

const isText = ({ type }: FieldDescription): boolean => type === 'string' || type === 'text';

/** The arguments of an operation elsewhere that stand in a query: those with single values, or lists of them. */
const argumentParameters = ({ request }: OperationDescription, form: Form): object[] =>
  Object.entries(request.fields ?? {}).flatMap(([name, shape]) =>
    (shape.type === 'array' ? shape.items : shape)?.type === 'object'
      ? []
      : [{ name, in: 'query', schema: valueSchema(shape, form) }],
  );

function queryParameters(described: DescribedOperation, { components, form }: ObjectContext): object[] {
  const { operation, examples = {} } = described;
  const ofOperation = operation.verb === 'GET' ? operationOf(described.item) : undefined;
  if (ofOperation) return argumentParameters(ofOperation, form);
  return (operation.parameters ?? []).flatMap((name): object[] => {
    const example = examples[name];
    if (example === null) return [];
    const text = parameterTexts[name] ?? { description: name, schema: { type: 'string' } };
    const parameter = { name, in: 'query', description: text.description, schema: text.schema };
    if (example !== undefined) return [{ ...parameter, example }];
    const whole = text.example === undefined ? parameter : { ...parameter, example: text.example };
    return [components.ref('parameters', `query ${name}`, name, () => whole)];
  });
}

/** Values of parameters that work with a table; null: the parameter is of no use there. */
export type TableExamples = Readonly<Record<string, string | null>>;

/** Those of one table, whose relations are those that the caller may ask for. */
export function tableExamples(table: TableDescription, relations: string[]): TableExamples {
  const plain = table.field.filter(({ name, is_aggregate }) => /^[A-Za-z_]\w*$/.test(name) && !is_aggregate);
  const key = plain.find(({ name }) => table.primary_key.includes(name)) ?? plain[0];
  const fields = plain.slice(0, 3).map(({ name }) => name);
  return {
    related: relations.length > 0 ? relations.slice(0, 2).join(',') : null,
    ...(key ? { fields: fields.join(','), order: `${key.name} ASC`, filter: `(${key.name} is not null)` } : {}),
  };
}

// ---- bodies ----

const json = (schema: Schema) => ({ 'application/json': { schema } });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const wrapped = (items: Schema, more: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  required: ['resource'],
  properties: { resource: listOf(items), ...more },
});

function requestBody(described: DescribedOperation, context: ObjectContext) {
  const { operation, item, schemas } = described;
  const { body, bodyFields, form, verb } = operation;
  if (body === undefined) return undefined;
  const isRequired = verb !== 'DELETE';
  const record = schemas && (verb === 'POST' ? schemas.create() : schemas.change());
  const ofRoutine = item?.description && 'routine' in item.description ? item.description.routine : undefined;
  const elsewhere = operationOf(item);
  const content = ofRoutine
    ? json(routineSchema(ofRoutine.parameters, context.form))
    : elsewhere
      ? json(valueSchema(elsewhere.request, context.form))
      : contentOf(operation, body, bodyFields && objectSchema(bodyFields, context.form), record, context);
  const formData = form && { 'multipart/form-data': { schema: objectSchema(form, context.form) } };
  return { ...(isRequired ? { required: true } : {}), content: { ...content, ...formData } };
}

/** What is called elsewhere, where the item is such an operation. */
const operationOf = (item: DescribedOperation['item']): OperationDescription | undefined =>
  item?.description && 'operation' in item.description ? item.description.operation : undefined;

function contentOf(
  { describes }: ListedOperation,
  shape: Shape,
  own: Schema | undefined,
  record: Schema | undefined,
  context: ObjectContext,
) {
  const anything: Schema = { type: 'object' };
  switch (shape) {
    case 'records':
      return json(wrapped(record ?? anything));
    case 'record':
      return json(record ?? own ?? anything);
    case 'descriptions':
      return json(wrapped(descriptionSchema(context.components, context.form, describes)));
    case 'description':
      return json(descriptionSchema(context.components, context.form, describes));
    case 'text':
      return { 'text/plain': { schema: { type: 'string' } } };
    case 'bytes':
      return {
        'application/octet-stream': { schema: context.form === '3.0' ? { type: 'string', format: 'binary' } : {} },
      };
    case 'any value':
      return json({});
    default:
      return json(own ?? anything);
  }
}

function routineSchema(
  parameters: { name: string; field: FieldDescription; isRequired: boolean }[],
  form: Form,
): Schema {
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = Object.fromEntries(parameters.map(({ name, field }) => [name, fieldSchema(field, form)]));
  const byName = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return { type: 'object', properties: { params: byName } };
}

// ---- answers ----

const meta: Schema = {
  type: 'object',
  properties: { count: { type: 'integer' }, next: { type: 'integer' }, after: { type: 'string' }, schema: {} },
};

function responses(described: DescribedOperation, context: ObjectContext) {
  const { operation } = described;
  const { components, form } = context;
  return {
    [String(operation.status ?? 200)]: successOf(described, context),
    ...(operation.errors ? errorResponses(components, operation.errors, form) : {}),
    default: commonResponse(components, 'Error', form),
  };
}

function successOf({ operation, schemas, item }: DescribedOperation, context: ObjectContext) {
  const { components, form } = context;
  const elsewhere = operationOf(item);
  if (elsewhere) return { description: 'Success', content: json(valueSchema(elsewhere.response, form)) };
  const { answer, answerFields, verb } = operation;
  if (answer === 'success') return commonResponse(components, 'Success', form);
  const record = schemas && (verb === 'GET' ? schemas.read() : schemas.answer());
  if (answer === 'records') {
    if (!record) return commonResponse(components, 'ResourceList', form);
    const { $ref } = record as { $ref?: string };
    const isRead = verb === 'GET';
    const make = () => ({ description: 'Records', content: json(wrapped(record, isRead ? { meta } : {})) });
    return $ref === undefined ? make() : components.ref('responses', `records ${$ref}`, nameIn($ref), make);
  }
  const own = answerFields && objectSchema(answerFields, form);
  return { description: 'Success', content: contentOf(operation, answer, own, record, context) };
}

const nameIn = ($ref: string): string => `${$ref.slice($ref.lastIndexOf('/') + 1)}.list`;
