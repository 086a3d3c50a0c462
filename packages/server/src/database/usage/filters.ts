// Where the record filters of a row of a role name a field (contract/role-access.md §5): as the field of a condition, and
// as the other field it is compared with. Pure; anything may be stored, and what is no condition is left alone.
import { means } from '../extras/names.ts';

/** How a field is called in filters, and the other fields of its table where they are known. */
export interface FilterField {
  name: string;
  others?: readonly string[] | undefined;
}

/** The filters of a row as they are stored; undefined for none and for what is no JSON. */
export function readFilters(text: string | null): unknown {
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

export const namesField = (filters: unknown, field: FilterField): boolean =>
  conditionsIn(filters).some((condition) => renameInCondition(condition, [{ field, newName: '' }]) !== condition);

/** A field and the name it gets. */
export interface FieldRename {
  field: FilterField;
  newName: string;
}

/** The filters with other names for fields, all at once: they may change places; the same object where they name none. */
export function renameInFilters(filters: unknown, renames: readonly FieldRename[]): unknown {
  if (!renames.some(({ field }) => namesField(filters, field))) return filters;
  const rename = (condition: unknown) => (isCondition(condition) ? renameInCondition(condition, renames) : condition);
  return Array.isArray(filters) ? filters.map(rename) : rename(filters);
}

type StoredCondition = Record<string, unknown>;

const isCondition = (value: unknown): value is StoredCondition =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One alone may be stored without its list. */
const conditionsIn = (filters: unknown): StoredCondition[] => [filters].flat().filter(isCondition);

function renameInCondition(condition: StoredCondition, renames: readonly FieldRename[]): StoredCondition {
  const { name, value } = condition;
  const renamed = (text: string) => renames.find(({ field }) => means(text.trim(), field.name, field.others))?.newName;
  const newName = typeof name === 'string' ? renamed(name) : undefined;
  // `(other_field)`
  const other = typeof value === 'string' ? /^\s*\((.*)\)\s*$/s.exec(value)?.[1] : undefined;
  const newOther = other !== undefined && comparesFields(condition.operator) ? renamed(other) : undefined;
  if (newName === undefined && newOther === undefined) return condition;
  return {
    ...condition,
    ...(newName === undefined ? {} : { name: newName }),
    ...(newOther === undefined ? {} : { value: `(${newOther})` }),
  };
}

/** In lists and patterns parentheses are no field. */
const comparesFields = (operator: unknown): boolean =>
  typeof operator === 'string' && /^\s*(?:[!<>]?=|[<>])\s*$/.test(operator);
