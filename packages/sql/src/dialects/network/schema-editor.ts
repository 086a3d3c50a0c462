// Changing the schema of a database that is reached over a network: locks, checks, statements, and undoing them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, fail } from '@sluice/contract';
import {
  type ApplyOptions,
  type DescribedType,
  type EditOptions,
  type Misfit,
  type MisfitProblem,
  misfitFailure,
  type SchemaChange,
  type SchemaEditor,
  type SchemaPlan,
  type TypeDefinition,
} from '../../change/index.ts';
import type { Table } from '../../schema/index.ts';
import type { Connection, NamedTable, Problem, RunQuery, SchemaReader } from './engine.ts';
import type { Pool } from './pool.ts';
import { applyInSteps, inSession, type StepParts } from './schema-steps.ts';

/** A statement of a change, and what undoes it where DDL commits by itself: absent, it cannot be undone. */
export interface PlannedStatement {
  sql: string;
  undo?: readonly string[];
  /** The tables it changes, where DDL commits by itself. */
  touches?: readonly Table['native'][];
}

/** A query that counts records that would not fit, or that would be lost. */
export interface PlannedCount {
  sql: string;
}

/** A change as its engine carries it out. */
export interface PlannedChange {
  /** API name of the table. */
  table: string;
  checks: (PlannedCount & { field: string; problem: MisfitProblem })[];
  losses: (PlannedCount & { field: string | null })[];
  /** Those that lose data come last. */
  statements: PlannedStatement[];
}

export interface PlanContext {
  runQuery: RunQuery;
  /** The real name of a table by its API name: of one that is listed, else as the engine reads such a name. */
  nativeName(apiName: string): Promise<Table['native']>;
}

/** What an engine brings so that its schema can be changed. */
export interface SchemaChanges {
  /** DDL is part of transactions. */
  isTransactional: boolean;
  isKnownType(type: string): boolean;
  describeType(type: TypeDefinition): DescribedType | undefined;
  /** Plans changes, each on what those before it leave. Throws `schema.unsupported`. */
  plan(changes: readonly SchemaChange[], context: PlanContext): Promise<PlannedChange[]>;
  /** Statements that set a session up to plan and to change; it is reset afterwards. Only where DDL commits by itself. */
  session?(): string[];
  /** A statement after which the connection waits so many milliseconds for a lock; inside of the transaction where there is one. */
  setLockTimeout(ms: number): string;
  /** Statements that lock what a change needs before its catalogues are read; inside of the transaction. */
  locks?(changes: readonly SchemaChange[], context: PlanContext): Promise<string[]>;
  /** Only where DDL commits by itself: waits until no other session changes the schema, or throws a lock timeout. */
  takeTurn?(runQuery: RunQuery): Promise<void>;
  /** Only where DDL commits by itself: what a statement touches, as text: another one once it was carried out. */
  stateOf?(statement: PlannedStatement, runQuery: RunQuery): Promise<string>;
  /** Whether an error that is none of a change otherwise says that this change is impossible. */
  isRefusal?(error: unknown): boolean;
  /** Whether an error says that a lock was not to be had in time. */
  isLockTimeout(error: unknown): boolean;
}

interface EditorParts<P> {
  pool: Pool<Connection<P>>;
  makePlan(sql: string): P;
  translate(error: unknown): Problem;
  schema: Pick<SchemaReader<NamedTable>, 'list' | 'nativeName'>;
  /** Drops what was read of the schema before. */
  onChange(): void;
}

/** Milliseconds a change may take. */
const defaultTimeout = 600_000;
const defaultLockTimeout = 10_000;
/** Milliseconds of one attempt to get a lock: for so long those who come later wait behind it. */
const lockAttemptMs = 300;
/** Milliseconds between two attempts, at least; up to twice as long. */
const lockPauseMs = 150;

