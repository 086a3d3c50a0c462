// Scripts that run once their call is over, as jobs: event scripts named `.queued`, script services that are `queued`, and those
// that an event map names (contract/event-scripts-and-script-services.md §6–8). A job runs as the caller it comes from, who is
// found again when it runs: what they may do then counts.
import { Failure, fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import { createKey } from '../call/typed-map.ts';
import type { Identity } from '../identity/index.ts';
import { createJobKind, HopelessError, type Jobs } from '../jobs/index.ts';
import type { Services } from '../service/registry.ts';
import type { Settings } from '../settings/index.ts';
import { scriptBudget } from './budget.ts';
import { type CallOrigin, detachedCall, originOf } from './detached-call.ts';
import { type CallerNote, findNotedCaller, noteOf } from './noted-caller.ts';

/** What is queued: the event script of a name, or the script of a service by its id. */
export type QueuedScript = { name: string } | { service: number };

/** What a script service provides, so that jobs can run it. */
export interface QueueableService {
  /** Runs the script of the service with an event, and forgets what comes of it. Throws what the script fails with. */
  runQueued(call: Call, event: Record<string, unknown>): Promise<unknown>;
}
export const queueableService = createKey<QueueableService>('the script of the service');

export interface ScriptQueue {
  /**
   * Has a script run after this call, at least once, as its caller. `config` is that of the script: of its keys `delay` counts,
   * in seconds. Throws `script.tooDeep` where queued scripts queue each other without end, and `job.tooMany`.
   */
  queueScript(call: Call, script: QueuedScript, event: object, config?: unknown): Promise<void>;
}

/** For services that queue their scripts. */
export const scriptQueue = createKey<ScriptQueue>('the queue of scripts');

export interface QueueParts {
  jobs: Pick<Jobs, 'handle' | 'add'>;
  identity: Pick<Identity, 'findCaller'>;
  services: () => Pick<Services, 'rows' | 'openById'>;
  settings: Pick<Settings, 'scriptSeconds'>;
  /** Runs the event script of a name; one that is gone, or switched off, is none. */
  runEventScript(call: Call, name: string, event: Record<string, unknown>): Promise<unknown>;
}

interface QueuedRun {
  script: QueuedScript;
  event: Record<string, unknown>;
  caller: CallerNote;
  origin: CallOrigin;
  generation: number;
}

/**
 * A script that fails may have done half of its work: it is tried three times in all. Few at once, and few that wait, so that
 * scripts take neither the places of mails nor the store.
 */
const queuedScript = createJobKind<QueuedRun>('queued script', {
  ...{ places: 2, attempts: 3, maxWaiting: 10_000, maxFailed: 1_000 },
});
/** Queued scripts that may lead to each other. */
const maxGenerations = 5;
/** Seconds. */
const maxDelay = 30 * 24 * 3600;
/** Bytes of an event as JSON, of which a job holds no more. */
const maxEvent = 200 * 1024;

/** Failures that another attempt does not mend: the script was ended by a bound, or may not run. */
const lastingFailures = new Set([
  ...['script.timeout', 'script.tooDeep', 'script.tooManyCalls', 'script.tooMuchOutput', 'script.tooMuchResult'],
  ...[
    'script.keyGone',
    'script.memory',
    'script.valueTooLong',
    'script.allDisabled',
    'script.disabled',
    'script.engineMissing',
  ],
]);

export function createScriptQueue({ jobs, identity, services, settings, runEventScript }: QueueParts): ScriptQueue {
  jobs.handle(queuedScript, async ({ script, event, caller: note, origin, generation }, { signal }) => {
    try {
      const caller = await findNotedCaller(note, identity);
      const time = settings.scriptSeconds * 1_000;
      const call = detachedCall(origin, caller, { signal, time, generation });
      if ('name' in script) await runEventScript(call, script.name, event);
      else await (await services().openById(script.service)).provided(queueableService)?.runQueued(call, event);
    } catch (error) {
      if (error instanceof Failure && (lastingFailures.has(error.key) || error.key.startsWith('session.')))
        throw new HopelessError(error.message, { cause: error });
      throw error;
    }
  });

  return {
    async queueScript(call, script, event, config) {
      // What a dry run leads to is not done.
      if (call.state.get(scriptBudget)?.dryRun) return;
      const subject =
        'name' in script
          ? script.name
          : `service.${(await services().rows()).find(({ id }) => id === script.service)?.name ?? script.service}`;
      const generation = (call.state.get(scriptBudget)?.generation ?? 0) + 1;
      if (generation > maxGenerations) throw fail('script.tooDeep', { name: subject, limit: maxGenerations });
      const run: QueuedRun = {
        ...{ script, event: storedEvent(event), caller: noteOf(call.caller), origin: originOf(call), generation },
      };
      await jobs.add(queuedScript, run, { delay: delayOf(config) * 1_000, subject });
    },
  };
}

/** Seconds; the keys `connection` and `queue` name what there is one of. */
function delayOf(config: unknown): number {
  const delay = isRecord(config) ? Number(config.delay) : 0;
  return Number.isFinite(delay) ? Math.min(Math.max(delay, 0), maxDelay) : 0;
}

const secretHeaders = [
  ...['authorization', 'cookie', 'x-dreamfactory-api-key', 'x-dreamfactory-session-token'],
  ...['x-dreamfactory-script-token', 'proxy-authorization'],
];
const secretParameters = ['api_key', 'session_token', 'script_token'];

/**
 * An event as a job keeps it: without what lets others call as its caller, and, where it is long, without the content of its
 * response and then of its request, as what is too long to look at.
 */
function storedEvent(event: object): Record<string, unknown> {
  const whole = withoutCredentials(event as Record<string, unknown>);
  const withoutResponse = {
    ...whole,
    ...(isRecord(whole.response) ? { response: { ...whole.response, content: null } } : {}),
  };
  const { request } = whole;
  const withoutPayload = {
    ...withoutResponse,
    ...(isRecord(request) ? { request: { ...request, payload: null, content: '' } } : {}),
  };
  return [whole, withoutResponse].find((data) => Buffer.byteLength(JSON.stringify(data)) <= maxEvent) ?? withoutPayload;
}

function withoutCredentials(event: Record<string, unknown>): Record<string, unknown> {
  const { request } = event;
  if (!isRecord(request)) return event;
  const { headers, parameters, uri } = request;
  return {
    ...event,
    request: {
      ...request,
      ...(isRecord(headers) ? { headers: without(headers, secretHeaders) } : {}),
      ...(isRecord(parameters) ? { parameters: without(parameters, secretParameters) } : {}),
      ...(typeof uri === 'string'
        ? { uri: uri.replace(/(?<=[?&])(api_key|session_token|script_token)=[^&]*&?/g, '') }
        : {}),
    },
  };
}

const without = (values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name.toLowerCase())));
