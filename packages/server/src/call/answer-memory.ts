// Bytes of answers in memory: from when they are read until the connection has taken them. The process has a limit, and
// a caller half of it. What is short (64 KB) is not counted: connections have a limit of their own.
import { fail } from '@sluice/contract';
import type { Call } from './call.ts';
import { callerKey } from './caller-key.ts';

/** An answer that has no more bytes than this goes out at once and is not counted. */
export const shortAnswer = 64 * 1024;

export interface AnswerMemory {
  /** Bytes of all answers in memory. */
  readonly bytes: number;
  readonly limit: number;
  /** How many callers were refused for want of room. */
  readonly refusals: number;
  /** Counts the bytes of an answer to a caller; `end` has to be called. A connection has one answer at a time. */
  hold(caller: string, connection: object): HeldAnswer;
  /** Bytes of the answer on a connection. */
  bytesOn(connection: object): number;
  /** Throws `http.answersUnread` where the answers to a caller that are in memory have its whole share. */
  checkShare(call: Pick<Call, 'caller' | 'ip'>): void;
}

/** The bytes that one answer has in memory. */
export interface HeldAnswer {
  readonly bytes: number;
  /**
   * Counts bytes that are in memory now. Throws `http.answersUnread` or `http.noMemory` where the limit of the caller or of
   * the process does not allow them: an answer is too large only beside others, never by itself.
   */
  take(bytes: number): void;
  /** Counts bytes of an answer that has begun and cannot be refused any more. */
  add(bytes: number): void;
  release(bytes: number): void;
  /** Releases all; nothing is counted afterwards. */
  end(): void;
}

interface CallerBytes {
  bytes: number;
  answers: number;
}

/** Counts bytes up to `limit`. */
export const createAnswerMemory = (limit: number): AnswerMemory => new CountedAnswers(limit);

class CountedAnswers implements AnswerMemory {
  bytes = 0;
  answers = 0;
  refusals = 0;
  readonly limit: number;
  readonly callerLimit: number;
  readonly callers = new Map<string, CallerBytes>();
  private readonly byConnection = new WeakMap<object, HeldAnswer>();

  constructor(limit: number) {
    this.limit = limit;
    this.callerLimit = limit / 2;
  }

  hold(caller: string, connection: object): HeldAnswer {
    const answer = new CountedAnswer(this, caller);
    this.byConnection.set(connection, answer);
    return answer;
  }

  bytesOn(connection: object): number {
    return this.byConnection.get(connection)?.bytes ?? 0;
  }

  checkShare(call: Pick<Call, 'caller' | 'ip'>): void {
    // As long as all together have no more, nobody has.
    if (this.bytes < this.callerLimit) return;
    const bytes = this.callers.get(callerKey(call))?.bytes ?? 0;
    if (bytes >= this.callerLimit) throw fail('http.answersUnread', { limit: this.callerLimit });
  }
}

class CountedAnswer implements HeldAnswer {
  bytes = 0;
  private readonly all: CountedAnswers;
  private readonly key: string;
  /** Once it has bytes. */
  private caller: CallerBytes | undefined;
  private isEnded = false;

  constructor(all: CountedAnswers, key: string) {
    this.all = all;
    this.key = key;
  }

  take(bytes: number): void {
    const { all, caller } = this;
    const own = caller ?? all.callers.get(this.key);
    const ownOthers = (own?.answers ?? 0) - (caller ? 1 : 0);
    const others = all.answers - (caller ? 1 : 0);
    if (ownOthers > 0 && (own?.bytes ?? 0) + bytes > all.callerLimit)
      throw fail('http.answersUnread', { limit: all.callerLimit });
    if (others > 0 && all.bytes + bytes > all.limit) {
      all.refusals += 1;
      throw fail('http.noMemory');
    }
    this.add(bytes);
  }

  add(bytes: number): void {
    if (this.isEnded || bytes <= 0) return;
    this.caller ??= this.begin();
    this.bytes += bytes;
    this.caller.bytes += bytes;
    this.all.bytes += bytes;
  }

  release(bytes: number): void {
    if (!this.caller) return;
    const released = Math.min(bytes, this.bytes);
    this.bytes -= released;
    this.caller.bytes -= released;
    this.all.bytes -= released;
  }

  end(): void {
    this.release(this.bytes);
    this.isEnded = true;
    if (!this.caller) return;
    this.all.answers -= 1;
    this.caller.answers -= 1;
    if (this.caller.answers === 0) this.all.callers.delete(this.key);
    this.caller = undefined;
  }

  private begin(): CallerBytes {
    const caller = this.all.callers.get(this.key) ?? { bytes: 0, answers: 0 };
    this.all.callers.set(this.key, caller);
    caller.answers += 1;
    this.all.answers += 1;
    return caller;
  }
}
