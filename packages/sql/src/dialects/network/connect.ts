// A `Database` out of the parts of an engine that is reached over a network.
import { Failure, fail, type MaybePromise } from '@sluice/contract';
import { bundleInserts, unbundleOutcomes } from '../../compile/bundle.ts';
import { makePlanner, type Planner } from '../../compile/plan.ts';
import { rowsFromJson } from '../../convert/wire.ts';
import {
  beginBatches,
  type Database,
  type DatabaseLoad,
  longestWhole,
  type RowBatches,
  type Rows,
  type RunOptions,
  type Select,
  type Unit,
  type Write,
  type WriteOutcome,
  wholeLength,
} from '../../query/index.ts';
import type { Table, TableEntry } from '../../schema/index.ts';
import { ConnectionWriter, type WriterParts } from './connection-writer.ts';
import type { Answer, BatchReader, Connection, Engine, NamedTable, Problem, RunQuery } from './engine.ts';
import type { Lease } from './lease.ts';
import { Pool } from './pool.ts';
import { NetworkRoutines } from './routines.ts';
import { SchemaCache } from './schema.ts';
import { NetworkSchemaEditor } from './schema-editor.ts';
import { ReturningRefused, returningLevels } from './unreturned.ts';
import { writeAll } from './write.ts';

export interface NetworkOptions {
  /** How many connections may be open at once; 10 when absent. */
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
  private readonly writerParts: WriterParts<P, T>;
  readonly routines?: NetworkRoutines<P>;
  readonly schemaEditor?: NetworkSchemaEditor<P>;

  constructor(
    engine: Engine<P, T>,
    { maxConnections = 10, timeout = 30_000, answerLimit = 128 * 1024 * 1024, grace }: NetworkOptions,
  ) {
    this.engine = engine;
    this.answerLimit = answerLimit;
    this.pool = new Pool({ connect: () => this.connect(), max: maxConnections, timeout, grace });
    this.planner = makePlanner(engine.grammar, (sql, columns, layout) => engine.makePlan(sql, columns, layout));
    const runQuery: RunQuery = (sql, parameters = []) =>
      this.read({}, (connection) => connection.values(engine.makePlan(sql, []), parameters));
    this.schema = new SchemaCache(engine.schema, runQuery);
    const onStale = () => this.schema.drop();
    this.writerParts = { engine, planner: this.planner, answerLimit, onStale };
    if (engine.routines) {
      const { translate } = engine;
      this.routines = new NetworkRoutines(engine.routines, { runQuery, pool: this.pool, translate, answerLimit });
    }
    if (engine.schemaChanges) {
      this.schemaEditor = new NetworkSchemaEditor(engine.schemaChanges, {
        pool: this.pool,
        makePlan: (sql) => engine.makePlan(sql, []),
        translate: (error) => engine.translate(error),
        schema: engine.schema,
        onChange: onStale,
      });
    }
  }

  tables({ refresh = false } = {}): Promise<TableEntry[]> {
    if (refresh) this.routines?.drop();
    return this.schema.tables(refresh);
  }

  table(name: string, { refresh = false, recheck = false } = {}): MaybePromise<Table> {
    return recheck ? this.schema.recheck(name) : this.schema.table(name, refresh);
  }

  dropDescriptions(): void {
    this.schema.drop();
  }

  async select(query: Select, options: RunOptions = {}): Promise<Rows> {
    const { plan, parameters } = this.planner.select(query);
    return rowsFromJson(
      await this.read(options, (connection) => connection.run(plan, parameters, this.answerLimit, options)),
    );
  }

  async selectOrStream(query: Select, options: RunOptions = {}): Promise<Rows | RowBatches> {
    const { plan, parameters } = this.planner.select(query);
    const rows = await this.attempt(['lost', 'retryable'], () => this.readOrBegin(plan, parameters, options));
    return rows === 'rerun' ? beginBatches(this.stream(query, options)) : rows;
  }

  private async readOrBegin(
    plan: P,
    parameters: readonly unknown[],
    options: RunOptions,
  ): Promise<Rows | RowBatches | 'rerun'> {
    const lease = await this.pool.take(options);
    let isKept = false;
    try {
      const first = await (lease.connection as Connection<P>).read(plan, parameters, {
        whole: wholeLength,
        limit: Math.min(longestWhole, this.answerLimit),
        options,
        mayGoOn: () => this.pool.lengthen(lease),
      });
      if (!first.rest) return rowsFromJson(first);
      if (first.rest === 'rerun') return 'rerun';
      isKept = true;
      return await beginBatches(this.readBatches({ lease, reader: first.rest, first }));
    } catch (error) {
      // No connection can be spared: read again when one can.
      if (error instanceof Failure && error.key === 'database.tooLarge') return 'rerun';
      throw error instanceof Failure ? error : (lease.stopReason ?? error);
    } finally {
      if (!isKept) this.pool.release(lease);
    }
  }

