// What a plan says in one line: the most important thing, and how much it matters.
import type { PlannedTable } from '@sluice/contract';
import { formatNumber, text } from '../../../text/index.ts';
import type { SchemaWrite } from '../address/write.ts';
import type { PlanOutcome } from './ask-plan.ts';
import { staysAfter } from './usage.ts';

export interface Headline {
  text: string;
  /** `refused`: nothing happens; `loss`: something is gone for good; `warning`: somebody has to look. */
  tone: 'refused' | 'loss' | 'warning' | 'calm' | 'failed';
}

export function headlineOf(outcome: Exclude<PlanOutcome, { kind: 'absent' }>, write: SchemaWrite): Headline {
  if (outcome.kind === 'failed') return { tone: 'failed', text: text('schema:plan.failed') };
  if (outcome.kind === 'planned') return headlineOfTables(outcome.tables, write);
  const { table, messages } = outcome;
  const isOneOfMany = table !== undefined && tableCount(write) > 1;
  const message = isOneOfMany ? `${table}: ${messages[0]}` : messages[0];
  return { tone: 'refused', text: text('schema:plan.refused', { message }) };
}

/** How many tables a write names. */
const tableCount = ({ body }: SchemaWrite): number =>
  (body as { resource?: unknown[] } | undefined)?.resource?.length ?? 1;

export const headlineOfTables = (tables: readonly PlannedTable[], write: SchemaWrite): Headline =>
  ofMisfits(tables) ?? ofLosses(tables) ?? ofUsage(tables, write) ?? ofSteps(tables);

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
const counted = (records: number) => ({ count: records, records: formatNumber(records) });

function ofMisfits(tables: readonly PlannedTable[]): Headline | undefined {
  const misfits = tables.flatMap((table) => table.misfits);
  const [first] = misfits;
  if (!first) return undefined;
  if (misfits.length > 1) return { tone: 'refused', text: text('schema:plan.misfitFields', { count: misfits.length }) };
  const key = first.problem === 'duplicate' ? 'duplicates' : 'misfit';
  return { tone: 'refused', text: text(`schema:plan.${key}`, { ...counted(first.records), field: first.field }) };
}

function ofLosses(tables: readonly PlannedTable[]): Headline | undefined {
  const losses = tables.flatMap(({ name, losses }) =>
    losses.filter(({ records }) => records > 0).map((loss) => ({ ...loss, table: name })),
  );
  const ofRecords = losses.filter(({ field }) => field === null);
  const [first] = ofRecords.length > 0 ? ofRecords : losses;
  if (!first) return undefined;
  if (ofRecords.length > 1) {
    const records = formatNumber(sum(ofRecords.map((loss) => loss.records)));
    return { tone: 'loss', text: text('schema:plan.loseTables', { count: ofRecords.length, records }) };
  }
  if (first.field === null)
    return { tone: 'loss', text: text('schema:plan.loseRecords', { ...counted(first.records), table: first.table }) };
  return {
    tone: 'loss',
    text:
      losses.length > 1
        ? text('schema:plan.loseFields', { count: losses.length })
        : text('schema:plan.loseValues', { ...counted(first.records), field: first.field }),
  };
}

function ofUsage(tables: readonly PlannedTable[], write: SchemaWrite): Headline | undefined {
  const count = tables.flatMap(({ used_by }) => used_by.filter((entry) => staysAfter(write, entry))).length;
  return count > 0 ? { tone: 'warning', text: text('schema:plan.staysCount', { count }) } : undefined;
}

function ofSteps(tables: readonly PlannedTable[]): Headline {
  const changed = tables.filter(({ statements }) => statements.length > 0);
  const [first] = changed;
  if (!first) return { tone: 'calm', text: text(tables.length > 0 ? 'schema:plan.sayOnly' : 'schema:plan.nothing') };
  const count = sum(changed.map(({ statements }) => statements.length));
  const isUndoable = changed.every(({ undo, statements }) => undo !== 'none' || statements.length === 1);
  const tone = isUndoable ? 'calm' : 'warning';
  // A table comes twice that references one made after it.
  const names = new Set(changed.map(({ name }) => name));
  if (names.size > 1)
    return { tone, text: text('schema:plan.stepsOfTables', { count, tables: formatNumber(names.size) }) };
  return { tone, text: text(`schema:plan.steps.${first.undo}`, { count }) };
}
