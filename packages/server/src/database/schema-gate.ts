import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '@sluice/contract';

/** Changes of one database that may wait for one that runs. */
const maxWaiting = 50;
/** Of one caller. */
const maxWaitingOfOne = 20;
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
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;
  private readonly waitingByCaller = new Map<string, number>();

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
   * Runs `work` after those before it; `who` sends it, and has a share of the places to wait. Throws `database.overloaded`, and
   * whatever `work` does.
   */
  async change<T>(work: () => Promise<T>, who: string): Promise<T> {
    const ownWaiting = this.waitingByCaller.get(who) ?? 0;
    if (this.waiting >= maxWaiting || ownWaiting >= maxWaitingOfOne) throw fail('database.overloaded');
    this.waiting += 1;
    this.waitingByCaller.set(who, ownWaiting + 1);
    const running = this.last.then(work, work);
    const last = running.then(
      () => {},
      () => {},
    );
    this.last = last;
    try {
      return await running;
    } finally {
      this.waiting -= 1;
      const left = (this.waitingByCaller.get(who) ?? 1) - 1;
      if (left > 0) this.waitingByCaller.set(who, left);
      else this.waitingByCaller.delete(who);
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
    if (this.waiting > 0 && (await this.holds(version))) await Promise.race([this.last, pause(maxPatience)]);
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
