// Event scripts: which run at which events, and what becomes of their results (contract/event-scripts-and-script-services.md);
// runner.ts runs them. gateway/scripts.ts is the step that asks for them.
import { Failure, type Verb } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { type Exchange, withRequest } from '../call/exchange.ts';
import { isRecord } from '../call/payload.ts';
import { createKey } from '../call/typed-map.ts';
import { eventLog, type LoggedEvent, shortResponse } from '../events/log.ts';
import { eventNames } from '../events/names.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Services } from '../service/registry.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { applyAfter, applyBefore, requestData, responseData } from './event-data.ts';
import { createEventMap } from './event-map.ts';
import { createEventScripts, type EventScript } from './event-scripts.ts';
import { createFinalStep } from './final-step.ts';
import type { LinkedParts } from './linked.ts';
import type { ScriptQueue } from './queue.ts';
import type { ScriptRunner } from './runner.ts';
import { createServiceEvents, type ServiceEvents } from './service-events.ts';
import { purgeScriptValues } from './values.ts';

export interface Scripts {
  /** Whether a call may have scripts; what says no has cost a look into a set. */
  mayListen(call: Call): boolean;
  /** Runs the scripts before an operation; answers the verb where they changed it. */
  runBefore(exchange: Exchange): Promise<{ verb?: Verb }>;
  /** Runs those after it, and those of the event itself. */
  runAfter(exchange: Exchange): Promise<void>;
  /** Runs the event script of a name, for a job; one that is gone or switched off meanwhile is none. */
  runQueued(call: Call, name: string, event: Record<string, unknown>): Promise<unknown>;
  /** Raises an event that is none of a call. */
  raise: ServiceEvents['raise'];
  /** Ends what runs beside calls. */
  close(): Promise<void>;
}

export interface ScriptParts {
  store: Store;
  jobs: Jobs;
  runner: ScriptRunner;
  linked: LinkedParts;
  settings: Pick<Settings, 'scriptsSkipUnloadable' | 'scriptSeconds'>;
  queue: ScriptQueue;
  services: Pick<Services, 'rows' | 'type' | 'openById'>;
  log: { warn(details: object, message: string): void };
}

/** The names of a call's events and those of its scripts, found before the operation and used after it. */
interface Listeners {
  names: string[];
  byName: ReadonlyMap<string, string>;
}
const listenersKey = createKey<Listeners>('the scripts of a call');

export async function createScripts(parts: ScriptParts): Promise<Scripts> {
  const { store, jobs, runner, queue, linked, services, settings, log } = parts;
  const scripts = await createEventScripts(store, linked);
  const logsEvents = (type: string) => services.type(type)?.can.logsEvents === true;
  const map = await createEventMap(store, services.rows, logsEvents);
  const runFinal = createFinalStep({
    ...{ scripts, map, queue, logEvent, log },
    load: (name, call) => loadScript(name, call, true),
    run: (call, script, event) => runner.run(call, script, event),
  });
  const mayListen = (service: string) => scripts.mayListen(service) || map.mayListen(service);
  const { raise, close } = createServiceEvents({ mayListen, runFinal, settings, log });
  jobs.schedule('purge script values', '*/15 * * * *', () => purgeScriptValues(store));

  /** A service that does not open writes nothing down. */
  function logEvent(service: number, event: LoggedEvent): void {
    services.openById(service).then(
      (opened) => opened.provided(eventLog)?.write(event),
      (error: unknown) => log.warn({ err: error, event: event.name, reqId: event.call.id }, 'An event was not logged.'),
    );
  }

  /** An event for those who write it down: nothing is read for it that has not been read, and nothing of it fails a call. */
  async function shortData(exchange: Exchange): Promise<Record<string, unknown>> {
    const { call } = exchange;
    const request = await requestData(call).catch(() => requestData(withRequest(call, { payload: undefined })));
    return { ...request, response: shortResponse(exchange) ?? (await responseData(exchange)) };
  }

  async function listenersOf({ call }: Exchange): Promise<Listeners> {
    const found = call.state.get(listenersKey);
    if (found) return found;
    const names = call.match ? eventNames(call.service, call.verb, call.match) : [];
    const listeners = { names, byName: await scripts.names() };
    call.state.set(listenersKey, listeners);
    return listeners;
  }

  /** Of a script that lies elsewhere and cannot be loaded: nothing, where it may be left out, with a line in the log. */
  async function loadScript(name: string, call: Call, mayBeMissing: boolean): Promise<EventScript | undefined> {
    try {
      return await scripts.load(name, call);
    } catch (error) {
      if (!(error instanceof Failure) || error.key !== 'script.notLoaded') throw error;
      log.warn({ err: error.cause, script: name, skipped: mayBeMissing }, 'A linked script could not be loaded.');
      if (!mayBeMissing) throw error;
      return undefined;
    }
  }

  /** The scripts of one step, by the names of the event in their order. */
  async function runStep(
    exchange: Exchange,
    mayBeMissing: boolean,
    scriptNameOf: (event: string, byName: ReadonlyMap<string, string>) => string | undefined,
    work: (script: EventScript) => Promise<unknown>,
  ): Promise<void> {
    const { names, byName } = await listenersOf(exchange);
    for (const event of names) {
      const name = scriptNameOf(event, byName);
      const script = name === undefined ? undefined : await loadScript(name, exchange.call, mayBeMissing);
      if (!script) continue;
      const result = await work(script);
      if (isRecord(result) && result.stop_propagation === true) return;
    }
  }

  return {
    mayListen: ({ match, service }) => match !== undefined && mayListen(service),
    async runBefore(exchange) {
      let verb: Verb | undefined;
      await runStep(
        exchange,
        // What a script would have checked must not go unchecked.
        settings.scriptsSkipUnloadable,
        (event, byName) => byName.get(`${event}.pre_process`),
        async (script) => {
          // Another script of the step answered.
          if (exchange.reply) return undefined;
          const event = await requestData(exchange.call);
          const result = await runner.run(exchange.call, script, event);
          if (script.allowsModification) verb = applyBefore(exchange, event, result).verb ?? verb;
          return result;
        },
      );
      return verb === undefined ? {} : { verb };
    },
    async runAfter(exchange) {
      await runStep(
        exchange,
        true,
        (event, byName) => byName.get(`${event}.post_process`),
        async (script) => {
          const response = await responseData(exchange);
          const result = await runner.run(exchange.call, script, { ...(await requestData(exchange.call)), response });
          if (script.allowsModification) applyAfter(exchange, response, result);
          return result;
        },
      );
      const { call } = exchange;
      const { names } = await listenersOf(exchange);
      const dataOf = async () => ({ ...(await requestData(call)), response: await responseData(exchange) });
      await runFinal(call, names, dataOf, () => shortData(exchange));
    },
    async runQueued(call, name, event) {
      const script = await scripts.load(name, call);
      return script && runner.run(call, script, event);
    },
    raise,
    close,
  };
}
