// Writes the words of a step that makes the table of a declared resource (resource-table.ts), for its author to paste.
import type { ResourceDefinition, ResourceField } from '@sluice/contract';
import type { Column } from '../tables.ts';
import type { ColumnSnapshot } from './resource-table.ts';

/** Longer texts have no index. */
const maxIndexed = 255;
/** Characters of a date, and some to spare. */
const dateLength = 32;

/** The columns of a table as its declaration and `tableColumns` have them today. */
export function snapshotColumns(
  { fields, relations }: ResourceDefinition,
  columns: Record<string, Column>,
): Record<string, ColumnSnapshot> {
  const snapshots: Record<string, ColumnSnapshot> = {};
  for (const [name, { type, isNullable, isGenerated }] of Object.entries(columns)) {
    if (name === 'id' || name === 'version' || isGenerated) continue;
    const field = fields[name];
    const references = Object.values(relations).find(
      (relation) => relation.kind === 'belongs_to' && relation.field === name && !/_by_id$/.test(name),
    );
    snapshots[name] = {
      ...(type === 'text' ? textType(field) : { type }),
      ...(isNullable ? {} : { isRequired: true as const, ...defaultOf(field) }),
      ...(field?.rules.unique ? { isUnique: true as const } : {}),
      ...(references ? { references: [references.resource, isNullable ? 'set null' : 'cascade'] as const } : {}),
    };
  }
  return snapshots;
}

function textType(field: ResourceField | undefined): Pick<ColumnSnapshot, 'type' | 'length'> {
  if (field?.kind === 'date') return { type: 'text', length: dateLength };
  const { max = Number.POSITIVE_INFINITY } = field?.rules ?? {};
  return field?.kind === 'text' && max <= maxIndexed ? { type: 'text', length: max } : { type: 'longText' };
}

const defaultOf = (field: ResourceField | undefined): Pick<ColumnSnapshot, 'default'> => {
  const value = field?.rules.default;
  return typeof value === 'boolean' || typeof value === 'number'
    ? { default: Number(value) }
    : typeof value === 'string'
      ? { default: value }
      : {};
};
