import type { Column, Table } from '../schema/index.ts';

/** The type of a field, before an engine has a word for it. */
export interface TypeDefinition {
  /**
   * A simple type (`string`, contract/database-schema.md §5, with the sizes beside it), else a native one, which has its
   * sizes in itself (`smallint`, `varchar(40)`, `timestamp with time zone`). What the engine does not know is taken as it is:
   * only administrators get so far.
   */
  type: string;
  length: number | null;
  scale: number | null;
  isFixedLength: boolean;
  isMultibyte: boolean;
}

/** A literal, which the dialect quotes, or SQL that is computed for each record. */
export type DefaultDefinition = { value: string | number | boolean } | { expression: string };

/** A field as it is to be. Names are those of the database. */
export interface FieldDefinition {
  name: string;
  type: TypeDefinition;
  allowNull: boolean;
  /** null: none, but for the types that bring their own (`timestamp_on_create`). */
  default: DefaultDefinition | null;
  /** The database counts it up. */
  isAutoIncrement: boolean;
  isPrimaryKey: boolean;
  isUnique: boolean;
  isIndex: boolean;
  /** SQL in place of everything but the name, of an administrator; indexes are made as the flags say all the same. */
  sql?: string;
}

/** What of an existing field changes; what is absent stays, whatever it is: collation, comment, computed values. */
export type FieldChange = Partial<
  Pick<FieldDefinition, 'type' | 'allowNull' | 'default' | 'isAutoIncrement' | 'isUnique' | 'isIndex' | 'sql'>
>;

/** A foreign key. Tables have their API names, columns those of the database. */
export interface ReferenceDefinition {
  columns: string[];
  refTable: string;
  refColumns: string[];
  /** `CASCADE` and the like, upper case; null: the engine's own. */
  onUpdate: string | null;
  onDelete: string | null;
}

/**
 * A step of the change of a table. Columns are those of the table as it was described before the change, also in a step after
 * one that renames them.
 */
export type TableStep =
  | { kind: 'addField'; field: FieldDefinition }
  | { kind: 'changeField'; column: Column; change: FieldChange }
  | { kind: 'renameField'; column: Column; newName: string }
  | { kind: 'dropField'; column: Column }
  | { kind: 'addReference'; reference: ReferenceDefinition }
  /** Names of columns, among them such as the change adds; none: the table has no key any more. */
  | { kind: 'setPrimaryKey'; columns: string[] }
  | { kind: 'renameTable'; newName: string };

/** A change of one table: carried out whole, or not at all. */
export type SchemaChange =
  /** `name` is an API name: `schema.table` outside of the naming schema. */
  | { kind: 'createTable'; name: string; fields: FieldDefinition[]; references: ReferenceDefinition[] }
  | { kind: 'alterTable'; table: Table; steps: TableStep[] }
  /** Of a view, the view. */
  | { kind: 'dropTable'; table: Table };
