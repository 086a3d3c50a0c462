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
  conditionsIn(filters).some((condition) => renameInCondition(condition, field, '') !== condition);

/** The filters with another name for the field; the same object where they do not name it. */
export function renameInFilters(filters: unknown, field: FilterField, newName: string): unknown {
  if (!namesField(filters, field)) return filters;
  const rename = (condition: unknown) =>
    isCondition(condition) ? renameInCondition(condition, field, newName) : condition;
  return Array.isArray(filters) ? filters.map(rename) : rename(filters);
}

type StoredCondition = Record<string, unknown>;

const isCondition = (value: unknown): value is StoredCondition =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One alone may be stored without its list. */
const conditionsIn = (filters: unknown): StoredCondition[] => [filters].flat().filter(isCondition);

function renameInCondition(condition: StoredCondition, field: FilterField, newName: string): StoredCondition {
  const { name, value } = condition;
  const isField = (text: string) => means(text.trim(), field.name, field.others);
  const hasName = typeof name === 'string' && isField(name);
  // `(other_field)`
  const other = typeof value === 'string' ? /^\s*\((.*)\)\s*$/s.exec(value)?.[1] : undefined;
  const hasValue = other !== undefined && comparesFields(condition.operator) && isField(other);
  if (!hasName && !hasValue) return condition;
  return { ...condition, ...(hasName ? { name: newName } : {}), ...(hasValue ? { value: `(${newName})` } : {}) };
}

/** In lists and patterns parentheses are no field. */
const comparesFields = (operator: unknown): boolean =>
  typeof operator === 'string' && /^\s*(?:[!<>]?=|[<>])\s*$/.test(operator);
