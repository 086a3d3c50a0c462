// Fields that refer to another table.
import type { FieldDescription } from '@sluice/contract';
import type { SchemaTable } from '../address/sources.ts';
import { type FieldDraft, newField } from '../draft/field.ts';
import { holdsWholeNumbers } from './types.ts';

/** A new field that refers to `field` of `table`. `target` is that field as far as it is known: it has its type, where that is no number. */
export function newReference(table: string, field: string, target: FieldDescription | undefined): FieldDraft {
  const reference = { ...newField(), is_foreign_key: true, ref_table: table, ref_field: field };
  if (!target?.type || holdsWholeNumbers(target.type)) return { ...reference, type: 'reference' };
  const { type, length, precision, scale, fixed_length, supports_multibyte } = target;
  return { ...reference, type, length, precision, scale, fixed_length, supports_multibyte };
}

export interface ReferenceRules {
  onDelete: string | null;
  onUpdate: string | null;
}

/**
 * What a foreign key does when the record it refers to goes or changes: the relation says it, not the field
 * (contract/database-schema.md §2). A self reference has no relation of its own: then the constraint tells it, where the
 * engine does.
 */
export function rulesOf(table: SchemaTable, field: string): ReferenceRules | null {
  const relation = table.related.find((one) => one.type === 'belongs_to' && !one.is_virtual && one.field === field);
  if (relation) return { onDelete: relation.ref_on_delete, onUpdate: relation.ref_on_update };
  const constraint = Object.values(table.constraints).find(
    (one) => one.column_name === field && typeof one.referenced_table_name === 'string',
  );
  const ruleOf = (rule: unknown) => (typeof rule === 'string' ? rule : null);
  return constraint ? { onDelete: ruleOf(constraint.delete_rule), onUpdate: ruleOf(constraint.update_rule) } : null;
}
