import { constants, getPriority, setPriority } from 'node:os';

/** How much less of a busy core is left: a quarter (`man 7 sched`). */
const yieldingBy = 5;

/** The priority of what is to have less of a busy core than the process that everybody waits for, which asks. */
export const yieldingPriority = (): number => Math.min(getPriority() + yieldingBy, constants.priority.PRIORITY_LOW);

/** Lets the thread that calls have less of a busy core. Only on Linux a thread has a priority of its own. */
export function yieldCores(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(yieldingPriority());
  } catch {
    // Where priorities are forbidden it is one among equals.
  }
}
