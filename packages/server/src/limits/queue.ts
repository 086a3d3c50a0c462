// Has a store outside this process count the hits of many calls at once: while it works on some, others gather.
import type { Hit, HitResult } from './counter.ts';

/** Calls whose hits go to the store together. */
const maxCalls = 500;

interface WaitingCall {
  hits: readonly Hit[];
  resolve(results: HitResult[]): void;
  reject(error: unknown): void;
}

/** Returns a function that counts the hits of a call. Within a counter the calls pass in the order they came. */
export function createHitQueue(
  send: (hits: Hit[]) => Promise<HitResult[]>,
): (hits: readonly Hit[]) => Promise<HitResult[]> {
  const waiting: WaitingCall[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const calls = waiting.splice(0, maxCalls);
      const merged = new Map<string, Hit>();
      for (const { hits } of calls)
        for (const hit of hits) {
          const name = nameOf(hit);
          // The newest rate counts, where it was changed a moment ago.
          merged.set(name, { ...hit, count: hit.count + (merged.get(name)?.count ?? 0) });
        }
      try {
        const results = await send([...merged.values()]);
        const byName = new Map([...merged.keys()].map((name, at) => [name, results[at]!]));
        const used = new Map<string, number>();
        for (const { hits, resolve } of calls) resolve(hits.map((hit) => shareOf(hit, byName, used)));
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    isSending = false;
  }

  return (hits) =>
    new Promise((resolve, reject) => {
      waiting.push({ hits, resolve, reject });
      // In a moment: calls that are read from one socket event go together.
      if (!isSending) {
        isSending = true;
        queueMicrotask(() => void sendAll());
      }
    });
}

const nameOf = ({ limitId, key }: Hit) => `${limitId} ${key}`;

/** What of a common result is one call's: the first pass, and the first of the others has locked. */
function shareOf(hit: Hit, results: ReadonlyMap<string, HitResult>, used: Map<string, number>): HitResult {
  const name = nameOf(hit);
  const { admitted, hasLocked, isLocked, endsIn } = results.get(name)!;
  const before = used.get(name) ?? 0;
  used.set(name, before + hit.count);
  const own = Math.min(hit.count, Math.max(0, admitted - before));
  const isFirstRefused = before <= admitted && before + hit.count > admitted;
  return { admitted: own, isLocked, hasLocked: hasLocked && isFirstRefused, endsIn };
}
