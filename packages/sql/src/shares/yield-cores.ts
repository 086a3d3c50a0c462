import { constants, getPriority, setPriority } from 'node:os';

/** How much less of a busy core is left: a quarter (`man 7 sched`). */
const yieldingBy = 5;

/**
 * Lets a process have less of a busy core than this one, which everybody waits for. On Linux 0 is the thread that calls, which has
 * a priority of its own there; elsewhere it is the whole process.
 */
export function yieldCores(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + yieldingBy, constants.priority.PRIORITY_LOW));
  } catch {
    // Where priorities are forbidden it is one among equals.
  }
}
