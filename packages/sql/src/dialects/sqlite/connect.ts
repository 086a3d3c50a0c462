import { statSync } from 'node:fs';
import { Failure, fail, type Soon } from '@sluice/contract';
import { bundled, unbundled } from '../../bundle.ts';
import { planner } from '../../compile/plan.ts';
import { type Frame, rowWriter, textRows, type WireColumn, wireColumn, wireRow } from '../../convert/wire.ts';
import type {
  Database,
  DatabaseLoad,
  Rows,
  RunOptions,
  Select,
  Table,
  TableEntry,
  Unit,
  Write,
  WriteOutcome,
} from '../../types.ts';
import type { Sqlite, SqliteValue } from './driver.ts';
import { isBusy, isStale, translate } from './errors.ts';
import { grammar } from './grammar.ts';
import {
  type Ask,
  type Catalogue,
  entriesOf,
  factsOf,
  readCatalogue,
  readTable,
  realName,
  type TableFacts,
} from './introspect.ts';
import { Experience, isPage, isShortRead, isShortWrite, smallFile, smallTable } from './lanes.ts';
import { Pool, type PoolOptions, ProblemError } from './pool.ts';
import {
  openFile,
  perform,
  problemOf,
  type Results,
  readOne,
  readValues,
  type WholeTask,
  type WriteTask,
} from './work.ts';
import { outcomeOf, writeStatement, writeStatements } from './writes.ts';

export interface SqliteDatabaseOptions extends Omit<PoolOptions, 'file'> {
  /** Absolute path of the file. */
  path: string;
  /** Make the file when it is absent; otherwise a missing file is `database.missing`. */
  create: boolean;
  /** Run whenever a connection opens; the caller answers for their being harmless. */
  statements?: readonly string[];
  /** Characters of JSON text one answer may have; beyond them it is `database.tooLarge`. */
  answerLimit?: number;
}

/** Milliseconds the child waits for a lock; the main thread never waits. */
const patience = 5_000;
/** Bytes of memory SQLite may use in a child. */
const memory = 512 * 1024 * 1024;
/** A schema with more entries than this is read by the child. */
const bigSchema = 300;
/** Milliseconds for which the schema, and the file being the same one, are not asked for again. */
const freshFor = 50;
/** Milliseconds for which a table is taken to be as small as it was. */
const smallFor = 2_000;

/** A schema as of one `schema_version`. */
interface Schema {
  version: number;
  isBig: boolean;
  catalogue?: Promise<Catalogue>;
  tables: Map<string, Promise<Table>>;
  /** Tables that were read, by the name they were asked for. */
  known: Map<string, Table>;
}

/** A compiled query and what running it needs. */
export interface Plan {
  sql: string;
  columns: WireColumn[];
  frame: Frame | undefined;
  write(values: readonly unknown[]): string;
  seen: Experience;
}

/** What deciding between the lanes needs to know of a described table. */
interface Known {
  facts: TableFacts;
  /** Whether it was small when last looked at, and when that was. */
  isSmall: boolean;
  lookedAt: number;
}

/**
 * Opens a SQLite file as a database of the platform. The file is touched on first use only: what is wrong with it fails
 * the calls, not the opening. Reads by key and single writes run here without waiting for locks; everything else, and
 * what meets a lock, runs in a child process that can be killed.
 */
export function openSqliteDatabase(options: SqliteDatabaseOptions): Database {
  return new SqliteDatabase(options);
}

class SqliteDatabase implements Database {
  private readonly path: string;
  private readonly create: boolean;
  private readonly statements: readonly string[];
  private readonly answerLimit: number;
  private readonly pool: Pool;
  private connection: Sqlite | undefined;
  private inode: number | undefined;
  private schema: Schema | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  private readonly plans = planner<Plan>(grammar, (sql, columns, frame) => {
    const wire = columns.map(wireColumn);
    return { sql, columns: wire, frame, write: rowWriter(wire, frame), seen: new Experience() };
  });
  /** By the place in the database: the same table may go by other names in other descriptions. */
  private readonly known = new WeakMap<Table['native'], Known>();

