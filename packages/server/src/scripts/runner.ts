// Runs a script for a call: by which engine, within which bounds, with which functions. Who listens to what, and what becomes of a
// result, is decided by those who call `run`.
import { fail, type ScriptRunRecord, type ScriptTypeName } from '@sluice/contract';
import { acquireSlot, FairSlots, type Waiter } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { callerKey } from '../call/caller-key.ts';
import { withSignal } from '../call/exchange.ts';
import { isRecord } from '../call/payload.ts';
import { createKey } from '../call/typed-map.ts';
import type { SendOutside } from '../fetch/open.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { type CallInside, callOfScript } from './api.ts';
import { budgetOf, ScriptBudget, scriptBudget } from './budget.ts';
import { requireScripting, scriptingRefusal } from './disabled.ts';
import { DryRunNotes } from './dry-run.ts';
import {
  type Engine,
  type EngineState,
  type EngineType,
  ScriptException,
  type ScriptResult,
  type ScriptRun,
} from './engine.ts';
import { engineTypes } from './engines/index.ts';
import { scriptFailure, shownFailure } from './event-data.ts';
import type { LoadScriptLookups } from './lookups.ts';
import { createRunHistory, outcomeOfFailure } from './run-history.ts';
import { createHideSecrets, type HideSecrets } from './secrets.ts';
import { sessionOf } from './session.ts';
import { valuesOfScript } from './values.ts';

export interface ScriptText {
  /** The name of the event, or `service.{name}`: what messages call the script, and whose values `platform.store` has. */
  name: string;
  type: ScriptTypeName;
  content: string;
  /** What it prints is neither logged nor remembered. */
  isSilent?: boolean;
}

export interface ScriptRunner {
  /** Runs a script within the bounds of its call; its result is what it returned, else the event it left. */
  run(call: Call, script: ScriptText, event: object): Promise<unknown>;
  /** From now on scripts of a call, and of those inside it, read and do nothing else; the notes tell what they would do. */
  beginDryRun(call: Call): DryRunNotes;
  /** Runs a script of such a call. */
  dryRun(call: Call, script: ScriptText, event: object): Promise<RunOutcome>;
  /** The last runs of one script or of all, newest first, as far as this process remembers them. */
  runs(name?: string): ScriptRunRecord[];
  /** Whether scripts of each type can run here, and what confines them; it is found out once. */
  engineStates(): Promise<ReadonlyMap<ScriptTypeName, EngineState>>;
  /** Of those that were needed so far: nothing is started for the question. */
  knownEngines(): ReadonlyMap<ScriptTypeName, EngineState>;
  close(): Promise<void>;
}

/** What came of a run. `event`, `returned` and `result` are absent where it ended without them. */
export interface RunOutcome {
  /** The event as the script left it, and what it returned. */
  event?: Record<string, unknown>;
  returned?: unknown;
  /** What counts: what it returned, else the event. */
  result?: unknown;
  failure?: unknown;
  /** The beginning of what it printed, without secrets. */
  output: string;
  /** Milliseconds since 1970. */
  started: number;
  milliseconds: number;
  hide: HideSecrets;
}

/** For services that run scripts. */
export const scriptRunner = createKey<ScriptRunner>('the runner of scripts');

export interface RunnerParts {
  store: Store;
  settings: Settings;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  callInside: CallInside;
  sendOutside: SendOutside;
  lookupsOf: LoadScriptLookups;
  /** `platform.config`, a JSON object. */
  config: string;
}

/** Scripts that run at once; one inside the call of another has the place of that one. */
const maxRunning = 16;
/** Milliseconds that one waits for a place. */
const waitTime = 30_000;
/** Characters that a script may print, of which the first are logged, and that its result may have. */
const maxOutput = 1024 * 1024;
const maxLogged = 16 * 1024;
const maxResult = 20 * 1024 * 1024;
/** Calls that a script has under way at once; others wait. Each holds its answer in memory. */
const maxAtOnce = 4;

