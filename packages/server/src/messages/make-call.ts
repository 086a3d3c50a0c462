// The call of a message on its way through the gateway: as one by HTTP of the caller who subscribed, as they are by now, so that
// access and limits decide as they would there.
import { randomUUID } from 'node:crypto';
import { Failure } from '@sluice/contract';
import { queryOf } from '../call/address.ts';
import type { Call } from '../call/call.ts';
import { bodyOf } from '../call/exchange.ts';
import { readValue } from '../call/reply.ts';
import { runIdentified } from '../gateway/index.ts';
import type { Platform } from '../gateway/platform.ts';
import { callLine } from '../log/call-line.ts';
import { detachedCall } from '../scripts/detached-call.ts';
import { findNotedCaller } from '../scripts/noted-caller.ts';
import { countUse } from '../use/count-use.ts';
import { failureText } from '../use/index.ts';
import { type Message, payloadFor } from './message-call.ts';
import type { Subscription } from './stored.ts';

/** Bytes of an answer, which nobody reads. */
const maxAnswer = 1024 * 1024;

export async function callForMessage(
  subscription: Subscription,
  message: Message,
  signal: AbortSignal,
  platform: Platform,
): Promise<void> {
  const { use, log, metrics, settings, identity } = platform;
  const caller = await findNotedCaller(subscription.caller, identity);
  const { verb, service, path, parameter, header } = subscription.call;
  const headers = new Map([['accept', 'application/json'], ...header]);
  const generation = message.generation + 1;
  const call: Call = {
    ...detachedCall(subscription.origin, caller, { signal, time: settings.scriptSeconds * 1_000, generation }),
    ...{ id: randomUUID(), verb, service, path, query: queryOf(new Map(parameter)) },
    ...{ header: (name) => headers.get(name), headerNames: () => [...headers.keys()] },
    ...bodyOf(payloadFor(subscription.call, message)),
  };
  const began = performance.now();
  let status = 500;
  metrics.calls.begin();
  try {
    const reply = await runIdentified(call, platform);
    status = reply.status ?? 200;
    await readToEnd(reply);
  } catch (error) {
    if (error instanceof Failure) status = error.status;
    metrics.countFailure(error);
    call.state.set(failureText, error instanceof Failure ? error.message : 'Internal Server Error');
    throw error;
  } finally {
    const elapsed = performance.now() - began;
    countUse(use, call, status);
    metrics.calls.end(call.service, call.verb, call.signal.aborted ? 'aborted' : status, elapsed);
    if (log.isLevelEnabled('info')) log.info({ ...callLine(call, status, elapsed), message: true }, 'call');
  }
}

/** Ends what the reply has open; one that is too long has done its work all the same. */
async function readToEnd(reply: Parameters<typeof readValue>[0]): Promise<void> {
  if (!('rows' in reply.body)) return;
  try {
    await readValue(reply, maxAnswer);
  } catch (error) {
    if (!(error instanceof Failure) || error.key !== 'call.answerTooLarge') throw error;
  }
}
