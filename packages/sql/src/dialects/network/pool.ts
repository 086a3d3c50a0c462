// Connections with limits: so many at once, so many calls that wait for one, so long for each. The path of a call that
// finds an idle connection has no timer and no listener of its own: one sweep looks after all of them.
import { Failure, fail } from '@sluice/contract';
import type { DatabaseLoad, RunOptions } from '../../query/index.ts';
import type { Connection } from './engine.ts';

type Pooled = Pick<Connection<unknown>, 'isUsable' | 'onLost' | 'cancel' | 'end' | 'destroy'>;

export interface PoolOptions<C> {
  connect(): Promise<C>;
  /** Most connections at once. */
  max: number;
  /** Milliseconds of a call without a time limit of its own. */
  timeout: number;
  /** Milliseconds a stopped call may take to end before its connection is cut off; 2,000 when absent. */
  grace?: number;
}

/** Calls that may wait for a connection. */
const longestQueue = 1000;
/** Part of the connections that is never given to calls whose length their readers decide. */
const keptForShort = 1 / 4;
/** Milliseconds between two looks at calls and connections. */
const sweepEvery = 200;
/** Milliseconds a connection may be idle. */
const longestIdle = 60_000;
/** Milliseconds until more connections are tried when one was refused while others are open. */
const patience = 1000;

/** The time of a call, from its first wait to its end. */
export class Turn<C extends Pooled = Pooled> {
  /** When it is stopped, by the clock of `performance.now()`. */
  private deadline: number;
  readonly timeout: number;
  connection: C | undefined;
  /** Why it was stopped. */
  stopped: Failure | undefined;
  private stoppedAt = 0;
  /** Ends its waiting for a connection. */
  giveUp: ((failure: Failure) => void) | undefined;
  /** Ends the watching of its caller, once it has begun. */
  unwatch: (() => void) | undefined;

  /** Holds its connection for as long as its reader takes. */
  readonly isLong: boolean;

  private readonly options: RunOptions;

  constructor(options: RunOptions, timeout: number, isLong = false) {
    this.options = options;
    this.timeout = timeout;
    this.deadline = performance.now() + timeout;
    this.isLong = isLong;
  }

  /** Most calls are over before anyone need ask whether their caller is still there. */
  watch(): void {
    if (this.unwatch) return;
    const { signal } = this.options;
    if (!signal) {
      this.unwatch = () => {};
      return;
    }
    const leave = () => this.stop(fail('database.cancelled'), performance.now());
    signal.addEventListener('abort', leave);
    this.unwatch = () => signal.removeEventListener('abort', leave);
    if (signal.aborted) leave();
  }

  /** The database's time begins anew, for the next part of the answer. */
  renew(): void {
    this.deadline = performance.now() + this.timeout;
  }

  /** It is not the database that takes its time now. */
  pause(): void {
    this.deadline = Number.POSITIVE_INFINITY;
  }

  stop(failure: Failure, now: number): void {
    if (this.stopped) return;
    this.stopped = failure;
    this.stoppedAt = now;
    if (this.connection) this.connection.cancel();
    else this.giveUp?.(failure);
  }