  constructor({ path, create, statements = [], answerLimit = 128 * 1024 * 1024, ...pool }: SqliteDatabaseOptions) {
    this.path = path;
    this.create = create;
    this.statements = statements;
    this.answerLimit = answerLimit;
    this.pool = new Pool({ ...pool, file: { path, create, busyTimeout: patience, memory, statements } });
  }

  async tables({ refresh = false } = {}): Promise<TableEntry[]> {
    return entriesOf(await this.catalogue(await this.current(refresh)));
  }

  table(name: string, { refresh = false, recheck = false } = {}): Soon<Table> {
    if (recheck) this.checkedAt = Number.NEGATIVE_INFINITY;
    const known = refresh || !this.isFresh() ? undefined : this.schema?.known.get(name);
    return known ?? this.find(name, refresh);
  }

  private async find(name: string, refresh: boolean): Promise<Table> {
    const checkedAt = this.checkedAt;
    const schema = await this.current(refresh);
    const known = schema.known.get(name);
    if (known) return known;
    const catalogue = await this.catalogue(schema);
    const real = realName(catalogue, name);
    if (real === undefined) {
      // It may have been made in the moment for which nobody asked.
      if (this.checkedAt === checkedAt) {
        this.checkedAt = Number.NEGATIVE_INFINITY;
        return this.find(name, false);
      }
      throw fail('table.unknown', { table: name.slice(0, 200) });
    }
    const table = await once(schema.tables, real, () => this.read(schema, catalogue, real));
    // Only as it is written: letters in either case could be spelled in a great many ways.
    if (name === real) schema.known.set(name, table);
    return table;
  }

