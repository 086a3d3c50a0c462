// The conditions a row of service access puts on records (contract/role-access.md §5).

/** Operators of record filters, as the console offers them; read without regard to case. */
export const filterOperators = [
  '=',
  '!=',
  '>',
  '<',
  '>=',
  '<=',
  'in',
  'not in',
  'starts with',
  'ends with',
  'contains',
  'is null',
  'is not null',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** One condition; `value` is text as typed, with lookups in braces. */
export interface RecordFilter {
  name: string;
  operator: string;
  value?: unknown;
}
