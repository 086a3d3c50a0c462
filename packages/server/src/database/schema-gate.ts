import { setTimeout as sleep } from 'node:timers/promises';
import { acquireSlot, changeSlots } from '@sluice/sql';

/** Milliseconds a call waits for a change whose first steps it has met. */
const maxPatience = 2000;

/**
 * Lets the changes of a database's schema pass one after the other, and tells calls on its records whether one came in
 * between: what they read may then be half of the old description and half of the new one.
 */
export class SchemaGate {
  private lastVersion = 0;
  private readonly onRaise: () => void;
  /** Those that are becoming visible. */
  private commits = 0;
  private settling: Promise<void> | undefined;
  private settle = () => {};
  private readonly slots = changeSlots();
  /** The end of the change that runs. */
  private running: Promise<void> | undefined;

  /** `onRaise` is called with each change of the version. */
  constructor(onRaise: () => void = () => {}) {
    this.onRaise = onRaise;
  }

  /** How often the schema was changed, as far as this process knows. */
  get version(): number {
    return this.lastVersion;
  }

  /** From here on the schema is another one. */
  raise(): void {
    this.lastVersion += 1;
    this.onRaise();
  }

  /**
   * Queues `work`, callers by round robin; `caller` has a share of the queue. Nothing runs
   * when `signal` aborts before. Throws what `acquireSlot` and `work` do.
   */
  async change<T>(work: () => Promise<T>, caller: string, signal?: AbortSignal): Promise<T> {
    const release = await acquireSlot(this.slots, caller, { signal });
    let end = () => {};
    this.running = new Promise((resolve) => {
      end = resolve;
    });
    try {
      return await work();
    } finally {
      this.running = undefined;
      end();
      release();
    }
  }

  /** From here on the change may become visible at any moment; calls wait for `finish` with what they have read. */
  beginCommit(): () => void {
    this.commits += 1;
    this.settling ??= new Promise((resolve) => {
      this.settle = resolve;
    });
    let isFinished = false;
    return () => {
      if (isFinished) return;
      isFinished = true;
      this.commits -= 1;
      if (this.commits > 0) return;
      this.settling = undefined;
      this.settle();
    };
  }

  /** Whether the schema is another one than that version, or becomes it soon: a change that runs is waited for. */
  async changesFrom(version: number): Promise<boolean> {
    if (this.running && (await this.holds(version))) await Promise.race([this.running, sleep(maxPatience)]);
    return !(await this.holds(version));
  }

  /** While a change is becoming visible: until it is. What begins meanwhile would meet half of it. */
  get pending(): Promise<void> | undefined {
    return this.settling;
  }

  /** Waits while a change is becoming visible; then tells whether the schema is still of that version. */
  holds(version: number): boolean | Promise<boolean> {
    return this.settling ? this.settling.then(() => this.version === version) : this.version === version;
  }
}
