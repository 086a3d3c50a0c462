import { Failure, type MaybePromise } from '@sluice/contract';
import { bundleInserts, unbundleOutcomes } from '../../compile/bundle.ts';
import { makePlanner, type PlannedQuery } from '../../compile/plan.ts';
import {
  type RowLayout,
  rowsFromJson,
  type WireColumn,
  wireColumn,
  wireRow,
  wireRowWriter,
} from '../../convert/wire.ts';
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
import { SqliteSchemaEditor } from './change/index.ts';
import { isBusy, type SqliteValue, type WriteTask } from './driver/index.ts';
import { SqliteFile, type SqliteFileOptions } from './file.ts';
import { grammar } from './grammar.ts';
import type { TableFacts } from './introspect.ts';
import {
  hasLongValue,
  isShortWrite,
  maxPageRows,
  type PageBound,
  pageLane,
  type ReadBound,
  readBound,
  withHint,
} from './lanes.ts';
import { SchemaCache } from './schema.ts';
import { compileStep, compileWrites, toOutcome } from './writes.ts';

export interface SqliteDatabaseOptions extends SqliteFileOptions {
  /** Characters of JSON text one answer may have; beyond them it is `database.tooLarge`. */
  answerLimit?: number;
}

/** A compiled query and what running it needs. */
export interface Plan {
  sql: string;
  columns: WireColumn[];
  layout: RowLayout | undefined;
  write(values: readonly unknown[]): string;
  /** What its plan bounds; found when it is first run. */
  bound?: ReadBound;
}

/**
 * Opens a SQLite file as a database of the platform. The file is touched on first use only: what is wrong with it fails
 * the calls, not the opening. Reads and single writes bounded by their plan run inline without waiting for locks; everything
 * else, and what meets a lock, runs in a child process that can be killed.
 */
export function openSqliteDatabase(options: SqliteDatabaseOptions): Database {
  return new SqliteDatabase(options);
}

class SqliteDatabase implements Database {
  readonly schemaEditor: SqliteSchemaEditor;
  private readonly file: SqliteFile;
  private readonly schema: SchemaCache;
  private readonly answerLimit: number;
  private readonly plans = makePlanner<Plan>(grammar, (sql, columns, layout) => {
    const wireColumns = columns.map(wireColumn);
    return { sql, columns: wireColumns, layout, write: wireRowWriter(wireColumns, layout) };
  });

  constructor({ answerLimit = 128 * 1024 * 1024, ...file }: SqliteDatabaseOptions) {
    this.file = new SqliteFile(file, () => this.schema.drop());
    this.schema = new SchemaCache(this.file);
    this.answerLimit = answerLimit;
    this.schemaEditor = new SqliteSchemaEditor(this.file, () => this.schema.drop());
  }

  tables({ refresh = false } = {}): Promise<TableEntry[]> {
    return this.schema.tables(refresh);
  }

  table(name: string, options: { refresh?: boolean; recheck?: boolean } = {}): MaybePromise<Table> {
    return this.schema.table(name, options);
  }

  dropDescriptions(): void {
    this.schema.drop();
  }

  select(query: Select, options: RunOptions = {}): MaybePromise<Rows> {
    const planned = this.plans.select(query);
    return this.selectInline(query, planned) ?? this.selectInChild(planned, options, this.answerLimit);
  }

  selectOrStream(query: Select, options: RunOptions = {}): MaybePromise<Rows | RowBatches> {
    const planned = this.plans.select(query);
    return this.selectInline(query, planned) ?? this.selectOrStreamInChild(query, planned, options);
  }

  /**
   * A long answer is read again from its beginning, by a child of its own; where none can be spared, all at once or, when it is
   * very long, by the next that can.
   */
  private async selectOrStreamInChild(
    query: Select,
    planned: PlannedQuery<Plan>,
    options: RunOptions,
  ): Promise<Rows | RowBatches> {
    for (const limit of [wholeLength, longestWhole]) {
      try {
        return await this.selectInChild(planned, options, Math.min(limit, this.answerLimit));
      } catch (error) {
        if (!isFailure(error, 'database.tooLarge')) throw error;
      }
      if (this.file.canStream(options.caller)) break;
    }
    return beginBatches(this.stream(query, options));
  }

