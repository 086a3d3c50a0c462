// A change of the schema as it is handed to the child process: names in place of descriptions, which hold functions.
import type {
  FieldChange,
  FieldDefinition,
  Misfit,
  ReferenceDefinition,
  SchemaChange,
  SchemaPlan,
  TableStep,
} from '../../../change/index.ts';

export interface ChangeTask {
  kind: 'change';
  changes: ChangeData[];
  /** Carry them out; otherwise nothing is written. */
  isApplied: boolean;
  /** Milliseconds the file is waited for while others write it. */
  lockTimeout: number;
}

export type ChangeData =
  | { kind: 'createTable'; name: string; fields: FieldDefinition[]; references: ReferenceDefinition[] }
  | { kind: 'alterTable'; name: string; native: string; steps: StepData[] }
  | { kind: 'dropTable'; name: string; native: string };

/** A column by its name in the database, and the one it is called by. */
export interface ColumnName {
  name: string;
  native: string;
}

export type StepData =
  | { kind: 'addField'; field: FieldDefinition }
  | { kind: 'changeField'; column: ColumnName; change: FieldChange }
  | { kind: 'renameField'; column: ColumnName; newName: string }
  | { kind: 'dropField'; column: ColumnName }
  | { kind: 'addReference'; reference: ReferenceDefinition }
  | { kind: 'setPrimaryKey'; columns: string[] }
  | { kind: 'renameTable'; newName: string };

/** What the child hands out when all is done but the commit. */
export interface ChangeReport {
  plans: SchemaPlan[];
}

/** Why a change is not carried out; what SQLite itself refuses is a `Problem`. */
export type Refusal =
  | { kind: 'unsupported'; table: string; problem: string }
  | { kind: 'misfit'; table: string; misfits: Misfit[] }
  | { kind: 'unknownTable'; table: string }
  /** The description the change was made of is old. */
  | { kind: 'changed'; text: string }
  | { kind: 'busy' };

export class RefusalError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

export const unsupported = (table: string, problem: string): RefusalError =>
  new RefusalError({ kind: 'unsupported', table, problem });

export function changeData(change: SchemaChange): ChangeData {
  if (change.kind === 'createTable') return change;
  const { name, native } = change.table;
  if (change.kind === 'dropTable') return { kind: 'dropTable', name, native: native.name };
  return { kind: 'alterTable', name, native: native.name, steps: change.steps.map(stepData) };
}

const stepData = (step: TableStep): StepData =>
  'column' in step ? { ...step, column: { name: step.column.name, native: step.column.native } } : step;
