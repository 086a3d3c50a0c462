// Connections with limits: so many at once, so many calls that wait for one, so long for each. The path of a call that
// finds an idle connection has no timer and no listener of its own: one sweep looks after all of them. Whose turn it is
// FairSlots says.
import { Failure, fail } from '@sluice/contract';
import type { DatabaseLoad, RunOptions } from '../../query/index.ts';
import { Bag, type FairSlots, type SlotCaller } from '../../shares/index.ts';
import { exportSlots, querySlots } from '../database-slots.ts';
import { Lease, type Pooled } from './lease.ts';

export interface PoolOptions<C> {
  connect(): Promise<C>;
  /** How many connections may be open at once. */
  max: number;
  /** Milliseconds of a call without a time limit of its own. */
  timeout: number;
  /** Milliseconds a stopped call may take to end before its connection is cut off; 2,000 when absent. */
  grace?: number;
}

/** Share of the connections that calls whose length depends on their reader never get. */
const shareForShort = 1 / 4;
/** Milliseconds between two sweeps over calls and connections. */
const sweepMs = 200;
/** Milliseconds a connection may be idle. */
const maxIdleMs = 60_000;
/** Milliseconds until the pool grows again after a connection was refused while others are open. */
const retryGrowMs = 1000;

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

export class Pool<C extends Pooled> {
  private readonly options: PoolOptions<C>;
  private readonly open = new Set<C>();
  /** The one used last is at the end and is used next: those at the beginning grow old. */
  private readonly idle: { connection: C; since: number }[] = [];
  private readonly leases = new Bag<Lease<C>>();
  /** Calls that have a connection, and those that wait for one. */
  private readonly queries: FairSlots<Waiter<C>>;
  /** Calls that hold, or are about to hold, a connection for long. */
  private readonly exports: FairSlots<Waiter<void>>;
  private opening = 0;
  private growAfter = 0;
  private sweeper: NodeJS.Timeout | undefined;
  private isClosed = false;
  private onEmpty: (() => void) | undefined;

  constructor(options: PoolOptions<C>) {
    this.options = options;
    this.queries = querySlots(options.max);
    this.exports = exportSlots(Math.max(1, options.max - Math.ceil(options.max * shareForShort)));
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
   * Takes a connection; `release` must give it back. Rejects with `database.cancelled`, with the failures of
   * database-slots.ts, and with those of `connect`.
   */
  async take(options: RunOptions, isLong = false): Promise<Lease<C>> {
    if (this.isClosed) throw closedFailure();
    const lease = new Lease<C>(options, options.timeout ?? this.options.timeout, isLong);
    this.leases.add(lease);
    this.sweeper ??= setInterval(() => this.sweep(), sweepMs).unref();
    if (isLong) await this.takeExportSlot(lease);
    if (!lease.stopReason && this.queries.isFreeFor(lease.caller)) lease.connection = this.takeIdle();
    if (lease.connection) {
      this.queries.take(lease.caller);
      return lease;
    }
    try {
      if (lease.stopReason) throw lease.stopReason;
      const waiting = this.waitFor(this.queries, lease, lease.caller);
      this.grow();
      lease.connection = await waiting;
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
    if (lease.connection) {
      this.queries.release(lease.caller);
      this.giveBack(lease.connection);
    }
    if (!lease.hasExportSlot) return;
    this.exports.release(lease.exportCaller);
    for (let next = this.exports.next(); next; next = this.exports.next()) next.resolve();
  }

  /** Lets a call keep its connection for as long as its reader takes, if one can be spared for that. */
  lengthen(lease: Lease<C>): boolean {
    if (lease.isLong || !this.exports.take(lease.exportCaller)) return false;
    lease.isLong = true;
    lease.hasExportSlot = true;
    lease.watch();
    return true;
  }

  /** Drops idle connections: where one is lost the others may be gone too. */
  dropIdle(): void {
    for (const { connection } of this.idle.splice(0)) this.drop(connection);
  }

  load(): DatabaseLoad {
    return {
      open: this.open.size,
      busy: this.open.size - this.idle.length,
      waiting: this.queries.waiting + this.exports.waiting,
    };
  }

  /** Takes no more calls, waits for those that run, stops those whose end is up to their readers, closes all connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const waiter of [...this.queries.drain(), ...this.exports.drain()]) waiter.reject(closedFailure());
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

  private async takeExportSlot(lease: Lease<C>): Promise<void> {
    // Before it has a connection: what does not run yet cannot be stopped there.
    lease.watch();
    try {
      if (lease.stopReason) throw lease.stopReason;
      if (!this.exports.take(lease.exportCaller)) await this.waitFor(this.exports, lease, lease.exportCaller);
      lease.hasExportSlot = true;
    } catch (error) {
      this.release(lease);
      throw error;
    }
  }

  private waitFor<T>(slots: FairSlots<Waiter<T>>, lease: Lease<C>, caller: SlotCaller): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiter: Waiter<T> = {
        resolve(value) {
          // By its wait the call could be reached from a lease that is over, and would live with it.
          lease.wait = undefined;
          resolve(value);
        },
        reject,
      };
      slots.enqueue(caller, waiter);
      lease.wait = {
        giveUp: (failure) => slots.leave(caller, waiter) && reject(failure),
        failure: () => slots.lateFailure(caller, lease.timeout),
      };
    });
  }

  /** Opens as many connections as calls wait for, up to the limit. */
  private grow(): void {
    if (this.open.size + this.opening >= this.options.max) return;
    while (
      this.opening < this.queries.waiting &&
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
    if (this.open.size === 0) for (const waiter of this.queries.drain()) waiter.reject(error);
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
      this.serve();
      this.grow();
    } else if (this.isClosed) {
      this.open.delete(connection);
      void connection.end().then(() => this.notifyIfEmpty());
    } else {
      this.idle.push({ connection, since: performance.now() });
      this.serve();
    }
  }

  /** Hands idle connections to those whose turn it is. */
  private serve(): void {
    while (this.queries.waiting > 0) {
      const connection = this.takeIdle();
      if (!connection) return;
      const waiter = this.queries.next();
      if (!waiter) {
        this.idle.push({ connection, since: performance.now() });
        return;
      }
      waiter.resolve(connection);
    }
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
    if (this.queries.waiting > 0) this.grow();
    if (this.leases.size > 0 || this.open.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

const closedFailure = () => fail('database.unreachable', { text: 'it was closed' });
