// Writes compiled for the process that runs them, and their outcomes.
import { Failure, fail } from '@sluice/contract';
import type { Planner } from '../../compile/plan.ts';
import { toWire, type WireColumn, wireColumn, wireRow } from '../../convert/wire.ts';
import {
  type Check,
  FromStep,
  type Row,
  returningIndex,
  type Unit,
  type Write,
  type WriteOutcome,
} from '../../query/index.ts';
import type { Column, Table } from '../../schema/index.ts';
import { pause } from '../../shares/index.ts';
import type {
  Problem,
  Statement,
  StepReference,
  WriteCheck,
  WriteResult,
  WriteStatement,
  WriteStep,
  WriteUnit,
} from './driver/index.ts';
import type { TableFacts } from './introspect.ts';

type Plans = Planner<{ sql: string }>;
type RealWrite = Exclude<Write, { kind: 'refuse' }>;
type FactsOf = (table: Table) => TableFacts | undefined;

export async function compileWrites(
  writes: readonly (Write | Unit)[],
  plans: Plans,
  factsOf: FactsOf,
): Promise<WriteStatement[]> {
  const statements: WriteStatement[] = [];
  for (const write of writes) {
    if (statements.length > 0) await pause();
    statements.push(
      write.kind === 'unit' ? compileUnit(write, plans, factsOf) : compileStepOrRefusal(write, plans, factsOf),
    );
  }
  return statements;
}

const compileStepOrRefusal = (write: Write, plans: Plans, factsOf: FactsOf) =>
  write.kind === 'refuse' ? 'refused' : compileStep(write, plans, factsOf);

function compileUnit({ steps, main, check }: Unit, plans: Plans, factsOf: FactsOf): WriteUnit {
  // Steps after a refusal are not run.
  const refusedAt = steps.findIndex(({ write }) => write.kind === 'refuse');
  const stepsToRun = refusedAt < 0 ? steps : steps.slice(0, refusedAt + 1);
  const statements = stepsToRun.map(({ write }) => compileStepOrRefusal(write, plans, factsOf));
  const toReference = (value: unknown): unknown =>
    value instanceof FromStep
      ? ({ step: value.step, columnIndex: returningIndex(value, steps) } satisfies StepReference)
      : value;
  const withReferences = (step: WriteStep): WriteStep => ({
    ...step,
    parameters: step.parameters.map(toReference),
    ...(typeof step.missing === 'object' ? { missing: withReferences(step.missing) } : {}),
  });
  return {
    steps: statements.map((statement) => (statement === 'refused' ? statement : withReferences(statement))),
    main,
    ...(check ? { check: compileCheck(check, plans) } : {}),
  };
}

function compileCheck({ table, columns, where, expected }: Check, plans: Plans): WriteCheck {
  return { ...toStatement(plans.select({ table, columns, where })), columns: columns.map(wireColumn), expected };
}

export function compileStep(write: RealWrite, plans: Plans, factsOf: FactsOf): WriteStep {
  const moreValues = write.kind === 'insert' ? write.moreValues : undefined;
  const single = moreValues ? ({ ...write, moreValues: undefined } as RealWrite) : write;
  const facts = factsOf(write.table);
  const step = returningStep(single, plans, facts?.kind === 'virtual');
  if (moreValues)
    step.moreParameters = moreValues.map((values) => plans.write({ ...single, values } as RealWrite).parameters);
  if (write.kind !== 'insert' && write.missing && facts?.hasTriggers) {
    const { table, returning: columns, where } = write;
    step.readUntouched = toStatement(plans.select({ table, columns, where }));
  }
  if (write.kind !== 'insert' && write.missing)
    step.missing = write.missing instanceof Failure ? 'fail' : compileStep(write.missing, plans, factsOf);
  return step;
}

/** Virtual tables have no RETURNING: the rows to return are read before the write. */
function returningStep(write: RealWrite, plans: Plans, isVirtual: boolean): WriteStep {
  if (!isVirtual || write.returning.length === 0) return toStatement(plans.write(write));
  const step: WriteStep = toStatement(plans.write({ ...write, returning: [] }));
  if (write.kind === 'insert') return step;
  const { table, returning: columns, where } = write;
  step.readBefore = toStatement(plans.select({ table, columns, where }));
  return step;
}

const toStatement = ({ plan, parameters }: ReturnType<Plans['write']>): Statement => ({ sql: plan.sql, parameters });

/** The outcome of a write; `failure` makes a failure of what the database said. */
export function toOutcome(
  write: Write | Unit,
  result: WriteResult,
  failure: (problem: Problem, cause: unknown) => Failure,
): WriteOutcome {
  if (write.kind === 'unit') return toUnitOutcome(write, result, failure);
  if (write.kind === 'refuse') return { failure: write.failure };
  const missing = write.kind === 'insert' ? undefined : write.missing;
  if (result.problem === 'missing') return { failure: missing as Failure };
  if (result.problem === 'untold') return { failure: fail('related.untold') };
  if (result.problem) return { failure: failure(result.problem as Problem, result.problem) };
  const executed = result.isFallback ? (missing as Extract<Write, { kind: 'insert' }>) : write;
  const columns = wireColumns(executed.returning);
  if (columns.length === 0) return { rows: Array.from({ length: result.changes }, () => ({})) };
  if (result.rows.length === 0 && executed.kind === 'insert') return { rows: [echoRow(executed.values, columns)] };
  return { rows: result.rows.map((row) => wireRow(columns, row)) };
}

function toUnitOutcome(
  { steps, main, check }: Unit,
  result: WriteResult,
  failure: (problem: Problem, cause: unknown) => Failure,
): WriteOutcome {
  if (check && result.problem === 'changed') return { failure: check.changed };
  if (check && result.problem === 'gone') return { failure: check.missing };
  const step = steps[(result.problem && result.step) ?? main]!;
  const outcome = toOutcome(step.write, result, failure);
  return outcome.failure && step.mapFailure ? { failure: step.mapFailure(outcome.failure) } : outcome;
}

const wireColumnsCache = new WeakMap<Column[], WireColumn[]>();

/** The writes of a batch share their list of columns. */
function wireColumns(columns: Column[]): WireColumn[] {
  const wire = wireColumnsCache.get(columns) ?? columns.map(wireColumn);
  wireColumnsCache.set(columns, wire);
  return wire;
}

/** The row of an insert that could not return it: what was written. */
const echoRow = (values: Row, columns: WireColumn[]): Row =>
  Object.fromEntries(columns.map((column) => [column.name, toWire(column.kind, values[column.name])]));
