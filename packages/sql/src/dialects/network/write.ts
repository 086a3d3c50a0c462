// Writes of one call on one connection: alone, or together in a transaction (`Database.write`).
import { Failure, fail } from '@sluice/contract';
import { toNative } from '../../convert/native.ts';
import { isUnchanged } from '../../convert/unchanged.ts';
import { toWire, wireColumn } from '../../convert/wire.ts';
import {
  type BoundFilter,
  type BoundValue,
  type Check,
  FromStep,
  type Row,
  type Unit,
  type Write,
  type WriteOutcome,
} from '../../query/index.ts';
import type { Answer } from './engine.ts';

export type RealWrite = Exclude<Write, { kind: 'refuse' }>;

/** What writing needs of a connection and its engine. */
export interface Writer {
  command(sql: string): Promise<void>;
  run(write: RealWrite): Promise<Answer>;
  /**
   * The rows that a delete finds on a view, whose triggers may delete them and return nothing; undefined for all others.
   */
  readBefore(write: RealWrite): Promise<Answer | undefined> | undefined;
  /** The rows that a write left as they are although it finds them; undefined where there are none, or they came later. */
  readUntouched(write: Exclude<RealWrite, { kind: 'insert' }>): Promise<Answer | undefined>;
  /** Reads the rows of a check and keeps them from other writers until the transaction ends. */
  readLocked(check: Check): Promise<Answer>;
  /** True for a write that takes several statements. */
  needsTransaction(write: RealWrite): boolean;
  /** See `Engine.outlivesFailure`. */
  outlivesFailure: boolean;
  /** See `Engine.withoutSavepoints`. */
  withoutSavepoints: boolean;
  /**
   * The failure of a value or a rule; undefined for errors that end the whole call: a lost connection, a deadlock. The
   * latter is a failure of its write once the call cannot be retried (`isLast`).
   */
  toRefusal(error: unknown): Failure | undefined;
  /** Writes before were kept: the call is not done again. */
  isLast: boolean;
  /** Gives up the connection: its state is unknown. */
  abandon(): void;
}

/**
 * Runs writes in order. Together they share one transaction, which spares a flush for each; should one fail that others
 * must survive, they are done again with a savepoint before each, and should the end of the transaction fail (a rule
 * that is checked there) or the engine have no savepoints, each alone. Throws what is no refusal, with nothing changed but
 * by single writes before it.
 */
export async function writeAll(
  writer: Writer,
  writes: readonly (Write | Unit)[],
  mode: 'stop' | 'continue' | 'rollback',
): Promise<WriteOutcome[]> {
  const [first] = writes;
  if (writes.length === 1 && first && !needsTransaction(writer, first)) return [await writeOne(writer, first)];
  // A single write leaves nothing behind that a savepoint would have to keep.
  if (writes.length === 1) return (await writeInTransaction(writer, writes, 'rollback', false)) ?? [];
  const outcomes = await writeInTransaction(writer, writes, mode, false);
  if (outcomes) return outcomes;
  const withSavepoints = writer.withoutSavepoints ? undefined : await writeInTransaction(writer, writes, mode, true);
  return withSavepoints ?? (await writeEachAlone(writer, writes, mode));
}

const needsTransaction = (writer: Writer, write: Write | Unit): boolean =>
  write.kind === 'unit' ||
  (write.kind === 'insert' && write.moreValues !== undefined) ||
  (write.kind !== 'refuse' &&
    (writer.needsTransaction(write) ||
      (write.kind === 'update' &&
        write.missing !== undefined &&
        isWrite(write.missing) &&
        writer.needsTransaction(write.missing))));

const isWrite = (missing: Failure | RealWrite): missing is RealWrite => !(missing instanceof Failure);

