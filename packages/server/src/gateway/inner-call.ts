import { fail, type Requestor, type Verb } from '@sluice/contract';
import { noAccess } from '../access/decide.ts';
import { queryOf } from '../call/address.ts';
import type { Call, Payload, Query } from '../call/call.ts';
import { bodyOf } from '../call/exchange.ts';

/** What a step or a handler asks of another service. Only what is named here is sent, none of the outer request. */
export interface InnerRequest {
  verb: Verb;
  service: string;
  /** Below the service, decoded, without a leading slash. */
  path: string;
  query?: Query;
  /** By lower-case name. */
  headers?: ReadonlyMap<string, string>;
  payload?: Payload;
  /** In whose name it is asked: rows of service access are for some requestors only. */
  requestor: Requestor;
}

/** How many calls may be made inside each other. */
export const deepest = 10;

const noQuery = queryOf(new Map());

/**
 * A call that is made inside another: by the same caller from the same place, with a requestor and a request of its own,
 * undecided yet. It ends with the outer one. One that is too deep inside others fails with `call.tooDeep`.
 */
export function innerCall(call: Call, request: InnerRequest): Call {
  const depth = (call.depth ?? 0) + 1;
  if (depth > deepest) throw fail('call.tooDeep', { limit: deepest });
  const { verb, service, path, query = noQuery, headers, payload, requestor } = request;
  return {
    id: call.id,
    verb,
    service: service.toLowerCase(),
    path,
    query,
    header: (name) => headers?.get(name),
    credentials: call.credentials,
    caller: { ...call.caller, requestor },
    decision: noAccess,
    get signal() {
      return call.signal;
    },
    baseUrl: call.baseUrl,
    ip: call.ip,
    userAgent: call.userAgent,
    ...bodyOf(payload),
    depth,
  };
}
