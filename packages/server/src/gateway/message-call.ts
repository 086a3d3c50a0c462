// A call that a message of a door makes: of an agent (mcp/) or of GraphQL (graphql/). It goes through the gateway as one by HTTP, with
// its caller found already, counted and logged like one.
import { Failure, fail, type Verb } from '@sluice/contract';
import { noAccess } from '../access/decide.ts';
import { queryOf } from '../call/address.ts';
import type { Call, Payload, Reply } from '../call/call.ts';
import { bodyOf, copyCall } from '../call/exchange.ts';
import { hopsOf, inheritedHops } from '../call/hops.ts';
import { TypedMap } from '../call/typed-map.ts';
import { callLine } from '../log/call-line.ts';
import { countUse } from '../use/count-use.ts';
import { failureText } from '../use/index.ts';
import { runIdentified } from './index.ts';
import type { Platform } from './platform.ts';

/** What a message requests of a service. */
export interface MessageRequest {
  verb: Verb;
  /** Lower-cased name. */
  service: string;
  path: string;
  query: ReadonlyMap<string, string>;
  /** The type of the body. */
  type?: string;
  payload?: Payload;
}

/** What became of a call: what was read of its reply, or why there is none. */
export type MessageOutcome<T> = { content: T; status: number } | { failure: Failure };

/** Bytes of path and parameters, as of a request line. */
const maxAddress = 32 * 1024;

/** Makes the call and reads its reply; a failure is an outcome, too. `message` is what was sent, `door` stands in its line of the log. */
export async function callForMessage<T>(
  message: Call,
  request: MessageRequest,
  door: 'agent' | 'graphql',
  platform: Platform,
  read: (reply: Reply, call: Call) => Promise<T>,
): Promise<MessageOutcome<T>> {
  const { metrics, use, log } = platform;
  const call = openCall(message, request);
  const began = performance.now();
  metrics.calls.begin();
  let status = 500;
  try {
    checkAddress(request);
    const reply = await runIdentified(call, platform);
    const content = await read(reply, call);
    status = reply.status ?? 200;
    return { content, status };
  } catch (error) {
    metrics.countFailure(error);
    const failure = failureFor(error, call, platform);
    status = failure.status;
    call.state.set(failureText, failure.message);
    return { failure };
  } finally {
    const elapsed = performance.now() - began;
    countUse(use, call, status);
    metrics.calls.end(call.service, call.verb, call.signal.aborted ? 'aborted' : status, elapsed);
    if (log.isLevelEnabled('info')) log.info({ ...callLine(call, status, elapsed), [door]: true }, 'call');
  }
}

function openCall(message: Call, { verb, service, path, query, type, payload }: MessageRequest): Call {
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
function checkAddress({ path, query }: MessageRequest): void {
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
