// The schema of descriptions, as `_schema` answers and takes them: tables, fields and relations (contract/database-schema.md §2).
import { relationKinds, simpleTypes } from '@sluice/contract';
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

/** A table, a field or a relation: one schema with all that they say of themselves. */
export const descriptionSchema = (components: Components, form: Form): Schema =>
  components.ref('schemas', 'Description', 'Description', () => {
    const optionalText = nullable(text, form);
    const optionalNumber = nullable(integer, form);
    const field: Schema = {
      type: 'object',
      properties: {
        name: text,
        ...each(fieldTexts, optionalText),
        type: { type: 'string', description: `One of ${simpleTypes.join(', ')}, or one of the database.` },
        ...each(['length', 'precision', 'scale'], optionalNumber),
        default: {},
        ...each(fieldFlags, flag),
        picklist: nullable({ type: 'array', items: text }, form),
        validation: nullable({ type: 'object' }, form),
        db_function: nullable({ type: 'array', items: {} }, form),
      },
    };
    const relation: Schema = {
      type: 'object',
      properties: {
        name: text,
        ...each(relationTexts, optionalText),
        type: { type: 'string', enum: [...relationKinds] },
        field: text,
        is_virtual: flag,
        ...each(['ref_service_id', 'junction_service_id'], optionalNumber),
        ...each(['always_fetch', 'flatten', 'flatten_drop_prefix'], flag),
      },
    };
    return {
      type: 'object',
      properties: {
        name: text,
        ...each(['alias', 'label', 'description', 'plural', 'name_field'], optionalText),
        is_view: flag,
        primary_key: { type: 'array', items: text },
        field: { type: 'array', items: field },
        related: { type: 'array', items: relation },
        access: integer,
      },
    };
  });