  async count(query: Pick<Select, 'table' | 'where' | 'group'>, options: RunOptions = {}): Promise<number> {
    const { plan, parameters } = this.planner.count(query);
    const [row] = await this.read(options, (connection) => connection.values(plan, parameters));
    return Number(row?.[0] ?? 0);
  }

  async *stream(query: Select, options: RunOptions = {}): AsyncGenerator<Rows> {
    yield* this.readBatches(await this.beginStream(query, options));
  }

  /** What is begun, to its end; then the connection is given back. */
  private async *readBatches({ lease, reader, first }: BegunStream<P>): AsyncGenerator<Rows> {
    try {
      for (let batch = first; batch; batch = await readNext(reader, lease)) {
        // What the reader does with it is not the database's time.
        lease.pause();
        yield rowsFromJson(batch);
        if (lease.stopReason) throw lease.stopReason;
      }
    } catch (error) {
      throw error instanceof Failure ? error : (lease.stopReason ?? this.toFailure(error));
    } finally {
      // Ending it is the database's time again: a server that vanished would keep the connection for ever.
      lease.renew();
      await reader.close();
      this.pool.release(lease);
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
      const bundledOutcomes = unbundleOutcomes(await this.writeInOrder(bundles, 'rollback', options));
      if (bundledOutcomes) return bundledOutcomes;
    }
    return this.writeInOrder(writes, mode, options);
  }

  private async writeInOrder(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions,
  ): Promise<WriteOutcome[]> {
    const outcomes = await this.attempt(['retryable'], () =>
      this.pool.use(options, (connection) => this.writeOn(connection, writes, mode)),
    );
    // A database out of order is not the record's fault.
    const onlyFailure = writes.length === 1 ? outcomes[0]?.failure : undefined;
    if (onlyFailure && onlyFailure.status >= 500 && writes[0]?.kind !== 'refuse') throw onlyFailure;
    return outcomes;
  }

  /** In a transaction that ends where a write may not return its rows, all are done again with less to return. */
  private async writeOn(
    connection: Connection<P>,
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
  ): Promise<WriteOutcome[]> {
    for (const level of returningLevels) {
      try {
        return await writeAll(new ConnectionWriter(this.writerParts, connection, level), writes, mode);
      } catch (error) {
        if (!(error instanceof ReturningRefused)) throw error;
      }
    }
    throw new Error('what returns nothing is not refused for it');
  }

  async test(): Promise<void> {
    await this.read({}, (connection) => connection.values(this.engine.makePlan('select 1', []), []));
  }

  load(): DatabaseLoad {
    return this.pool.load();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  // ---- running ----

  /** Runs what changes nothing, and retries it where that helps. */
  private read<R>(options: RunOptions, work: (connection: Connection<P>) => Promise<R>): Promise<R> {
    return this.attempt(['lost', 'retryable'], () => this.pool.use(options, work));
  }

  private async attempt<R>(retryOn: Problem['kind'][], work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const { failure, kind } = this.engine.translate(error);
      if (!retryOn.includes(kind)) throw this.toFailure(error);
      // Where one connection is gone the idle ones may be.
      if (kind === 'lost') this.pool.dropIdle();
      // What is stored goes out all the same; the next call finds a new description.
      if (failure.key === 'database.changed') this.schema.drop();
    }
    try {
      return await work();
    } catch (error) {
      throw error instanceof Failure ? error : this.toFailure(error);
    }
  }

  /** Whether the connection is alive shows with the first batch: until then a new one may be tried. */
  private beginStream(query: Select, options: RunOptions): Promise<BegunStream<P>> {
    const { plan, parameters } = this.planner.select(query);
    return this.attempt(['lost', 'retryable'], async () => {
      const lease = await this.pool.take(options, true);
      const reader = (lease.connection as Connection<P>).stream(plan, parameters);
      try {
        return { lease, reader, first: await reader.next() };
      } catch (error) {
        await reader.close();
        this.pool.release(lease);
        throw error instanceof Failure ? error : (lease.stopReason ?? error);
      }
    });
  }

  /** A failure to connect is not retried. */
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

  private toFailure(error: unknown): Failure {
    const { failure, kind } = this.engine.translate(error);
    if (kind === 'stale') this.schema.drop();
    return failure;
  }
}

interface BegunStream<P> {
  lease: Lease<Connection<P>>;
  reader: BatchReader;
  first: Answer | undefined;
}

function readNext<P>(reader: BatchReader, lease: Lease<Connection<P>>): Promise<Answer | undefined> {
  lease.renew();
  return reader.next();
}
