// A service that is a script: what answers any verb at any address below it (contract/event-scripts-and-script-services.md §7).
// services/engines/script-type.ts declares the types.
import { createHash } from 'node:crypto';
import { Failure, fail, type ScriptTypeName, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import { TypedMap } from '../call/typed-map.ts';
import { definedAccessList } from '../openapi/access-list.ts';
import { storedDefinitions } from '../openapi/stored.ts';
import type { OpenService, ServiceContext } from '../service/service.ts';
import { isDryRun } from './dry-run.ts';
import { type EventData, replyOf, requestData } from './event-data.ts';
import { cachedLinkedScript, isLinked, linkedParts, type ScriptLink } from './linked.ts';
import { queueableService, scriptQueue } from './queue.ts';
import { scriptRunner } from './runner.ts';

export interface ScriptServiceConfig extends ScriptLink {
  content?: string | null;
  implements_access_list?: boolean | null;
  cache_enabled?: boolean | null;
  /** Minutes. */
  cache_ttl?: number | null;
  queued?: boolean | null;
  /** Of its keys `delay` counts, or `QUEUED_DELAY`. */
  config?: Record<string, unknown> | null;
}

export interface ScriptService extends OpenService {
  respond(call: Call): Promise<Reply>;
}

export function openScriptService(
  type: ScriptTypeName,
  config: ScriptServiceConfig,
  context: ServiceContext,
): ScriptService {
  const runner = context.require(scriptRunner);
  const definitions = context.require(storedDefinitions);
  const queue = context.require(scriptQueue);
  const name = `service.${context.name}`;
  const minutes = config.cache_enabled ? (config.cache_ttl ?? 0) : 0;
  const loadLinked = isLinked(config) ? cachedLinkedScript(config, context.require(linkedParts), name) : undefined;

  /** The script; undefined where it lies elsewhere and cannot be loaded now. */
  async function load(call: Call): Promise<string | undefined> {
    if (!loadLinked) return config.content ?? '';
    try {
      return await loadLinked(call);
    } catch (error) {
      if (!(error instanceof Failure) || error.key !== 'script.notLoaded') throw error;
      context.log.warn({ err: error.cause, script: name }, 'A linked script could not be loaded.');
      return undefined;
    }
  }

  async function run(call: Call): Promise<{ reply: Reply; isLoaded: boolean }> {
    const content = await load(call);
    const isSilent = call.query.get('log_output') !== undefined && !truthy(call.query.get('log_output'));
    // One that cannot be loaded is an empty one (contract §3).
    const script = { name, type, content: content ?? '', isSilent };
    const result = await runner.run(call, script, await eventOf(call));
    return { reply: replyOfResult(result), isLoaded: content !== undefined };
  }

  /** Answers of GET calls that went well, for callers who are the same to the script. */
  async function runCached(call: Call): Promise<Reply> {
    // A tunnelled GET has parameters in its body, which the key does not hold.
    if ((await call.body()) !== undefined) return (await run(call)).reply;
    const key = cacheKey(call);
    const cached = context.cache.get(key);
    if (cached !== undefined) return JSON.parse(cached) as Reply;
    const { reply, isLoaded } = await run(call);
    const text = isLoaded && (reply.status ?? 200) < 300 ? JSON.stringify(reply) : '';
    if (text !== '' && text.length <= maxCached) context.cache.set(key, text, minutes * 60);
    return reply;
  }

  /** For calls of queued services, and for events that an event map names; a script that cannot be loaded is tried again. */
  async function runQueued(call: Call, event: object): Promise<unknown> {
    const content = loadLinked ? await loadLinked(call) : (config.content ?? '');
    return runner.run(call, { name, type, content }, event);
  }

  return {
    provides: new TypedMap().set(queueableService, { runQueued }),
    async respond(call) {
      const wantsAccessList = call.verb === 'GET' && call.path === '' && truthy(call.query.get('as_access_list'));
      if (wantsAccessList && !config.implements_access_list)
        return answer({ resource: definedAccessList((await definitions.of(context.id))?.operations ?? [], call) });
      if (config.queued) {
        if (isDryRun(call)) throw fail('script.notInDryRun');
        const delay = config.config?.delay ?? config.config?.QUEUED_DELAY;
        await queue.queueScript(call, { service: context.id }, await eventOf(call), { delay });
        return answer({ success: true }, 202);
      }
      const isCached = call.verb === 'GET' && minutes > 0 && !isDryRun(call);
      return isCached ? runCached(call) : (await run(call)).reply;
    },
  };
}

/** Characters of an answer that is cached. */
const maxCached = 1024 * 1024;

/** By contract verb, path and parameters; ours besides: who calls, and by which name of this instance. */
function cacheKey({ verb, path, query, caller, baseUrl }: Call): string {
  const parameters = query.names().filter((name) => name !== '_');
  const { user, app, role, requestor } = caller;
  return createHash('sha256')
    .update(
      JSON.stringify([
        ...[verb, path, parameters.map((name) => [name, query.get(name)])],
        ...[baseUrl, requestor, app?.id, role?.id, user?.id],
      ]),
    )
    .digest('base64');
}

/** The event of the script: the whole address below its service, and a response to fill in. */
async function eventOf(call: Call): Promise<EventData> {
  const event = await requestData(call);
  return { ...event, resource: call.path, response: { content: null, content_type: null, status_code: 200 } };
}

/** `response` of what was returned, else of the event; a value without `content` is the body itself. */
function replyOfResult(result: unknown): Reply {
  const response = isRecord(result) && 'response' in result ? result.response : result;
  return isRecord(response) ? replyOf(response) : answer(response ?? null);
}
