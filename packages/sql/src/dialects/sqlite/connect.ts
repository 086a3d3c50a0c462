import { statSync } from 'node:fs';
import { Failure, fail } from '@sluice/contract';
import { compileCount, compileSelect, compileWrite } from '../../compile/index.ts';
import { toWire, type WireColumn, wireColumn, wireRow } from '../../convert/wire.ts';
import type { Database, Row, Rows, RunOptions, Select, Table, TableEntry, Write, WriteOutcome } from '../../types.ts';
import type { Sqlite } from './driver.ts';
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
import { type Facts, isShortRead, isShortWrite } from './lanes.ts';
import { Pool, type PoolOptions, ProblemError } from './pool.ts';
import {
  openFile,
  type Problem,
  perform,
  problemOf,
  type Results,
  type Task,
  type WriteResult,
  type WriteStatement,
  type WriteStep,
} from './work.ts';

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
/** Writes compiled before other calls get their turn. */
const writesAtOnce = 500;

type Insert = Extract<Write, { kind: 'insert' }>;

/** A schema as of one `schema_version`. */
interface Schema {
  version: number;
  isBig: boolean;
  catalogue?: Promise<Catalogue>;
  tables: Map<string, Promise<Table>>;
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
  private isClosed = false;

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

  async table(name: string, { refresh = false } = {}): Promise<Table> {
    const schema = await this.current(refresh);
    const catalogue = await this.catalogue(schema);
    const real = realName(catalogue, name);
    if (real === undefined) throw fail('table.unknown', { table: name.slice(0, 200) });
    return once(schema.tables, real, () => this.read(schema, catalogue, real));
  }

  async select(query: Select, options: RunOptions = {}): Promise<Rows> {
    const statement = compileSelect(query, grammar);
    const columns = query.columns.map(wireColumn);
    if (isShortRead(query, await this.facts())) {
      const { rows } = await this.here({ kind: 'raw', statement }, options);
      return listed(rows.map((it) => wireRow(columns, it)));
    }
    return texted(await this.there({ kind: 'rows', statement, columns, limit: this.answerLimit }, options));
  }

  async count(query: Pick<Select, 'table' | 'where' | 'group'>, options: RunOptions = {}): Promise<number> {
    const { rows } = await this.there({ kind: 'raw', statement: compileCount(query, grammar) }, options);
    return Number(rows[0]?.[0] ?? 0);
  }

