// Scripts of people: which run at which events, by which engine, within which bounds, and what becomes of their results
// (contract/event-scripts-and-script-services.md). gateway/scripts.ts is the step that asks for them.
import { fail, type ScriptTypeName, type Verb } from '@sluice/contract';
import { acquireSlot, FairSlots, type Waiter } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { callerKey } from '../call/caller-key.ts';
import type { Exchange } from '../call/exchange.ts';
import { isRecord } from '../call/payload.ts';
import { createKey } from '../call/typed-map.ts';
import { eventNames } from '../events/names.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { type CallInside, callOfScript } from './api.ts';
import { ScriptBudget, scriptBudget } from './budget.ts';
import { requireScripting } from './disabled.ts';
import { type Engine, ScriptException, type ScriptResult } from './engine.ts';
import { engineTypes } from './engines/index.ts';
import { applyAfter, applyBefore, type EventData, requestData, responseData, scriptFailure } from './event-data.ts';
import { createEventScripts, type EventScript } from './event-scripts.ts';
import { secretsOf, sessionOf } from './session.ts';
import { purgeScriptValues, valuesOfScript } from './values.ts';

export interface Scripts {
  /** Whether a call may have scripts; what says no has cost a look into a set. */
  mayListen(call: Call): boolean;
  /** Runs the scripts before an operation; answers the verb where they changed it. */
  runBefore(exchange: Exchange): Promise<{ verb?: Verb }>;
  /** Runs those after it, and those of the event itself. */
  runAfter(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

export interface ScriptParts {
  store: Store;
  settings: Settings;
  jobs: Jobs;
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

/** The names of a call's events and those of its scripts, found before the operation and used after it. */
interface Listeners {
  names: string[];
  byName: ReadonlyMap<string, string>;
}
const listenersKey = createKey<Listeners>('the scripts of a call');

export async function createScripts({ store, settings, jobs, log, callInside }: ScriptParts): Promise<Scripts> {
  const scripts = await createEventScripts(store);
  const engines = new Map<ScriptTypeName, Engine>();
  const busy = () => fail('script.busy');
  const slots = new FairSlots<Waiter>({
    ...{ total: maxRunning, kept: 4, maxWaiting: 1_000, maxWaitingOfOne: 500 },
    failures: { full: busy, ownFull: busy, late: busy, gone: () => fail('script.gone', { name: '' }) },
  });
  jobs.schedule('purge script values', '*/15 * * * *', () => purgeScriptValues(store));

  function engineOf(name: ScriptTypeName): Engine {
    requireScripting(name, settings);
    const type = engineTypes.find((engine) => engine.name === name);
    if (!type) throw fail('script.engineMissing', { type: name, missing: 'This version has no engine for them.' });
    const engine = engines.get(name) ?? type.open({ settings, log });
    engines.set(name, engine);
    return engine;
  }

  async function listenersOf({ call }: Exchange): Promise<Listeners> {
    const found = call.state.get(listenersKey);
    if (found) return found;
    const names = call.match ? eventNames(call.service, call.verb, call.match) : [];
    const listeners = { names, byName: await scripts.names() };
    call.state.set(listenersKey, listeners);
    return listeners;
  }

  /** Runs a script within the bounds of its call; its result is what it returned, else the event it left. */
  async function run(call: Call, { name, type, content }: EventScript, event: EventData): Promise<unknown> {
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

  /** The scripts of one step, by the names of the event in their order. */
  async function runStep(
    exchange: Exchange,
    scriptNameOf: (event: string, byName: ReadonlyMap<string, string>) => string | undefined,
    work: (script: EventScript) => Promise<unknown>,
  ): Promise<void> {
    const { names, byName } = await listenersOf(exchange);
    for (const event of names) {
      const name = scriptNameOf(event, byName);
      const script = name === undefined ? undefined : await scripts.load(name);
      if (!script) continue;
      const result = await work(script);
      if (isRecord(result) && result.stop_propagation === true) return;
    }
  }

  return {
    mayListen: (call) => call.match !== undefined && scripts.mayListen(call.service),
    async runBefore(exchange) {
      let verb: Verb | undefined;
      await runStep(
        exchange,
        (event, byName) => byName.get(`${event}.pre_process`),
        async (script) => {
          // Another script of the step answered.
          if (exchange.reply) return undefined;
          const event = await requestData(exchange.call);
          const result = await run(exchange.call, script, event);
          if (script.allowsModification) verb = applyBefore(exchange, event, result).verb ?? verb;
          return result;
        },
      );
      return verb === undefined ? {} : { verb };
    },
    async runAfter(exchange) {
      await runStep(
        exchange,
        (event, byName) => byName.get(`${event}.post_process`),
        async (script) => {
          const response = await responseData(exchange);
          const result = await run(exchange.call, script, { ...(await requestData(exchange.call)), response });
          if (script.allowsModification) applyAfter(exchange, response, result);
          return result;
        },
      );
      await runStep(
        exchange,
        (event, byName) => byName.get(event),
        async (script) =>
          run(exchange.call, script, {
            ...(await requestData(exchange.call)),
            response: await responseData(exchange),
          }),
      );
    },
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
