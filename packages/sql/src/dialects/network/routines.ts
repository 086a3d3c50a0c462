// What is known of the routines of a database, and the calling of them.
import { Failure, fail } from '@sluice/contract';
import type { RunOptions } from '../../query/index.ts';
import {
  labelOf,
  naturalOrder,
  type Routine,
  type RoutineEntry,
  type RoutineKind,
  type RoutineParameter,
  type RoutineResult,
  type Routines,
} from '../../schema/index.ts';
import type { Ask, Connection, NamedRoutine, Problem, RoutineReader } from './engine.ts';
import type { Pool } from './pool.ts';

/** Milliseconds a description holds, and a list against a name that is not in it. */
const holds = 1000;

interface List {
  readAt: number;
  entries: NamedRoutine[];
}

/** A list is kept until it is dropped; a routine may be replaced any time, and is described anew for most calls. */
export class NetworkRoutines<P> implements Routines {
  private readonly reader: RoutineReader<P>;
  private readonly ask: Ask;
  private readonly pool: Pool<Connection<P>>;
  private readonly translate: (error: unknown) => Problem;
  private readonly answerLimit: number;
  private known: Promise<List> | undefined;
  private readonly described = new Map<NamedRoutine, { until: number; routines: Promise<Routine[]> }>();

  constructor(
    reader: RoutineReader<P>,
    parts: {
      ask: Ask;
      pool: Pool<Connection<P>>;
      translate(error: unknown): Problem;
      answerLimit: number;
    },
  ) {
    this.reader = reader;
    this.ask = parts.ask;
    this.pool = parts.pool;
    this.translate = parts.translate;
    this.answerLimit = parts.answerLimit;
  }

  /** Everything is read anew when it is next asked for. */
  drop(): void {
    this.known = undefined;
    this.described.clear();
  }

  async list(kind: RoutineKind, { refresh = false } = {}): Promise<RoutineEntry[]> {
    if (refresh) this.drop();
    const { entries } = await this.all();
    return entries
      .filter((routine) => routine.kind === kind)
      .map(({ name, comment }) => ({ name, label: labelOf(name), description: comment }));
  }

  async named(kind: RoutineKind, name: string): Promise<[Routine, ...Routine[]]> {
    const entry = await this.find(kind, name);
    const [first, ...others] = entry ? await this.describe(entry) : [];
    if (first) return [first, ...others];
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
    const isItsOwn = problem.kind === 'stale' || problem.kind === 'again' || problem.failure.key === 'record.database';
    if (!isItsOwn) return problem.failure;
    return fail('routine.failed', { kind, text: (error as Error).message }, { cause: error });
  }

  private async find(kind: RoutineKind, name: string): Promise<NamedRoutine | undefined> {
    const list = await this.all();
    const entry = entryOf(list, kind, name);
    if (entry || performance.now() <= list.readAt + holds) return entry;
    this.drop();
    return entryOf(await this.all(), kind, name);
  }

  private all(): Promise<List> {
    if (this.known) return this.known;
    const reading: Promise<List> = this.reader.list(this.ask).then(
      (entries) => ({
        readAt: performance.now(),
        entries: entries.sort((a, b) => naturalOrder(a.name, b.name)),
      }),
      (error: unknown) => {
        if (this.known === reading) this.known = undefined;
        throw error;
      },
    );
    this.known = reading;
    return reading;
  }

  private describe(entry: NamedRoutine): Promise<Routine[]> {
    const now = performance.now();
    const kept = this.described.get(entry);
    if (kept && now <= kept.until) return kept.routines;
    const routines = this.reader.describe(this.ask, entry);
    this.described.set(entry, { until: now + holds, routines });
    routines.catch(() => this.described.delete(entry));
    return routines;
  }
}

function entryOf({ entries }: List, kind: RoutineKind, name: string): NamedRoutine | undefined {
  const ofKind = entries.filter((routine) => routine.kind === kind);
  const lower = name.toLowerCase();
  return (
    ofKind.find((routine) => routine.name === name) ?? ofKind.find((routine) => routine.name.toLowerCase() === lower)
  );
}
