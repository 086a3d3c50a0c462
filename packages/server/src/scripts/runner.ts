// Runs a script for a call: by which engine, within which bounds, with which functions. Who listens to what, and what becomes of a
// result, is decided by those who call `run`.
import { fail, type ScriptTypeName } from '@sluice/contract';
import { acquireSlot, FairSlots, type Waiter } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { callerKey } from '../call/caller-key.ts';
import { isRecord } from '../call/payload.ts';
import { createKey } from '../call/typed-map.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { type CallInside, callOfScript } from './api.ts';
import { ScriptBudget, scriptBudget } from './budget.ts';
import { requireScripting } from './disabled.ts';
import { type Engine, ScriptException, type ScriptResult } from './engine.ts';
import { engineTypes } from './engines/index.ts';
import { scriptFailure } from './event-data.ts';
import { secretsOf, sessionOf } from './session.ts';
import { valuesOfScript } from './values.ts';

export interface ScriptText {
  /** The name of the event, or `service.{name}`: what messages call the script, and whose values `platform.store` has. */
  name: string;
  type: ScriptTypeName;
  content: string;
}

export interface ScriptRunner {
  /** Runs a script within the bounds of its call; its result is what it returned, else the event it left. */
  run(call: Call, script: ScriptText, event: object): Promise<unknown>;
  close(): Promise<void>;
}

/** For services that run scripts. */
export const scriptRunner = createKey<ScriptRunner>('the runner of scripts');

export interface RunnerParts {
  store: Store;
  settings: Settings;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  callInside: CallInside;
}

/** Scripts that run at once; one inside the call of another has the place of that one. */
const maxRunning = 16;
/** Milliseconds that one waits for a place. */
const waitTime = 30_000;
/** Characters that a script may print, of which the first are logged, and that its result may have. */
const maxOutput = 1024 * 1024;
const maxLogged = 16 * 1024;
const maxResult = 20 * 1024 * 1024;

export function createScriptRunner({ store, settings, log, callInside }: RunnerParts): ScriptRunner {
  const engines = new Map<ScriptTypeName, Engine>();
  const busy = () => fail('script.busy');
  const slots = new FairSlots<Waiter>({
    ...{ total: maxRunning, kept: 4, maxWaiting: 1_000, maxWaitingOfOne: 500 },
    failures: { full: busy, ownFull: busy, late: busy, gone: () => fail('script.gone', { name: '' }) },
  });

  function engineOf(name: ScriptTypeName): Engine {
    requireScripting(name, settings);
    const type = engineTypes.find((engine) => engine.name === name);
    if (!type) throw fail('script.engineMissing', { type: name, missing: 'This version has no engine for them.' });
    const engine = engines.get(name) ?? type.open({ settings, log });
    engines.set(name, engine);
    return engine;
  }

  /** Runs a script within the bounds of its call; its result is what it returned, else the event it left. */
  async function run(call: Call, { name, type, content }: ScriptText, event: object): Promise<unknown> {
    const engine = engineOf(type);
    const { missing } = await engine.state();
    if (missing !== undefined) throw fail('script.engineMissing', { type, missing });
    const existing = call.state.get(scriptBudget);
    const budget = existing ?? new ScriptBudget(settings.scriptSeconds * 1_000);
    if (!existing) call.state.set(scriptBudget, budget);
    budget.enter(name);
    const stop = new AbortController();
    const abort = () => stop.abort(fail('script.gone', { name }));
    const time = Math.max(0, budget.endsAt - Date.now());
    const timer = setTimeout(() => stop.abort(fail('script.timeout', { name, seconds: settings.scriptSeconds })), time);
    call.signal.addEventListener('abort', abort);
    if (call.signal.aborted) abort();
    let output = '';
    let printed = 0;
    let release: (() => void) | undefined;
    try {
      if (budget.depth === 1)
        release = await acquireSlot(slots, callerKey(call), { signal: stop.signal, timeout: waitTime });
      const result = await engine.run({
        identifier: name,
        script: content,
        event: JSON.stringify(event),
        platform: {
          config: JSON.stringify({ df: { version: '2.16.1', api_version: '2.0' } }),
          session: JSON.stringify(sessionOf(call.caller)),
        },
        async api(request) {
          budget.countCall(name);
          const response = await callOfScript(call, request, callInside);
          // A script further in may have reached a bound of all of them.
          budget.check();
          return response;
        },
        store: valuesOfScript(store, name),
        log(text) {
          printed += text.length;
          if (printed > maxOutput) throw fail('script.tooMuchOutput', { name, limit: maxOutput });
          output += text.slice(0, maxLogged - output.length);
        },
        bounds: { time, memory: settings.scriptMemory, result: maxResult },
        signal: stop.signal,
      });
      return readResult(result);
    } catch (error) {
      throw error instanceof ScriptException ? scriptFailure(error.message, error.statusCode, error.code) : error;
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', abort);
      release?.();
      budget.leave();
      if (output !== '') log.info({ script: name, output: hideSecrets(output, secretsOf(call)) }, 'A script printed.');
    }
  }

  return {
    run,
    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close()));
    },
  };
}

/** The value that was returned, else the event; an `error` or an `exception` in either is a failure (contract §4). */
function readResult({ event, returned }: ScriptResult): unknown {
  const left = JSON.parse(event) as Record<string, unknown>;
  const { exception, script_result: assigned } = left;
  if (isRecord(exception)) throw scriptFailure(exception.message, exception.status_code, exception.code);
  const value = returned === undefined ? assigned : JSON.parse(returned);
  if (isRecord(value) && value.error !== undefined && value.error !== null && value.error !== false)
    throw scriptFailure(isRecord(value.error) ? value.error.message : value.error);
  const isEmpty =
    value === undefined ||
    value === null ||
    value === false ||
    value === 0 ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value as object).length === 0);
  return isEmpty ? left : value;
}

const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '**********'), text);
