// A call that an agent makes: through the gateway as one by HTTP, with its caller found already, counted and logged like one.
import { Failure, fail, type Verb, wireError } from '@sluice/contract';
import { noAccess } from '../access/decide.ts';
import { queryOf } from '../call/address.ts';
import type { Call, Payload, Reply } from '../call/call.ts';
import { bodyOf, copyCall } from '../call/exchange.ts';
import { hopsOf, inheritedHops } from '../call/hops.ts';
import { TypedMap } from '../call/typed-map.ts';
import { runIdentified } from '../gateway/index.ts';
import type { Platform } from '../gateway/platform.ts';
import { callLine } from '../log/call-line.ts';
import { countUse } from '../use/count-use.ts';
import { failureText } from '../use/index.ts';
import { type AgentContent, maxAnswer } from './agent-content.ts';

/** What an agent requests of a service. */
export interface AgentRequest {
  verb: Verb;
  /** Lower-cased name. */
  service: string;
  path: string;
  query: ReadonlyMap<string, string>;
  /** The type of the body. */
  type?: string;
  payload?: Payload;
}

export type AgentAnswer = AgentContent & { isError: boolean };

/** Bytes of path and parameters, as of a request line. */
const maxAddress = 32 * 1024;

/** Makes the call and reads its reply; a failure is an answer, too. `message` is what the agent sent. */
export async function callForAgent(
  message: Call,
  request: AgentRequest,
  platform: Platform,
  read: (reply: Reply, call: Call) => Promise<AgentContent>,
): Promise<AgentAnswer> {
  const { metrics, use, log } = platform;
  const call = openCall(message, request);
  const began = performance.now();
  metrics.calls.begin();
  let status = 500;
  try {
    checkAddress(request);
    const reply = await runIdentified(call, platform);
    const content = await read(reply, call);
    call.memory?.take(Buffer.byteLength('text' in content ? content.text : content.base64));
    status = reply.status ?? 200;
    return { ...content, isError: status >= 400 };
  } catch (error) {
    metrics.countFailure(error);
    const failure = failureFor(error, call, platform);
    status = failure.status;
    call.state.set(failureText, failure.message);
    return { text: failureJson(failure, call), isError: true };
  } finally {
    const elapsed = performance.now() - began;
    countUse(use, call, status);
    metrics.calls.end(call.service, call.verb, call.signal.aborted ? 'aborted' : status, elapsed);
    if (log.isLevelEnabled('info')) log.info({ ...callLine(call, status, elapsed), agent: true }, 'call');
  }
}

function openCall(message: Call, { verb, service, path, query, type, payload }: AgentRequest): Call {
  const headers = new Map([
    ['accept', 'application/json'],
    ...(type === undefined ? [] : [['content-type', type] as const]),
  ]);
  return copyCall(message, {
    ...{ verb, service, path, query: queryOf(query), header: (name) => headers.get(name), ...bodyOf(payload) },
    ...{ headerNames: () => [...headers.keys()], caller: message.caller, decision: noAccess, serviceId: undefined },
    ...{
      match: undefined,
      state: new TypedMap().set(inheritedHops, hopsOf(message)),
      replyHeaders: new Map(),
      depth: 0,
    },
  });
}

/** What no address of a request could hold, no call has. */
function checkAddress({ path, query }: AgentRequest): void {
  const texts = [path, ...query.values()];
  if (texts.some((text) => text.includes('\0')))
    throw fail('http.badAddress', { problem: 'it holds a NUL character.' });
  if (texts.some((text) => !isWellFormed(text))) throw fail('http.invalidUtf8', { where: 'query' });
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > maxAddress)
    throw fail('mcp.argumentsTooLong', { limit: maxAddress });
}

/** Half of a character is no text. */
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

function failureFor(error: unknown, { id, signal }: Call, { log }: Platform): Failure {
  if (error instanceof Failure) {
    if (error.status >= 500 && error.cause)
      log.warn({ reqId: id, key: error.key, cause: String(error.cause) }, error.message);
    return error;
  }
  if (!signal.aborted) log.error({ reqId: id, err: error }, 'unexpected error');
  return fail('http.internal');
}

/** A failure as agents read it: the envelope of the API, and its advice. */
export function failureJson(failure: Failure, { id }: Pick<Call, 'id'>): string {
  const more = {
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    ...(failure.retryAfter === undefined ? {} : { retry_after: failure.retryAfter }),
    request_id: id,
  };
  const text = JSON.stringify({ error: { ...wireError(failure), ...more } });
  if (Buffer.byteLength(text) <= maxAnswer) return text;
  return JSON.stringify({
    error: { ...wireError(failure), context: null, message: failure.message.slice(0, 2_000), ...more },
  });
}
