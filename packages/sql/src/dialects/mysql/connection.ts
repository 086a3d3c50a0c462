// One connection to a server: statements stay prepared, rows become JSON as they arrive.
import type { Socket } from 'node:net';
import { fail } from '@sluice/contract';
import type { Connection as DriverConnection, FieldPacket, PrepareStatementInfo, Query, TypedParameter } from 'mysql2';
import { type RunOptions, SizedCache } from '../../query/index.ts';
import {
  type Answer,
  type BatchReader,
  type Connection,
  JsonCollector,
  type Reading,
  type TextRow,
} from '../network/index.ts';
import { MysqlBatches } from './batches.ts';
import type { MysqlPlan } from './plan.ts';
import { toParameter } from './values.ts';

/** Receives the result of a statement. An outcome is that of a statement without rows. */
export interface Receiver {
  row(values: unknown[]): void;
  /** Before the rows of each result set. */
  columns?(fields: readonly FieldPacket[]): void;
  outcome(done: { affectedRows: number; insertId: number }): void;
  end(): void;
  fail(error: unknown): void;
}

export interface ConnectionParts {
  /** Open and set up. */
  driver: DriverConnection;
  typedParameter: typeof TypedParameter;
  /** What lies below the driver. */
  socket: Socket;
  /** Sets a fresh session up. */
  setUp(): Promise<void>;
  /** Stops what runs, by way of another connection. */
  kill(): Promise<void>;
  /** Bytes of one packet to the server (max_allowed_packet). */
  maxPacket: number;
  /** Lifts the server's own limit on the time of a statement, and sets it again; absent without one. */
  timeLimit: { off: string; on: string } | undefined;
}

/** Prepared statements kept open on one connection, and characters of their texts; the server has a limit for all connections together. */
const maxStatements = 200;
const maxStatementCharacters = 256 * 1024;
/** ER_UNKNOWN_STMT_HANDLER */
const unknownStatement = 1243;
/** Milliseconds `end` may take. */
const maxEndMs = 1000;

