// Changing the schema where each statement of DDL commits by itself: what was done before one that fails is undone by planned
// counter-steps, on another connection where the first one broke.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, fail } from '@sluice/contract';
import type { ApplyOptions, SchemaChange, SchemaPlan } from '../../change/index.ts';
import type { Connection, Problem, RunQuery } from './engine.ts';
import type { Pool } from './pool.ts';
import type { PlanContext, PlannedChange, PlannedStatement, SchemaChanges } from './schema-editor.ts';

/** What the steps need of the editor. */
export interface StepParts<P> {
  engine: SchemaChanges;
  pool: Pool<Connection<P>>;
  translate(error: unknown): Problem;
  contextOn(connection: Connection<P>): PlanContext;
  /** Counts what would not fit, and throws when there is any. */
  requireFit(change: PlannedChange, runQuery: RunQuery): Promise<SchemaPlan>;
  /** What a change does, as far as it is known without counting. */
  describe(change: PlannedChange): SchemaPlan;
}

export type StepLimits = ApplyOptions & Required<Pick<ApplyOptions, 'timeout' | 'lockTimeout'>>;

/**
 * Milliseconds of the attempts to get a lock; the last goes for all that follow. Later calls queue
 * behind a running one, so the first ones do not wait at all.
 */
const attempts = [0, 0, 0, 1000];
/** Milliseconds between two attempts, at least; up to twice as long. */
const pauseMs = 150;
/** Milliseconds a database that went away is waited for, so that a change can be undone there. */
const patience = 60_000;

/** What was done so far, and what undoes it. */
interface Progress {
  undo: PlannedStatement[];
  isUndoable: boolean;
  /** What was begun, and how its tables were before: whether it was done is not known where the connection broke. */
  open?: { statement: PlannedStatement; state: string };
  /** A statement that cannot be undone was carried out, and the connection broke before its answer. */
  isUnsure?: boolean;
}

/** Carries changes out, or undoes what it did of them. */
export async function applyInSteps<P>(
  parts: StepParts<P>,
  changes: readonly SchemaChange[],
  limits: StepLimits,
): Promise<SchemaPlan[]> {
  const progress: Progress = { undo: [], isUndoable: true };
  try {
    return await parts.pool.use({ timeout: limits.timeout, caller: limits.caller }, (connection) =>
      inSession(parts, connection, async () => {
        try {
          return await takeSteps(parts, connection, changes, limits, progress);
        } catch (error) {
          // Here at first: a database that is closed gives no other connection.
          if (connection.isUsable && progress.isUndoable && progress.undo.length > 0)
            await undoOn(parts, connection, progress).catch(() => {});
          throw error;
        }
      }),
    );
  } catch (error) {
    await undo(parts, progress, tableOf(changes));
    if (progress.isUnsure) throw fail('database.unsure', undefined, { cause: error });
    throw error;
  }
}

/** Runs `work` in a session that is set up for changes, and puts the session back as it was. */
export async function inSession<P, R>(
  { engine }: Pick<StepParts<P>, 'engine'>,
  connection: Connection<P>,
  work: () => Promise<R>,
): Promise<R> {
  try {
    for (const sql of engine.session?.() ?? []) await connection.command(sql);
    return await work();
  } finally {
    // What was cancelled or lost is not used again.
    if (connection.isUsable) await connection.reset().catch(() => connection.destroy());
  }
}

async function takeSteps<P>(
  parts: StepParts<P>,
  connection: Connection<P>,
  changes: readonly SchemaChange[],
  { lockTimeout, beforeSteps, beforeCommit }: StepLimits,
  progress: Progress,
): Promise<SchemaPlan[]> {
  const { engine } = parts;
  const context = parts.contextOn(connection);
  const deadline = performance.now() + lockTimeout;
  const failBusy = () => fail('schema.busy', { table: tableOf(changes), seconds: lockTimeout / 1000 });
  /** Runs what may have to wait for a lock, until the limit; `isFirst` when nothing was done. */
  const wait = <R>(run: () => Promise<R>) => untilUnlocked(parts, connection, run, deadline, failBusy);

  await wait(() => takeTurn(parts, context.runQuery));
  // What is planned holds until the first statement has its lock: another program may change the table meanwhile.
  const begin = async () => {
    const planned = await engine.plan(changes, context);
    const first = planned.slice(0, -1).find(({ statements }) => statements.some((statement) => !statement.undo));
    if (first) throw fail('schema.cannotUndo', { table: first.table });
    const plans: SchemaPlan[] = [];
    let isBegun = false;
    for (const change of planned) {
      const check = () => parts.requireFit(change, context.runQuery);
      plans.push(await (isBegun ? wait(check) : check()));
      for (const statement of change.statements) {
        if (!isBegun) await beforeSteps?.(planned.map(parts.describe));
        const run = () => runStep(parts, connection, statement, progress);
        await (isBegun ? wait(run) : run());
        isBegun = true;
        if (statement.undo) progress.undo.unshift(...counterSteps(statement));
        else progress.isUndoable = false;
      }
    }
    return plans;
  };
  const plans = await untilUnlocked(
    parts,
    connection,
    begin,
    deadline,
    failBusy,
    () => progress.undo.length === 0 && progress.isUndoable,
  );
  await beforeCommit?.(plans);
  return plans;
}

