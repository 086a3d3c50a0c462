// An open remote web service: how a call of it becomes a call of the remote one, and what is kept of the answers.
import { createHash } from 'node:crypto';
import { fail, fillBraces, truthy } from '@sluice/contract';
import { maskOfService } from '../../access/gate.ts';
import { platformNames, sessionLookup } from '../../access/lookups.ts';
import { nameInModifier, withModifiers } from '../../access/modifiers.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { createCallSlots } from '../../call/call-slots.ts';
import { hopsHeader, nextHop } from '../../call/hops.ts';
import type { OutsideResponse } from '../../fetch/open.ts';
import { definedAccessList } from '../../openapi/access-list.ts';
import { storedDefinitions } from '../../openapi/stored.ts';
import { callerLookups, type ScriptLookups } from '../../scripts/lookups.ts';
import { serviceRows } from '../../service/registry.ts';
import type { OpenService, ServiceContext } from '../../service/service.ts';
import type { PrivateTargets } from '../../settings/index.ts';
import { type Fills, targetOf } from './address.ts';
import { type RemoteText, refusalOf, replyOf, replyOfText } from './answer.ts';
import { baseOf, type RemoteConfig } from './config.ts';
import { createLinkReplacer } from './links.ts';
import { limitsOf, readOptions } from './options.ts';
import { createOutside, refusedAddress } from './outside.ts';
import { bodyOf, headersOf } from './request.ts';

export interface RemoteService extends OpenService {
  respond(call: Call): Promise<Reply>;
}

/** Calls that wait for the head of an answer at a time, and milliseconds that one waits for its turn. */
const maxCalls = 64;
const waitTime = 30_000;
const maxWaiting = 500;
const busy = () => fail('remote.busy');
/** Instances that a call may pass on its way. */
const maxHops = 5;
/** Characters of an answer that is kept. */
const maxKept = 1024 * 1024;
/** Shorter values would hide parts of common words. */
const minSecret = 4;

