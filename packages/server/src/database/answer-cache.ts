// Answers of GET calls, cached for a while when the service is configured so (contract/database-tables.md §12). Writes do
// not renew them: that is the bargain of the setting, which is off unless someone turns it on.
import { type MaybePromise, truthy } from '@sluice/contract';
import { replaceLookups } from '../access/fill-lookups.ts';
import { sessionLookup } from '../access/lookups.ts';
import { conditionsOf } from '../access/record-filters.ts';
import type { Call, Reply } from '../call/call.ts';
import type { ServiceContext } from '../service/service.ts';
import type { DatabaseConfig } from './parts.ts';

/** Parameters that change nothing about the answer. */
const ignoredParameters = new Set(['_', 'refresh', 'api_key', 'session_token', 'accept']);

export interface AnswerCache {
  /** The cached answer of a call, or the one `compute` gives, which is then cached. */
  get(call: Call, compute: () => MaybePromise<Reply>): Promise<Reply>;
  /** The tables are not what they were. */
  clear(): void;
}

/** A cache for one service; undefined when its configuration wants none. */
export function answerCache(
  { cache_enabled, cache_ttl }: DatabaseConfig,
  { cache: values }: Pick<ServiceContext, 'cache'>,
): AnswerCache | undefined {
  const minutes = cache_ttl ?? 0;
  if (!cache_enabled || minutes <= 0) return undefined;
  let clears = 0;
  return {
    clear() {
      clears += 1;
      values.clear();
    },
    async get(call, compute) {
      // A tunnelled GET has parameters in its body, which the key does not hold.
      if ((await call.body()) !== undefined) return compute();
      const key = keyOf(call);
      const cached = truthy(call.query.get('refresh')) ? undefined : values.get(key);
      if (cached !== undefined) return { body: { json: cached } };
      const clearsBefore = clears;
      const reply = await compute();
      // What was read of tables as they were before is of no use to the next caller.
      if (clears !== clearsBefore) return reply;
      if ('json' in reply.body) values.set(key, reply.body.json, minutes * 60);
      else if ('value' in reply.body) values.set(key, JSON.stringify(reply.body.value), minutes * 60);
      return reply;
    },
  };
}

/**
 * Lookups in a filter and what a role may see depend on the caller, so that each has answers of their own. Both may change
 * while an answer is cached: the record filter and the values of lookups are part of the key, and so are the requestor and
 * the version of the role that was read, since access to related tables is decided apart.
 */
function keyOf(call: Call): string {
  const { path, query, caller, baseUrl, decision } = call;
  const lookup = sessionLookup(call);
  const parameters = query
    .names()
    .filter((name) => !ignoredParameters.has(name.toLowerCase()))
    .map((name) => [name.toLowerCase(), query.get(name) ?? ''] as const)
    .filter(([name, value]) => name !== 'fields' || value !== '*')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, value, replaceLookups(value, lookup)]);
  const recordFilter = decision.filterRow && conditionsOf(decision.filterRow, lookup);
  const rights = [caller.requestor, identityNumber(caller.role?.access), identityNumber(caller.lookups)];
  return JSON.stringify([path, caller.user?.id, rights, caller.app?.id, baseUrl, parameters, recordFilter]);
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number for each object: a role that is read again is another object. */
function identityNumber(object: object | undefined): number {
  if (!object) return 0;
  const number = numbers.get(object) ?? ++lastNumber;
  numbers.set(object, number);
  return number;
}