  /** Undefined where the query is not for this thread. */
  private selectInline(query: Select, { plan, parameters }: PlannedQuery<Plan>): MaybePromise<Rows> | undefined {
    const facts = this.schema.factsOf(query.table);
    if (facts) {
      try {
        const values = this.readInline(plan, parameters, query, facts);
        if (values) return rowsFromValues(plan, values);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return undefined;
  }

  private async selectInChild(
    { plan, parameters }: PlannedQuery<Plan>,
    options: RunOptions,
    limit: number,
  ): Promise<Rows> {
    const statement = { sql: plan.sql, parameters };
    const { columns, layout } = plan;
    const task = { kind: 'rows', statement, columns, layout, limit } as const;
    const rows = await this.file.runInChild(task, options);
    options.onText?.(rows.json.length);
    return rowsFromJson(rows);
  }

  async *stream(query: Select, options: RunOptions = {}): AsyncGenerator<Rows> {
    const { plan, parameters } = this.plans.select(query);
    const { sql, columns, layout } = plan;
    const task = { kind: 'stream', statement: { sql, parameters }, columns, layout } as const;
    for await (const batch of this.file.stream(task, options)) yield rowsFromJson(batch);
  }

  async count(query: Pick<Select, 'table' | 'where' | 'group'>, options: RunOptions = {}): Promise<number> {
    const { plan, parameters } = this.plans.count(query);
    const statement = { sql: plan.sql, parameters };
    const result = await this.file.runInChild({ kind: 'rows', statement, columns: [countColumn], limit: 100 }, options);
    return Number((JSON.parse(result.json) as [{ n: number }])[0]?.n ?? 0);
  }

  async write(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions = {},
  ): Promise<WriteOutcome[]> {
    const [first] = writes;
    if (!first) return [];
    const isPlain = first.kind === 'insert' && isPlainTable(this.factsOf(first.table));
    const bundles = isPlain ? bundleInserts(writes) : undefined;
    const bundledOutcomes = bundles && unbundleOutcomes(await this.writeInChild(bundles, 'rollback', options));
    if (bundledOutcomes) return bundledOutcomes;
    if (writes.length > 1 || first.kind === 'unit') {
      const outcomes = await this.writeInChild(writes, mode, options);
      const onlyFailure = writes.length === 1 ? outcomes[0]?.failure : undefined;
      if (onlyFailure && onlyFailure.status >= 500) throw onlyFailure;
      return outcomes;
    }
    if (first.kind === 'refuse') return [{ failure: first.failure }];
    const facts = this.factsOf(first.table);
    const task: WriteTask = { kind: 'writes', writes: [compileStep(first, this.plans, this.factsOf)], mode };
    const isShort = facts !== undefined && isShortWrite(first, facts);
    let { results } = await (isShort ? this.file.runInline(task, options) : this.file.runInChild(task, options));
    const result = results[0]!;
    if (isShort && !result.problem && result.rows.some(hasLongValue)) facts.hasLongRows = true;
    if (isShort && typeof result.problem === 'object' && isBusy(result.problem))
      ({ results } = await this.file.runInChild(task, options));
    const outcome = toOutcome(first, results[0]!, this.file.failure);
    // A database out of order is not the record's fault.
    if (outcome.failure && outcome.failure.status >= 500) throw outcome.failure;
    return [outcome];
  }

  private async writeInChild(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options: RunOptions,
  ): Promise<WriteOutcome[]> {
    const task: WriteTask = { kind: 'writes', writes: await compileWrites(writes, this.plans, this.factsOf), mode };
    const { results } = await this.file.runInChild(task, options);
    return results.map((result, i) => toOutcome(writes[i]!, result, this.file.failure));
  }

  async test(): Promise<void> {
    await this.file.readNumbers('select count(*) from sqlite_schema');
  }

  load(): DatabaseLoad {
    return this.file.load();
  }

  close(): Promise<void> {
    this.schema.drop();
    return this.file.close();
  }

  private readonly factsOf = (table: Table): TableFacts | undefined => this.schema.factsOf(table);

  /** The values of a read that is bounded by its plan; undefined for one that a child has to do. */
  private readInline(
    plan: Plan,
    parameters: readonly unknown[],
    query: Select,
    facts: TableFacts,
  ): SqliteValue[][] | undefined {
    plan.bound ??= readBound(query, plan.sql, facts, (sql) => this.file.explain(sql));
    if (!plan.bound || plan.bound === 'none') return undefined;
    if (plan.bound !== 'row') return this.readPageInline(plan.bound, parameters, query, facts);
    if (facts.hasLongRows) return undefined;
    const values = this.file.readOneInline({ sql: plan.sql, parameters });
    if (values?.some(hasLongValue)) facts.hasLongRows = true;
    return values;
  }

  private readPageInline(
    bound: PageBound,
    parameters: readonly unknown[],
    query: Select,
    facts: TableFacts,
  ): SqliteValue[][] | undefined {
    const lane = pageLane(query, bound, facts);
    if (lane === 'child' || hasLongValue(parameters)) return undefined;
    const statement = { sql: bound.sql, parameters };
    if (lane === 'read') return this.file.readPageInline(statement);
    const { plan, parameters: values } = this.plans.select(lane.countFirst);
    const count = { sql: withHint(plan.sql, query.table, bound.hint, bound.entryGuard), parameters: values };
    return this.file.readPageInline(statement, { statement: count, max: maxPageRows });
  }
}

const isFailure = (error: unknown, key: string) => error instanceof Failure && error.key === key;

/** What inserts do to it is known: none is turned into something else. */
const isPlainTable = (facts: TableFacts | undefined): boolean => facts?.kind === 'table' && !facts.hasTriggers;

const countColumn: WireColumn = { name: 'n', kind: 'number' };

/** Rows whose text is written when it is asked for. */
function rowsFromValues({ columns, write }: Plan, values: SqliteValue[][]): Rows {
  const json = () => `[${values.map(write).join(',')}]`;
  const count = values.length;
  return {
    count,
    json,
    list: () => values.map((row) => wireRow(columns, row)),
    withKeys: () => rowsFromJson({ json: json(), count }).withKeys(),
  };
}