/** What `beforeCommit` rejected with: whatever it is, it is no error of this database, and nothing is tried once more. */
class BeforeCommitError extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('beforeCommit');
    this.reason = reason;
  }
}

export class NetworkSchemaEditor<P> implements SchemaEditor {
  readonly engine: SchemaChanges;
  private readonly parts: EditorParts<P>;

  constructor(engine: SchemaChanges, parts: EditorParts<P>) {
    this.engine = engine;
    this.parts = parts;
  }

  isKnownType(type: string): boolean {
    return this.engine.isKnownType(type);
  }

  describeType(type: TypeDefinition): DescribedType | undefined {
    return this.engine.describeType(type);
  }

  plan(
    changes: readonly SchemaChange[],
    { timeout = defaultTimeout, caller }: EditOptions = {},
  ): Promise<SchemaPlan[]> {
    return this.withConnection({ timeout, caller }, async (connection) => {
      const context = this.contextOn(connection);
      const planned = await this.engine.plan(changes, context);
      const plans: SchemaPlan[] = [];
      for (const change of planned) {
        const plan = this.describe(change, await this.misfitsOf(change, context.runQuery));
        for (const { field, sql } of change.losses) {
          const records = await countOf(context.runQuery, sql);
          if (records > 0) plan.losses.push({ field, records });
        }
        plans.push(plan);
      }
      return plans;
    });
  }

  async apply(changes: readonly SchemaChange[], options: ApplyOptions = {}): Promise<SchemaPlan[]> {
    if (changes.length === 0) return [];
    const { timeout = defaultTimeout, lockTimeout = defaultLockTimeout, caller } = options;
    const deadline = performance.now() + lockTimeout;
    try {
      if (!this.engine.isTransactional)
        return await this.translated(applyInSteps(this.stepParts(), changes, { ...options, timeout, lockTimeout }));
      return await this.withConnection({ timeout, caller }, async (connection) => {
        for (;;) {
          try {
            return await this.applyInTransaction(connection, changes, options);
          } catch (error) {
            if (error instanceof BeforeCommitError || !this.engine.isLockTimeout(error)) throw error;
            const [first] = changes;
            if (performance.now() > deadline)
              throw fail('schema.busy', { table: nameOf(first as SchemaChange), seconds: lockTimeout / 1000 });
          }
          await sleep(lockPauseMs * (1 + Math.random()));
          // Its time may have run out meanwhile, with no statement to stop.
          if (!connection.isUsable) {
            await connection.command('rollback');
            throw new Error('the change was stopped');
          }
        }
      });
    } finally {
      this.parts.onChange();
    }
  }

  // ---- where DDL is part of transactions ----

  private async applyInTransaction(
    connection: Connection<P>,
    changes: readonly SchemaChange[],
    { beforeCommit }: ApplyOptions,
  ): Promise<SchemaPlan[]> {
    const context = this.contextOn(connection);
    await connection.command('begin');
    try {
      await this.lock(connection, changes, context);
      const plans: SchemaPlan[] = [];
      for (const change of await this.engine.plan(changes, context)) {
        plans.push(await this.requireFit(change, context.runQuery));
        // Not as a command: that would take several statements where a type is SQL of an administrator.
        for (const { sql } of change.statements) await context.runQuery(sql);
      }
      await beforeCommit?.(plans).catch((error: unknown) => {
        throw new BeforeCommitError(error);
      });
      await this.commit(connection);
      return plans;
    } catch (error) {
      await connection.command('rollback').catch(() => connection.destroy());
      throw error;
    }
  }

  /** All locks of a change in the time of one attempt: those who come later wait behind the first of them. */
  private async lock(connection: Connection<P>, changes: readonly SchemaChange[], context: PlanContext): Promise<void> {
    await connection.command(this.engine.setLockTimeout(lockAttemptMs));
    const deadline = performance.now() + lockAttemptMs;
    for (const lock of (await this.engine.locks?.(changes, context)) ?? []) {
      await connection.command(this.engine.setLockTimeout(Math.max(1, deadline - performance.now())));
      await connection.command(lock);
    }
    // What a statement locks beyond that is waited for no longer either.
    await connection.command(this.engine.setLockTimeout(lockAttemptMs));
  }

