// What bodies hold of memory while they are received, wait to be parsed and are parsed: bounded for the process and for one
// caller (docs/operations.md, "Bounds of a body"). Small bodies are not counted: connections are bounded.
import { type Failure, fail } from '@sluice/contract';

/** Bytes up to which a body is not counted. */
export const smallBody = 32 * 1024;

/** Bytes of one caller; the process has twice as many, so that nobody takes them all. One body always fits. */
const shareOf = (bodyLimit: number): number => Math.max(32 * 1024 * 1024, bodyLimit);

/** When there is no room: a body below this rate, in bytes a second since it began, has to go for another one. */
const slowRate = 64 * 1024;
/** Milliseconds before a body can be called slow. */
const patience = 5_000;

const heldByCaller = new Map<string, number>();
let heldByAll = 0;
/** Bodies that are still coming, with what breaks them off. */
const receiving = new Map<BodyHold, (failure: Failure) => void>();

/** The bytes of one body. `release` when they are needed no more, whatever came of it. */
export class BodyHold {
  private readonly caller: string;
  private readonly share: number;
  private readonly since = performance.now();
  private bytes = 0;

  constructor(caller: string, bodyLimit: number) {
    this.caller = caller;
    this.share = shareOf(bodyLimit);
  }

  /** Bytes a second since it began. */
  get rate(): number {
    return (this.bytes * 1000) / (performance.now() - this.since);
  }

  get isSlow(): boolean {
    return performance.now() - this.since > patience && this.rate < slowRate;
  }

  /** More bytes came; calls `refuse`, now or later, when there is no room for them. */
  add(bytes: number, refuse: (failure: Failure) => void): void {
    receiving.set(this, refuse);
    if ((heldByCaller.get(this.caller) ?? 0) + bytes > this.share)
      refuse(fail('http.tooManyOwnBodies', undefined, { retryAfter: 5 }));
    else if (heldByAll + bytes > 2 * this.share && !breakOffSlowest()) refuse(fail('http.tooManyBodies'));
    else {
      this.bytes += bytes;
      heldByAll += bytes;
      heldByCaller.set(this.caller, (heldByCaller.get(this.caller) ?? 0) + bytes);
    }
  }

  /** All of it has come. */
  complete(): void {
    receiving.delete(this);
  }

  release(): void {
    this.complete();
    heldByAll -= this.bytes;
    const rest = (heldByCaller.get(this.caller) ?? 0) - this.bytes;
    if (rest > 0) heldByCaller.set(this.caller, rest);
    else heldByCaller.delete(this.caller);
    this.bytes = 0;
  }
}

/** Whether there was a slow body; what it held is free now. */
function breakOffSlowest(): boolean {
  const [slowest] = [...receiving.keys()].filter(({ isSlow }) => isSlow).sort((a, b) => a.rate - b.rate);
  if (!slowest) return false;
  const refuse = receiving.get(slowest);
  slowest.release();
  refuse?.(fail('http.bodyTooSlow'));
  return true;
}