  select(query: Select, options: RunOptions = {}): Soon<Rows> {
    const { plan, parameters } = this.plans.select(query);
    const known = this.known.get(query.table.native);
    const isShort = known !== undefined && isShortRead(query, known.facts);
    if (isShort || (known && this.isQuick(plan, query, known))) {
      try {
        const values = this.valuesHere(plan, parameters, query.limit === 1);
        if (values) return rowsOf(plan, values);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return this.selectThere(plan, parameters, options);
  }

  private async selectThere(plan: Plan, parameters: readonly unknown[], options: RunOptions): Promise<Rows> {
    const statement = { sql: plan.sql, parameters };
    const { columns, frame } = plan;
    const rows = await this.there({ kind: 'rows', statement, columns, frame, limit: this.answerLimit }, options);
    plan.seen.ranThere(rows.ms);
    return textRows(rows);
  }

  async *stream(query: Select, options: RunOptions = {}): AsyncGenerator<Rows> {
    const { plan, parameters } = this.plans.select(query);
    const { sql, columns, frame } = plan;
    const task = { kind: 'stream', statement: { sql, parameters }, columns, frame } as const;
    try {
      for await (const batch of this.pool.stream(task, options)) yield textRows(batch);
    } catch (error) {
      throw this.named(error);
    }
  }

  async count(query: Pick<Select, 'table' | 'where' | 'group'>, options: RunOptions = {}): Promise<number> {
    const { plan, parameters } = this.plans.count(query);
    const known = this.known.get(query.table.native);
    const here = known && this.isQuick(plan, { table: query.table, where: query.where, limit: 1 }, known);
    const values = here ? this.valuesHere(plan, parameters, true) : undefined;
    if (values) return Number(values[0]?.[0] ?? 0);
    const statement = { sql: plan.sql, parameters };
    const counted = await this.there({ kind: 'rows', statement, columns: [countColumn], limit: 100 }, options);
    plan.seen.ranThere(counted.ms);
    return Number((JSON.parse(counted.json) as [{ n: number }])[0]?.n ?? 0);
  }

  async write(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions = {},
  ): Promise<WriteOutcome[]> {
    const [first] = writes;
    if (!first) return [];
    const factsOf = (table: Table) => this.known.get(table.native)?.facts;
    const isPlain = first.kind === 'insert' && isPlainTable(factsOf(first.table));
    const bundles = isPlain ? bundled(writes) : undefined;
    const done = bundles && unbundled(await this.writeThere(bundles, 'rollback', options));
    if (done) return done;
    if (writes.length > 1 || first.kind === 'unit') {
      const outcomes = await this.writeThere(writes, mode, options);
      const alone = writes.length === 1 ? outcomes[0]?.failure : undefined;
      if (alone && alone.status >= 500) throw alone;
      return outcomes;
    }
    if (first.kind === 'refuse') return [{ failure: first.failure }];
    const facts = factsOf(first.table);
    const task: WriteTask = { kind: 'writes', writes: [writeStatement(first, this.plans, factsOf)], mode };
    const isShort = facts !== undefined && isShortWrite(first, facts);
    let { results } = await (isShort ? this.here(task, options) : this.there(task, options));
    const problem = results[0]?.problem;
    if (isShort && typeof problem === 'object' && isBusy(problem)) ({ results } = await this.there(task, options));
    const outcome = outcomeOf(first, results[0]!, this.failure);
    // A database out of order is not the record's fault.
    if (outcome.failure && outcome.failure.status >= 500) throw outcome.failure;
    return [outcome];
  }

  private async writeThere(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions,
  ): Promise<WriteOutcome[]> {
    const factsOf = (table: Table) => this.known.get(table.native)?.facts;
    const task: WriteTask = { kind: 'writes', writes: await writeStatements(writes, this.plans, factsOf), mode };
    const { results } = await this.there(task, options);
    return results.map((result, i) => outcomeOf(writes[i]!, result, this.failure));
  }

  async test(): Promise<void> {
    await this.number('select count(*) from sqlite_schema');
  }

  load(): DatabaseLoad {
    const { open, busy, waiting } = this.pool.load();
    return { open: open + (this.connection ? 1 : 0), busy, waiting };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.connection?.close();
    this.connection = undefined;
    await this.pool.close();
  }

  // ---- the schema ----

  /**
   * The schema as it is now, give or take a blink: the file's own counter tells whether what we know still holds, and
   * asking for it costs as much as reading a record.
   */
  private current(refresh: boolean): Soon<Schema> {
    if (!refresh && this.schema && this.isFresh()) return this.schema;
    return this.check(refresh);
  }

  private isFresh(): boolean {
    return performance.now() - this.checkedAt < freshFor;
  }

  private async check(refresh: boolean): Promise<Schema> {
    const now = performance.now();
    this.noticeReplaced();
    const version = await this.number('pragma schema_version');
    this.checkedAt = now;
    if (!refresh && this.schema?.version === version) return this.schema;
    const entries = await this.number('select count(*) from sqlite_schema');
    // While that was read another call may have begun with this version: its readings are shared.
    if (refresh || this.schema?.version !== version) {
      this.schema = { version, isBig: entries > bigSchema, tables: new Map(), known: new Map() };
    }
    return this.schema;
  }

  private async number(sql: string): Promise<number> {
    const { rows } = await this.here({ kind: 'raw', statement: { sql, parameters: [] } });
    return Number(rows[0]?.[0]);
  }

  private async catalogue(schema: Schema): Promise<Catalogue> {
    schema.catalogue ??= readCatalogue(this.ask(schema)).catch((error: unknown) => {
      schema.catalogue = undefined;
      throw error;
    });
    return await schema.catalogue;
  }

  /** A view on tables that are gone fails alone. */
  private async read(schema: Schema, catalogue: Catalogue, name: string): Promise<Table> {
    try {
      const table = await readTable(this.ask(schema), catalogue, name);
      this.known.set(table.native, {
        facts: factsOf(catalogue, name),
        isSmall: false,
        lookedAt: Number.NEGATIVE_INFINITY,
      });
      return table;
    } catch (error) {
      if (!(error instanceof Failure) || error.key !== 'database.changed') throw error;
      throw fail('database.broken', { table: name, text: (error.cause as Error).message }, { cause: error });
    }
  }

  private ask(schema: Schema): Ask {
    return async (sql, parameters = []) => {
      const task = { kind: 'raw', statement: { sql, parameters } } as const;
      return (await (schema.isBig ? this.there(task) : this.here(task))).rows;
    };
  }

  /** A file put in the place of ours is opened anew; a file taken away is missed. */
  private noticeReplaced(): void {
    if (!this.connection || this.path === ':memory:') return;
    const inode = statSync(this.path, { throwIfNoEntry: false })?.ino;
    if (inode === this.inode) return;
    this.connection.close();
    this.connection = undefined;
    this.schema = undefined;
    this.pool.reset();
  }

  // ---- the two lanes ----

  /** Whether experience says that a query is quick enough for this thread. */
  private isQuick(plan: Plan, query: Pick<Select, 'table' | 'where' | 'limit'>, known: Known): boolean {
    if (!plan.seen.isQuick || !isPage(query, known.facts)) return false;
    const now = performance.now();
    if (now - known.lookedAt > smallFor) {
      known.lookedAt = now;
      known.isSmall = this.isSmall(query.table, known);
    }
    return known.isSmall;
  }

  /** Between the lowest and the highest number lie all rows; both are found at once. */
  private isSmall({ native }: Table, { facts }: Known): boolean {
    if (!facts.hasRowid || !this.connection) return false;
    // Few rows may be long ones.
    if ((statSync(this.path, { throwIfNoEntry: false })?.size ?? 0) > smallFile) return false;
    const name = `"${native.name.replaceAll('"', '""')}"`;
    const sql = `select (select max(rowid) from ${name}) - (select min(rowid) from ${name})`;
    try {
      const [row] = readValues(this.connection, { sql, parameters: [] });
      return Number(row?.[0] ?? 0) <= smallTable;
    } catch {
      return false;
    }
  }

  /** Reads on this thread; undefined when a lock is in the way, for which the child can wait. */
  private valuesHere(plan: Plan, parameters: readonly unknown[], isOne: boolean): SqliteValue[][] | undefined {
    this.mustBeOpen();
    try {
      this.connection ??= this.open();
      const from = performance.now();
      const values = (isOne ? readOne : readValues)(this.connection, { sql: plan.sql, parameters });
      plan.seen.ranHere(performance.now() - from);
      return values;
    } catch (error) {
      const problem = problemOf(error);
      if (isBusy(problem)) return undefined;
      throw this.failure(problem, error);
    }
  }

  /** On this thread, at once; what meets a lock goes to the child, which waits. */
  private async here<T extends WholeTask>(task: T, options: RunOptions = {}): Promise<Results[T['kind']]> {
    this.mustBeOpen();
    try {
      this.connection ??= this.open();
      return perform(this.connection, task);
    } catch (error) {
      const problem = problemOf(error);
      if (isBusy(problem)) return this.there(task, options);
      throw this.failure(problem, error);
    }
  }

  private mustBeOpen(): void {
    if (this.isClosed) throw fail('database.unreachable', { text: 'it was closed' });
  }

  private async there<T extends WholeTask>(task: T, options: RunOptions = {}): Promise<Results[T['kind']]> {
    try {
      return await this.pool.run(task, options);
    } catch (error) {
      throw this.named(error);
    }
  }

  private readonly named = (error: unknown): unknown =>
    error instanceof ProblemError ? this.failure(error.problem, error) : error;

  private open(): Sqlite {
    const connection = openFile({ path: this.path, create: this.create, busyTimeout: 0, statements: this.statements });
    this.inode = statSync(this.path, { throwIfNoEntry: false })?.ino;
    return connection;
  }

  private readonly failure = (problem: { code: number; text: string }, cause: unknown): Failure => {
    if (!isStale(problem)) return translate(problem, this.path, cause);
    this.schema = undefined;
    return fail('database.changed', { text: problem.text }, { cause });
  };
}

/** Runs a reading once, however many ask at the same time; a failed one is tried again. */
function once(tables: Map<string, Promise<Table>>, name: string, read: () => Promise<Table>): Promise<Table> {
  const known = tables.get(name);
  if (known) return known;
  const reading = read().catch((error: unknown) => {
    tables.delete(name);
    throw error;
  });
  tables.set(name, reading);
  return reading;
}

/** What inserts do to it is known: none is turned into something else. */
const isPlainTable = (facts: TableFacts | undefined): boolean => facts?.kind === 'table' && !facts.hasTriggers;

const countColumn: WireColumn = { name: 'n', kind: 'number' };

/** Rows whose text is written when it is asked for. */
function rowsOf({ columns, write }: Plan, values: SqliteValue[][]): Rows {
  const json = () => `[${values.map(write).join(',')}]`;
  const count = values.length;
  return {
    count,
    json,
    list: () => values.map((it) => wireRow(columns, it)),
    pieces: () => textRows({ json: json(), count }).pieces(),
  };
}
