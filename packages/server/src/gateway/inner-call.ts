import { fail, type Requestor, type Verb } from '@sluice/contract';
import { noAccess } from '../access/decide.ts';
import { queryOf } from '../call/address.ts';
import type { Call, Payload, Query } from '../call/call.ts';
import { bodyOf, copyCall } from '../call/exchange.ts';
import { hopsOf, inheritedHops } from '../call/hops.ts';
import { TypedMap } from '../call/typed-map.ts';
import { scriptBudget } from '../scripts/budget.ts';

/** What a step or a handler requests of another service. Only this is sent, nothing of the outer request. */
export interface InnerRequest {
  verb: Verb;
  service: string;
  /** Below the service, decoded, without a leading slash. */
  path: string;
  query?: Query;
  /** By lower-case name. */
  headers?: ReadonlyMap<string, string>;
  payload?: Payload;
  /** In whose name the call is made: rows of service access are for some requestors only. */
  requestor: Requestor;
}

/** How deep calls may be nested. */
export const maxDepth = 10;

/** Of what an outer call keeps, only the budget of its scripts and its hops are those of the inner one, too. */
function inheritedState(call: Call): TypedMap {
  const budget = call.state.get(scriptBudget);
  const hops = hopsOf(call);
  const inner = new TypedMap();
  if (hops !== '') inner.set(inheritedHops, hops);
  return budget ? inner.set(scriptBudget, budget) : inner;
}

const noQuery = queryOf(new Map());

/**
 * A call that is made inside another: by the same caller from the same address, with its own requestor and request, not
 * yet decided. It ends with the outer one. One that is nested too deep fails with `call.tooDeep`.
 */
export function innerCall(call: Call, request: InnerRequest): Call {
  const depth = call.depth + 1;
  if (depth > maxDepth) throw fail('call.tooDeep', { limit: maxDepth });
  const { verb, service, path, query = noQuery, headers, payload, requestor } = request;
  return copyCall(call, {
    ...{ verb, service: service.toLowerCase(), path, query, header: (name) => headers?.get(name), ...bodyOf(payload) },
    ...{ headerNames: () => [...(headers?.keys() ?? [])] },
    ...{ caller: { ...call.caller, requestor }, decision: noAccess, serviceId: undefined, match: undefined },
    ...{ state: inheritedState(call), replyHeaders: new Map(), depth },
  });
}
