// Connections with limits: so many at once, so many calls that wait for one, so long for each. The path of a call that
// finds an idle connection has no timer and no listener of its own: one sweep looks after all of them.
import { Failure, fail } from '@sluice/contract';
import type { DatabaseLoad, RunOptions } from '../../query/index.ts';
import type { Connection } from './engine.ts';

type Pooled = Pick<Connection<unknown>, 'isUsable' | 'onLost' | 'cancel' | 'end' | 'destroy'>;

export interface PoolOptions<C> {
  connect(): Promise<C>;
  /** How many connections may be open at once. */
  max: number;
  /** Milliseconds of a call without a time limit of its own. */
  timeout: number;
  /** Milliseconds a stopped call may take to end before its connection is cut off; 2,000 when absent. */
  grace?: number;
}

/** Calls that may wait for a connection. */
const maxWaiting = 1000;
/** Share of the connections that calls whose length depends on their reader never get. */
const shareForShort = 1 / 4;
/** Milliseconds between two sweeps over calls and connections. */
const sweepMs = 200;
/** Milliseconds a connection may be idle. */
const maxIdleMs = 60_000;
/** Milliseconds until the pool grows again after a connection was refused while others are open. */
const retryGrowMs = 1000;

/** A call's use of the pool: it may have to wait for its connection, has it for a limited time and gives it back. */
export class Lease<C extends Pooled = Pooled> {
  /** When the call is stopped, by the clock of `performance.now()`. */
  private deadline: number;
  readonly timeout: number;
  connection: C | undefined;
  /** Why the call was stopped. */
  stopReason: Failure | undefined;
  private stoppedAt = 0;
  /** Ends the wait for a connection. */
  giveUp: ((failure: Failure) => void) | undefined;
  /** Stops watching the caller, once that has begun. */
  unwatch: (() => void) | undefined;

  /** The call holds its connection for as long as its reader takes. */
  isLong: boolean;

  private readonly options: RunOptions;

  constructor(options: RunOptions, timeout: number, isLong = false) {
    this.options = options;
    this.timeout = timeout;
    this.deadline = performance.now() + timeout;
    this.isLong = isLong;
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
    else this.giveUp?.(failure);
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
    } else if (now > this.deadline) this.stop(fail('database.timeout', { seconds: this.timeout / 1000 }), now);
  }
}

interface Waiter<C> {
  isLong: boolean;
  resolve(connection: C): void;
  reject(error: unknown): void;
}

export class Pool<C extends Pooled> {
  private readonly options: PoolOptions<C>;
  private readonly open = new Set<C>();
  /** The one used last is at the end and is used next: those at the beginning grow old. */
  private readonly idle: { connection: C; since: number }[] = [];
  private readonly leases = new Set<Lease<C>>();
  private waiters: Waiter<C>[] = [];
  /** Calls that hold, or were promised, a connection for long. */
  private longLeases = 0;
  private readonly maxLong: number;
  private opening = 0;
  private growAfter = 0;
  private sweeper: NodeJS.Timeout | undefined;
  private isClosed = false;
  private onEmpty: (() => void) | undefined;

  constructor(options: PoolOptions<C>) {
    this.options = options;
    this.maxLong = Math.max(1, options.max - Math.ceil(options.max * shareForShort));
  }

  /**
   * Runs `work` with a connection of its own. Rejects with what `take` and `work` do: a `Failure` stands, any other error
   * of a call that was stopped gives way to the reason it was stopped for.
   */
  async use<T>(options: RunOptions, work: (connection: C) => Promise<T>): Promise<T> {
    const lease = await this.take(options);
    try {
      return await work(lease.connection as C);
    } catch (error) {
      throw error instanceof Failure ? error : (lease.stopReason ?? error);
    } finally {
      this.release(lease);
    }
  }

  /**
   * Takes a connection; `release` must give it back. Rejects with `database.timeout`, `database.cancelled`,
   * `database.overloaded` and with what `connect` rejects with.
   */
  async take(options: RunOptions, isLong = false): Promise<Lease<C>> {
    if (this.isClosed) throw closedFailure();
    const lease = new Lease<C>(options, options.timeout ?? this.options.timeout, isLong);
    this.leases.add(lease);
    this.sweeper ??= setInterval(() => this.sweep(), sweepMs).unref();
    // Before it has a connection: what does not run yet cannot be stopped there.
    if (isLong) lease.watch();
    if (!lease.stopReason && (!isLong || this.longLeases < this.maxLong)) lease.connection = this.takeIdle();
    if (!lease.connection) lease.watch();
    if (lease.connection) {
      if (isLong) this.longLeases += 1;
      return lease;
    }
    try {
      if (lease.stopReason) throw lease.stopReason;
      lease.connection = await this.waitForConnection(lease);
      if (lease.stopReason) throw lease.stopReason;
      return lease;
    } catch (error) {
      this.release(lease);
      throw error;
    }
  }

  release(lease: Lease<C>): void {
    this.leases.delete(lease);
    lease.unwatch?.();
    if (!lease.connection) return;
    if (lease.isLong) this.longLeases -= 1;
    this.giveBack(lease.connection);
  }