  /** A connection that is lost now leaves open what became of the change. */
  private async commit(connection: Connection<P>): Promise<void> {
    try {
      await connection.command('commit');
    } catch (error) {
      if (error instanceof Failure || this.parts.translate(error).kind !== 'lost') throw error;
      throw fail('database.unsure', undefined, { cause: error });
    }
  }

  // ---- shared ----

  private async requireFit(change: PlannedChange, runQuery: RunQuery): Promise<SchemaPlan> {
    const misfits = await this.misfitsOf(change, runQuery);
    if (misfits.length > 0) throw misfitFailure(change.table, misfits);
    return this.describe(change, misfits);
  }

  private async misfitsOf({ checks }: PlannedChange, runQuery: RunQuery): Promise<Misfit[]> {
    const misfits: Misfit[] = [];
    for (const { field, problem, sql } of checks) {
      const records = await countOf(runQuery, sql);
      if (records > 0) misfits.push({ field, records, problem });
    }
    return misfits;
  }

  private describe(change: PlannedChange, misfits: Misfit[]): SchemaPlan {
    const statements = change.statements.map(({ sql }) => sql);
    const undo = this.engine.isTransactional ? 'transaction' : undoOf(change);
    return { table: change.table, statements, undo, misfits, losses: [] };
  }

  private contextOn(connection: Connection<P>): PlanContext {
    const { makePlan, schema } = this.parts;
    const runQuery: RunQuery = (sql, parameters = []) => connection.values(makePlan(sql), parameters);
    // On the connection of the change: another one would not see what it has locked, and may not be had.
    let names: Promise<Map<string, Table['native']>> | undefined;
    return {
      runQuery,
      async nativeName(apiName) {
        names ??= schema.list(runQuery).then((list) => new Map(list.map(({ name, native }) => [name, native])));
        return (
          (await names).get(apiName) ??
          (await schema.nativeName?.(apiName, runQuery)) ?? { schema: null, name: apiName }
        );
      },
    };
  }

  private stepParts(): StepParts<P> {
    const { pool, translate } = this.parts;
    return {
      engine: this.engine,
      pool,
      translate,
      contextOn: (connection) => this.contextOn(connection),
      requireFit: (change, runQuery) => this.requireFit(change, runQuery),
      describe: (change) => this.describe(change, []),
    };
  }

  private withConnection<R>(options: EditOptions, work: (connection: Connection<P>) => Promise<R>): Promise<R> {
    return this.translated(
      this.parts.pool.use(options, (connection) =>
        this.engine.isTransactional ? work(connection) : inSession(this, connection, () => work(connection)),
      ),
    );
  }

  private async translated<R>(work: Promise<R>): Promise<R> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof BeforeCommitError) throw error.reason;
      throw error instanceof Failure ? error : this.toFailure(error);
    }
  }

  /** What is missing is missing in the change that was sent: no description is to blame. */
  private toFailure(error: unknown): Failure {
    const { failure, kind } = this.parts.translate(error);
    if (kind !== 'stale' && !this.engine.isRefusal?.(error)) return failure;
    const { message, code, errno } = error as Error & { code?: string; errno?: number };
    return fail('record.database', { text: message }, { cause: error, code: errno ?? code });
  }
}

const countOf = async (runQuery: RunQuery, sql: string): Promise<number> => Number((await runQuery(sql))[0]?.[0] ?? 0);

const undoOf = ({ statements }: PlannedChange): SchemaPlan['undo'] =>
  statements.every(({ undo }) => undo !== undefined) ? 'counterSteps' : 'none';

const nameOf = (change: SchemaChange): string => (change.kind === 'createTable' ? change.name : change.table.name);
