import type { FieldDraft } from '../draft/field.ts';

/** Columns of the fields list, in order (OPEN-169). */
export const sortColumns = ['name', 'alias', 'type', 'virtual', 'aggregate', 'required', 'constraints'] as const;
export type SortColumn = (typeof sortColumns)[number];

const keyOf: Record<SortColumn, (field: FieldDraft) => string> = {
  name: ({ name }) => name,
  alias: ({ alias }) => alias ?? '',
  type: ({ type, db_type }) => `${type ?? ''} ${db_type ?? ''}`,
  virtual: ({ is_virtual }) => flag(is_virtual),
  aggregate: ({ is_aggregate }) => flag(is_aggregate),
  required: ({ required }) => flag(required),
  constraints: ({ is_primary_key, is_foreign_key, is_unique, is_index }) =>
    [is_primary_key, is_foreign_key, is_unique, is_index].map(flag).join(''),
};

/** What is set comes first. */
const flag = (is: boolean): string => (is ? '0' : '1');

/** Sorted by a column; fields that are alike in it stay in the order of the table. */
export function sortFields(fields: readonly FieldDraft[], column: SortColumn, isDown: boolean): FieldDraft[] {
  const of = keyOf[column];
  const direction = isDown ? -1 : 1;
  return [...fields].sort((a, b) => of(a).localeCompare(of(b), undefined, { numeric: true }) * direction);
}
