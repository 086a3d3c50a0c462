// Writes as the process does them, and what became of them.
import { Failure, fail } from '@sluice/contract';
import type { Planner } from '../../compile/plan.ts';
import { toWire, type WireColumn, wireColumn, wireRow } from '../../convert/wire.ts';
import { FromStep, type Row, returningIndex, type Unit, type Write, type WriteOutcome } from '../../query/index.ts';
import type { Column, Table } from '../../schema/index.ts';
import type {
  Answered,
  Problem,
  Statement,
  WriteResult,
  WriteStatement,
  WriteStep,
  WriteUnit,
} from './driver/index.ts';
import type { TableFacts } from './introspect.ts';

type Plans = Planner<{ sql: string }>;
type RealWrite = Exclude<Write, { kind: 'refuse' }>;
type FactsOf = (table: Table) => TableFacts | undefined;

/** Writes compiled before other calls get their turn. */
const writesAtOnce = 500;

export async function writeStatements(
  writes: readonly (Write | Unit)[],
  plans: Plans,
  factsOf: FactsOf,
): Promise<WriteStatement[]> {
  const statements: WriteStatement[] = [];
  for (const write of writes) {
    statements.push(write.kind === 'unit' ? unitOf(write, plans, factsOf) : statementFor(write, plans, factsOf));
    if (statements.length % writesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return statements;
}

const statementFor = (write: Write, plans: Plans, factsOf: FactsOf) =>
  write.kind === 'refuse' ? 'refused' : writeStatement(write, plans, factsOf);

function unitOf({ steps, main }: Unit, plans: Plans, factsOf: FactsOf): WriteUnit {
  // What comes after a refusal is not done.
  const refusedAt = steps.findIndex(({ write }) => write.kind === 'refuse');
  const tried = refusedAt < 0 ? steps : steps.slice(0, refusedAt + 1);
  const statements = tried.map(({ write }) => statementFor(write, plans, factsOf));
  const answered = (value: unknown): unknown =>
    value instanceof FromStep ? ({ step: value.step, place: returningIndex(value, steps) } satisfies Answered) : value;
  const withPlaces = (step: WriteStep): WriteStep => ({
    ...step,
    parameters: step.parameters.map(answered),
    ...(typeof step.missing === 'object' ? { missing: withPlaces(step.missing) } : {}),
  });
  return { steps: statements.map((statement) => (statement === 'refused' ? statement : withPlaces(statement))), main };
}

export function writeStatement(write: RealWrite, plans: Plans, factsOf: FactsOf): WriteStep {
  const { moreValues, ...single } = write.kind === 'insert' ? write : { ...write, moreValues: undefined };
  const step = returningStep(single, plans, factsOf(write.table)?.kind === 'virtual');
  if (moreValues)
    return { ...step, more: moreValues.map((values) => plans.write({ ...single, values } as RealWrite).parameters) };
  if (write.kind === 'insert' || !write.missing) return step;
  return {
    ...step,
    missing: write.missing instanceof Failure ? 'fail' : writeStatement(write.missing, plans, factsOf),
  };
}

/** Virtual tables know no RETURNING: what is to be returned is read before. */
function returningStep(write: RealWrite, plans: Plans, isVirtual: boolean): WriteStep {
  if (!isVirtual || write.returning.length === 0) return statementOf(plans.write(write));
  const step = statementOf(plans.write({ ...write, returning: [] }));
  if (write.kind === 'insert') return step;
  const { table, returning: columns, where } = write;
  return { ...step, before: statementOf(plans.select({ table, columns, where })) };
}

const statementOf = ({ plan, parameters }: ReturnType<Plans['write']>): Statement => ({ sql: plan.sql, parameters });

/** What became of a write; `failure` names what the database said. */
export function outcomeOf(
  write: Write | Unit,
  result: WriteResult,
  failure: (problem: Problem, cause: unknown) => Failure,
): WriteOutcome {
  if (write.kind === 'unit') return outcomeOfUnit(write, result, failure);
  if (write.kind === 'refuse') return { failure: write.failure };
  const missing = write.kind === 'insert' ? undefined : write.missing;
  if (result.problem === 'missing') return { failure: missing as Failure };
  if (result.problem === 'untold') return { failure: fail('related.untold') };
  if (result.problem) return { failure: failure(result.problem as Problem, result.problem) };
  const done = result.instead ? (missing as Extract<Write, { kind: 'insert' }>) : write;
  const columns = wireColumns(done.returning);
  if (columns.length === 0) return { rows: Array.from({ length: result.changes }, () => ({})) };
  if (result.rows.length === 0 && done.kind === 'insert') return { rows: [echo(done.values, columns)] };
  return { rows: result.rows.map((row) => wireRow(columns, row)) };
}

function outcomeOfUnit(
  { steps, main }: Unit,
  result: WriteResult,
  failure: (problem: Problem, cause: unknown) => Failure,
): WriteOutcome {
  const step = steps[(result.problem && result.step) ?? main]!;
  const outcome = outcomeOf(step.write, result, failure);
  return outcome.failure && step.refused ? { failure: step.refused(outcome.failure) } : outcome;
}

const known = new WeakMap<Column[], WireColumn[]>();

/** The writes of a batch share their list of columns. */
function wireColumns(columns: Column[]): WireColumn[] {
  const wire = known.get(columns) ?? columns.map(wireColumn);
  known.set(columns, wire);
  return wire;
}

/** The row of an insert that could not return it: what was written. */
const echo = (values: Row, columns: WireColumn[]): Row =>
  Object.fromEntries(columns.map((column) => [column.name, toWire(column.kind, values[column.name])]));
