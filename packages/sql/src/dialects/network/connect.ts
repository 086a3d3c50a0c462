// A `Database` out of the parts of an engine that is reached over a network.
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import { bundleInserts, unbundleOutcomes } from '../../compile/bundle.ts';
import { makePlanner, type Planner } from '../../compile/plan.ts';
import { textRows } from '../../convert/wire.ts';
import type { Database, DatabaseLoad, Rows, RunOptions, Select, Unit, Write, WriteOutcome } from '../../query/index.ts';
import type { Table, TableEntry } from '../../schema/index.ts';
import type { Answer, Ask, BatchReader, Connection, Engine, NamedTable, Problem } from './engine.ts';
import { Pool, type Turn } from './pool.ts';
import { NetworkRoutines } from './routines.ts';
import { SchemaCache } from './schema.ts';
import { writeAll } from './write.ts';

export interface NetworkOptions {
  /** Most connections at once; 10 when absent. */
  maxConnections?: number;
  /** Milliseconds a call may take that names no limit of its own; 30,000 when absent. */
  timeout?: number;
  /** Characters of JSON text one answer may have; beyond them it is `database.tooLarge`. */
  answerLimit?: number;
  /** Milliseconds a stopped call may take to end before its connection is cut off; 2,000 when absent. */
  grace?: number;
}

/**
 * A database of an engine. Nothing is connected before the first use: what is wrong fails the calls, not the opening.
 * Every call has a connection of its own for its time; a read whose connection turns out to be dead is tried once more
 * on a new one, a write never is.
 */
export function openNetworkDatabase<P, T extends NamedTable>(
  engine: Engine<P, T>,
  options: NetworkOptions = {},
): Database {
  return new NetworkDatabase(engine, options);
}

class NetworkDatabase<P, T extends NamedTable> implements Database {
  private readonly engine: Engine<P, T>;
  private readonly answerLimit: number;
  private readonly pool: Pool<Connection<P>>;
  private readonly planner: Planner<P>;
  private readonly schema: SchemaCache<T>;
  readonly routines?: NetworkRoutines<P>;

  constructor(
    engine: Engine<P, T>,
    { maxConnections = 10, timeout = 30_000, answerLimit = 128 * 1024 * 1024, grace }: NetworkOptions,
  ) {
    this.engine = engine;
    this.answerLimit = answerLimit;
    this.pool = new Pool({ connect: () => this.connect(), max: maxConnections, timeout, grace });
    this.planner = makePlanner(engine.grammar, (sql, columns, frame) => engine.plan(sql, columns, frame));
    const ask: Ask = (sql, parameters = []) =>
      this.read({}, (connection) => connection.values(engine.plan(sql, []), parameters));
    this.schema = new SchemaCache(engine.schema, ask);
    if (engine.routines) {
      const { translate } = engine;
      this.routines = new NetworkRoutines(engine.routines, { ask, pool: this.pool, translate, answerLimit });
    }
  }

  tables({ refresh = false } = {}): Promise<TableEntry[]> {
    if (refresh) this.routines?.drop();
    return this.schema.tables(refresh);
  }

  table(name: string, { refresh = false, recheck = false } = {}): MaybePromise<Table> {
    return recheck ? this.schema.recheck(name) : this.schema.table(name, refresh);
  }

  async select(query: Select, options: RunOptions = {}): Promise<Rows> {
    const { plan, parameters } = this.planner.select(query);
    return textRows(await this.read(options, (connection) => connection.run(plan, parameters, this.answerLimit)));
  }

  async count(query: Pick<Select, 'table' | 'where' | 'group'>, options: RunOptions = {}): Promise<number> {
    const { plan, parameters } = this.planner.count(query);
    const [row] = await this.read(options, (connection) => connection.values(plan, parameters));
    return Number(row?.[0] ?? 0);
  }

  async *stream(query: Select, options: RunOptions = {}): AsyncGenerator<Rows> {
    const { turn, reader, first } = await this.beginStream(query, options);
    try {
      for (let batch = first; batch; batch = await nextOf(reader, turn)) {
        // What the reader does with it is not the database's time.
        turn.pause();
        yield textRows(batch);
        if (turn.stopped) throw turn.stopped;
      }
    } catch (error) {
      throw error instanceof Failure ? error : (turn.stopped ?? this.failure(error));
    } finally {
      // Ending it is the database's time again: a server that vanished would keep the connection for ever.
      turn.renew();
      await reader.close();
      this.pool.done(turn);
    }
  }

  async write(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions = {},
  ): Promise<WriteOutcome[]> {
    if (writes.length === 0) return [];
    const bundles = bundleInserts(writes);
    const [bundle] = bundles ?? [];
    if (bundles && bundle && (bundle.returning.length === 0 || this.engine.grammar.returning.insert)) {
      const done = unbundleOutcomes(await this.writeThem(bundles, 'rollback', options));
      if (done) return done;
    }
    return this.writeThem(writes, mode, options);
  }

