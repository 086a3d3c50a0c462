// The last runs of each script: when, how long, how it ended, what it printed. In memory, of this process alone.
import { Failure, type ScriptOutcome, type ScriptRunRecord } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { cutText } from '../call/cut-text.ts';

/** Runs that are kept of one script, and characters that are kept of all. */
const maxRuns = 20;
const maxCharacters = 4 * 1024 * 1024;
const maxMessage = 1_000;
const maxPath = 200;

export interface RunHistory {
  add(run: ScriptRunRecord): void;
  /** Newest first; of one script, in any letter case, or of all. */
  list(name?: string): ScriptRunRecord[];
}

export function createRunHistory(): RunHistory {
  const byScript = new LRUCache<string, ScriptRunRecord[]>({
    maxSize: maxCharacters,
    sizeCalculation: (runs) =>
      runs.reduce((size, { log = '', message = '' }) => size + log.length + message.length + 500, 0),
  });
  return {
    add({ message, log, ...run }) {
      const kept = {
        ...run,
        request: { ...run.request, path: cutText(run.request.path, maxPath) },
        ...(message === undefined ? {} : { message: cutText(message, maxMessage) }),
        ...(log === undefined ? {} : { log }),
      };
      const key = run.name.toLowerCase();
      byScript.set(key, [kept, ...(byScript.get(key) ?? []).slice(0, maxRuns - 1)]);
    },
    list(name) {
      if (name !== undefined) return byScript.get(name.toLowerCase()) ?? [];
      return [...byScript.values()].flat().sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : 0));
    },
  };
}

/** `script.timeout` → `timeout`; what the script itself threw, and what is no matter of scripts, is `failed`. */
export function outcomeOfFailure(failure: unknown): ScriptOutcome {
  const key = failure instanceof Failure ? failure.key : '';
  return key.startsWith('script.') && key !== 'script.threw' ? key.slice('script.'.length) : 'failed';
}