async function writeOne(writer: Writer, write: Write | Unit): Promise<WriteOutcome> {
  if (write.kind === 'unit') return writeUnit(writer, write);
  if (write.kind === 'refuse') return { failure: write.failure };
  let executed: RealWrite = write;
  let answer: Answer;
  try {
    const reading = writer.readBefore(write);
    const before = reading && (await reading);
    answer = await writer.run(write);
    if (answer.count === 0 && write.kind !== 'insert' && write.missing) {
      const untouched = before?.count ? before : await writer.readUntouched(write);
      if (!untouched && !isWrite(write.missing)) return { failure: write.missing };
      if (!untouched) executed = write.missing as RealWrite;
      answer = untouched ?? (await writer.run(executed));
    }
  } catch (error) {
    const failure = writer.toRefusal(error);
    if (!failure) throw error;
    return { failure };
  }
  const rows = rowsOf(executed, answer);
  // Somebody in the database takes part in it: nobody could tell which row is whose.
  if (write.kind === 'insert' && write.moreValues && rows.length !== write.moreValues.length + 1)
    return { failure: fail('record.database', { text: 'the records have to be written one by one' }) };
  return { rows };
}

async function writeUnit(writer: Writer, { steps, main, check }: Unit): Promise<WriteOutcome> {
  const checkFailure = check && (await runCheck(writer, check));
  if (checkFailure) return { failure: checkFailure };
  const stepRows: Row[][] = [];
  for (const { write, mapFailure: refused } of steps) {
    const resolvedWrite = resolveSteps(write, stepRows);
    const { rows, failure } =
      resolvedWrite instanceof Failure ? { failure: resolvedWrite } : await writeOne(writer, resolvedWrite);
    if (failure) return { failure: refused?.(failure) ?? failure };
    stepRows.push(rows);
  }
  return { rows: stepRows[main] ?? [] };
}

async function runCheck(writer: Writer, check: Check): Promise<Failure | undefined> {
  try {
    const { json } = await writer.readLocked(check);
    const rows = JSON.parse(json) as Row[];
    if (rows.length === 0) return check.missing;
    const columns = check.columns.map(wireColumn);
    return rows.every((row) => isUnchanged(columns, check.expected, row)) ? undefined : check.changed;
  } catch (error) {
    const failure = writer.toRefusal(error);
    if (!failure) throw error;
    return failure;
  }
}

/** The write with the values of earlier steps; a failure where the database does not report what it made. */
function resolveSteps(write: Write, stepRows: Row[][]): Write | Failure {
  let isUnresolved = false;
  const resolve = (value: unknown): unknown => {
    if (!(value instanceof FromStep)) return value;
    const answer = stepRows[value.step]?.[0]?.[value.column.name] ?? null;
    isUnresolved ||= answer === null;
    return toNative(value.column, answer, 'filter');
  };
  const resolvedWrite = mapWriteValues(write, resolve);
  return isUnresolved ? fail('related.untold') : resolvedWrite;
}

function mapWriteValues(write: Write, resolve: (value: unknown) => unknown): Write {
  const values = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, resolve(value)]));
  switch (write.kind) {
    case 'refuse':
      return write;
    case 'insert':
      return { ...write, values: values(write.values) };
    case 'delete':
      return write.where ? { ...write, where: mapFilterValues(write.where, resolve) } : write;
    case 'update': {
      const { missing } = write;
      return {
        ...write,
        values: values(write.values),
        where: mapFilterValues(write.where, resolve),
        missing: missing && isWrite(missing) ? { ...missing, values: values(missing.values) } : missing,
      };
    }
  }
}

/** A filter with other values in the places of its own. */
function mapFilterValues(filter: BoundFilter, change: (value: unknown) => unknown): BoundFilter {
  const value = (operand: BoundValue): BoundValue =>
    operand.kind === 'value' ? { kind: 'value', value: change(operand.value) } : operand;
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      return { ...filter, left: mapFilterValues(filter.left, change), right: mapFilterValues(filter.right, change) };
    case 'not':
      return { ...filter, node: mapFilterValues(filter.node, change) };
    case 'null':
      return filter;
    case 'between':
      return { ...filter, low: value(filter.low), high: value(filter.high) };
    case 'in':
      return { ...filter, values: filter.values.map(value) };
    case 'tuples':
      return { ...filter, tuples: filter.tuples.map((tuple) => tuple.map(change)) };
    case 'compare':
      return { ...filter, value: value(filter.value) };
  }
}