export function createScriptRunner(parts: RunnerParts): ScriptRunner {
  const { store, settings, log, callInside, sendOutside, lookupsOf, config } = parts;
  const engines = new Map<ScriptTypeName, Engine>();
  const known = new Map<ScriptTypeName, EngineState>();
  const history = createRunHistory();
  const apiParts = { callInside, sendOutside, maxPayload: settings.bodyLimit };
  const busy = () => fail('script.busy');
  const slots = new FairSlots<Waiter>({
    ...{ total: maxRunning, kept: 4, maxWaiting: 1_000, maxWaitingOfOne: 500 },
    failures: { full: busy, ownFull: busy, late: busy, gone: () => fail('script.gone', { name: '' }) },
  });

  function opened(type: EngineType): Engine {
    const engine = engines.get(type.name) ?? type.open({ settings, log });
    engines.set(type.name, engine);
    return engine;
  }

  async function stateOf(type: EngineType): Promise<EngineState> {
    const state = await opened(type).state();
    known.set(type.name, state);
    return state;
  }

  /** The engine of a type; throws where its scripts cannot run. */
  async function engineOf(name: ScriptTypeName): Promise<Engine> {
    requireScripting(name, settings);
    const type = engineTypes.find((engine) => engine.name === name);
    if (!type) throw fail('script.engineMissing', { type: name, missing: 'This version has no engine for them.' });
    const { missing } = await stateOf(type);
    if (missing !== undefined) throw fail('script.engineMissing', { type: name, missing });
    return opened(type);
  }

  /** Runs a script within the bounds of its call. Whatever comes of it is in the outcome; its functions note what they did. */
  async function execute(call: Call, { name, type, content }: ScriptText, event: object): Promise<RunOutcome> {
    const started = Date.now();
    const lookups = await lookupsOf(call.caller);
    const hide = createHideSecrets(call, event, Object.values(lookups.secret));
    let output = '';
    const outcomeOf = (rest: Pick<RunOutcome, 'event' | 'returned' | 'result' | 'failure'>): RunOutcome => ({
      ...rest,
      ...{ started, milliseconds: Date.now() - started, output: hide(output), hide },
    });
    try {
      const engine = await engineOf(type);
      const result = await runWithin(call, name, (bounds) =>
        engine.run({
          identifier: name,
          script: lookups.fill(name, content),
          event: JSON.stringify(event),
          platform: { config, session: JSON.stringify(sessionOf(call.caller, lookups.secret)) },
          ...bounds,
          log: printer(name, (text) => {
            output += text;
          }),
        }),
      );
      return outcomeOf(readResult(result, hide));
    } catch (error) {
      const isThrown = error instanceof ScriptException;
      return outcomeOf({
        failure: isThrown ? scriptFailure(hide(error.message), error.statusCode, error.code) : error,
      });
    }
  }

  /** Has a run wait for its place, and ends it with the time of its call or when its caller has gone. */
  async function runWithin(
    call: Call,
    name: string,
    work: (bounds: Pick<ScriptRun, 'api' | 'store' | 'bounds' | 'signal'>) => Promise<ScriptResult>,
  ): Promise<ScriptResult> {
    const budget = budgetOf(call, settings.scriptSeconds);
    budget.enter(name);
    const stop = new AbortController();
    const abort = () => stop.abort(fail('script.gone', { name }));
    const time = Math.max(0, budget.endsAt - Date.now());
    const timer = setTimeout(() => stop.abort(fail('script.timeout', { name, seconds: settings.scriptSeconds })), time);
    call.signal.addEventListener('abort', abort);
    if (call.signal.aborted) abort();
    let release: (() => void) | undefined;
    // What a script began ends with it.
    const scriptCall = withSignal(call, stop.signal);
    const lane = createLane(maxAtOnce);
    try {
      if (budget.depth === 1)
        release = await acquireSlot(slots, callerKey(call), { signal: stop.signal, timeout: waitTime });
      return await work({
        async api(request) {
          budget.countCall(name);
          const response = await lane(async () => {
            // Of those that waited, none is made any more.
            stop.signal.throwIfAborted();
            return callOfScript(scriptCall, request, apiParts);
          });
          // A script further in may have reached a bound of all of them.
          budget.check();
          return response;
        },
        store: budget.dryRun?.store ?? valuesOfScript(store, name),
        bounds: { time, memory: settings.scriptMemory, result: maxResult },
        signal: stop.signal,
      });
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', abort);
      release?.();
      budget.leave();
    }
  }

  /** Remembers and logs how a run ended; not of a dry run, of which nothing is kept. */
  function note(call: Call, { name, type, isSilent }: ScriptText, outcome: RunOutcome): void {
    if (call.state.get(scriptBudget)?.dryRun) return;
    const { failure, started, milliseconds, hide } = outcome;
    const output = isSilent ? '' : outcome.output;
    const { user, app } = call.caller;
    history.add({
      ...{ name, type, started: new Date(started).toISOString(), milliseconds },
      outcome: failure === undefined ? 'done' : outcomeOfFailure(failure),
      ...(failure === undefined ? {} : { message: hide(shownFailure(failure).message) }),
      ...(output === '' ? {} : { log: output }),
      request: { verb: call.verb, path: [call.service, call.path].filter((part) => part !== '').join('/') },
      caller: {
        user: user ? { id: user.id, name: user.name } : null,
        app: app ? { id: app.id, name: app.name } : null,
      },
    });
    if (output !== '') log.info({ script: name, output }, 'A script printed.');
  }

  return {
    async run(call, script, event) {
      const outcome = await execute(call, script, event);
      note(call, script, outcome);
      if (outcome.failure !== undefined) throw outcome.failure;
      return outcome.result;
    },
    beginDryRun(call) {
      const notes = new DryRunNotes();
      call.state.set(scriptBudget, new ScriptBudget(settings.scriptSeconds * 1_000, notes));
      return notes;
    },
    dryRun: execute,
    runs: (name) => history.list(name),
    async engineStates() {
      const states = await Promise.all(
        engineTypes.map(async (type) => {
          const refusal = scriptingRefusal(type.name, settings);
          const state: EngineState = refusal ? { missing: refusal.message, confinement: 'none' } : await stateOf(type);
          return [type.name, state] as const;
        }),
      );
      return new Map(states);
    },
    knownEngines: () => known,
    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close()));
    },
  };
}

