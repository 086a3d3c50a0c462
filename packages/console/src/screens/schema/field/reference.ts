// What a foreign key does when the record it refers to goes or changes: the relation says it, not the field
// (contract/database-schema.md §2).
import type { SchemaTable } from '../address/sources.ts';

export interface ReferenceRules {
  onDelete: string | null;
  onUpdate: string | null;
}

/** A self reference has no relation of its own: then the constraint tells it, where the engine does. */
export function rulesOf(table: SchemaTable, field: string): ReferenceRules | null {
  const relation = table.related.find((one) => one.type === 'belongs_to' && !one.is_virtual && one.field === field);
  if (relation) return { onDelete: relation.ref_on_delete, onUpdate: relation.ref_on_update };
  const constraint = Object.values(table.constraints).find(
    (one) => one.column_name === field && typeof one.referenced_table_name === 'string',
  );
  const ruleOf = (rule: unknown) => (typeof rule === 'string' ? rule : null);
  return constraint ? { onDelete: ruleOf(constraint.delete_rule), onUpdate: ruleOf(constraint.update_rule) } : null;
}