function rowsOf(write: RealWrite, { count, json }: Answer): Row[] {
  if (write.returning.length === 0) return Array.from({ length: count }, () => ({}));
  const rows = JSON.parse(json) as Row[];
  // A trigger that puts the record somewhere else answers no row: what was written is shown.
  return rows.length === 0 && write.kind === 'insert' ? [echoRow(write)] : rows;
}

const echoRow = (write: Extract<Write, { kind: 'insert' }>): Row =>
  Object.fromEntries(write.returning.map(wireColumn).map(({ name, kind }) => [name, toWire(kind, write.values[name])]));

/** Undefined: nothing was done, and the writes have to be done in another way. */
async function writeInTransaction(
  writer: Writer,
  writes: readonly (Write | Unit)[],
  mode: 'stop' | 'continue' | 'rollback',
  hasSavepoints: boolean,
): Promise<WriteOutcome[] | undefined> {
  await writer.command('begin');
  try {
    const outcomes: WriteOutcome[] = [];
    for (const write of writes) {
      if (hasSavepoints) await writer.command('savepoint one_write');
      const outcome = await writeOne(writer, write);
      outcomes.push(outcome);
      if (outcome.failure) {
        if (mode === 'rollback') return await rollback(writer, outcomes);
        const undoesItself = writer.outlivesFailure && !needsTransaction(writer, write);
        if (!hasSavepoints && !undoesItself && !failedBeforeDatabase(write, outcome.failure))
          return await rollback(writer, undefined);
        if (hasSavepoints) await writer.command('rollback to savepoint one_write');
        if (mode === 'stop') break;
      }
      if (hasSavepoints) await writer.command('release savepoint one_write');
    }
    const problem = await commit(writer);
    if (!problem) return outcomes;
    return mode === 'rollback' ? [...outcomes.slice(0, -1), { failure: problem }] : undefined;
  } catch (error) {
    await rollback(writer, undefined);
    throw error;
  }
}

/** Failures found before the database was asked leave its transaction as it is. */
const failedBeforeDatabase = (write: Write | Unit, failure: Failure): boolean => {
  switch (write.kind) {
    case 'refuse':
      return true;
    case 'insert':
      return false;
    case 'unit':
      return write.check !== undefined && (failure === write.check.changed || failure === write.check.missing);
    default:
      return write.missing === failure;
  }
};

async function rollback<T>(writer: Writer, answer: T): Promise<T> {
  try {
    await writer.command('rollback');
  } catch {
    writer.abandon();
  }
  return answer;
}

/** Why the transaction could not be ended; it is then undone. */
async function commit(writer: Writer): Promise<Failure | undefined> {
  try {
    await writer.command('commit');
    return undefined;
  } catch (error) {
    const failure = writer.toRefusal(error);
    if (!failure) throw error;
    await rollback(writer, undefined);
    return failure;
  }
}

async function writeEachAlone(
  writer: Writer,
  writes: readonly (Write | Unit)[],
  mode: 'stop' | 'continue' | 'rollback',
) {
  writer.isLast = true;
  const outcomes: WriteOutcome[] = [];
  for (const write of writes) {
    const [outcome] = needsTransaction(writer, write)
      ? ((await writeInTransaction(writer, [write], 'rollback', false)) ?? [])
      : [await writeOne(writer, write)];
    if (!outcome) throw new Error('a transaction that is undone at its first failure has an outcome');
    outcomes.push(outcome);
    if (outcome.failure && mode === 'stop') break;
  }
  return outcomes;
}
