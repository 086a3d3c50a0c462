// What bodies hold of memory while they are received, wait to be parsed and are parsed: bounded for the process and for one
// caller (docs/operations.md, "Bounds of a body"). Small bodies are not counted: connections are bounded.
import { type Failure, fail } from '@sluice/contract';
import { Bag, type Placed } from '@sluice/sql';

/** Bytes up to which a body is not counted. */
export const smallBody = 32 * 1024;

export interface BodyBounds {
  /** Bytes of one caller, where one body may not be larger; the process has twice as many, so that nobody takes them all. */
  share: number;
  /** When there is no room: a body below this rate, in bytes a second since it began, has to go for another one. */
  slowRate: number;
  /** Milliseconds before a body can be called slow. */
  patience: number;
}

const defaultBounds: BodyBounds = { share: 32 * 1024 * 1024, slowRate: 64 * 1024, patience: 5_000 };

/** The bodies of a process. */
export class BodyMemory {
  private readonly bounds: BodyBounds;
  private readonly heldByCaller = new Map<string, number>();
  private heldByAll = 0;
  /** Bodies that are still coming. */
  private readonly receiving = new Bag<BodyHold>();

  constructor(bounds = defaultBounds) {
    this.bounds = bounds;
  }

  /** A body of `caller`; a single one of `bodyLimit` bytes always fits. */
  hold(caller: string, bodyLimit: number): BodyHold {
    return new BodyHold(this, caller, Math.max(this.bounds.share, bodyLimit));
  }

  /** Room for more bytes of a body; calls `refuse`, now or later, when there is none for them. */
  add(hold: BodyHold, bytes: number, refuse: (failure: Failure) => void): void {
    const { caller, share } = hold;
    if (!hold.refuse) this.receiving.add(hold);
    hold.refuse = refuse;
    const held = this.heldByCaller.get(caller) ?? 0;
    if (held + bytes > share) refuse(fail('http.tooManyOwnBodies', undefined, { retryAfter: 5 }));
    else if (this.heldByAll + bytes > 2 * share && !this.breakOffSlowest()) refuse(fail('http.tooManyBodies'));
    else {
      hold.bytes += bytes;
      this.heldByAll += bytes;
      this.heldByCaller.set(caller, (this.heldByCaller.get(caller) ?? 0) + bytes);
    }
  }

  /** All of a body has come: it is broken off no more. */
  complete(hold: BodyHold): void {
    this.receiving.delete(hold);
    hold.refuse = undefined;
  }

  release(hold: BodyHold): void {
    this.complete(hold);
    this.heldByAll -= hold.bytes;
    const rest = (this.heldByCaller.get(hold.caller) ?? 0) - hold.bytes;
    if (rest > 0) this.heldByCaller.set(hold.caller, rest);
    else this.heldByCaller.delete(hold.caller);
    hold.bytes = 0;
  }

  /** Whether there was a slow body; what it held is free now. */
  private breakOffSlowest(): boolean {
    const { patience, slowRate } = this.bounds;
    const [slowest] = [...this.receiving]
      .filter(({ age, rate }) => age > patience && rate < slowRate)
      .sort((a, b) => a.rate - b.rate);
    if (!slowest) return false;
    const { refuse } = slowest;
    this.release(slowest);
    refuse?.(fail('http.bodyTooSlow'));
    return true;
  }
}

/** The bytes of one body. `release` when they are needed no more, whatever came of it. */
export class BodyHold implements Placed {
  place = 0;
  /** Breaks it off, while it is still coming. */
  refuse: ((failure: Failure) => void) | undefined;
  private readonly memory: BodyMemory;
  readonly caller: string;
  readonly share: number;
  private readonly since = performance.now();
  bytes = 0;

  constructor(memory: BodyMemory, caller: string, share: number) {
    this.memory = memory;
    this.caller = caller;
    this.share = share;
  }

  /** Milliseconds since it began. */
  get age(): number {
    return performance.now() - this.since;
  }

  /** Bytes a second since it began. */
  get rate(): number {
    return (this.bytes * 1000) / this.age;
  }

  add(bytes: number, refuse: (failure: Failure) => void): void {
    this.memory.add(this, bytes, refuse);
  }

  complete(): void {
    this.memory.complete(this);
  }

  release(): void {
    this.memory.release(this);
  }
}

export const bodyMemory = new BodyMemory();