/** Does so many things at once, and others in their order. */
function createLane(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** The value that was returned, else the event; an `error` or an `exception` in either is a failure (contract §4). */
function readResult(
  { event: eventText, returned: returnedText }: ScriptResult,
  hide: HideSecrets,
): Pick<RunOutcome, 'event' | 'returned' | 'result' | 'failure'> {
  const event = JSON.parse(eventText) as Record<string, unknown>;
  const returned = returnedText === undefined ? undefined : JSON.parse(returnedText);
  const failed = (message: unknown, status?: unknown, code?: unknown) => ({
    ...{ event, returned },
    failure: scriptFailure(typeof message === 'string' ? hide(message) : message, status, code),
  });
  const { exception, script_result: assigned } = event;
  if (isRecord(exception)) return failed(exception.message, exception.status_code, exception.code);
  const value = returnedText === undefined ? assigned : returned;
  if (isRecord(value) && value.error !== undefined && value.error !== null && value.error !== false)
    return failed(isRecord(value.error) ? value.error.message : value.error);
  const isEmpty =
    value === undefined ||
    value === null ||
    value === false ||
    value === 0 ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value as object).length === 0);
  return { event, returned, result: isEmpty ? event : value };
}

/** Takes what a script prints, and passes on the beginning of it. */
function printer(name: string, print: (text: string) => void): (text: string) => void {
  let printed = 0;
  return (text) => {
    if (printed < maxLogged) print(text.slice(0, maxLogged - printed));
    printed += text.length;
    if (printed > maxOutput) throw fail('script.tooMuchOutput', { name, limit: maxOutput });
  };
}
