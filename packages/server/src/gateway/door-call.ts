// Calls that no request to the API makes: those of agents (mcp/), of GraphQL (graphql/) and of messages of a broker (messages/). They go
// through the gateway as one by HTTP, with their caller found already, counted and logged like one.
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

/** What somebody at another door requests of a service. */
export interface DoorRequest {
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
export type DoorOutcome<T> = { content: T; status: number } | { failure: Failure };

/** Bytes of path and parameters, as of a request line. */
const maxAddress = 32 * 1024;

/** Makes the call and reads its reply; a failure is an outcome, too. `message` is what was sent to the door. */
export async function callByDoor<T>(
  message: Call,
  request: DoorRequest,
  door: 'agent' | 'graphql',
  platform: Platform,
  read: (reply: Reply, call: Call) => Promise<T>,
): Promise<DoorOutcome<T>> {
  const call = openCall(message, request);
  try {
    return await runCounted(call, door, platform, async () => {
      checkAddress(request);
      const reply = await runIdentified(call, platform);
      return { content: await read(reply, call), status: reply.status ?? 200 };
    });
  } catch (error) {
    return { failure: failureFor(error, call, platform) };
  }
}

/** Counts and logs what runs a call and reads its reply; `mark` stands in the line of the log. Throws what `run` does. */
export async function runCounted<T extends { status: number }>(
  call: Call,
  mark: 'agent' | 'graphql' | 'message',
  { metrics, use, log }: Platform,
  run: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  metrics.calls.begin();
  let status = 500;
  try {
    const outcome = await run();
    status = outcome.status;
    return outcome;
  } catch (error) {
    metrics.countFailure(error);
    const failure = error instanceof Failure ? error : fail('http.internal');
    status = failure.status;
    call.state.set(failureText, failure.message);
    throw error;
  } finally {
    const elapsed = performance.now() - began;
    countUse(use, call, status);
    metrics.calls.end(call.service, call.verb, call.signal.aborted ? 'aborted' : status, elapsed);
    if (log.isLevelEnabled('info')) log.info({ ...callLine(call, status, elapsed), [mark]: true }, 'call');
  }
}

function openCall(message: Call, { verb, service, path, query, type, payload }: DoorRequest): Call {
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
function checkAddress({ path, query }: DoorRequest): void {
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