  async write(
    writes: Write[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions = {},
  ): Promise<WriteOutcome[]> {
    if (writes.length === 0) return [];
    const facts = await this.facts();
    const task: Task = { kind: 'writes', writes: await writeStatements(writes, facts), mode };
    const isShort = writes.length === 1 && isShortWrite(writes[0] as Write, facts);
    let { results } = await (isShort ? this.here(task, options) : this.there(task, options));
    const problem = results[0]?.problem;
    if (isShort && typeof problem === 'object' && isBusy(problem)) ({ results } = await this.there(task, options));
    const outcomes = results.map((result, i) => this.outcome(writes[i] as Write, result));
    // A database out of order is not the record's fault.
    const alone = writes.length === 1 ? outcomes[0]?.failure : undefined;
    if (alone && alone.status >= 500 && writes[0]?.kind !== 'refuse') throw alone;
    return outcomes;
  }

  async test(): Promise<void> {
    await this.number('select count(*) from sqlite_schema');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.connection?.close();
    this.connection = undefined;
    await this.pool.close();
  }

  // ---- the schema ----

  /** The schema as it is now: the file's own counter tells whether what we know still holds. */
  private async current(refresh: boolean): Promise<Schema> {
    this.noticeReplaced();
    const version = await this.number('pragma schema_version');
    if (!refresh && this.schema?.version === version) return this.schema;
    const entries = await this.number('select count(*) from sqlite_schema');
    // While that was read another call may have begun with this version: its readings are shared.
    if (refresh || this.schema?.version !== version) {
      this.schema = { version, isBig: entries > bigSchema, tables: new Map() };
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
      return await readTable(this.ask(schema), catalogue, name);
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

  private async facts(): Promise<Facts> {
    const catalogue = await this.catalogue(this.schema ?? (await this.current(false)));
    const known = new Map<string, TableFacts>();
    return (table) => {
      const facts = known.get(table) ?? factsOf(catalogue, table);
      known.set(table, facts);
      return facts;
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

  /** On this thread, at once; what meets a lock goes to the child, which waits. */
  private async here<T extends Task>(task: T, options: RunOptions = {}): Promise<Results[T['kind']]> {
    if (options.signal?.aborted) throw fail('database.cancelled');
    if (this.isClosed) throw fail('database.unreachable', { text: 'it was closed' });
    try {
      this.connection ??= this.open();
      return perform(this.connection, task);
    } catch (error) {
      const problem = problemOf(error);
      if (isBusy(problem)) return this.there(task, options);
      throw this.failure(problem, error);
    }
  }

  private async there<T extends Task>(task: T, options: RunOptions = {}): Promise<Results[T['kind']]> {
    try {
      return await this.pool.run(task, options);
    } catch (error) {
      if (error instanceof ProblemError) throw this.failure(error.problem, error);
      throw error;
    }
  }

  private open(): Sqlite {
    const connection = openFile({ path: this.path, create: this.create, busyTimeout: 0, statements: this.statements });
    this.inode = statSync(this.path, { throwIfNoEntry: false })?.ino;
    return connection;
  }

  private failure(problem: { code: number; text: string }, cause: unknown): Failure {
    if (!isStale(problem)) return translate(problem, this.path, cause);
    this.schema = undefined;
    return fail('database.changed', { text: problem.text }, { cause });
  }

  private outcome(write: Write, result: WriteResult): WriteOutcome {
    if (write.kind === 'refuse') return { failure: write.failure };
    const missing = write.kind === 'insert' ? undefined : write.missing;
    if (result.problem === 'missing') return { failure: missing as Failure };
    if (result.problem) return { failure: this.failure(result.problem as Problem, result.problem) };
    const done = result.instead ? (missing as Insert) : write;
    const columns = done.returning.map(wireColumn);
    if (columns.length === 0) return { rows: Array.from({ length: result.changes }, () => ({})) };
    if (result.rows.length === 0 && done.kind === 'insert') return { rows: [echo(done, columns)] };
    return { rows: result.rows.map((it) => wireRow(columns, it)) };
  }
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

async function writeStatements(writes: Write[], facts: Facts): Promise<WriteStatement[]> {
  const statements: WriteStatement[] = [];
  for (const write of writes) {
    statements.push(write.kind === 'refuse' ? 'refused' : writeStep(write, facts));
    if (statements.length % writesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return statements;
}

function writeStep(write: Exclude<Write, { kind: 'refuse' }>, facts: Facts): WriteStep {
  const step = returningStep(write, facts(write.table.native.name).kind === 'virtual');
  if (write.kind === 'insert' || !write.missing) return step;
  return { ...step, missing: write.missing instanceof Failure ? 'fail' : writeStep(write.missing, facts) };
}

/** Virtual tables know no RETURNING: what is to be returned is read before. */
function returningStep(write: Exclude<Write, { kind: 'refuse' }>, isVirtual: boolean): WriteStep {
  if (!isVirtual || write.returning.length === 0) return compileWrite(write, grammar);
  const step = compileWrite({ ...write, returning: [] }, grammar);
  if (write.kind === 'insert') return step;
  const { table, returning: columns, where } = write;
  return { ...step, before: compileSelect({ table, columns, where }, grammar) };
}

/** The row of an insert that could not return it: what was written. */
const echo = (write: Insert, columns: WireColumn[]): Row =>
  Object.fromEntries(columns.map((it) => [it.name, toWire(it.kind, write.values[it.name])]));

const listed = (rows: Row[]): Rows => ({ count: rows.length, json: () => JSON.stringify(rows), list: () => rows });

const texted = ({ json, count }: Results['rows']): Rows => ({
  count,
  json: () => json,
  list: () => JSON.parse(json) as Row[],
});
