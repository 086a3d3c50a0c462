// Events that services raise beside those of calls (contract/event-scripts-and-script-services.md §1, type `service`): scripts of
// them, and services that are mapped to them, run beside the call that led there, as its caller, and have no say in it.
import type { Call } from '../call/call.ts';
import { withRequest } from '../call/exchange.ts';
import { scriptBudget } from './budget.ts';
import { detachedCall, originOf } from './detached-call.ts';
import { type EventData, requestData } from './event-data.ts';
import type { createFinalStep } from './final-step.ts';

export interface ServiceEvents {
  /** Raises an event by its names, in their order, with what scripts get besides the request. Returns at once, and never throws. */
  raise(events: readonly string[], call: Call, data: Record<string, unknown>): void;
  /** Ends what runs. */
  close(): Promise<void>;
}

export interface ServiceEventParts {
  /** Whether events of a service may have scripts. */
  mayListen(service: string): boolean;
  runFinal: ReturnType<typeof createFinalStep>;
  settings: { scriptSeconds: number };
  log: { warn(details: object, message: string): void };
}

/** Events that are being raised at once; more of them are lost, with a line in the log. */
const maxRunning = 100;
/** Milliseconds between two such lines. */
const warnInterval = 10_000;

export function createServiceEvents({ mayListen, runFinal, settings, log }: ServiceEventParts): ServiceEvents {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  let warnedAt = 0;

  async function run(events: readonly string[], call: Call, data: Record<string, unknown>): Promise<void> {
    const generation = call.state.get(scriptBudget)?.generation ?? 0;
    const options = { signal: stop.signal, time: settings.scriptSeconds * 1_000, generation };
    // The body of a call that is refused stays unread.
    const request = requestData(withRequest(call, { payload: undefined }));
    const detached = detachedCall(originOf(call), call.caller, options);
    const dataOf = async (): Promise<EventData> => ({ ...(await request), ...data });
    await runFinal(detached, events, dataOf);
  }

  return {
    raise(events, call, data) {
      if (!mayListen(events[0]?.split('.')[0] ?? '')) return;
      if (running.size >= maxRunning) {
        if (Date.now() - warnedAt < warnInterval) return;
        warnedAt = Date.now();
        log.warn({ event: events[0], reqId: call.id }, 'Too many events at once: scripts of some did not run.');
        return;
      }
      const ended = run(events, call, data)
        .catch((error: unknown) => log.warn({ err: error, event: events[0], reqId: call.id }, 'A script failed.'))
        .finally(() => running.delete(ended));
      running.add(ended);
    },
    async close() {
      stop.abort();
      await Promise.all(running);
    },
  };
}
