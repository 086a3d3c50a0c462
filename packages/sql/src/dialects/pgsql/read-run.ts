// A statement whose rows are collected, and that goes on batch by batch when they become many: then its socket is read only
// as far as batches are asked for, and the database waits.
import type { Connection as Wire } from 'pg';
import { type Answer, type BatchReader, JsonCollector, type Reading } from '../network/index.ts';
import type { Plan } from './driver.ts';
import { batchLength, beginStatement, type Preparation, type Speaker, Statement } from './statement.ts';

interface Parts {
  plan: Plan;
  parameters: readonly unknown[];
  preparation: Preparation | undefined;
  reading: Reading;
  /** Stops the statement in the database. */
  cancel(): void;
  /** Cuts the connection off. */
  destroy(): void;
  resolve(answer: Answer & { rest?: BatchReader }): void;
  reject(error: unknown): void;
}

export class ReadRun extends Statement implements BatchReader {
  private readonly parts: Parts;
  private readonly rows: JsonCollector<(string | null)[]>;
  private wire: Wire | undefined;
  private state: 'collecting' | 'collecting all' | 'going on' | 'ended' = 'collecting';
  private batch = '';
  private batchCount = 0;
  private error: { cause: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(parts: Parts) {
    super();
    this.parts = parts;
    const { plan, reading } = parts;
    this.rows = new JsonCollector(plan.write, reading.limit, () => parts.cancel(), reading.options);
  }

  submit(wire: Wire): void {
    this.wire = wire;
    const { plan, parameters, preparation } = this.parts;
    const speaker = wire as unknown as Speaker;
    speaker.stream.cork();
    beginStatement(speaker, plan.sql, parameters, preparation);
    speaker.execute({});
    wire.sync();
    speaker.stream.uncork();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.state === 'going on') {
      this.batch += (this.batchCount === 0 ? '[' : ',') + this.parts.plan.write(fields);
      this.batchCount += 1;
      if (this.batch.length < batchLength) return;
      // Nothing more is read until it is asked for.
      this.socket.pause();
      this.wakeReader();
      return;
    }
    this.rows.add(fields);
    if (this.state === 'collecting' && this.rows.json.length > this.parts.reading.whole) this.goOn();
  }

  private goOn(): void {
    if (!this.parts.reading.mayGoOn()) {
      this.state = 'collecting all';
      return;
    }
    this.state = 'going on';
    this.parts.resolve({ ...this.rows.answer(0), rest: this });
    this.rows.json = '';
    this.socket.pause();
  }

  private wakeReader(): void {
    this.wake?.();
    this.wake = undefined;
  }

  private get socket(): { pause(): void; resume(): void } {
    return (this.wire as unknown as { stream: { pause(): void; resume(): void } }).stream;
  }

  async next(): Promise<Answer | undefined> {
    if (this.state === 'going on' && this.batch.length < batchLength) {
      const isReady = new Promise<void>((resolve) => (this.wake = resolve));
      this.socket.resume();
      await isReady;
    }
    if (this.batchCount > 0) {
      const answer = { count: this.batchCount, json: `${this.batch}]` };
      this.batch = '';
      this.batchCount = 0;
      return answer;
    }
    if (this.error) throw this.error.cause;
    return undefined;
  }

  /** What is on its way cannot be told from what comes later: the connection goes, and the statement with it. */
  async close(): Promise<void> {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.parts.cancel();
    this.parts.destroy();
  }

  handleReadyForQuery(): void {
    this.finish(undefined);
  }

  handleError(error: unknown): void {
    this.finish({ cause: error });
  }

  private finish(error: { cause: unknown } | undefined): void {
    const isGoingOn = this.state === 'going on';
    this.state = 'ended';
    const { stopReason } = this.rows;
    if (isGoingOn) {
      this.error = error;
      this.socket.resume();
      this.wakeReader();
    } else if (stopReason || error) this.parts.reject(stopReason ?? error?.cause);
    else this.parts.resolve(this.rows.answer(0));
  }
}