const counterSteps = ({ undo = [], touches }: PlannedStatement): PlannedStatement[] =>
  undo.map((sql) => ({ sql, undo: [], touches }));

/** Runs a statement; where the connection breaks meanwhile, `progress` keeps what it takes to find out what became of it. */
async function runStep<P>(
  { engine, translate, contextOn }: StepParts<P>,
  connection: Connection<P>,
  statement: PlannedStatement,
  progress: Progress,
): Promise<void> {
  const state = (await engine.stateOf?.(statement, contextOn(connection).runQuery)) ?? '';
  requireGoing(connection);
  progress.open = { statement, state };
  try {
    await connection.command(statement.sql);
  } catch (error) {
    // A server that says no has done nothing.
    if (translate(error).kind !== 'lost') progress.open = undefined;
    throw error;
  }
  progress.open = undefined;
}

/** Tries again for as long as others hold what is needed. */
async function untilUnlocked<P, R>(
  { engine }: StepParts<P>,
  connection: Connection<P>,
  run: () => Promise<R>,
  deadline: number,
  failBusy: () => Failure,
  mayRepeat = () => true,
): Promise<R> {
  for (let attempt = 0; ; attempt += 1) {
    await connection.command(engine.setLockTimeout(attempts[Math.min(attempt, attempts.length - 1)] as number));
    try {
      return await run();
    } catch (error) {
      if (!engine.isLockTimeout(error) || !mayRepeat()) throw error;
      if (performance.now() > deadline) throw failBusy();
    }
    await sleep(pauseMs * (1 + Math.random()));
    requireGoing(connection);
  }
}

/** A change that was stopped between two statements had none to cancel. */
function requireGoing<P>(connection: Connection<P>): void {
  if (!connection.isUsable) throw new Error('the change was stopped');
}

/** Only one session at a time changes the schema of a database; its end is also the end of what it runs. */
async function takeTurn<P>({ engine }: StepParts<P>, runQuery: RunQuery): Promise<void> {
  await engine.takeTurn?.(runQuery);
}

// ---- undoing ----

async function undo<P>(parts: StepParts<P>, progress: Progress, table: string): Promise<void> {
  const deadline = performance.now() + patience;
  while (progress.open || (progress.isUndoable && progress.undo.length > 0)) {
    try {
      await parts.pool.use({ timeout: patience * 10 }, (connection) =>
        inSession(parts, connection, () => undoOn(parts, connection, progress)),
      );
    } catch (error) {
      const isLost = error instanceof Failure ? error.status === 503 : parts.translate(error).kind === 'lost';
      if (isLost && performance.now() < deadline) {
        await sleep(pauseMs);
        continue;
      }
      const rest = [...progress.undo].map(({ sql }) => sql).join('; ');
      const text = `${(error as Error).message}. To be run by hand: ${rest}`;
      throw fail('schema.halfChanged', { table, text: text.slice(0, 4000) }, { cause: error });
    }
  }
}

async function undoOn<P>(parts: StepParts<P>, connection: Connection<P>, progress: Progress): Promise<void> {
  const { runQuery } = parts.contextOn(connection);
  // Undoing is not given up for a lock.
  const wait = <R>(run: () => Promise<R>) =>
    untilUnlocked(parts, connection, run, Number.POSITIVE_INFINITY, () => fail('database.conflict'));
  // Also waits for the end of the session that was lost, and of what it ran.
  await wait(() => takeTurn(parts, runQuery));
  await settle(parts, runQuery, progress);
  while (progress.isUndoable && progress.undo.length > 0) {
    const [step] = progress.undo as [PlannedStatement];
    await wait(() => runStep(parts, connection, step, progress));
    progress.undo.shift();
  }
}

/** Finds out what became of a statement whose connection broke. */
async function settle<P>({ engine }: StepParts<P>, runQuery: RunQuery, progress: Progress): Promise<void> {
  const { open } = progress;
  if (!open) return;
  const isDone = (await engine.stateOf?.(open.statement, runQuery)) !== open.state;
  progress.open = undefined;
  if (!isDone) return;
  if (open.statement === progress.undo[0]) progress.undo.shift();
  else if (open.statement.undo) progress.undo.unshift(...counterSteps(open.statement));
  else {
    progress.isUndoable = false;
    progress.isUnsure = true;
  }
}

const tableOf = ([change]: readonly SchemaChange[]): string =>
  change === undefined ? '' : change.kind === 'createTable' ? change.name : change.table.name;
