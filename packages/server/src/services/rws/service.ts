// An open remote web service: how a call of it becomes a call of the remote one, and what is kept of the answers.
import { createHash } from 'node:crypto';
import { fail, truthy } from '@sluice/contract';
import { maskOfService } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { hopsHeader } from '../../call/hops.ts';
import type { OutsideResponse } from '../../fetch/open.ts';
import { definedAccessList } from '../../openapi/access-list.ts';
import { storedDefinitions } from '../../openapi/stored.ts';
import { callerLookups } from '../../scripts/lookups.ts';
import { serviceRows } from '../../service/registry.ts';
import type { OpenService, ServiceContext } from '../../service/service.ts';
import type { PrivateTargets } from '../../settings/index.ts';
import { createOutside, refusedAddress } from '../engines/outside.ts';
import { cacheScope, createRemoteSlots, fillsOf, hideSecrets, hopOf } from '../engines/remote-calls.ts';
import { targetOf } from './address.ts';
import { type RemoteText, refusalOf, replyOf, replyOfText } from './answer.ts';
import { baseOf, type RemoteConfig } from './config.ts';
import { createLinkReplacer } from './links.ts';
import { limitsOf, readOptions } from './options.ts';
import { bodyOf, headersOf } from './request.ts';

export interface RemoteService extends OpenService {
  respond(call: Call): Promise<Reply>;
}

/** Milliseconds that a test of a configuration may take. */
const testTime = 30_000;
/** Characters of an answer that is kept. */
const maxKept = 1024 * 1024;

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
  const slots = createRemoteSlots();

  async function baseOfService(): Promise<URL> {
    const base = baseOf(config.base_url) ?? baseOf((await definitions.of(context.id))?.address);
    if (!base) throw fail('remote.noAddress');
    return base;
  }

  async function respond(call: Call): Promise<Reply> {
    const base = await baseOfService();
    const hop = hopOf(call);
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
        headers.set(hopsHeader, hop);
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
    signal: AbortSignal.timeout(testTime),
  });
  response.discard();
  outside.close();
}

function notModified(response: OutsideResponse): Reply {
  response.discard();
  const { etag } = response.headers;
  return { status: 304, ...(etag ? { headers: { ETag: etag } } : {}), body: { text: '', type: 'text/plain' } };
}

// ---- the cache ----

/** By contract verb, path and query; ours besides: whose answer it is, and the headers that are sent. */
function cacheKey(call: Call, query: readonly unknown[], headers: ReadonlyMap<string, string>): string {
  const { verb, path } = call;
  return createHash('sha256')
    .update(JSON.stringify([verb, path, query, [...headers], ...cacheScope(call)]))
    .digest('base64');
}
