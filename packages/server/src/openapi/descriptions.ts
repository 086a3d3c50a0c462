// The schema of descriptions, as `_schema` answers and takes them: tables, fields and relations (contract/database-schema.md §2).
import { relationKinds, simpleTypes } from '@sluice/contract';
import type { Described } from '../service/operation.ts';
import type { Components } from './components.ts';
import { type Form, nullable, type Schema } from './schema.ts';

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const flag: Schema = { type: 'boolean' };

const fieldTexts = [
  'alias',
  'label',
  'description',
  'db_type',
  'ref_table',
  'ref_field',
  'ref_on_update',
  'ref_on_delete',
];
const fieldFlags = [
  ...['required', 'allow_null', 'fixed_length', 'supports_multibyte', 'auto_increment', 'is_primary_key', 'is_unique'],
  ...['is_index', 'is_foreign_key', 'is_virtual', 'is_aggregate'],
];
const relationTexts = [
  ...['alias', 'label', 'description', 'ref_table', 'ref_field', 'ref_on_update', 'ref_on_delete'],
  ...['junction_table', 'junction_field', 'junction_ref_field'],
];

const each = (names: readonly string[], schema: Schema) => Object.fromEntries(names.map((name) => [name, schema]));

/** Kept for older clients: an empty list. */
const native: Schema = { type: 'array', items: {} };

/** What a table, a field or a relation says of itself. */
export const descriptionSchema = (components: Components, form: Form, what: Described = 'table'): Schema => {
  const [name, make] = descriptions[what];
  return components.ref('schemas', name, name, () => make(components, form));
};

const descriptions: Record<Described, [name: string, make: (components: Components, form: Form) => Schema]> = {
  table: ['Description', tableDescription],
  field: ['FieldDescription', (_, form) => fieldDescription(form)],
  relation: ['RelationDescription', (_, form) => relationDescription(form)],
};

function tableDescription(components: Components, form: Form): Schema {
  const listOf = (what: Described) => ({ type: 'array', items: descriptionSchema(components, form, what) });
  return {
    type: 'object',
    properties: {
      name: text,
      ...each(['alias', 'label', 'description', 'plural', 'name_field'], nullable(text, form)),
      native,
      is_view: flag,
      primary_key: { type: 'array', items: text },
      field: listOf('field'),
      related: listOf('relation'),
      constraints: { description: 'By name; an empty list where there are none.' },
      access: integer,
    },
  };
}

const fieldDescription = (form: Form): Schema => ({
  type: 'object',
  properties: {
    name: text,
    ...each(fieldTexts, nullable(text, form)),
    native,
    type: { type: 'string', description: `One of ${simpleTypes.join(', ')}, or one of the database.` },
    ...each(['length', 'precision', 'scale'], nullable(integer, form)),
    default: {},
    ...each(fieldFlags, flag),
    picklist: nullable({ type: 'array', items: text }, form),
    validation: nullable({ type: 'object' }, form),
    db_function: nullable({ type: 'array', items: {} }, form),
  },
});

const relationDescription = (form: Form): Schema => ({
  type: 'object',
  properties: {
    name: text,
    ...each(relationTexts, nullable(text, form)),
    native,
    type: { type: 'string', enum: [...relationKinds] },
    field: text,
    is_virtual: flag,
    ...each(['ref_service_id', 'junction_service_id'], nullable(integer, form)),
    ...each(['always_fetch', 'flatten', 'flatten_drop_prefix'], flag),
  },
});
