// Few places for many: who has work to do waits for one, and no caller ever has all of them while there is more than one.
import { fail } from '@sluice/contract';

/** Callers that may wait. */
const maxWaiting = 1000;

interface Waiting {
  caller: string;
  start(): void;
}

/** Places for work that takes long. `use` throws `store.busy` when too many wait, or one for so many milliseconds. */
export function createPlaces(size: number, longestWait: number) {
  const perCaller = Math.max(1, size - 1);
  const used = new Map<string, number>();
  const waiting: Waiting[] = [];
  let free = size;

  const mayStart = (caller: string) => free > 0 && (used.get(caller) ?? 0) < perCaller;
  function take(caller: string) {
    free -= 1;
    used.set(caller, (used.get(caller) ?? 0) + 1);
  }
  function give(caller: string) {
    free += 1;
    const left = (used.get(caller) ?? 0) - 1;
    if (left > 0) used.set(caller, left);
    else used.delete(caller);
    const next = waiting.find((other) => mayStart(other.caller));
    if (!next) return;
    remove(next);
    take(next.caller);
    next.start();
  }
  const remove = (one: Waiting) => waiting.splice(waiting.indexOf(one), 1);
  const wait = (caller: string) =>
    new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        caller,
        start() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        remove(one);
        reject(fail('store.busy'));
      }, longestWait);
      waiting.push(one);
    });

  return {
    /** Does the work of a caller as soon as there is a place for it. */
    async use<T>(caller: string, work: () => Promise<T>): Promise<T> {
      if (mayStart(caller)) take(caller);
      else if (waiting.length >= maxWaiting) throw fail('store.busy');
      else await wait(caller);
      try {
        return await work();
      } finally {
        give(caller);
      }
    },
  };
}
