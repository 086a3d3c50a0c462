// One run of a statement, spoken to the driver's connection in the protocol's own words: rows come in as texts and go
// out as JSON, and no description of them is asked for, since the plan knows its columns
// (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY).
import type { Connection as Wire } from 'pg';
import type { Answer, BatchReader, TextRow } from '../network/index.ts';
import type { Plan } from './driver.ts';

/** The columns of an answer, where they were asked for. */
export interface RowDescription {
  fields: { name: string; dataTypeID: number; dataTypeModifier: number }[];
}

/** What the driver calls while a statement runs (`Submittable` of pg, and what its client hands on). */
interface Runner {
  submit(wire: Wire): void;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handlePortalSuspended(wire: Wire): void;
  handleCommandComplete(message: { text: string }, wire: Wire): void;
  handleEmptyQuery(): void;
  handleCopyInResponse(wire: Wire): void;
  handleCopyData(): void;
  handleReadyForQuery(): void;
  handleError(error: unknown, wire: Wire): void;
}

/** How a statement that is run by name gets its name. */
export interface Preparation {
  name: string;
  isPrepared: boolean;
  /** Statements to close first. */
  evicted?: readonly string[];
}

export abstract class Statement implements Runner {
  abstract submit(wire: Wire): void;
  abstract handleDataRow(message: { fields: (string | null)[] }): void;
  abstract handleReadyForQuery(): void;
  abstract handleError(error: unknown, wire: Wire): void;

  handleRowDescription(_message: RowDescription): void {}
  handlePortalSuspended(_wire: Wire): void {}
  handleCommandComplete(_message: { text: string }, _wire: Wire): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(wire: Wire): void {
    (wire as unknown as { sendCopyFail(text: string): void }).sendCopyFail('there is nothing to copy');
  }
}

/** Parameters as the protocol carries them: text, bytes, or nothing. */
function parameterText(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return null;
    default:
      if (value === null) return null;
      if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      return JSON.stringify(value);
  }
}

/** What the types of the driver leave out of its connection. */
export interface Speaker {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => string | Buffer | null;
  }): void;
  execute(message: { rows?: number }): void;
  describe(message: { type: 'S' | 'P'; name: string }): void;
  close(message: { type: 'S' | 'P'; name: string }): void;
}

export function beginStatement(
  wire: Speaker,
  sql: string,
  parameters: readonly unknown[],
  preparation: Preparation | undefined,
): void {
  const statement = preparation?.name ?? '';
  for (const name of preparation?.evicted ?? []) wire.close({ type: 'S', name });
  if (!preparation?.isPrepared) wire.parse({ name: statement, text: sql });
  wire.bind({ statement, values: parameters, valueMapper: parameterText });
}

/** Runs to its end and collects the rows. */
export class CollectRun<T> extends Statement {
  private readonly sql: string;
  private readonly parameters: readonly unknown[];
  private readonly preparation: Preparation | undefined;
  private readonly rows: Collector<T>;
  private readonly resolve: (answer: T) => void;
  private readonly reject: (error: unknown) => void;
  private affectedRows = 0;

  constructor(
    sql: string,
    parameters: readonly unknown[],
    preparation: Preparation | undefined,
    rows: Collector<T>,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ) {
    super();
    this.sql = sql;
    this.parameters = parameters;
    this.preparation = preparation;
    this.rows = rows;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(wire: Wire): void {
    const speaker = wire as unknown as Speaker;
    speaker.stream.cork();
    beginStatement(speaker, this.sql, this.parameters, this.preparation);
    speaker.execute({});
    wire.sync();
    speaker.stream.uncork();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.add(fields);
  }

  /** `UPDATE 3`, `INSERT 0 1`. */
  override handleCommandComplete({ text }: { text: string }): void {
    this.affectedRows = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
  }

  handleReadyForQuery(): void {
    const { stopReason } = this.rows;
    if (stopReason) this.reject(stopReason);
    else this.resolve(this.rows.answer(this.affectedRows));
  }

  handleError(error: unknown): void {
    this.reject(this.rows.stopReason ?? error);
  }
}

/** `begin` and its like: no values, no rows. */
export class Command extends Statement {
  private readonly sql: string;
  private readonly resolve: () => void;
  private readonly reject: (error: unknown) => void;

