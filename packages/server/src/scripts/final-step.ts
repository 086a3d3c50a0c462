// The end of an event: its plain script runs, else its queued one is queued, and services are called that event maps name
// (contract/event-scripts-and-script-services.md §1, §6, §8). What is queued has no say in the call it comes from.
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import type { LoggedEvent } from '../events/log.ts';
import type { EventData } from './event-data.ts';
import type { EventMap } from './event-map.ts';
import type { EventScript, EventScripts } from './event-scripts.ts';
import type { QueuedScript, ScriptQueue } from './queue.ts';

export interface FinalParts {
  scripts: Pick<EventScripts, 'names' | 'describe'>;
  map: Pick<EventMap, 'find'>;
  queue: ScriptQueue;
  /** Has a service write an event down, beside the call. */
  logEvent(service: number, event: LoggedEvent): void;
  load(name: string, call: Call): Promise<EventScript | undefined>;
  run(call: Call, script: EventScript, event: EventData): Promise<unknown>;
  log: { warn(details: object, message: string): void };
}

/** Milliseconds between two lines in the log about scripts that could not be queued. */
const warnInterval = 10_000;

export function createFinalStep({ scripts, map, queue, logEvent, load, run, log }: FinalParts) {
  let warnedAt = 0;

  /** What cannot be queued leaves its call alone. */
  async function queueQuietly(call: Call, script: QueuedScript, event: object, config?: unknown): Promise<void> {
    try {
      await queue.queueScript(call, script, event, config);
    } catch (error) {
      if (Date.now() - warnedAt < warnInterval) return;
      warnedAt = Date.now();
      log.warn({ err: error, script, reqId: call.id }, 'A script could not be queued.');
    }
  }

  /**
   * Ends the event of these names, which are fired one after the other. Throws what a plain script fails with. `shortData` is what
   * is written down of it; absent: `dataOf`.
   */
  return async function runFinal(
    call: Call,
    events: readonly string[],
    dataOf: () => Promise<EventData>,
    shortData: () => Promise<Record<string, unknown>> = async () => ({ ...(await dataOf()) }),
  ): Promise<void> {
    const byName = await scripts.names();
    // The same for all of them: none can change it.
    let data: Promise<EventData> | undefined;
    const eventData = () => {
      data ??= dataOf();
      return data;
    };
    for (const event of events) {
      const plain = byName.get(event);
      if (plain !== undefined) {
        const script = await load(plain, call);
        const result = script && (await run(call, script, await eventData()));
        if (isRecord(result) && result.stop_propagation === true) return;
        continue;
      }
      const queued = byName.get(`${event}.queued`);
      const script = queued === undefined ? undefined : await scripts.describe(queued);
      if (script) await queueQuietly(call, { name: script.name }, await eventData(), script.config);
    }
    let short: Promise<Record<string, unknown>> | undefined;
    for (const { service, event, data: mapped, log: row } of await map.find(events)) {
      if (row) {
        short ??= shortData();
        logEvent(service, { name: event, row, data: await short, call });
      } else await queueQuietly(call, { service }, { ...(await eventData()), name: event, data: mapped });
    }
  };
}
