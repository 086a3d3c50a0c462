// A call's use of a pool of connections: until when it may take, whether it was stopped, what it holds.
import { type Failure, fail } from '@sluice/contract';
import type { RunOptions } from '../../query/index.ts';
import type { Placed } from '../../shares/index.ts';
import type { Connection } from './engine.ts';

export type Pooled = Pick<Connection<unknown>, 'isUsable' | 'onLost' | 'cancel' | 'end' | 'destroy'>;

/** Who uses the connections of calls whose length depends on their reader: they are shared out before. */
const readers = 'readers';

/** A call's wait for a slot. */
interface Wait {
  giveUp(failure: Failure): void;
  /** The failure when its time is over. */
  failure(): Failure;
}

/** A call's use of the pool: it may have to wait for its connection, has it for a limited time and gives it back. */
export class Lease<C extends Pooled = Pooled> implements Placed {
  place = 0;
  /** When the call is stopped, by the clock of `performance.now()`. */
  private deadline: number;
  readonly timeout: number;
  connection: C | undefined;
  /** Why the call was stopped. */
  stopReason: Failure | undefined;
  private stoppedAt = 0;
  wait: Wait | undefined;
  /** Stops watching the caller, once that has begun. */
  unwatch: (() => void) | undefined;

  /** The call holds its connection for as long as its reader takes. */
  isLong: boolean;
  /** Whose share of the connections it uses, from the beginning to the end. */
  readonly caller: string | undefined;
  hasExportSlot = false;

  private readonly options: RunOptions;

  constructor(options: RunOptions, timeout: number, isLong = false) {
    this.options = options;
    this.timeout = timeout;
    this.deadline = performance.now() + timeout;
    this.isLong = isLong;
    this.caller = isLong ? readers : options.caller;
  }

  /** Whose share of the calls that hold one for long. */
  get exportCaller(): string | undefined {
    return this.options.caller;
  }

  /** Watches whether the caller goes away. Most calls are over before that matters, so it begins late. */
  watch(): void {
    if (this.unwatch) return;
    const { signal } = this.options;
    if (!signal) {
      this.unwatch = () => {};
      return;
    }
    const onAbort = () => this.stop(fail('database.cancelled'), performance.now());
    signal.addEventListener('abort', onAbort);
    this.unwatch = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  }

  /** Restarts the database's time, for the next part of the answer. */
  renew(): void {
    this.deadline = performance.now() + this.timeout;
  }

  /** Stops the clock: what takes time now is not the database. */
  pause(): void {
    this.deadline = Number.POSITIVE_INFINITY;
  }

  stop(failure: Failure, now: number): void {
    if (this.stopReason) return;
    this.stopReason = failure;
    this.stoppedAt = now;
    if (this.connection) this.connection.cancel();
    else this.wait?.giveUp(failure);
  }

  private timeoutFailure(): Failure {
    if (!this.connection && this.wait) return this.wait.failure();
    return fail('database.timeout', { seconds: this.timeout / 1000 });
  }

  /** Stops the call when its time is over; `grace` is what a stopped call has to end by itself. */
  check(now: number, grace: number): void {
    this.watch();
    if (this.stopReason) {
      if (now <= this.stoppedAt + grace) return;
      // The first request may have come before there was anything to stop; without its connection a query still runs on.
      this.stoppedAt = Number.POSITIVE_INFINITY;
      this.connection?.cancel();
      this.connection?.destroy();
    } else if (now > this.deadline) this.stop(this.timeoutFailure(), now);
  }
}
