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
export function createAnswerMemory(limit: number): AnswerMemory {
  const callerLimit = limit / 2;
  const callers = new Map<string, CallerBytes>();
  const byConnection = new WeakMap<object, HeldAnswer>();
  let total = 0;
  let answers = 0;
  let refusals = 0;

  const createHold = (key: string): HeldAnswer => {
    let held = 0;
    let isEnded = false;
    let caller: CallerBytes | undefined;
    const add = (bytes: number): void => {
      if (isEnded || bytes <= 0) return;
      caller ??= begin();
      held += bytes;
      caller.bytes += bytes;
      total += bytes;
    };
    const begin = (): CallerBytes => {
      const existing = callers.get(key) ?? { bytes: 0, answers: 0 };
      callers.set(key, existing);
      existing.answers += 1;
      answers += 1;
      return existing;
    };
    const release = (bytes: number): void => {
      if (!caller) return;
      const released = Math.min(bytes, held);
      held -= released;
      caller.bytes -= released;
      total -= released;
    };
    return {
      get bytes() {
        return held;
      },
      take(bytes) {
        const own = caller ?? callers.get(key);
        const ownOthers = (own?.answers ?? 0) - (caller ? 1 : 0);
        const others = answers - (caller ? 1 : 0);
        if (ownOthers > 0 && (own?.bytes ?? 0) + bytes > callerLimit)
          throw fail('http.answersUnread', { limit: callerLimit });
        if (others > 0 && total + bytes > limit) {
          refusals += 1;
          throw fail('http.noMemory');
        }
        add(bytes);
      },
      add,
      release,
      end() {
        release(held);
        isEnded = true;
        if (!caller) return;
        answers -= 1;
        caller.answers -= 1;
        if (caller.answers === 0) callers.delete(key);
        caller = undefined;
      },
    };
  };

  return {
    get bytes() {
      return total;
    },
    limit,
    get refusals() {
      return refusals;
    },
    hold(caller, connection) {
      const answer = createHold(caller);
      byConnection.set(connection, answer);
      return answer;
    },
    bytesOn: (connection) => byConnection.get(connection)?.bytes ?? 0,
    checkShare(call) {
      // As long as all together have no more, nobody has.
      if (total < callerLimit) return;
      const bytes = callers.get(callerKey(call))?.bytes ?? 0;
      if (bytes >= callerLimit) throw fail('http.answersUnread', { limit: callerLimit });
    },
  };
}
