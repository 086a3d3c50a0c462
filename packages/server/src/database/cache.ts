// Answers of GET calls kept for a while, when the service is configured so (contract/database-tables.md §12). Writes do
// not renew them: that is the bargain of the setting, which is off unless someone turns it on.
import { type MaybePromise, truthy } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { replaceLookups, sessionLookup } from '../access/lookups.ts';
import { conditionsOf } from '../access/record-filters.ts';
import type { Call, Reply } from '../call/call.ts';
import type { DatabaseConfig } from './parts.ts';

const mostBytes = 32 * 1024 * 1024;

/** Parameters that change nothing about the answer. */
const irrelevant = new Set(['_', 'refresh', 'api_key', 'session_token', 'accept']);

export interface AnswerCache {
  /** The kept answer of a call, or the one `make` gives, which is then kept. */
  get(call: Call, make: () => MaybePromise<Reply>): Promise<Reply>;
}

/** A cache for one service; undefined when its configuration wants none. */
export function answerCache({ cache_enabled, cache_ttl }: DatabaseConfig): AnswerCache | undefined {
  const minutes = cache_ttl ?? 0;
  if (!cache_enabled || minutes <= 0) return undefined;
  const kept = new LRUCache<string, { json: string }>({
    maxSize: mostBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length,
    ttl: minutes * 60_000,
  });
  return {
    async get(call, make) {
      // A tunnelled GET is asked by its body, which the key does not hold.
      if ((await call.body()) !== undefined) return make();
      const key = keyOf(call);
      const found = truthy(call.query.get('refresh')) ? undefined : kept.get(key);
      if (found) return { body: found };
      const reply = await make();
      if ('json' in reply.body) kept.set(key, reply.body);
      else if ('value' in reply.body) kept.set(key, { json: JSON.stringify(reply.body.value) });
      return reply;
    },
  };
}

/**
 * Lookups in a filter and what a role may see depend on who asks, so that everyone has answers of their own. Both may
 * change while an answer is kept: the record filter and what lookups stand for now are part of the key, and so are the
 * requestor and which reading of the role it is, since related tables are decided on their own.
 */
function keyOf(call: Call): string {
  const { path, query, caller, baseUrl, decision } = call;
  const lookup = sessionLookup(call);
  const parameters = query
    .names()
    .filter((name) => !irrelevant.has(name.toLowerCase()))
    .map((name) => [name.toLowerCase(), query.get(name) ?? ''] as const)
    .filter(([name, value]) => name !== 'fields' || value !== '*')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, value, replaceLookups(value, lookup)]);
  const visible = decision.filterRow && conditionsOf(decision.filterRow, lookup);
  const rights = [caller.requestor, numberOf(caller.role?.access), numberOf(caller.lookups)];
  return JSON.stringify([path, caller.user?.id, rights, caller.app?.id, baseUrl, parameters, visible]);
}

const numbers = new WeakMap<object, number>();
let given = 0;

/** A number for each object: what is read anew is another one. */
function numberOf(it: object | undefined): number {
  if (!it) return 0;
  const known = numbers.get(it) ?? ++given;
  numbers.set(it, known);
  return known;
}
