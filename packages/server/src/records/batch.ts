// Several records in one call: stop at the first failure, go on, or all or nothing (contract/http-basics.md §8).
import { Failure, fail } from '@sluice/contract';
import type { ListQuery } from '../call/list-query.ts';
import { type BatchVerb, type Outcome, outcomeOf, settleBatch } from '../call/payload.ts';
import type { RecordContext, RecordId } from '../resource/resource.ts';
import type { Change, Store } from '../store/index.ts';
import { writeTold } from './audited.ts';
import { breathe } from './breathe.ts';
import { untouched, type WriteContext } from './rows.ts';

export type BatchMode = Pick<ListQuery, 'continue' | 'rollback'>;

/** One record's part of a batch: what is slow first, then what happens in its transaction. */
export interface Step<T> {
  prepare(): Promise<Record<string, unknown>>;
  write(prepared: Record<string, unknown>, context: WriteContext): Promise<T>;
}

/** Runs one step; its own failure is the answer. */
export async function runOne<T>(step: Step<T>, context: RecordContext): Promise<T> {
  const prepared = await step.prepare();
  return inTransaction(context, (inside) => writeWhole(step, prepared, inside));
}

/** Writes a record, then runs the checks that waited until all of it is there. */
async function writeWhole<T>({ write }: Step<T>, prepared: Record<string, unknown>, context: WriteContext): Promise<T> {
  const atEnd: WriteContext['atEnd'] = new Map();
  const result = await write(prepared, { ...context, atEnd });
  for (const check of atEnd.values()) await check();
  return result;
}

/** Runs the steps in order; a failure of one makes the batch error of the contract. */
export async function runBatch<T>(
  verb: BatchVerb,
  steps: Step<T>[],
  mode: BatchMode,
  context: RecordContext,
  shown: (result: T) => unknown,
): Promise<T[]> {
  const outcomes = mode.rollback ? await allOrNothing(steps, context) : await oneByOne(steps, mode, context);
  return settleBatch(verb, outcomes, mode.rollback, shown);
}

async function oneByOne<T>(steps: Step<T>[], mode: BatchMode, context: RecordContext): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  for (const [index, step] of steps.entries()) {
    await breathe(index);
    try {
      outcomes.push({ result: await runOne(step, context) });
    } catch (error) {
      const outcome = outcomeOf<T>(error);
      outcomes.push(outcome);
      // A store out of reach would keep each of the others waiting in vain.
      if (!mode.continue || isFault(outcome.failure)) break;
    }
  }
  return outcomes;
}

async function allOrNothing<T>(steps: Step<T>[], context: RecordContext): Promise<Outcome<T>[]> {
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
    await inTransaction(context, async (inside, isLastTry) => {
      outcomes.length = 0;
      for (const [index, ready] of prepared.entries()) {
        await breathe(index);
        try {
          if (ready.failure) throw ready.failure;
          outcomes.push({ result: await writeWhole(steps[index] as Step<T>, ready.result, inside) });
        } catch (error) {
          if (!isLastTry && context.store.isDuplicate(error)) throw error;
          const outcome = outcomeOf<T>(refused(context.store, error));
          // What the store is at fault for may go well when it is tried again.
          if (isFault(outcome.failure)) throw outcome.failure;
          outcomes.push(outcome);
          throw undo;
        }
      }
    });
  } catch (error) {
    if (error !== undo) outcomes.push(outcomeOf(error));
  }
  return outcomes;
}

const isFault = (error: unknown) => error instanceof Failure && error.status >= 500;

/** Commits what `work` did and tells every cache of it before anything is answered. */
async function inTransaction<T>(
  context: RecordContext,
  work: (inside: WriteContext, isLastTry: boolean) => Promise<T>,
): Promise<T> {
  const { store } = context;
  const touched = untouched();
  const tell = async () => {
    for (const table of touched.tables) await store.bus.publish({ table });
    for (const [table, ids] of touched.rows)
      if (!touched.tables.has(table)) await store.bus.publish(changeOf(table, [...ids]));
  };
  const run = (isLastTry: boolean) =>
    store.transaction(async (db) => {
      const inside: WriteContext = { ...context, db, touched, told: [] };
      const done = await work(inside, isLastTry);
      await writeTold(inside);
      return done;
    });
  const result = await againOnDuplicate(store, run).catch(async (error: unknown) => {
    // A connection that broke at the commit does not tell whether it was made.
    if (isFault(error)) await tell();
    throw refused(store, error);
  });
  await tell();
  return result;
}

/** How often a transaction is run whose row another one inserted between the look and the write. */
const duplicateTries = 3;

/** Runs it again when a unique index refuses a row: now the check sees the other row, and refuses in its own words. */
async function againOnDuplicate<T>(store: Store, run: (isLastTry: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const isLastTry = tries === duplicateTries;
    try {
      return await run(isLastTry);
    } catch (error) {
      if (isLastTry || !store.isDuplicate(error)) throw error;
    }
  }
}

/** A write that the database refused for the data's sake is the caller's to mend: a 400 with the database's words. */
function refused(store: Store, error: unknown): unknown {
  const refusal = store.refusal(error);
  return refusal ? fail('record.database', { text: refusal.text }, { code: refusal.code, cause: error }) : error;
}

/** Rows known by a number are told by it, others by their text. */
const changeOf = (table: string, ids: RecordId[]): Change =>
  ids.every((id) => typeof id === 'number') ? { table, ids } : { table, keys: ids.map(String) };