  /** `grace` is what it has to end by itself once it was stopped. */
  look(now: number, grace: number): void {
    this.watch();
    if (this.stopped) {
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
  /** The one used last is at the end, and used next: those at the beginning grow old. */
  private readonly idle: { connection: C; since: number }[] = [];
  private readonly turns = new Set<Turn<C>>();
  private waiters: Waiter<C>[] = [];
  /** Calls that hold, or were promised, a connection for long. */
  private long = 0;
  private readonly mostLong: number;
  private opening = 0;
  private growAfter = 0;
  private sweeper: NodeJS.Timeout | undefined;
  private isClosed = false;
  private emptied: (() => void) | undefined;

  constructor(options: PoolOptions<C>) {
    this.options = options;
    this.mostLong = Math.max(1, options.max - Math.ceil(options.max * keptForShort));
  }

  /**
   * Runs `work` with a connection of its own. Rejects with what `take` and `work` do: a `Failure` stands, any other error
   * of a call that was stopped gives way to the reason it was stopped for.
   */
  async use<T>(options: RunOptions, work: (connection: C) => Promise<T>): Promise<T> {
    const turn = await this.take(options);
    try {
      return await work(turn.connection as C);
    } catch (error) {
      throw error instanceof Failure ? error : (turn.stopped ?? error);
    } finally {
      this.done(turn);
    }
  }

  /**
   * Takes a connection; it must be given back by `done`. Rejects with `database.timeout`, `database.cancelled`,
   * `database.overloaded` and with what `connect` rejects with.
   */
  async take(options: RunOptions, isLong = false): Promise<Turn<C>> {
    if (this.isClosed) throw closed();
    const turn = new Turn<C>(options, options.timeout ?? this.options.timeout, isLong);
    this.turns.add(turn);
    this.sweeper ??= setInterval(() => this.sweep(), sweepEvery).unref();
    // Before it has a connection: what does not run yet can not be stopped there.
    if (isLong) turn.watch();
    if (!turn.stopped && (!isLong || this.long < this.mostLong)) turn.connection = this.takeIdle();
    if (!turn.connection) turn.watch();
    if (turn.connection) {
      if (isLong) this.long += 1;
      return turn;
    }
    try {
      if (turn.stopped) throw turn.stopped;
      turn.connection = await this.wait(turn);
      if (turn.stopped) throw turn.stopped;
      return turn;
    } catch (error) {
      this.done(turn);
      throw error;
    }
  }

  done(turn: Turn<C>): void {
    this.turns.delete(turn);
    turn.unwatch?.();
    if (!turn.connection) return;
    if (turn.isLong) this.long -= 1;
    this.giveBack(turn.connection);
  }

  /** Lets go of idle connections: a lost one tells that the others may be gone too. */
  dropIdle(): void {
    for (const { connection } of this.idle.splice(0)) this.drop(connection);
  }

  load(): DatabaseLoad {
    return { open: this.open.size, busy: this.open.size - this.idle.length, waiting: this.waiters.length };
  }

  /** Takes no more calls, lets those that run end but for those whose end is up to their readers, and closes all connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const waiter of this.waiters.splice(0)) waiter.reject(closed());
    for (const turn of this.turns) if (turn.isLong) turn.stop(closed(), performance.now());
    const ended = this.idle.splice(0).map(({ connection }) => {
      this.open.delete(connection);
      return connection.end();
    });
    await Promise.all(ended);
    if (this.open.size > 0 || this.opening > 0) await new Promise<void>((resolve) => (this.emptied = resolve));
    clearInterval(this.sweeper);
  }

  private takeIdle(): C | undefined {
    for (let next = this.idle.pop(); next; next = this.idle.pop()) {
      if (next.connection.isUsable) return next.connection;
      this.drop(next.connection);
    }
    return undefined;
  }

  private wait(turn: Turn<C>): Promise<C> {
    if (this.waiters.length >= longestQueue) throw fail('database.overloaded');
    return new Promise<C>((resolve, reject) => {
      const waiter = { isLong: turn.isLong, resolve, reject };
      turn.giveUp = (failure) => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(failure);
      };
      this.waiters.push(waiter);
      this.grow();
    });
  }

  /** Opens as many connections as calls wait for, as far as the limit lets it. */
  private grow(): void {
    if (this.open.size + this.opening >= this.options.max) return;
    const wanted = this.waiters.filter((waiter) => this.mayHave(waiter)).length;
    while (
      this.opening < wanted &&
      this.open.size + this.opening < this.options.max &&
      (this.open.size === 0 || performance.now() >= this.growAfter)
    ) {
      this.opening += 1;
      this.options.connect().then(
        (connection) => this.opened(connection),
        (error: unknown) => this.notOpened(error),
      );
    }
  }

  private opened(connection: C): void {
    if (!connection.isUsable) {
      // A statement of the configuration left a transaction open, or the server hung up at once: no next one would differ.
      connection.destroy();
      this.notOpened(fail('database.unreachable', { text: 'a connection was no use as soon as it was open' }));
      return;
    }
    this.opening -= 1;
    this.open.add(connection);
    connection.onLost = () => this.lost(connection);
    this.giveBack(connection);
  }

  /** Nobody waits for what can not be reached; where other connections are open, their turn will come. */
  private notOpened(error: unknown): void {
    this.opening -= 1;
    this.growAfter = performance.now() + patience;
    if (this.open.size === 0) for (const waiter of this.waiters.splice(0)) waiter.reject(error);
    this.tellEmptied();
  }

  private lost(connection: C): void {
    this.open.delete(connection);
    const at = this.idle.findIndex((entry) => entry.connection === connection);
    if (at >= 0) this.idle.splice(at, 1);
    this.tellEmptied();
    this.grow();
  }

  private giveBack(connection: C): void {
    if (!connection.isUsable) {
      this.drop(connection);
      this.grow();
    } else if (this.isClosed) {
      this.open.delete(connection);
      void connection.end().then(() => this.tellEmptied());
    } else {
      const next = this.waiters.findIndex((waiter) => this.mayHave(waiter));
      const [waiter] = next < 0 ? [] : this.waiters.splice(next, 1);
      if (waiter?.isLong) this.long += 1;
      if (waiter) waiter.resolve(connection);
      else this.idle.push({ connection, since: performance.now() });
    }
  }

  private mayHave(waiter: Waiter<C>): boolean {
    return !waiter.isLong || this.long < this.mostLong;
  }

  private drop(connection: C): void {
    this.open.delete(connection);
    connection.destroy();
    this.tellEmptied();
  }

  private tellEmptied(): void {
    if (this.open.size === 0 && this.opening === 0) this.emptied?.();
  }

  private sweep(): void {
    const now = performance.now();
    for (const turn of this.turns) turn.look(now, this.options.grace ?? 2000);
    while (this.idle[0] && now > this.idle[0].since + longestIdle) {
      const [old] = this.idle.splice(0, 1);
      if (!old) break;
      this.open.delete(old.connection);
      void old.connection.end();
    }
    if (this.waiters.length > 0) this.grow();
    if (this.turns.size > 0 || this.open.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

const closed = () => fail('database.unreachable', { text: 'it was closed' });
