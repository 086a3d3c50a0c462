// Several records in one call: stop at the first failure, go on, or all or nothing (contract/http-basics.md §8).
import { Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { ListQuery } from '../call/list-query.ts';
import { type BatchVerb, type Outcome, outcomeOf, settleBatch } from '../call/payload.ts';
import type { RecordContext } from '../resource/resource.ts';
import type { Db, Store } from '../store/index.ts';
import { flushAudit } from './audit.ts';
import { newChangeSet, publishChanges, raiseNotices, type WriteContext } from './change.ts';

export type BatchMode = Pick<ListQuery, 'continue' | 'rollback'>;

/** One record's part of a batch: what is slow first, then what happens in its transaction. */
export interface BatchStep<T> {
  prepare(): Promise<Record<string, unknown>>;
  write(prepared: Record<string, unknown>, context: WriteContext): Promise<T>;
}

/** Runs one step; its own failure is the answer. */
export async function runOne<T>(step: BatchStep<T>, context: RecordContext): Promise<T> {
  const prepared = await step.prepare();
  return inTransaction(context, (transaction) => writeWhole(step, prepared, transaction)).catch((error: unknown) => {
    throw error instanceof FailedAfterCommit ? error.cause : error;
  });
}

/** The records are written; what had to follow failed. */
class FailedAfterCommit extends Error {}

/** Writes a record, then runs the checks that waited until all of it is there. */
async function writeWhole<T>(
  { write }: BatchStep<T>,
  prepared: Record<string, unknown>,
  context: WriteContext,
): Promise<T> {
  const deferredChecks: WriteContext['deferredChecks'] = new Map();
  const result = await write(prepared, { ...context, deferredChecks });
  for (const check of deferredChecks.values()) await check();
  return result;
}

/** Runs the steps in order; a failure of one makes the batch error of the contract, `serialize` its results. */
export async function runBatch<T>(
  verb: BatchVerb,
  steps: BatchStep<T>[],
  mode: BatchMode,
  context: RecordContext,
  serialize: (result: T) => unknown,
): Promise<T[]> {
  const outcomes = mode.rollback ? await allOrNothing(steps, context) : await oneByOne(steps, mode, context);
  return settleBatch(verb, outcomes, mode.rollback, serialize);
}

async function oneByOne<T>(steps: BatchStep<T>[], mode: BatchMode, context: RecordContext): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  for (const step of steps) {
    await pause();
    try {
      outcomes.push({ result: await runOne(step, context) });
    } catch (error) {
      const outcome = outcomeOf<T>(error);
      outcomes.push(outcome);
      // A store out of reach would make each of the others wait for its timeout.
      if (!mode.continue || isFault(outcome.failure)) break;
    }
  }
  return outcomes;
}

async function allOrNothing<T>(steps: BatchStep<T>[], context: RecordContext): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  // Hashing thousands of passwords inside the transaction would keep every other call waiting.
  const prepared: Outcome<Record<string, unknown>>[] = [];
  for (const step of steps) {
    try {
      prepared.push({ result: await step.prepare() });
    } catch (error) {
      prepared.push(outcomeOf(error));
      break;
    }
  }
  const undo = new Error('rolled back');
  try {
    await inTransaction(context, async (transaction, isLastTry) => {
      outcomes.length = 0;
      for (const [index, preparation] of prepared.entries()) {
        await pause();
        try {
          if (preparation.failure) throw preparation.failure;
          const result = await writeWhole(steps[index] as BatchStep<T>, preparation.result, transaction);
          outcomes.push({ result });
        } catch (error) {
          if (!isLastTry && context.store.isDuplicate(error)) throw error;
          const outcome = outcomeOf<T>(refusalOf(context.store, error));
          // What the store is at fault for may go well when it is tried again.
          if (isFault(outcome.failure)) throw outcome.failure;
          outcomes.push(outcome);
          throw undo;
        }
      }
    });
  } catch (error) {
    if (error instanceof FailedAfterCommit) throw error.cause;
    if (error !== undo) outcomes.push(outcomeOf(error));
  }
  return outcomes;
}

const isFault = (error: unknown) => error instanceof Failure && error.status >= 500;

/**
 * Commits the changes of `work` with their audit entries, and notifies every cache before the answer. In a transaction
 * that is open already it only works: its opener commits.
 */
export async function inTransaction<T>(
  context: RecordContext | WriteContext,
  work: (transaction: WriteContext, isLastTry: boolean) => Promise<T>,
): Promise<T> {
  if ('pendingAudit' in context) return work(context, true);
  const { store } = context;
  const changes = newChangeSet();
  let afterCommit: WriteContext['afterCommit'] = [];
  let noticed: WriteContext['noticed'] = [];
  const run = (isLastTry: boolean) =>
    store.transaction(async (db) => {
      // Of an earlier try nothing is left.
      [afterCommit, noticed] = [[], []];
      const transaction: WriteContext = { ...context, db, changes, pendingAudit: [], noticed, afterCommit };
      const result = await work(transaction, isLastTry);
      await flushAudit(db, transaction.pendingAudit);
      return result;
    });
  const result = await retryOnDuplicate(store, run).catch(async (error: unknown) => {
    // A connection that broke at the commit does not tell whether it was made.
    if (isFault(error)) await publishChanges(store.bus, changes);
    throw refusalOf(store, error);
  });
  await publishChanges(store.bus, changes);
  raiseNotices(noticed, context.notices);
  await runAfterCommit(afterCommit);
  return result;
}

async function runAfterCommit(afterCommit: WriteContext['afterCommit']): Promise<void> {
  const failures: unknown[] = [];
  // Where one fails the others are done all the same.
  for (const work of afterCommit) await work().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new FailedAfterCommit('after commit', { cause: failures[0] });
}

/** What was done in a transaction that somebody else commits. */
export interface JoinedWork<T> {
  result: T;
  /** To be called once it is committed, or may have been: tells every cache what changed. */
  publish(): Promise<void>;
}

/** Works in a transaction of the store that is open already, its audit entries with it. */
export async function joinTransaction<T>(
  context: RecordContext,
  db: Db,
  work: (transaction: WriteContext) => Promise<T>,
): Promise<JoinedWork<T>> {
  const parts = { changes: newChangeSet(), pendingAudit: [], noticed: [], afterCommit: [] };
  const transaction: WriteContext = { ...context, db, ...parts };
  const result = await work(transaction);
  await flushAudit(db, transaction.pendingAudit);
  return {
    result,
    async publish() {
      await publishChanges(context.store.bus, transaction.changes);
      raiseNotices(transaction.noticed, context.notices);
      await runAfterCommit(transaction.afterCommit);
    },
  };
}

/** How often a transaction is run whose row another one inserted between the look and the write. */
const maxDuplicateTries = 3;

/** Runs it again when a unique index refuses a row: now the check sees the other row, and refuses in its own words. */
async function retryOnDuplicate<T>(store: Store, run: (isLastTry: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const isLastTry = tries === maxDuplicateTries;
    try {
      return await run(isLastTry);
    } catch (error) {
      if (isLastTry || !store.isDuplicate(error)) throw error;
    }
  }
}

/** A write that the database refused for the data's sake is for the caller to correct: a 400 with the database's words. */
function refusalOf(store: Store, error: unknown): unknown {
  const refusal = store.refusal(error);
  return refusal ? fail('record.database', { text: refusal.text }, { code: refusal.code, cause: error }) : error;
}
