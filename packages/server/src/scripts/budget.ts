// What all scripts of one call share, those of calls inside it included: time, calls, and how deep they are nested.
import { type Failure, fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { createKey } from '../call/typed-map.ts';
import type { DryRunNotes } from './dry-run.ts';

/** Scripts that may run inside each other's calls. */
const maxDepth = 5;
/** Calls that the scripts of a call may make together. */
const maxCalls = 500;

export class ScriptBudget {
  readonly endsAt: number;
  /** Set where nothing is to be done but reading. */
  readonly dryRun: DryRunNotes | undefined;
  depth = 0;
  private calls = 0;
  private failure: Failure | undefined;
  /** How many queued scripts led to this call, one by the other; 0 for a call by a door. */
  generation = 0;

  constructor(milliseconds: number, dryRun?: DryRunNotes) {
    this.endsAt = Date.now() + milliseconds;
    this.dryRun = dryRun;
  }

  /** Counts a call of a script. Once a bound is reached, every script of the call ends with that failure, outer ones too. */
  countCall(name: string): void {
    this.calls += 1;
    if (this.calls > maxCalls) this.failure ??= fail('script.tooManyCalls', { name, limit: maxCalls });
    this.check();
  }

  enter(name: string): void {
    if (this.depth >= maxDepth) this.failure ??= fail('script.tooDeep', { name, limit: maxDepth });
    this.check();
    this.depth += 1;
  }

  leave(): void {
    this.depth -= 1;
  }

  check(): void {
    if (this.failure) throw this.failure;
  }
}

export const scriptBudget = createKey<ScriptBudget>('the budget of the scripts of a call');

/** The budget of the scripts of a call, made with the first. */
export function budgetOf({ state }: Pick<Call, 'state'>, seconds: number): ScriptBudget {
  const existing = state.get(scriptBudget);
  if (existing) return existing;
  const budget = new ScriptBudget(seconds * 1_000);
  state.set(scriptBudget, budget);
  return budget;
}
