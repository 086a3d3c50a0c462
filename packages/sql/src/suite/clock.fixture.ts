import { onTestFinished, vi } from 'vitest';

let ahead = 0;

/** Puts the clock that durations are measured by forward, until the test is over: nobody need wait for what ages. */
export function skipTime(milliseconds: number): void {
  if (ahead === 0) {
    const now = performance.now.bind(performance);
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    onTestFinished(() => {
      ahead = 0;
      spy.mockRestore();
    });
  }
  ahead += milliseconds;
}