  /** Lets a call keep its connection for as long as its reader takes, if one can be spared for that. */
  lengthen(lease: Lease<C>): boolean {
    if (lease.isLong || this.longLeases >= this.maxLong) return false;
    lease.isLong = true;
    this.longLeases += 1;
    lease.watch();
    return true;
  }

  /** Drops idle connections: where one is lost the others may be gone too. */
  dropIdle(): void {
    for (const { connection } of this.idle.splice(0)) this.drop(connection);
  }

  load(): DatabaseLoad {
    return { open: this.open.size, busy: this.open.size - this.idle.length, waiting: this.waiters.length };
  }

  /** Takes no more calls, waits for those that run, stops those whose end is up to their readers, closes all connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const waiter of this.waiters.splice(0)) waiter.reject(closedFailure());
    for (const lease of this.leases) if (lease.isLong) lease.stop(closedFailure(), performance.now());
    const ended = this.idle.splice(0).map(({ connection }) => {
      this.open.delete(connection);
      return connection.end();
    });
    await Promise.all(ended);
    if (this.open.size > 0 || this.opening > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve));
    clearInterval(this.sweeper);
  }

  private takeIdle(): C | undefined {
    for (let entry = this.idle.pop(); entry; entry = this.idle.pop()) {
      if (entry.connection.isUsable) return entry.connection;
      this.drop(entry.connection);
    }
    return undefined;
  }

  private waitForConnection(lease: Lease<C>): Promise<C> {
    if (this.waiters.length >= maxWaiting) throw fail('database.overloaded');
    return new Promise<C>((resolve, reject) => {
      const waiter = { isLong: lease.isLong, resolve, reject };
      lease.giveUp = (failure) => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(failure);
      };
      this.waiters.push(waiter);
      this.grow();
    });
  }

  /** Opens as many connections as calls wait for, up to the limit. */
  private grow(): void {
    if (this.open.size + this.opening >= this.options.max) return;
    const neededConnections = this.waiters.filter((waiter) => this.mayServe(waiter)).length;
    while (
      this.opening < neededConnections &&
      this.open.size + this.opening < this.options.max &&
      (this.open.size === 0 || performance.now() >= this.growAfter)
    ) {
      this.opening += 1;
      this.options.connect().then(
        (connection) => this.addConnection(connection),
        (error: unknown) => this.handleConnectFailure(error),
      );
    }
  }

  private addConnection(connection: C): void {
    if (!connection.isUsable) {
      // A statement of the configuration left a transaction open, or the server hung up at once: no next one would differ.
      connection.destroy();
      this.handleConnectFailure(
        fail('database.unreachable', { text: 'a connection was no use as soon as it was open' }),
      );
      return;
    }
    this.opening -= 1;
    this.open.add(connection);
    connection.onLost = () => this.removeConnection(connection);
    this.giveBack(connection);
  }

  /** Where no connection is open nobody waits for one; otherwise those who wait get one that is given back. */
  private handleConnectFailure(error: unknown): void {
    this.opening -= 1;
    this.growAfter = performance.now() + retryGrowMs;
    if (this.open.size === 0) for (const waiter of this.waiters.splice(0)) waiter.reject(error);
    this.notifyIfEmpty();
  }

  private removeConnection(connection: C): void {
    this.open.delete(connection);
    const index = this.idle.findIndex((entry) => entry.connection === connection);
    if (index >= 0) this.idle.splice(index, 1);
    this.notifyIfEmpty();
    this.grow();
  }

  private giveBack(connection: C): void {
    if (!connection.isUsable) {
      this.drop(connection);
      this.grow();
    } else if (this.isClosed) {
      this.open.delete(connection);
      void connection.end().then(() => this.notifyIfEmpty());
    } else {
      const index = this.waiters.findIndex((waiter) => this.mayServe(waiter));
      const [waiter] = index < 0 ? [] : this.waiters.splice(index, 1);
      if (waiter?.isLong) this.longLeases += 1;
      if (waiter) waiter.resolve(connection);
      else this.idle.push({ connection, since: performance.now() });
    }
  }

  private mayServe(waiter: Waiter<C>): boolean {
    return !waiter.isLong || this.longLeases < this.maxLong;
  }

  private drop(connection: C): void {
    this.open.delete(connection);
    connection.destroy();
    this.notifyIfEmpty();
  }

  private notifyIfEmpty(): void {
    if (this.open.size === 0 && this.opening === 0) this.onEmpty?.();
  }

  private sweep(): void {
    const now = performance.now();
    for (const lease of this.leases) lease.check(now, this.options.grace ?? 2000);
    while (this.idle[0] && now > this.idle[0].since + maxIdleMs) {
      const [oldest] = this.idle.splice(0, 1);
      if (!oldest) break;
      this.open.delete(oldest.connection);
      void oldest.connection.end();
    }
    if (this.waiters.length > 0) this.grow();
    if (this.leases.size > 0 || this.open.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

const closedFailure = () => fail('database.unreachable', { text: 'it was closed' });
