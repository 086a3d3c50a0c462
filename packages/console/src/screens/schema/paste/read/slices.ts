// Long work in slices, so that the page stays alive. Work is a generator: each `yield` is a place where it may pause.

export type Work<T> = Generator<void, T>;

/** A slice lasts about so long, in milliseconds. */
const sliceLength = 12;

/** Runs work in slices. Throws the reason of `signal` when that is aborted. */
export async function runInSlices<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const end = performance.now() + sliceLength;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Runs work at once. */
export function runAtOnce<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
