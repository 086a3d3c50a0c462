// Bytes in memory that callers share: of bodies until they are parsed, of answers until connections have taken them. All
// callers together have a limit and each a share of it; what is small is not counted, since connections are limited.
import { type Failure, fail } from '@sluice/contract';
import { Bag, type Placed } from '@sluice/sql';

/** Bytes up to which an answer is not counted: it goes out at once. */
export const shortAnswer = 64 * 1024;
/** Bytes up to which a body is not counted. */
export const smallBody = 32 * 1024;

/** Bytes of answers, from their reading until connections have taken them; a caller may have half of the limit. */
export const createAnswerBudget = (limit: number): ByteBudget =>
  new ByteBudget(limit, limit / 2, {
    ofShare: (share) => fail('http.answersUnread', { limit: share }),
    ofAll: () => fail('http.noMemory'),
  });

/**
 * Bytes of bodies that are received and parsed; the share of a caller has room for a body of `bodyLimit`. Two callers leave a
 * third one room: their bodies may wait for the thread that parses.
 */
export const createBodyBudget = (bodyLimit: number, minShare = 22 * 1024 * 1024): ByteBudget => {
  const share = Math.max(minShare, bodyLimit);
  return new ByteBudget(3 * share, share, {
    ofShare: () => fail('http.tooManyOwnBodies', undefined, { retryAfter: 5 }),
    ofAll: () => fail('http.tooManyBodies'),
  });
};

/** Bytes a second below which a transfer is broken off when another one needs its room. */
const slowRate = 64 * 1024;

interface BudgetFailures {
  ofShare(share: number): Failure;
  ofAll(): Failure;
}

/** The other side of a connection, for which bytes wait in memory. */
export interface Peer {
  /** Whether it is to send the rest of a body, or to read what is written. */
  isAwaited(): boolean;
  /** Ends its transfer. */
  breakOff(): void;
}

/** The bytes of one body or one answer. */
export interface Reservation {
  readonly bytes: number;
  /** Without one the transfer is never broken off. */
  peer?: Peer | undefined;
  /**
   * Counts bytes that are in memory now. Throws where the share of the caller or the limit does not allow them: a body or an
   * answer is too large only beside others, never by itself.
   */
  take(bytes: number): void;
  /** Counts bytes of a transfer that cannot be refused any more. */
  add(bytes: number): void;
  release(bytes: number): void;
  /** Releases all; nothing is counted afterwards. Has to be called. */
  end(): void;
}

export class ByteBudget {
  readonly limit: number;
  readonly share: number;
  /** Transfers that were broken off because others needed their room. */
  brokenOff = 0;
  private total = 0;
  private readonly failures: BudgetFailures;
  private readonly bytesByCaller = new Map<string, number>();
  private readonly reservations = new Bag<CountedBytes>();
  private measuredAt = 0;

  constructor(limit: number, share: number, failures: BudgetFailures) {
    this.limit = limit;
    this.share = share;
    this.failures = failures;
  }

  /** Bytes of all callers. */
  get bytes(): number {
    return this.total;
  }

  open(caller: string): Reservation {
    const reservation = new CountedBytes(this, caller);
    this.reservations.add(reservation);
    return reservation;
  }

  /** Throws where a caller has its whole share. */
  checkShare(caller: string): void {
    if (this.bytesOf(caller) >= this.share) throw this.failures.ofShare(this.share);
  }

  /** To be called every few seconds, with the milliseconds of a clock that only goes forward: takes the rates of transfers. */
  measure(now: number): void {
    for (const reservation of this.reservations) reservation.measure(now - this.measuredAt);
    this.measuredAt = now;
  }

  /** Throws where there is no room for more bytes of a reservation, and none can be made. */
  requireRoom(reservation: CountedBytes, bytes: number): void {
    const own = this.bytesOf(reservation.caller);
    if (own > reservation.bytes && own + bytes > this.share) throw this.failures.ofShare(this.share);
    while (this.total > reservation.bytes && this.total + bytes > this.limit)
      if (!this.breakOffSlowest(reservation)) throw this.failures.ofAll();
  }

  count(caller: string, bytes: number): void {
    this.total += bytes;
    const own = this.bytesOf(caller) + bytes;
    if (own > 0) this.bytesByCaller.set(caller, own);
    else this.bytesByCaller.delete(caller);
  }

  forget(reservation: CountedBytes): void {
    this.reservations.delete(reservation);
  }

  private bytesOf(caller: string): number {
    return this.bytesByCaller.get(caller) ?? 0;
  }

  private breakOffSlowest(except: CountedBytes): boolean {
    let slowest: CountedBytes | undefined;
    for (const one of this.reservations)
      if (one !== except && one.bytes > 0 && one.rate < (slowest?.rate ?? slowRate) && one.peer?.isAwaited())
        slowest = one;
    if (!slowest) return false;
    slowest.end();
    this.brokenOff += 1;
    slowest.peer?.breakOff();
    return true;
  }
}

class CountedBytes implements Reservation, Placed {
  place = 0;
  bytes = 0;
  peer: Peer | undefined;
  /** Bytes a second while the peer was awaited; infinite where it was not, and before it was measured. */
  rate = Number.POSITIVE_INFINITY;
  readonly caller: string;
  private readonly budget: ByteBudget;
  /** Bytes that came or went since the last measurement. */
  private moved = 0;
  private wasAwaited = false;
  private isEnded = false;

  constructor(budget: ByteBudget, caller: string) {
    this.budget = budget;
    this.caller = caller;
  }

  take(bytes: number): void {
    this.budget.requireRoom(this, bytes);
    this.add(bytes);
  }

  add(bytes: number): void {
    if (!this.isEnded && bytes > 0) this.change(bytes);
  }

  release(bytes: number): void {
    this.change(-Math.min(bytes, this.bytes));
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.change(-this.bytes);
    this.budget.forget(this);
  }

  measure(elapsed: number): void {
    const isAwaited = this.peer?.isAwaited() ?? false;
    this.rate = isAwaited && this.wasAwaited ? (this.moved * 1000) / elapsed : Number.POSITIVE_INFINITY;
    this.wasAwaited = isAwaited;
    this.moved = 0;
  }

  private change(bytes: number): void {
    this.bytes += bytes;
    this.moved += Math.abs(bytes);
    this.budget.count(this.caller, bytes);
  }
}