  constructor(sql: string, resolve: () => void, reject: (error: unknown) => void) {
    super();
    this.sql = sql;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(wire: Wire): void {
    wire.query(this.sql);
  }

  handleDataRow(): void {}

  handleReadyForQuery(): void {
    this.resolve();
  }

  handleError(error: unknown): void {
    this.reject(error);
  }
}

/** Collects rows and makes an answer of them. */
export interface Collector<T> {
  add(fields: (string | null)[]): void;
  answer(touched: number): T;
  /** Why the collector stopped the statement, if it did. */
  readonly stopReason?: unknown;
}

/** The bare values. */
export class ValueCollector implements Collector<TextRow[]> {
  private readonly rows: TextRow[] = [];

  add(fields: (string | null)[]): void {
    this.rows.push(fields);
  }

  answer(): TextRow[] {
    return this.rows;
  }
}

/** Characters of JSON text a batch should have. */
export const batchLength = 64 * 1024;
/** Rows of the first batch: how wide they are is not known yet. */
const firstBatchRows = 50;
const maxBatchRows = 1000;

/** Runs batch by batch: the rest waits in the database. */
export class Stream extends Statement implements BatchReader {
  private readonly sql: string;
  private readonly parameters: readonly unknown[];
  private readonly write: Plan['write'];
  private wire: Wire | undefined;
  private rows = firstBatchRows;
  private json = '';
  private count = 0;
  private state: 'running' | 'waiting' | 'ended' = 'running';
  private error: { cause: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(sql: string, parameters: readonly unknown[], write: Plan['write']) {
    super();
    this.sql = sql;
    this.parameters = parameters;
    this.write = write;
  }

  submit(wire: Wire): void {
    this.wire = wire;
    const speaker = wire as unknown as Speaker;
    speaker.stream.cork();
    beginStatement(speaker, this.sql, this.parameters, undefined);
    speaker.execute({ rows: this.rows });
    wire.flush();
    speaker.stream.uncork();
  }

  async next(): Promise<Answer | undefined> {
    if (this.state === 'waiting') {
      this.state = 'running';
      (this.wire as unknown as Speaker).execute({ rows: this.rows });
      this.wire?.flush();
    }
    await this.whileRunning();
    if (this.error) throw this.error.cause;
    if (this.count === 0) return undefined;
    const answer = { count: this.count, json: `${this.json}]` };
    this.rows = Math.max(1, Math.min(maxBatchRows, Math.round((this.count * batchLength) / this.json.length)));
    this.json = '';
    this.count = 0;
    return answer;
  }

  async close(): Promise<void> {
    await this.whileRunning();
    if (this.state === 'ended') return;
    (this.wire as unknown as Speaker).close({ type: 'P', name: '' });
    this.wire?.sync();
    this.state = 'running';
    await this.whileRunning();
  }

  /** Waits until the database has done what it was asked for. */
  private async whileRunning(): Promise<void> {
    if (this.state !== 'running') return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  private setState(state: 'waiting' | 'ended'): void {
    this.state = state;
    this.wake?.();
    this.wake = undefined;
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.json += (this.count === 0 ? '[' : ',') + this.write(fields);
    this.count += 1;
  }

  override handlePortalSuspended(): void {
    this.setState('waiting');
  }

  override handleCommandComplete(_message: { text: string }, wire: Wire): void {
    wire.sync();
  }

  handleReadyForQuery(): void {
    this.setState('ended');
  }

  handleError(error: unknown, wire: Wire): void {
    this.error = { cause: error };
    // The database waits for this before it takes anything else.
    wire.sync();
    this.setState('ended');
  }
}
