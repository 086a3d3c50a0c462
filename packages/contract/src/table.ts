// How a table, a field and a relation look on the wire (contract/database-schema.md §2). All keys are always
// present, in this order; introspection produces these shapes and the console reads them.

/** The simple types of the contract (contract/database-schema.md §5). */
export const simpleTypes = [
  'id',
  'integer',
  'bigint',
  'reference',
  'boolean',
  'string',
  'text',
  'binary',
  'float',
  'double',
  'decimal',
  'money',
  'date',
  'time',
  'timetz',
  'datetime',
  'datetimetz',
  'timestamp',
  'timestamptz',
  'uuid',
  'json',
  'user_id',
  'user_id_on_create',
  'user_id_on_update',
  'timestamp_on_create',
  'timestamp_on_update',
] as const;
export type SimpleType = (typeof simpleTypes)[number];

export interface FieldDescription {
  alias: string | null;
  name: string;
  label: string;
  description: string | null;
  native: never[];
  type: SimpleType;
  db_type: string | null;
  length: number | null;
  precision: number | null;
  scale: number | null;
  default: unknown;
  required: boolean;
  allow_null: boolean;
  fixed_length: boolean;
  supports_multibyte: boolean;
  auto_increment: boolean;
  is_primary_key: boolean;
  is_unique: boolean;
  is_index: boolean;
  is_foreign_key: boolean;
  ref_table: string | null;
  ref_field: string | null;
  ref_on_update: string | null;
  ref_on_delete: string | null;
  picklist: string[] | null;
  validation: Record<string, unknown> | null;
  db_function: unknown[] | null;
  is_virtual: boolean;
  is_aggregate: boolean;
}

export const relationKinds = ['belongs_to', 'has_one', 'has_many', 'many_many'] as const;
export type RelationKind = (typeof relationKinds)[number];

export interface RelationDescription {
  alias: string | null;
  name: string;
  label: string;
  description: string | null;
  native: never[];
  type: RelationKind;
  field: string;
  is_virtual: boolean;
  ref_service_id: number | null;
  ref_table: string;
  ref_field: string;
  ref_on_update: string | null;
  ref_on_delete: string | null;
  junction_service_id: number | null;
  junction_table: string | null;
  junction_field: string | null;
  junction_ref_field: string | null;
  always_fetch: boolean;
  flatten: boolean;
  flatten_drop_prefix: boolean;
}

export interface TableDescription {
  alias: string | null;
  name: string;
  label: string;
  description: string | null;
  native: never[];
  plural: string;
  is_view: boolean;
  primary_key: string[];
  name_field: string | null;
  field: FieldDescription[];
  related: RelationDescription[];
  constraints: Record<string, Record<string, unknown>> | never[];
}
