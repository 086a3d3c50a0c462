// Writes of one call on one connection: alone, or together in a transaction (`Database.write`).
import { Failure } from '@sluice/contract';
import { toWire, wireColumn } from '../../convert/wire.ts';
import type { Row, Write, WriteOutcome } from '../../types.ts';
import type { Answer } from './engine.ts';

export type RealWrite = Exclude<Write, { kind: 'refuse' }>;

/** What writing needs of a connection and its engine. */
export interface Writer {
  command(sql: string): Promise<void>;
  run(write: RealWrite): Promise<Answer>;
  /** True for a write that takes several statements. */
  needsTransaction(write: RealWrite): boolean;
  /** See `Engine.outlivesFailure`. */
  outlivesFailure: boolean;
  /**
   * The failure of a value or a rule; undefined for errors that end the whole call: a lost connection, a deadlock. The
   * latter is a failure of its write where the call can not be tried again (`isLast`).
   */
  refusal(error: unknown, isLast?: boolean): Failure | undefined;
  /** The connection is in a state nobody knows. */
  abandon(): void;
}

/**
 * Runs writes in order. Together they share one transaction, which spares a flush for each; should one fail that others
 * must survive, they are done again with a savepoint before each, and should the end of the transaction fail (a rule
 * that is checked there), each alone. Throws what is no refusal, with nothing changed but by single writes before it.
 */
export async function writeAll(
  writer: Writer,
  writes: Write[],
  mode: 'stop' | 'continue' | 'rollback',
): Promise<WriteOutcome[]> {
  const [first] = writes;
  if (writes.length === 1 && first && !isSeveral(writer, first)) return [await writeOne(writer, first)];
  const all = await together(writer, writes, mode, false);
  if (all) return all;
  return (await together(writer, writes, mode, true)) ?? (await eachAlone(writer, writes, mode));
}

const isSeveral = (writer: Writer, write: Write): boolean =>
  write.kind !== 'refuse' &&
  (writer.needsTransaction(write) ||
    (write.kind === 'update' &&
      write.missing !== undefined &&
      isWrite(write.missing) &&
      writer.needsTransaction(write.missing)));

const isWrite = (missing: Failure | RealWrite): missing is RealWrite => !(missing instanceof Failure);

async function writeOne(writer: Writer, write: Write): Promise<WriteOutcome> {
  if (write.kind === 'refuse') return { failure: write.failure };
  let done: RealWrite = write;
  let answer: Answer;
  try {
    answer = await writer.run(write);
    if (answer.count === 0 && write.kind !== 'insert' && write.missing) {
      if (!isWrite(write.missing)) return { failure: write.missing };
      done = write.missing;
      answer = await writer.run(done);
    }
  } catch (error) {
    const failure = writer.refusal(error);
    if (!failure) throw error;
    return { failure };
  }
  return { rows: rowsOf(done, answer) };
}

function rowsOf(write: RealWrite, { count, json }: Answer): Row[] {
  if (write.returning.length === 0) return Array.from({ length: count }, () => ({}));
  const rows = JSON.parse(json) as Row[];
  // A trigger that puts the record somewhere else answers no row: what was written is shown.
  return rows.length === 0 && write.kind === 'insert' ? [echo(write)] : rows;
}

const echo = (write: Extract<Write, { kind: 'insert' }>): Row =>
  Object.fromEntries(write.returning.map(wireColumn).map(({ name, kind }) => [name, toWire(kind, write.values[name])]));

/** Undefined: nothing was done, and the writes have to be done in another way. */
async function together(
  writer: Writer,
  writes: Write[],
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
        if (mode === 'rollback') return await undone(writer, outcomes);
        const isAlone = writer.outlivesFailure && !isSeveral(writer, write);
        if (!hasSavepoints && !isAlone && !isOurs(write, outcome.failure)) return await undone(writer, undefined);
        if (hasSavepoints) await writer.command('rollback to savepoint one_write');
        if (mode === 'stop') break;
      }
      if (hasSavepoints) await writer.command('release savepoint one_write');
    }
    const problem = await commit(writer);
    if (!problem) return outcomes;
    return mode === 'rollback' ? [...outcomes.slice(0, -1), { failure: problem }] : undefined;
  } catch (error) {
    await undone(writer, undefined);
    throw error;
  }
}

/** Failures found before the database was asked leave its transaction as it is. */
const isOurs = (write: Write, failure: Failure): boolean =>
  write.kind === 'refuse' || (write.kind !== 'insert' && write.missing === failure);

async function undone<T>(writer: Writer, answer: T): Promise<T> {
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
    const failure = writer.refusal(error);
    if (!failure) throw error;
    await undone(writer, undefined);
    return failure;
  }
}

async function eachAlone(parts: Writer, writes: Write[], mode: 'stop' | 'continue' | 'rollback') {
  const writer: Writer = { ...parts, refusal: (error) => parts.refusal(error, true) };
  const outcomes: WriteOutcome[] = [];
  for (const write of writes) {
    const [outcome] = isSeveral(writer, write)
      ? ((await together(writer, [write], 'rollback', false)) ?? [])
      : [await writeOne(writer, write)];
    if (!outcome) throw new Error('a transaction that is undone at its first failure has an outcome');
    outcomes.push(outcome);
    if (outcome.failure && mode === 'stop') break;
  }
  return outcomes;
}
