import type { FieldDescription } from '@sluice/contract';
import type { SchemaChange, TypeDefinition } from './change.ts';

/** Changes the schema of a database that is open. */
export interface SchemaEditor {
  /**
   * Whether a type is a simple one or one that the engine is known to have (`varchar(40)`). Any other is SQL that is written
   * into a statement as it is.
   */
  isKnownType(type: string): boolean;
  /** How a field of a known type is described once it is made; undefined for a type that is not known. */
  describeType(type: TypeDefinition): DescribedType | undefined;
  /**
   * What changes would do, each on what those before it leave; nothing is changed. Throws what `apply` throws before it
   * begins: `schema.unsupported` for what the engine cannot be made to do, `table.unknown`.
   */
  plan(changes: readonly SchemaChange[], options?: EditOptions): Promise<SchemaPlan[]>;
  /**
   * Carries changes out, all or none of them, and answers the plans. A table that others use is waited for, up to a
   * limit and without holding up those who come later. Descriptions that were read before are dropped.
   *
   * Throws what `plan` throws; `schema.misfit` when records would not fit; `schema.cannotUndo` when there are several changes
   * and the engine could not undo those before the one that fails; `schema.busy` (503) when the table stays in use; the
   * database's own words (`record.database`) for what it refuses.
   */
  apply(changes: readonly SchemaChange[], options?: ApplyOptions): Promise<SchemaPlan[]>;
}

/** The part of a field's description that its type decides. */
export type DescribedType = Pick<
  FieldDescription,
  'type' | 'db_type' | 'length' | 'precision' | 'scale' | 'fixed_length' | 'supports_multibyte'
>;

export interface EditOptions {
  /** Milliseconds for all of it; ten minutes when absent. */
  timeout?: number;
  /** Who calls, as `RunOptions` says. */
  caller?: string;
}

export interface ApplyOptions extends EditOptions {
  /** Milliseconds a table in use is waited for; ten seconds when absent. */
  lockTimeout?: number;
  /**
   * Runs when everything is done and can still be undone; when it rejects, it is. Where DDL commits by itself and a step
   * lost data, nothing can be undone any more: its rejection is then thrown as it is.
   */
  beforeCommit?(plans: readonly SchemaPlan[]): Promise<void>;
  /**
   * Only where DDL commits by itself: runs before the first statement, when no other session changes the schema; once more
   * where that had to wait for a lock. When it rejects, nothing is done.
   */
  beforeSteps?(plans: readonly SchemaPlan[]): Promise<void>;
}

/** What a change does. */
export interface SchemaPlan {
  /** The API name of the table, before the change. */
  table: string;
  /** In the order they are run. */
  statements: string[];
  /**
   * How a failure in the middle leaves the table as it was: `transaction`, `counterSteps` where DDL commits by itself,
   * or not at all: `none`.
   */
  undo: 'transaction' | 'counterSteps' | 'none';
  /** Records that would not fit: with any of them the change is refused. */
  misfits: Misfit[];
  /** What is lost for good. */
  losses: Loss[];
}

export interface Misfit {
  field: string;
  /** How many records; of duplicates, how many values that occur more than once. */
  records: number;
  problem: MisfitProblem;
}

export type MisfitProblem =
  /** Without a value where one is needed, also in a field that is to be added without a default. */
  | 'noValue'
  /** Longer than the field, or with more digits. */
  | 'tooLong'
  /** No value of the new type. */
  | 'wrongType'
  | 'duplicate'
  /** The record that it references does not exist. */
  | 'noTarget';

export interface Loss {
  /** null: the whole table. */
  field: string | null;
  /** Records, or records with a value in the field. */
  records: number;
}
