// One run of expensive work for all that request it at the same time.
import { setImmediate } from 'node:timers/promises';

/**
 * `work`, shared: a run begins after it was asked for, with the next turn of the event loop or when the run before it has ended,
 * and all who ask until then get what it gives. However many ask at once, and however often, one is at work.
 */
export function sharedRun<T>(work: () => Promise<T>): () => Promise<T> {
  let nextRun: Promise<T> | undefined;
  let currentRun: Promise<unknown> | undefined;
  const begin = async (): Promise<T> => {
    await Promise.allSettled([currentRun, setImmediate()]);
    nextRun = undefined;
    const run = work();
    currentRun = run;
    return run;
  };
  return () => (nextRun ??= begin());
}
