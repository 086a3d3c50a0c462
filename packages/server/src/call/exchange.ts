// A call on its way together with what came of it, for the steps around its handler: those before may change the request,
// those after see a reply or a failure and may put another reply in its place.
import { Readable } from 'node:stream';
import type { Verb } from '@sluice/contract';
import type { Call, Payload, Query } from './call.ts';
import { discard, type Reply } from './reply.ts';

/** `reply` and `failure` exclude each other; both are absent until the call is handled. Set by the functions below. */
export interface Exchange {
  call: Call;
  readonly reply?: Reply | undefined;
  /** What was thrown: a failure of the catalogue, or a bug of ours. */
  readonly failure?: unknown;
}

/**
 * Replaces a reply or a failure by a reply. Rows or a stream of the former reply are ended: a step that wraps them sets the
 * `body` of the existing reply instead.
 */
export function replaceReply(exchange: Exchange, reply: Reply): void {
  if (exchange.reply && exchange.reply.body !== reply.body) discard(exchange.reply);
  Object.assign(exchange, { reply, failure: undefined });
}

/** Replaces a reply, which is ended, or another failure by a failure. */
export function replaceByFailure(exchange: Exchange, failure: unknown): void {
  if (exchange.reply) discard(exchange.reply);
  Object.assign(exchange, { reply: undefined, failure });
}

/** Sets headers of a reply; those of the same name are replaced, whatever the case of its letters. */
export function setHeaders(reply: Reply, headers: Record<string, string>): void {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const others = Object.entries(reply.headers ?? {}).filter(([name]) => !names.has(name.toLowerCase()));
  reply.headers = Object.fromEntries([...others, ...Object.entries(headers)]);
}

/** The parts of a request that a step replaces; what is absent stays. */
export interface RequestChange {
  /** The whole payload, as `body()` gives it; `undefined` for none. */
  payload?: Payload;
  /** Another verb has to be matched and authorized again. */
  verb?: Verb;
  /** All parameters; `queryOf` makes them. */
  query?: Query;
  /** By lower-case name; `undefined` removes one. Other headers stay. */
  headers?: ReadonlyMap<string, string | undefined>;
}

/** A copy of a call with another request and the same context. The call itself is not changed. */
export function withRequest(call: Call, change: RequestChange): Call {
  const { verb = call.verb, query = call.query, headers } = change;
  const { body, rawBody, stream } = 'payload' in change ? bodyOf(change.payload) : call;
  return copyCall(call, {
    ...{ verb, service: call.service, path: call.path, query },
    ...{ caller: call.caller, decision: call.decision, serviceId: call.serviceId, match: call.match },
    ...{ state: call.state, replyHeaders: call.replyHeaders, depth: call.depth },
    header: (name) => (headers?.has(name) ? headers.get(name) : call.header(name)),
    headerNames: () =>
      [...new Set([...call.headerNames(), ...(headers?.keys() ?? [])])].filter(
        (name) => headers?.get(name) !== undefined || !headers?.has(name),
      ),
    body: body.bind(call),
    rawBody: rawBody.bind(call),
    stream: stream.bind(call),
  });
}

/** What every call made of another has of it: where it came from, and how it ends. */
type InheritedMember = 'id' | 'credentials' | 'signal' | 'memory' | 'baseUrl' | 'ip' | 'userAgent';

/** A call made of another. All that may differ has to be said: nothing is lost, and nothing goes along by oversight. */
export const copyCall = (call: Call, own: Omit<Call, InheritedMember>): Call => ({
  ...own,
  id: call.id,
  credentials: call.credentials,
  baseUrl: call.baseUrl,
  ip: call.ip,
  userAgent: call.userAgent,
  // Getters, since making either costs the call a listener.
  get signal() {
    return call.signal;
  },
  get memory() {
    return call.memory;
  },
});

/** The same call; what is done for the copy ends with another signal. */
export const withSignal = (call: Call, signal: AbortSignal): Call =>
  Object.defineProperty(withRequest(call, {}), 'signal', { value: signal });

/** A body that is in memory, or a stream. As a stream, text and bytes go out as they are, anything else as JSON. */
export function bodyOf(payload: Payload): Pick<Call, 'body' | 'rawBody' | 'stream'> {
  return {
    body: () => payload,
    rawBody: () => undefined,
    stream: () =>
      payload instanceof Readable ? payload : Readable.from(payload === undefined ? [] : [bytesOf(payload)]),
  };
}

const bytesOf = (payload: Payload): Uint8Array =>
  payload instanceof Uint8Array
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
