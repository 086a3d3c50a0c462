import { fail } from '@sluice/contract';
import type { RunOptions } from '../../query/index.ts';
import type { Answer } from './engine.ts';

/** Characters of an answer that come into memory between two looks at how many they are. */
const growthStep = 64 * 1024;

/** Collects rows as JSON text of no more than `limit` characters; beyond them, or when `options.onText` throws, it stops. */
export class JsonCollector<V> {
  json = '';
  count = 0;
  /** Why the collector stopped, if it did. */
  stopReason: unknown;
  private readonly write: (values: V) => string;
  private readonly limit: number;
  private readonly stop: () => void;
  private readonly options: Pick<RunOptions, 'onText'> | undefined;
  private reported = 0;
  private nextLook: number;

  /** `stop` is called once, when `stopReason` is set. */
  constructor(write: (values: V) => string, limit: number, stop: () => void, options?: Pick<RunOptions, 'onText'>) {
    this.write = write;
    this.limit = limit;
    this.stop = stop;
    this.options = options;
    this.nextLook = Math.min(growthStep, limit);
  }

  add(values: V): void {
    if (this.stopReason) return;
    this.json += (this.count === 0 ? '[' : ',') + this.write(values);
    this.count += 1;
    if (this.json.length > this.nextLook) this.handleGrowth();
  }

  /** What was collected; without rows, how many the statement touched. */
  answer(touched: number): Answer {
    return this.count === 0 ? { count: touched, json: '[]' } : { count: this.count, json: `${this.json}]` };
  }

  private handleGrowth(): void {
    const { length } = this.json;
    try {
      if (length > this.limit) throw fail('database.tooLarge', { limit: this.limit });
      this.options?.onText?.(length - this.reported);
      this.reported = length;
      this.nextLook = Math.min(length + growthStep, this.limit);
    } catch (error) {
      this.stopReason = error;
      this.json = '';
      this.stop();
    }
  }
}