export class MysqlConnection implements Connection<MysqlPlan> {
  onLost: (() => void) | undefined;
  /** The key that the server gave the last insert, 0 without one. */
  insertId = 0;
  private readonly parts: ConnectionParts;
  private readonly driver: DriverConnection;
  private readonly socket: Socket;
  private readonly statements = new SizedCache<PrepareStatementInfo | 'of the driver'>(
    maxStatements,
    maxStatementCharacters,
    (sql) => this.driver.unprepare(sql),
  );
  /** Receives the result of what runs now, or that the connection broke. */
  private receiver: Receiver | undefined;
  private isBroken = false;
  private isCancelled = false;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
    const { driver, socket } = parts;
    this.driver = driver;
    this.socket = socket;
    driver.on('error', (error: unknown) => this.handleBreak(error));
    driver.on('end', () => this.handleBreak(Object.assign(new Error('the connection ended'), { fatal: true })));
  }

  get isUsable(): boolean {
    return !this.isBroken && !this.isCancelled && this.receiver === undefined;
  }

  run(plan: MysqlPlan, parameters: readonly unknown[], limit: number, options?: RunOptions): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let touched = 0;
      const rows = new JsonCollector(plan.write, limit, () => this.destroy(), options);
      this.execute(plan, parameters, {
        row: (values) => rows.add(values),
        outcome: ({ affectedRows, insertId }) => {
          touched = affectedRows;
          this.insertId = insertId;
        },
        end: () => resolve(rows.answer(touched)),
        fail: (error) => reject(rows.stopReason ?? error),
      });
    });
  }

  /** A time limit of the server cannot be lifted while a statement runs: a statement that continues is run again. */
  read(plan: MysqlPlan, parameters: readonly unknown[], reading: Reading): Promise<Answer & { rest?: 'rerun' }> {
    return new Promise((resolve, reject) => {
      let hasDecided = false;
      const rows = new JsonCollector(plan.write, reading.limit, () => this.destroy(), reading.options);
      this.execute(plan, parameters, {
        row: (values) => {
          rows.add(values);
          if (hasDecided || rows.json.length <= reading.whole) return;
          hasDecided = true;
          if (!reading.mayGoOn()) return;
          resolve({ count: 0, json: '[]', rest: 'rerun' });
          this.destroy();
        },
        outcome: () => {},
        end: () => resolve(rows.answer(0)),
        fail: (error) => reject(rows.stopReason ?? error),
      });
    });
  }

  values(plan: MysqlPlan, parameters: readonly unknown[]): Promise<TextRow[]> {
    return new Promise((resolve, reject) => {
      const rows: TextRow[] = [];
      this.execute(plan, parameters, {
        row: (values) => rows.push(values.map((cell) => (cell === null ? null : String(cell)))),
        outcome: () => {},
        end: () => resolve(rows),
        fail: reject,
      });
    });
  }

  stream(plan: MysqlPlan, parameters: readonly unknown[]): BatchReader {
    return new MysqlBatches(this, plan, parameters);
  }

  command(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const receiver: Receiver = { row: () => {}, outcome: () => {}, end: resolve, fail: reject };
      if (this.claim(receiver)) this.listen(this.driver.query(sql), receiver);
    });
  }

  /** https://mariadb.com/kb/en/com_reset_connection/: a transaction that was left open is undone. */
  async reset(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.driver.reset((error) => (error ? reject(error) : resolve())));
    this.statements.clear();
    await this.parts.setUp();
  }

  /**
   * The order to stop may arrive when the statement has ended, and would then meet the next one: there is none, as a
   * connection that was cancelled is not used again. It may also arrive too early, and is then repeated.
   */
  cancel(): void {
    if (this.isBroken) return;
    this.isCancelled = true;
    this.parts.kill().catch(() => this.destroy());
  }

  async end(): Promise<void> {
    if (this.isBroken) return;
    this.isBroken = true;
    const ended = new Promise<void>((resolve) => this.socket.once('close', () => resolve()));
    this.driver.end(() => this.socket.end());
    const timer = setTimeout(() => this.socket.destroy(), maxEndMs);
    await ended;
    clearTimeout(timer);
  }

  destroy(): void {
    this.socket.destroy();
    this.handleBreak(Object.assign(new Error('the connection was cut off'), { fatal: true }));
  }

  // ---- for batches.ts ----

  /** Runs a plan; the receiver gets each row, then the end or the error. */
  execute(plan: MysqlPlan, parameters: readonly unknown[], receiver: Receiver): void {
    if (!this.claim(receiver)) return;
    let values: unknown[];
    try {
      values = this.bindParameters(parameters);
    } catch (error) {
      this.receiver = undefined;
      receiver.fail(error);
      return;
    }
    if (plan.isSpatial) {
      const query = this.driver.execute({ sql: plan.sql, values, typeCast: shapesAsBytes });
      query.once('end', () => this.keep(plan.sql, 'of the driver'));
      this.listen(query, receiver);
      return;
    }
    const statement = this.statements.get(plan.sql);
    if (statement && statement !== 'of the driver') this.listen(statement.execute(values), receiver);
    else this.prepare(plan.sql, values, receiver);
  }

  /** A stream may take as long as its reader. */
  async liftTimeLimit(): Promise<void> {
    if (this.parts.timeLimit) await this.command(this.parts.timeLimit.off);
  }

  async setTimeLimit(): Promise<void> {
    if (!this.isUsable || !this.parts.timeLimit) return;
    await this.command(this.parts.timeLimit.on).catch(() => this.destroy());
  }

  pause(): void {
    this.driver.pause();
  }

  resume(): void {
    this.driver.resume();
  }

  // ---- inside ----

  private prepare(sql: string, values: unknown[], receiver: Receiver): void {
    this.driver.prepare(sql, (error, statement) => {
      if (error) {
        if (this.receiver !== receiver) return;
        this.receiver = undefined;
        if (isFatal(error)) this.handleBreak(error);
        receiver.fail(error);
        return;
      }
      this.listen(statement.execute(values), receiver);
      this.keep(sql, statement);
    });
  }

  /** Closes a statement that is too long to be kept, as soon as it has run. */
  private keep(sql: string, statement: PrepareStatementInfo | 'of the driver'): void {
    if (!this.statements.set(sql, statement)) this.driver.unprepare(sql);
  }

  private claim(receiver: Receiver): boolean {
    if (this.isBroken) receiver.fail(Object.assign(new Error('the connection is closed'), { fatal: true }));
    else this.receiver = receiver;
    return !this.isBroken;
  }

  private listen(query: Query, receiver: Receiver): void {
    let queryError: unknown;
    query.on('result', (result: unknown) => {
      if (Array.isArray(result)) receiver.row(result);
      else receiver.outcome(result as Parameters<Receiver['outcome']>[0]);
    });
    if (receiver.columns)
      query.on('fields', (fields: FieldPacket[] | undefined) => fields && receiver.columns?.(fields));
    query.on('error', (error: { errno?: number }) => {
      queryError = error;
      // A proxy between us has switched to another server, which knows none of our statements.
      if (error.errno === unknownStatement) this.isCancelled = true;
    });
    query.on('end', () => {
      // The receiver got its error when the connection broke.
      if (this.receiver !== receiver) return;
      this.receiver = undefined;
      if (queryError === undefined) receiver.end();
      else receiver.fail(queryError);
    });
  }

  /** A packet that is too large is refused here: at the server it would end the connection, even within a transaction. */
  private bindParameters(parameters: readonly unknown[]): unknown[] {
    let size = 0;
    const values = parameters.map((value) => {
      size += typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 9;
      return toParameter(value, this.parts.typedParameter);
    });
    const { maxPacket } = this.parts;
    if (size * 3 > maxPacket && sizeOf(values) > maxPacket) {
      const text = `The values have more bytes than the ${maxPacket} the server takes at once (max_allowed_packet)`;
      throw fail('record.database', { text }, { code: 1153 });
    }
    return values;
  }

  private handleBreak(error: unknown): void {
    const { receiver } = this;
    this.receiver = undefined;
    if (!this.isBroken) {
      this.isBroken = true;
      this.socket.destroy();
      this.onLost?.();
    }
    receiver?.fail(error);
  }
}

const isFatal = (error: { fatal?: boolean }) => error.fatal === true;

/** Bytes of a statement's values, with what goes around them. */
const sizeOf = (values: unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? Buffer.byteLength(value) : 9) + 9,
    100,
  );

const shapesAsBytes = (field: { type: string; buffer(): Buffer | null }, next: () => unknown): unknown =>
  field.type === 'GEOMETRY' ? field.buffer() : next();
