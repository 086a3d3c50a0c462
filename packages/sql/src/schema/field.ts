import type { FieldDescription } from '@sluice/contract';
import { labelOf } from './names.ts';

/** A field with every key of the contract in its order; what is not given is null or false. */
export function fieldDescription(
  known: Pick<FieldDescription, 'name' | 'type' | 'db_type'> & Partial<FieldDescription>,
) {
  const field: FieldDescription = {
    alias: null,
    name: known.name,
    label: labelOf(known.name),
    description: null,
    native: [],
    type: known.type,
    db_type: known.db_type,
    length: null,
    precision: null,
    scale: null,
    default: null,
    required: false,
    allow_null: true,
    fixed_length: false,
    supports_multibyte: false,
    auto_increment: false,
    is_primary_key: false,
    is_unique: false,
    is_index: false,
    is_foreign_key: false,
    ref_table: null,
    ref_field: null,
    ref_on_update: null,
    ref_on_delete: null,
    picklist: null,
    validation: null,
    db_function: null,
    is_virtual: false,
    is_aggregate: false,
  };
  return Object.assign(field, known);
}
