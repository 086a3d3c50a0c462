// The schemas of a system resource, from its declaration: as records are read and as they are written.
import type { ResourceDefinition, ResourceField, ResourceRelation } from '@sluice/contract';
import type { Components } from './components.ts';
import { type Form, nullable, type Schema } from './schema.ts';

export interface ResourceContext {
  components: Components;
  form: Form;
  prefix: string;
  /** The declaration of the resource of a relation, as far as the caller may read and write it. */
  related(
    relation: ResourceRelation,
    from: ResourceDefinition,
  ): { read?: ResourceDefinition; write?: ResourceDefinition };
}

/** The schemas of records, made when something refers to them. */
export function resourceSchemas(definition: ResourceDefinition, context: ResourceContext) {
  const { components, prefix } = context;
  const { name } = definition;
  const ref = (kind: string, make: () => Schema) =>
    components.ref('schemas', `${prefix}\0${name}\0${kind}`, `${prefix}${name}${kind}`, make);
  const part = () => ref('.part', () => partSchema(definition, context));
  const change = () => ref('.change', () => changeSchema(definition, context));
  const fields = Object.entries(definition.fields);
  const read = fields.filter(([, { rules }]) => !rules.writeOnly && !rules.optional).map(([name]) => name);
  const required = fields.filter(([, { rules }]) => rules.required && !rules.readOnly).map(([name]) => name);
  return {
    read: () => ref('', () => ({ allOf: [part()], required: read })),
    answer: part,
    create: () => ref('.new', () => ({ allOf: [change()], ...(required.length > 0 ? { required } : {}) })),
    change,
  };
}

function partSchema(definition: ResourceDefinition, context: ResourceContext): Schema {
  const fields = Object.entries(definition.fields)
    .filter(([, { rules }]) => !rules.writeOnly)
    .map(([name, field]) => [name, valueSchema(field, context.form)]);
  return {
    type: 'object',
    description: definition.description,
    properties: Object.fromEntries([...fields, ...relations(definition, context, 'read')]),
    'x-primary-key': [definition.identifier],
  };
}

function changeSchema(definition: ResourceDefinition, context: ResourceContext): Schema {
  const fields = Object.entries(definition.fields)
    .filter(([name, { rules }]) => !rules.computed && (!rules.readOnly || name === definition.identifier))
    .map(([name, field]) => [name, { ...valueSchema(field, context.form), ...defaultOf(field) }]);
  return { type: 'object', properties: Object.fromEntries([...fields, ...relations(definition, context, 'write')]) };
}

function relations(definition: ResourceDefinition, context: ResourceContext, right: 'read' | 'write') {
  return Object.entries(definition.relations).flatMap(([name, relation]) => {
    if (right === 'write' && relation.isComputed) return [];
    const target = context.related(relation, definition)[right];
    if (!target) return [];
    const schemas = resourceSchemas(target, context);
    const record = right === 'read' ? schemas.answer() : schemas.change();
    const isMany = relation.kind === 'has_many' || relation.kind === 'many_many';
    return [[name, isMany ? { type: 'array', items: record } : nullable(record, context.form)]];
  });
}

const types: Partial<Record<ResourceField['kind'], Schema>> = {
  id: { type: 'integer' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  text: { type: 'string' },
  date: { type: 'string', format: 'date-time' },
};

function valueSchema(field: ResourceField, form: Form): Schema {
  const { max } = field.rules;
  const schema = { ...types[field.kind], ...(max !== undefined && field.kind === 'text' ? { maxLength: max } : {}) };
  return 'anyOf' in field ? nullable(schema, form) : schema;
}

const defaultOf = ({ rules }: ResourceField): Schema => (rules.default === undefined ? {} : { default: rules.default });
