import type { Answer, BatchReader } from '../network/index.ts';
import type { MysqlConnection } from './connection.ts';
import type { MysqlPlan } from './plan.ts';

const maxBatchRows = 500;
/** Characters of a batch's text. */
const maxBatchLength = 64 * 1024;

/**
 * Rows of a statement as they come. While nobody takes them the socket is not read, so that the server waits; it knows
 * cursors too, but the driver does not fetch from them.
 */
export class MysqlBatches implements BatchReader {
  private readonly connection: MysqlConnection;
  private readonly plan: MysqlPlan;
  private readonly parameters: readonly unknown[];
  private state: 'new' | 'reading' | 'ended' = 'new';
  private problem: unknown;
  private text = '';
  private count = 0;
  private readyBatches: Answer[] = [];
  private wake: (() => void) | undefined;

  constructor(connection: MysqlConnection, plan: MysqlPlan, parameters: readonly unknown[]) {
    this.connection = connection;
    this.plan = plan;
    this.parameters = parameters;
  }

  async next(): Promise<Answer | undefined> {
    if (this.state === 'new') await this.begin();
    if (this.readyBatches.length === 0 && this.state === 'reading') {
      const nextBatch = new Promise<void>((resolve) => (this.wake = resolve));
      this.connection.resume();
      await nextBatch;
    }
    const batch = this.readyBatches.shift();
    if (batch) return batch;
    if (this.problem !== undefined) throw this.problem;
    return undefined;
  }

  async close(): Promise<void> {
    if (this.state === 'ended') return this.connection.setTimeLimit();
    if (this.state === 'new') return;
    // What is on its way cannot be told from what comes later: the connection goes, and the statement with it.
    this.state = 'ended';
    this.connection.cancel();
    this.connection.destroy();
  }

  private async begin(): Promise<void> {
    await this.connection.liftTimeLimit();
    this.state = 'reading';
    this.connection.execute(this.plan, this.parameters, {
      row: (values) => this.addRow(this.plan.write(values)),
      outcome: () => {},
      end: () => this.finish(undefined),
      fail: (error) => this.finish(error),
    });
  }

  private addRow(row: string): void {
    this.text += (this.count === 0 ? '[' : ',') + row;
    this.count += 1;
    if (this.count < maxBatchRows && this.text.length < maxBatchLength) return;
    this.flush();
    this.connection.pause();
  }

  private flush(): void {
    if (this.count > 0) this.readyBatches.push({ count: this.count, json: `${this.text}]` });
    this.text = '';
    this.count = 0;
    this.wake?.();
    this.wake = undefined;
  }

  private finish(problem: unknown): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.problem = problem;
    this.flush();
  }
}
