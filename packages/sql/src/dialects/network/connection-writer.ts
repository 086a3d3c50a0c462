// What write.ts needs of a connection and its engine.
import { Failure, fail } from '@sluice/contract';
import type { Planner } from '../../compile/plan.ts';
import type { BoundFilter, Check, Write } from '../../query/index.ts';
import type { Answer, Connection, Engine, NamedTable } from './engine.ts';
import { completeRows, narrowReturning, type ReturningLevel, ReturningRefused, returningLevels } from './unreturned.ts';
import type { RealWrite, Writer } from './write.ts';

/** What the writers of a database share. */
export interface WriterParts<P, T extends NamedTable> {
  engine: Engine<P, T>;
  planner: Planner<P>;
  answerLimit: number;
  /** Is called when a table or column is not what its description says. */
  onStale(): void;
}

/** Made for each write, so a class and not a literal of functions. */
export class ConnectionWriter<P, T extends NamedTable> implements Writer {
  isLast = false;
  private readonly parts: WriterParts<P, T>;
  private readonly connection: Connection<P>;
  private inTransaction = false;
  private level: ReturningLevel;

  constructor(parts: WriterParts<P, T>, connection: Connection<P>, level: ReturningLevel = 'all') {
    this.parts = parts;
    this.connection = connection;
    this.level = level;
  }

  get outlivesFailure(): boolean {
    return this.parts.engine.outlivesFailure ?? false;
  }

  get withoutSavepoints(): boolean {
    return this.parts.engine.withoutSavepoints ?? false;
  }

  async command(sql: string): Promise<void> {
    const running = this.connection.command(sql);
    await (sql === 'commit' ? this.orUnsure(running) : running);
    if (sql === 'begin') this.inTransaction = true;
    else if (sql === 'commit' || sql === 'rollback') this.inTransaction = false;
  }

  run(write: RealWrite): Promise<Answer> {
    const { engine, planner } = this.parts;
    const running =
      engine.write && this.isWrittenByEngine(write)
        ? engine.write(this.connection, planner, write)
        : this.runReturning(write);
    return this.inTransaction ? running : this.orUnsure(running);
  }

  readBefore(write: RealWrite): Promise<Answer | undefined> | undefined {
    const { engine } = this.parts;
    if (write.kind !== 'delete' || !write.table.description.is_view || !engine.whyUntouched) return undefined;
    if (!write.where || !write.missing || write.returning.length === 0 || this.level !== 'all') return undefined;
    return this.select(write, write.where).catch((error: unknown) => {
      if (!engine.refusesReturning?.(error)) throw error;
      if (this.inTransaction) throw this.isLast ? error : new ReturningRefused(undefined, { cause: error });
      return undefined;
    });
  }

  async readUntouched(write: Exclude<RealWrite, { kind: 'insert' }>): Promise<Answer | undefined> {
    const { engine, planner } = this.parts;
    const { table, where } = write;
    if (!engine.whyUntouched || !where) return undefined;
    const counted = planner.count({ table, where });
    const [row] = await this.connection.values(counted.plan, counted.parameters);
    const count = Number(row?.[0] ?? 0);
    const reason = count > 0 ? await engine.whyUntouched(this.connection, write) : undefined;
    if (reason === 'denied') throw fail('database.denied', { text: 'a policy of the table keeps the record as it is' });
    if (reason === undefined) return undefined;
    const { returning: columns } = narrowReturning(write, this.level);
    if (columns.length === 0) return completeRows(write, { count, json: '' }, 'none');
    return this.select(write, where);
  }

  /** The rows of a write as they are, as far as it may return them. */
  private async select(write: RealWrite, where: BoundFilter): Promise<Answer> {
    const { planner, answerLimit } = this.parts;
    const { table, returning: columns } = narrowReturning(write, this.level);
    const { plan, parameters } = planner.select({ table, columns, where });
    const rows = await this.connection.run(plan, parameters, answerLimit);
    return this.level === 'all' ? rows : completeRows(write, rows, this.level);
  }

  readLocked({ table, columns, where }: Check): Promise<Answer> {
    const { engine, planner, answerLimit } = this.parts;
    const { plan, parameters } = planner.select({ table, columns, where });
    return this.connection.run(engine.locking?.(plan) ?? plan, parameters, answerLimit);
  }

  needsTransaction(write: RealWrite): boolean {
    return this.isWrittenByEngine(write) && (this.parts.engine.needsTransaction?.(write) ?? true);
  }

  toRefusal(error: unknown): Failure | undefined {
    if (error instanceof ReturningRefused) return undefined;
    if (error instanceof Failure) return error.key === 'database.unsure' ? undefined : error;
    const { failure, kind } = this.parts.engine.translate(error);
    if (kind === 'stale') this.parts.onStale();
    return kind === 'refused' || kind === 'stale' || (this.isLast && kind === 'retryable') ? failure : undefined;
  }

  abandon(): void {
    this.connection.destroy();
  }

  /** Runs a write that returns its rows as far as the database lets it. */
  private runReturning(write: RealWrite): Promise<Answer> {
    const { engine } = this.parts;
    const { level } = this;
    if (!engine.refusesReturning || write.returning.length === 0) return this.runPlain(write);
    const running = level === 'all' ? this.runPlain(write) : this.runNarrowed(write, level);
    return running.catch((error: unknown) => {
      const next = returningLevels[returningLevels.indexOf(level) + 1];
      if (!next || !engine.refusesReturning?.(error)) throw error;
      if (!this.inTransaction) {
        this.level = next;
        return this.runReturning(write);
      }
      // Writes before it were kept, where it is the last attempt.
      throw this.isLast ? error : new ReturningRefused(undefined, { cause: error });
    });
  }

  private async runNarrowed(write: RealWrite, level: ReturningLevel): Promise<Answer> {
    const { engine, planner } = this.parts;
    // It knows the key that the database made.
    if (level === 'none' && engine.write) return engine.write(this.connection, planner, write);
    return completeRows(write, await this.runPlain(narrowReturning(write, level)), level);
  }

  private runPlain(write: RealWrite): Promise<Answer> {
    const { planner, answerLimit } = this.parts;
    const { plan, parameters } = planner.write(write.kind === 'insert' ? withoutEmptyIds(write) : write);
    return this.connection.run(plan, parameters, answerLimit);
  }

  private isWrittenByEngine(write: RealWrite): boolean {
    const { engine } = this.parts;
    return engine.write !== undefined && write.returning.length > 0 && !engine.grammar.returning[write.kind];
  }

  /** Outside of a transaction, and at its end, a lost connection leaves open what became of the write. */
  private async orUnsure<R>(running: Promise<R>): Promise<R> {
    try {
      return await running;
    } catch (error) {
      if (error instanceof Failure || this.parts.engine.translate(error).kind !== 'lost') throw error;
      throw fail('database.unsure', undefined, { cause: error });
    }
  }
}

/** Not every engine takes a null for a number it counts up itself: such a column is left out. */
function withoutEmptyIds(write: Extract<Write, { kind: 'insert' }>): typeof write {
  const { table, values } = write;
  const field = Object.keys(values).find(
    (name) => values[name] === null && table.column(name)?.description.auto_increment,
  );
  if (field === undefined) return write;
  const { [field]: _empty, ...others } = values;
  return { ...write, values: others };
}
