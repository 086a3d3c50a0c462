// The cached routines of a database, and calling them.
import { Failure, fail } from '@sluice/contract';
import type { RunOptions } from '../../query/index.ts';
import {
  labelOf,
  nameIndex,
  naturalOrder,
  type Routine,
  type RoutineEntry,
  type RoutineKind,
  type RoutineParameter,
  type RoutineResult,
  type Routines,
} from '../../schema/index.ts';
import { sharedRun } from '../../shares/index.ts';
import type { Connection, NamedRoutine, Problem, RoutineReader, RunQuery } from './engine.ts';
import type { Pool } from './pool.ts';

/** Milliseconds a description is cached, and before a list is read again for a name that it does not have. */
const cacheMs = 1000;

interface List {
  readAt: number;
  entries: NamedRoutine[];
}

/** A list is kept until it is dropped; a routine may be replaced any time, and is described again for most calls. */
export class NetworkRoutines<P> implements Routines {
  private readonly reader: RoutineReader<P>;
  private readonly runQuery: RunQuery;
  private readonly pool: Pool<Connection<P>>;
  private readonly translate: (error: unknown) => Problem;
  private readonly answerLimit: number;
  private cachedList: Promise<List> | undefined;
  private readonly descriptions = new Map<NamedRoutine, { until: number; routines: Promise<Routine[]> }>();

  constructor(
    reader: RoutineReader<P>,
    parts: {
      runQuery: RunQuery;
      pool: Pool<Connection<P>>;
      translate(error: unknown): Problem;
      answerLimit: number;
    },
  ) {
    this.reader = reader;
    this.runQuery = parts.runQuery;
    this.pool = parts.pool;
    this.translate = parts.translate;
    this.answerLimit = parts.answerLimit;
  }

  /** Everything is read again when it is next needed. */
  drop(): void {
    this.cachedList = undefined;
    this.descriptions.clear();
  }

  async list(kind: RoutineKind, { refresh = false } = {}): Promise<RoutineEntry[]> {
    const { entries } = await (refresh ? this.refresh() : this.readList());
    return entries
      .filter((routine) => routine.kind === kind)
      .map(({ name, comment }) => ({ name, label: labelOf(name), description: comment }));
  }

  private readonly refresh = sharedRun(() => {
    this.drop();
    return this.readList();
  });

  async findAll(kind: RoutineKind, name: string): Promise<[Routine, ...Routine[]]> {
    const entry = await this.find(kind, name);
    const [first, ...otherRoutines] = entry ? await this.describe(entry) : [];
    if (first) return [first, ...otherRoutines];
    if (entry) this.drop();
    throw fail('routine.unknown', { kind, name: name.slice(0, 200) });
  }

  async call(
    routine: Routine,
    values: ReadonlyMap<RoutineParameter, unknown>,
    options: RunOptions = {},
  ): Promise<RoutineResult> {
    const run = this.reader.call(routine, values);
    try {
      return await this.pool.use(options, async (connection) => {
        try {
          return await run(connection, this.answerLimit);
        } finally {
          // It may have set a role or a variable, or left a transaction open: nothing of that is for the next caller.
          if (connection.isUsable) await connection.reset().catch(() => connection.destroy());
        }
      });
    } catch (error) {
      throw error instanceof Failure ? error : this.failure(error, routine);
    }
  }

  private failure(error: unknown, { kind }: Routine): Failure {
    const problem = this.translate(error);
    if (problem.kind === 'lost') return fail('database.unsure', undefined, { cause: error });
    const isOfRoutine =
      problem.kind === 'stale' || problem.kind === 'retryable' || problem.failure.key === 'record.database';
    if (!isOfRoutine) return problem.failure;
    return fail('routine.failed', { kind, text: (error as Error).message }, { cause: error });
  }

  private async find(kind: RoutineKind, name: string): Promise<NamedRoutine | undefined> {
    const list = await this.readList();
    const entry = findEntry(list, kind, name);
    if (entry || performance.now() <= list.readAt + cacheMs) return entry;
    this.drop();
    return findEntry(await this.readList(), kind, name);
  }

  private readList(): Promise<List> {
    if (this.cachedList) return this.cachedList;
    const reading: Promise<List> = this.reader.list(this.runQuery).then(
      (entries) => ({
        readAt: performance.now(),
        entries: entries.sort((a, b) => naturalOrder(a.name, b.name)),
      }),
      (error: unknown) => {
        if (this.cachedList === reading) this.cachedList = undefined;
        throw error;
      },
    );
    this.cachedList = reading;
    return reading;
  }

  private describe(entry: NamedRoutine): Promise<Routine[]> {
    const now = performance.now();
    const cached = this.descriptions.get(entry);
    if (cached && now <= cached.until) return cached.routines;
    const routines = this.reader.describe(this.runQuery, entry);
    this.descriptions.set(entry, { until: now + cacheMs, routines });
    routines.catch(() => this.descriptions.delete(entry));
    return routines;
  }
}

function findEntry({ entries }: List, kind: RoutineKind, name: string): NamedRoutine | undefined {
  const ofKind = entries.filter((routine) => routine.kind === kind);
  return nameIndex(ofKind, (routine) => routine.name)(name);
}
