// Carries a change of the schema out, in the child process: one transaction, which waits before its end for the parent.
import type { Misfit, SchemaPlan } from '../../../change/index.ts';
import { isBusy, problemOf, type Sqlite } from '../driver/index.ts';
import { planChange } from './plan.ts';
import { type PlannedChange, runStatement } from './planning.ts';
import { copySchema, findFaults, referrersOf } from './shadow.ts';
import { type ChangeData, type ChangeReport, type ChangeTask, RefusalError, unsupported } from './task.ts';

/**
 * Plans changes and, where the task says so, carries them out. The report comes when all is done but the commit, which
 * happens when the generator is asked to go on; where it is left, all is undone. Throws `RefusalError` and driver errors.
 */
export function* changeSchema(database: Sqlite, task: ChangeTask): Generator<ChangeReport> {
  const restore = setPragmas(database, { foreign_keys: 0, legacy_alter_table: 0, busy_timeout: task.lockTimeout });
  try {
    begin(database, task.isApplied);
    yield { plans: carryOut(database, task) };
    if (task.isApplied) finish(database);
  } finally {
    if (database.inTransaction) database.exec('rollback');
    restore();
  }
}

function begin(database: Sqlite, isApplied: boolean): void {
  waitingForLock(() => database.exec(isApplied ? 'begin immediate' : 'begin'));
}

/** Without write-ahead logging the commit waits for those who read. */
function finish(database: Sqlite): void {
  waitingForLock(() => database.exec('commit'));
}

function waitingForLock(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (isBusy(problemOf(error))) throw new RefusalError({ kind: 'busy' });
    throw error;
  }
}

function carryOut(database: Sqlite, { changes, isApplied }: ChangeTask): SchemaPlan[] {
  const shadow = copySchema(database);
  try {
    const faultsBefore = findFaults(shadow);
    const newFaults = new Map<string, string>();
    const keysBefore = isApplied ? countLostTargets(database, tablesOf(database, changes)) : [];
    const plans: SchemaPlan[] = [];
    for (const [index, change] of changes.entries()) {
      const planned = planChange(shadow, changes, change);
      for (const [what] of findFaults(shadow))
        if (!faultsBefore.has(what) && !newFaults.has(what)) newFaults.set(what, change.name);
      plans.push(isApplied ? apply(database, planned) : estimate(database, planned, index > 0));
    }
    // What one change breaks another one may have mended.
    for (const [what, text] of findFaults(shadow))
      if (newFaults.has(what)) throw unsupported(newFaults.get(what) as string, `${what} would not work (${text})`);
    if (isApplied) requireTargets(database, keysBefore, changes);
    return plans;
  } finally {
    shadow.close();
  }
}

function apply(database: Sqlite, planned: PlannedChange): SchemaPlan {
  const plan = describe(planned, (sql) => countOf(database, sql));
  if (plan.misfits.length > 0) throw new RefusalError({ kind: 'misfit', table: plan.table, misfits: plan.misfits });
  for (const statement of planned.statements) runStatement(database, statement);
  return plan;
}

/** What of a later change cannot be counted yet, as the table is not there or not so, has no records. */
const estimate = (database: Sqlite, planned: PlannedChange, isLater: boolean): SchemaPlan =>
  describe(planned, (sql) => {
    try {
      return countOf(database, sql);
    } catch (error) {
      if (isLater && problemOf(error).code === 1) return 0;
      throw error;
    }
  });

function describe({ table, checks, losses, statements }: PlannedChange, count: (sql: string) => number): SchemaPlan {
  const misfits: Misfit[] = [];
  for (const { field, problem, sql } of checks) {
    const records = count(sql);
    if (records > 0) misfits.push({ field, records, problem });
  }
  return {
    table,
    statements: statements.map(({ sql }) => sql),
    undo: 'transaction',
    misfits,
    losses: losses.map(({ field, sql }) => ({ field, records: count(sql) })).filter(({ records }) => records > 0),
  };
}

const countOf = (database: Sqlite, sql: string): number => Number(database.run(sql).rows[0]?.[0] ?? 0);

// ---- foreign keys, which are not enforced while a table is rebuilt ----

interface LostTargets {
  table: string;
  refTable: string;
  field: string;
  records: number;
}

/** The tables there are that changes are about, and those that reference them. */
function tablesOf(database: Sqlite, changes: readonly ChangeData[]): string[] {
  const named = changes.flatMap((change) => (change.kind === 'createTable' ? [] : [change.native]));
  return [...new Set(named.flatMap((table) => [table, ...referrersOf(database, table)]))];
}

/** The records of tables that reference what does not exist; of a table whose keys cannot be checked, nothing. */
function countLostTargets(database: Sqlite, tables: readonly string[]): LostTargets[] {
  return tables.flatMap((table) => {
    try {
      return database
        .run(
          `select c.parent, min(f."from"), count(*) from pragma_foreign_key_check(?1) as c
           left join pragma_foreign_key_list(?1) as f on f.id = c.fkid and f.seq = 0 group by c.parent`,
          [table],
        )
        .rows.map(([refTable, field, records]) => ({
          table,
          refTable: String(refTable),
          field: String(field),
          records: Number(records),
        }));
    } catch (error) {
      problemOf(error);
      return [];
    }
  });
}

/** Refuses when more records than before reference what does not exist. */
function requireTargets(database: Sqlite, before: readonly LostTargets[], changes: readonly ChangeData[]): void {
  for (const { table, refTable, field, records } of countLostTargets(database, tablesOf(database, changes))) {
    const known = before.find((lost) => lost.table === table && lost.refTable === refTable)?.records ?? 0;
    if (records > known)
      throw new RefusalError({
        kind: 'misfit',
        table,
        misfits: [{ field, records: records - known, problem: 'noTarget' }],
      });
  }
}

/** Sets pragmas of the connection and answers how to put them back. */
function setPragmas(database: Sqlite, values: Record<string, number>): () => void {
  const before = Object.keys(values).map((name) => [name, Number(database.run(`pragma ${name}`).rows[0]?.[0] ?? 0)]);
  const set = ([name, value]: (string | number)[]) => database.exec(`pragma ${name} = ${value}`);
  Object.entries(values).map(set);
  return () => before.map(set);
}
