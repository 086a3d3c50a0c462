import type { FieldDescription } from '@sluice/contract';
import { labelOf } from './names.ts';

/** A field with every key of the contract, in its order; a key without a fact is null or false. */
export function fieldDescription(
  facts: Pick<FieldDescription, 'name' | 'type' | 'db_type'> & Partial<FieldDescription>,
) {
  const field: FieldDescription = {
    alias: null,
    name: facts.name,
    label: labelOf(facts.name),
    description: null,
    native: [],
    type: facts.type,
    db_type: facts.db_type,
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
  return Object.assign(field, facts);
}