export function openRemote(
  config: RemoteConfig,
  context: ServiceContext,
  privateTargets: PrivateTargets,
): RemoteService {
  const options = readOptions(config.options ?? {});
  const rules = { parameters: config.parameters ?? [], keepsSlash: config.preserve_forward_trailing_slash ?? false };
  const minutes = config.cache_enabled ? (config.cache_ttl ?? 0) : 0;
  const definitions = context.require(storedDefinitions);
  const lookupsOf = context.require(callerLookups);
  const outside = createOutside(privateTargets);
  const slots = createCallSlots({ total: maxCalls, kept: 8, maxWaiting, waitTime, busy });

  async function baseOfService(): Promise<URL> {
    const base = baseOf(config.base_url) ?? baseOf((await definitions.of(context.id))?.address);
    if (!base) throw fail('remote.noAddress');
    return base;
  }

  async function respond(call: Call): Promise<Reply> {
    const base = await baseOfService();
    const hop = nextHop(call);
    if (hop.count > maxHops) throw fail('remote.loop', { limit: maxHops });
    const lookups = await lookupsOf(call.caller);
    const fills = fillsOf(call, lookups);
    const { address, cacheQuery } = targetOf(call, base, rules, fills);
    const headers = new Map([...options.headers, ...headersOf(call, config.headers ?? [], fills.rule)]);
    const key = call.verb === 'GET' && minutes > 0 ? cacheKey(call, cacheQuery, headers) : undefined;
    const cached = key === undefined ? undefined : context.cache.get(key);
    if (cached !== undefined) return replyOfText(call, JSON.parse(cached) as RemoteText);
    return slots.run(call, async () => {
      try {
        const { body, type, length } = await bodyOf(call);
        if (body !== undefined && type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
        if (length !== undefined) headers.set('content-length', length);
        headers.set(hopsHeader, hop.header);
        const request = { verb: call.verb, address, headers, ...(body === undefined ? {} : { body }) };
        const response = await outside.to(base)({ ...request, ...limitsOf(options), signal: call.signal });
        if (response.status === 304) return notModified(response);
        if (response.status >= 300) throw await refusalOf(response, (text) => hideSecrets(text, lookups));
        return await replyOf(call, response, {
          replaceLinks: config.replace_link ? await linkReplacer(call) : undefined,
          keep: key === undefined || response.status !== 200 ? undefined : (found) => keep(key, found),
        });
      } catch (error) {
        throw refusedAddress(error);
      }
    });
  }

  function keep(key: string, found: RemoteText): void {
    const text = JSON.stringify(found);
    if (text.length <= maxKept) context.cache.set(key, text, minutes * 60);
  }

  /** Of other services, those that the caller may know of. */
  async function linkReplacer(call: Call): Promise<(text: string) => string> {
    const rows = (await context.require(serviceRows)()).filter(
      ({ id, key, type, isActive }) =>
        type === typeName && isActive && (id === context.id || maskOfService(call.caller, key) !== 0),
    );
    // Its own address comes first, where several have the same.
    const services = rows
      .sort((a, b) => Number(b.id === context.id) - Number(a.id === context.id))
      .map((row) => ({ name: row.name, base: String(row.config.base_url ?? '') }));
    return createLinkReplacer(services, call);
  }

  return {
    async respond(call) {
      const wantsAccessList = call.verb === 'GET' && call.path === '' && truthy(call.query.get('as_access_list'));
      if (wantsAccessList && !config.implements_access_list)
        return answer({ resource: definedAccessList((await definitions.of(context.id))?.operations ?? [], call) });
      return respond(call);
    },
    close: async () => outside.close(),
  };
}

/** The type whose services this file opens. */
export const typeName = 'rws';

/** Asks for the head of what is at the base; any answer will do. */
export async function testRemote(config: RemoteConfig, privateTargets: PrivateTargets): Promise<void> {
  const options = readOptions(config.options ?? {});
  const base = baseOf(config.base_url);
  if (!base) throw fail('remote.noAddress');
  const outside = createOutside(privateTargets);
  const response = await outside.to(base)({
    ...{ verb: 'HEAD', address: base.href, headers: new Map<string, string>() },
    ...limitsOf(options),
    signal: AbortSignal.timeout(waitTime),
  });
  response.discard();
  outside.close();
}

function notModified(response: OutsideResponse): Reply {
  response.discard();
  const { etag } = response.headers;
  return { status: 304, ...(etag ? { headers: { ETag: etag } } : {}), body: { text: '', type: 'text/plain' } };
}

// ---- lookups ----

/**
 * Private keys are for the values of rules, which an administrator wrote; in what callers send stand those that they may see: the
 * remote service could show them the others.
 */
function fillsOf(call: Call, lookups: ScriptLookups): Fills {
  const visible = sessionLookup(call);
  const stored = withModifiers((name) => lookups.find(name));
  const any = (name: string) => (platformNames.test(nameInModifier(name)) ? visible(name) : stored(name.trim()));
  return { rule: (text) => fillBraces(text, any), sent: (text) => fillBraces(text, visible) };
}

const hideSecrets = (text: string, { secret }: ScriptLookups): string =>
  Object.values(secret)
    .filter(({ length }) => length >= minSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((hidden, value) => hidden.replaceAll(value, '**********'), text);

// ---- the cache ----

/** By contract verb, path and query; ours besides: who calls, by which name of this instance, and the headers that are sent. */
function cacheKey(call: Call, query: readonly unknown[], headers: ReadonlyMap<string, string>): string {
  const { verb, path, baseUrl } = call;
  const { user, app, role, requestor } = call.caller;
  return createHash('sha256')
    .update(JSON.stringify([verb, path, query, [...headers], baseUrl, requestor, app?.id, role?.id, user?.id]))
    .digest('base64');
}
