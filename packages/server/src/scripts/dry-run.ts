// A dry run: a script is run, reads what the platform has, and nothing else of what it does is done. The notes of a dry run go
// with the budget of its call, so that scripts of calls inside it, and those calls themselves, are held to it as well.
import { type DryRunCall, type DryRunStoreUse, Failure, fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { cutText } from '../call/cut-text.ts';
import { readApiOptions } from './api-options.ts';
import { scriptBudget } from './budget.ts';
import type { ApiRequest, ApiResponse, ScriptStore } from './engine.ts';
import { isOutside } from './outside.ts';

/** Characters of a payload or a value that are shown. */
const maxShown = 10_000;
/** Uses of the store that are shown. */
const maxStoreUses = 500;
const maxPath = 2_000;

export class DryRunNotes {
  readonly calls: DryRunCall[] = [];
  readonly storeUses: DryRunStoreUse[] = [];
  private readonly values = new Map<string, unknown>();

  /** Makes a call that reads; any other is noted, and answered as if it had been made. */
  async call(request: ApiRequest, make: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const { path } = request;
    const options = readApiOptions(request.options);
    const { verb = request.verb, payload = request.payload } = options;
    const note: DryRunCall = {
      verb: cutText(verb.toUpperCase(), 10),
      path: cutText(path, maxPath),
      ...(payload === undefined || payload === null ? {} : { payload: shown(payload) }),
      ...{ status_code: null, done: false },
    };
    this.calls.push(note);
    if (note.verb !== 'GET' || isOutside(path)) return answerNotMade;
    try {
      const response = await make();
      Object.assign(note, { status_code: response.status_code, done: true });
      return response;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.key === 'script.notInDryRun') return answerNotMade;
      Object.assign(note, { status_code: error.status, done: true });
      throw error;
    }
  }

  /** `platform.store` of a dry run: what the run itself put there, and nothing else. */
  readonly store: ScriptStore = {
    get: async (key) => {
      const value = this.values.get(key);
      this.noteStoreUse({ action: 'get', key, done: false, ...(value === undefined ? {} : { value: shown(value) }) });
      return value;
    },
    set: async (key, value) => {
      this.noteStoreUse({ action: 'set', key, done: false, value: shown(value) });
      if (this.values.size < maxStoreUses) this.values.set(key, value);
    },
  };

  private noteStoreUse(use: DryRunStoreUse): void {
    if (this.storeUses.length < maxStoreUses) this.storeUses.push({ ...use, key: cutText(use.key, maxPath) });
  }
}

const answerNotMade: ApiResponse = {
  ...{ status_code: 200, content: {}, content_type: 'application/json', format: 201, headers: {} },
  text: '{}',
};

/** A value, or the beginning of its JSON where it is long. */
function shown(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length > maxShown ? `${cutText(text, maxShown)}…` : value;
}

/** Whether a call is made within a dry run: what comes of it is no answer for others. */
export const isDryRun = ({ state }: Pick<Call, 'state'>): boolean => state.get(scriptBudget)?.dryRun !== undefined;

/** Refuses a call of a dry run that may do more than read, also where no script makes it. */
export function keepToReading(call: Pick<Call, 'state' | 'verb' | 'match'>): undefined {
  if (!isDryRun(call)) return;
  const { verb, match } = call;
  if (verb !== 'GET' || match?.operation.mayWrite) throw fail('script.notInDryRun');
}
