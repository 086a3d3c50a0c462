// What `GET system/event_script/_runs` and `POST system/event_script/_dry_run` answer
// (contract/event-scripts-and-script-services.md §9).

/** How a run ended: by itself, because the script said so, or by what we ended it for (`timeout`, `memory` …). */
export type ScriptOutcome = 'done' | 'failed' | (string & {});

/** A run of a script, as the process that ran it remembers it; known secrets are hidden. */
export interface ScriptRunRecord {
  name: string;
  type: string;
  /** ISO-8601 in UTC. */
  started: string;
  milliseconds: number;
  outcome: ScriptOutcome;
  message?: string;
  /** The beginning of what it printed. */
  log?: string;
  /** The call that it ran in, without the query. */
  request: { verb: string; path: string };
  caller: { user: { id: number; name: string } | null; app: { id: number; name: string } | null };
}

/** A call of a script in a dry run. One that was not done was answered with an empty object. */
export interface DryRunCall {
  verb: string;
  path: string;
  payload?: unknown;
  /** Null where it was not done. */
  status_code: number | null;
  done: boolean;
}

/** What a script did with `platform.store` in a dry run: values are kept for the run alone. */
export interface DryRunStoreUse {
  action: 'get' | 'set';
  key: string;
  value?: unknown;
  done: boolean;
}

/** What a script would change, by the names of the parts that it changed. */
export type DryRunChanges = Record<string, { from: unknown; to: unknown }>;

export interface DryRun {
  /** The event as the script got it, and as it left it; null where it left none. */
  before: unknown;
  after: unknown;
  returned?: unknown;
  effect: { request?: DryRunChanges; response?: DryRunChanges };
  calls: DryRunCall[];
  store: DryRunStoreUse[];
  log: string;
  milliseconds: number;
  outcome: ScriptOutcome;
  error?: unknown;
}
