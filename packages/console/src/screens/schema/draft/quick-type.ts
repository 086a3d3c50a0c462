// A type as one types it: `string`, `string(80)`, `decimal(10,2)`, `reference team`, `reference team.code`, with a question mark
// behind it for what may be null.
import { type FieldDraft, newField } from './field.ts';

const typed = /^([a-z_][a-z_0-9]*)\s*(?:\((\d+)(?:\s*,\s*(\d+))?\))?$/i;
const reference = /^(?:reference|fk|->|→)\s*([^.\s]+)(?:\.(\S+))?$/i;
/** Types whose first number is their precision. */
const exactTypes = ['decimal', 'float', 'double'];

/** The properties a typed type stands for; null when it is none. */
export function readQuickType(text: string): Partial<FieldDraft> | null {
  const trimmed = text.trim();
  const allow_null = trimmed.endsWith('?');
  const words = trimmed.replace(/\s*\?$/, '');
  const [, refTable, refField] = reference.exec(words) ?? [];
  if (refTable)
    return { type: 'reference', is_foreign_key: true, ref_table: refTable, ref_field: refField ?? 'id', allow_null };
  const [, name, first, second] = typed.exec(words) ?? [];
  if (!name || /^(reference|fk)$/i.test(name)) return null;
  const type = name.toLowerCase();
  const size = first === undefined ? null : Number(first);
  const isExact = exactTypes.includes(type);
  return {
    type,
    allow_null,
    length: isExact ? null : size,
    precision: isExact ? size : null,
    scale: second === undefined ? 0 : Number(second),
    ...(type === 'id' ? { auto_increment: true, is_primary_key: true } : {}),
  };
}

/** A new field from its name and its typed type; null when the type is none. */
export function quickField(name: string, type: string): FieldDraft | null {
  const properties = readQuickType(type);
  return properties && { ...newField(name.trim()), ...properties };
}
