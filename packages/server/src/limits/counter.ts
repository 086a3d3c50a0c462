// What a counter is, and what keeps them: one interface for every store (contract/limits.md §5). A counter has a window, which
// begins with its first hit, or is locked: by the first hit above the rate, for one period from then.
import type { MaybePromise } from '@sluice/contract';

/** Which counter: a limit has one, or one for each person. The id of the limit keeps what is left of a deleted one apart. */
export interface CounterId {
  limitId: number;
  /** Of the limit, with the person filled in (`limitKey`). */
  key: string;
}

/** So many hits at once on one counter. */
export interface Hit extends CounterId {
  rate: number;
  /** Milliseconds. */
  period: number;
  count: number;
}

/** What became of them: of the hits the first `admitted` pass, the others are refused. */
export interface HitResult {
  admitted: number;
  /** Whether the counter is locked now, and whether one of these hits did it. */
  isLocked: boolean;
  hasLocked: boolean;
  /** Milliseconds until the window or the lock ends. */
  endsIn: number;
}

/** A counter as it stands; one whose window is over is none. */
export interface Counter extends CounterId {
  /** Of a locked one 0. */
  hits: number;
  isLocked: boolean;
  endsIn: number;
}

/** Keeps counters. Every store counts by the same rules: suite.fixture.ts has them. */
export interface CounterStore {
  /** Counts; the counters of one call differ. */
  hit(hits: readonly Hit[]): MaybePromise<HitResult[]>;
  /** Counters as they stand, in the order of the ids. */
  peek(ids: readonly CounterId[]): MaybePromise<(Counter | undefined)[]>;
  /** Counters of a limit, locked ones first, then those with the most hits. */
  top(limitId: number, max: number): MaybePromise<Counter[]>;
  /** Forgets the counters of these limits, or all. */
  clear(limitIds: readonly number[] | 'all'): MaybePromise<void>;
  close(): Promise<void>;
}
