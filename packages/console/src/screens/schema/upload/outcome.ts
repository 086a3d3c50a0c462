// What became of each table of an upload that failed (contract http-basics §8). Pure.
import { ApiError } from '../../../api/index.ts';
import { serverText } from '../../../text/index.ts';

/** `untried`: one before it failed. `message` is the server's, of a table that failed. */
export interface TableOutcome {
  name: string;
  outcome: 'made' | 'failed' | 'untried';
  message: string | null;
}

const batchErrorCode = 1000;

interface BatchContext {
  error?: unknown;
  resource?: unknown;
}

/** The message the server gives tables behind the one that failed; older servers leave them out. */
const isUntried = (message: string): boolean => message.startsWith('This table was not tried');

/** Null when the error does not tell of single tables. */
export function readOutcomes(error: unknown, names: readonly string[]): TableOutcome[] | null {
  if (!(error instanceof ApiError)) return null;
  const [only, ...others] = names;
  // Of one table alone the failure is the answer.
  if (only !== undefined && others.length === 0 && error.status >= 400 && error.status < 500)
    return [{ name: only, outcome: 'failed', message: error.messages()[0] ?? null }];
  if (Number(error.code) !== batchErrorCode) return null;
  const { error: failedAt, resource } = (error.context ?? {}) as BatchContext;
  if (!Array.isArray(failedAt) || !Array.isArray(resource)) return null;
  return names.map((name, index): TableOutcome => {
    if (!(index in resource)) return { name, outcome: 'untried', message: null };
    if (!failedAt.includes(index)) return { name, outcome: 'made', message: null };
    const message = String((resource[index] as { message?: unknown } | null)?.message ?? error.message);
    return isUntried(message)
      ? { name, outcome: 'untried', message: null }
      : { name, outcome: 'failed', message: serverText(message) };
  });
}
