// Rows of extras for tests: what is said, and nothing else.
import type { FieldRow, RelationRow, TableRow, VirtualRow } from './rows.ts';

export const aTable = (table: string, overrides: Partial<TableRow>): TableRow => ({
  table,
  alias: null,
  label: null,
  plural: null,
  description: null,
  name_field: null,
  ...overrides,
});

type FieldOverrides = Partial<Omit<FieldRow, 'picklist' | 'validation' | 'db_function'>> & {
  picklist?: string[];
  validation?: object;
  /** Use → SQL. */
  sql?: Partial<Record<'SELECT' | 'FILTER' | 'INSERT' | 'UPDATE', string>>;
};

export function aField(
  at: `${string}.${string}`,
  { picklist, validation, sql, ...overrides }: FieldOverrides,
): FieldRow {
  const [table = '', field = ''] = at.split('.');
  const functions = Object.entries(sql ?? {}).map(([use, text]) => ({
    use: [use],
    function: text,
    function_type: 'database',
  }));
  return {
    table,
    field,
    alias: null,
    label: null,
    description: null,
    client_info: null,
    is_virtual: 0,
    is_aggregate: 0,
    extra_type: null,
    picklist: picklist ? JSON.stringify(picklist) : null,
    validation: validation ? JSON.stringify(validation) : null,
    db_function: sql ? JSON.stringify(functions) : null,
    ...overrides,
  };
}

export const aRelation = (table: string, relationship: string, overrides: Partial<RelationRow>): RelationRow => ({
  table,
  relationship,
  alias: null,
  label: null,
  description: null,
  always_fetch: 0,
  flatten: 0,
  flatten_drop_prefix: 0,
  ...overrides,
});

export const aVirtual = (
  table: string,
  overrides: Pick<VirtualRow, 'type' | 'field' | 'ref_table' | 'ref_field'> & Partial<VirtualRow>,
): VirtualRow => ({
  table,
  ref_service_id: 5,
  ref_on_update: null,
  ref_on_delete: null,
  junction_service_id: null,
  junction_table: null,
  junction_field: null,
  junction_ref_field: null,
  ...overrides,
});