  private async writeThem(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions,
  ): Promise<WriteOutcome[]> {
    const outcomes = await this.attempt(['again'], () =>
      this.pool.use(options, (connection) => this.writeOn(connection, writes, mode)),
    );
    // A database out of order is not the record's fault.
    const alone = writes.length === 1 ? outcomes[0]?.failure : undefined;
    if (alone && alone.status >= 500 && writes[0]?.kind !== 'refuse') throw alone;
    return outcomes;
  }

  async test(): Promise<void> {
    await this.read({}, (connection) => connection.values(this.engine.plan('select 1', []), []));
  }

  load(): DatabaseLoad {
    return this.pool.load();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  // ---- running ----

  /** Runs what changes nothing; once more where that helps. */
  private read<R>(options: RunOptions, work: (connection: Connection<P>) => Promise<R>): Promise<R> {
    return this.attempt(['lost', 'again'], () => this.pool.use(options, work));
  }

  private async attempt<R>(onceMore: Problem['kind'][], work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const { failure, kind } = this.engine.translate(error);
      if (!onceMore.includes(kind)) throw this.failure(error);
      // Where one connection is gone the idle ones may be.
      if (kind === 'lost') this.pool.dropIdle();
      // What is stored goes out all the same; the next call finds a new description.
      if (failure.key === 'database.changed') this.schema.drop();
    }
    try {
      return await work();
    } catch (error) {
      throw error instanceof Failure ? error : this.failure(error);
    }
  }

  /** Whether the connection is alive shows with the first batch: until then a new one may be tried. */
  private beginStream(query: Select, options: RunOptions) {
    const { plan, parameters } = this.planner.select(query);
    return this.attempt(['lost', 'again'], async () => {
      const turn = await this.pool.take(options, true);
      const reader = (turn.connection as Connection<P>).stream(plan, parameters);
      try {
        return { turn, reader, first: await reader.next() };
      } catch (error) {
        await reader.close();
        this.pool.done(turn);
        throw error instanceof Failure ? error : (turn.stopped ?? error);
      }
    });
  }

  /** What is wrong with connecting is not tried again. */
  private async connect(): Promise<Connection<P>> {
    try {
      return await this.engine.connect();
    } catch (error) {
      throw error instanceof Failure ? error : this.connectFailure(error);
    }
  }

  /** What answers may be no database at all, at which a driver stumbles in ways of its own. */
  private connectFailure(error: unknown): Failure {
    try {
      return this.engine.translate(error).failure;
    } catch (cause) {
      return fail('database.nonsense', undefined, { cause });
    }
  }

  private failure(error: unknown): Failure {
    const { failure, kind } = this.engine.translate(error);
    if (kind === 'stale') this.schema.drop();
    return failure;
  }

  private writeOn(
    connection: Connection<P>,
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
  ) {
    const { engine } = this;
    let inTransaction = false;
    /** Outside of a transaction, and at its end, a lost connection leaves open what became of the write. */
    const unsure = async <R>(work: Promise<R>): Promise<R> => {
      try {
        return await work;
      } catch (error) {
        if (error instanceof Failure || engine.translate(error).kind !== 'lost') throw error;
        throw fail('database.unsure', undefined, { cause: error });
      }
    };
    const plain = (write: Exclude<Write, { kind: 'refuse' }>) => {
      const { plan, parameters } = this.planner.write(write.kind === 'insert' ? withoutEmptyIds(write) : write);
      return connection.run(plan, parameters, this.answerLimit);
    };
    const isEngines = (write: Exclude<Write, { kind: 'refuse' }>) =>
      engine.write !== undefined && write.returning.length > 0 && !engine.grammar.returning[write.kind];
    return writeAll(
      {
        async command(sql) {
          await (sql === 'commit' ? unsure(connection.command(sql)) : connection.command(sql));
          if (sql === 'begin') inTransaction = true;
          else if (sql === 'commit' || sql === 'rollback') inTransaction = false;
        },
        run: (write) => {
          const running =
            isEngines(write) && engine.write ? engine.write(connection, this.planner, write) : plain(write);
          return inTransaction ? running : unsure(running);
        },
        needsTransaction: (write) => isEngines(write) && (engine.isSeveral?.(write) ?? true),
        outlivesFailure: engine.outlivesFailure ?? false,
        withoutSavepoints: engine.withoutSavepoints ?? false,
        refusal: (error, isLast) => {
          if (error instanceof Failure) return error.key === 'database.unsure' ? undefined : error;
          const { failure, kind } = engine.translate(error);
          if (kind === 'stale') this.schema.drop();
          return kind === 'refused' || kind === 'stale' || (isLast && kind === 'again') ? failure : undefined;
        },
        abandon: () => connection.destroy(),
      },
      writes,
      mode,
    );
  }
}

function nextOf<P>(reader: BatchReader, turn: Turn<Connection<P>>): Promise<Answer | undefined> {
  turn.renew();
  return reader.next();
}

/** Not every engine takes a null for a number it counts up itself: such a column is left out. */
function withoutEmptyIds(write: Extract<Write, { kind: 'insert' }>): typeof write {
  const counted = write.table.columns.find((column) => column.description.auto_increment);
  const field = counted && Object.keys(write.values).find((name) => write.table.column(name) === counted);
  if (field === undefined || write.values[field] !== null) return write;
  const { [field]: _empty, ...values } = write.values;
  return { ...write, values };
}
