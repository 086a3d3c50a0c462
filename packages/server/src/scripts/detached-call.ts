// A call that a script runs for when the one it comes from is over: the same caller and place, nothing of the request itself.
import { noAccess } from '../access/decide.ts';
import { queryOf } from '../call/address.ts';
import type { Call, Caller } from '../call/call.ts';
import { bodyOf } from '../call/exchange.ts';
import { TypedMap } from '../call/typed-map.ts';
import { ScriptBudget, scriptBudget } from './budget.ts';

/** Where a call came from, as far as it outlives it. */
export type CallOrigin = Pick<Call, 'id' | 'verb' | 'service' | 'path' | 'baseUrl' | 'ip' | 'userAgent'>;

export const originOf = ({ id, verb, service, path, baseUrl, ip, userAgent }: Call): CallOrigin => ({
  ...{ id, verb, service, path, baseUrl, ip, userAgent },
});

export interface DetachedOptions {
  /** Ends what runs for it. */
  signal: AbortSignal;
  /** Milliseconds that its scripts have together. */
  time: number;
  /** How many queued scripts led to it, one by the other. */
  generation: number;
}

export const detachedCall = (
  origin: CallOrigin,
  caller: Caller,
  { signal, time, generation }: DetachedOptions,
): Call => ({
  ...origin,
  ...{ caller, credentials: {}, query: queryOf(new Map()), header: () => undefined, headerNames: () => [] },
  ...bodyOf(undefined),
  ...{ decision: noAccess, serviceId: undefined, match: undefined, replyHeaders: new Map(), memory: undefined },
  ...{ state: stateOf(time, generation), signal, depth: 0 },
});

function stateOf(time: number, generation: number): TypedMap {
  const budget = new ScriptBudget(time);
  budget.generation = generation;
  return new TypedMap().set(scriptBudget, budget);
}
