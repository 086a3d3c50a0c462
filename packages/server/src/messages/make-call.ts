// The call of a message on its way through the gateway: as one by HTTP of the caller who subscribed, as they are by now, so that
// access and limits decide as they would there.
import { randomUUID } from 'node:crypto';
import { Failure } from '@sluice/contract';
import { queryOf } from '../call/address.ts';
import type { Call } from '../call/call.ts';
import { bodyOf } from '../call/exchange.ts';
import { readValue } from '../call/reply.ts';
import { runCounted } from '../gateway/door-call.ts';
import { runIdentified } from '../gateway/index.ts';
import type { Platform } from '../gateway/platform.ts';
import { detachedCall } from '../scripts/detached-call.ts';
import { findNotedCaller } from '../scripts/noted-caller.ts';
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
  const { settings, identity } = platform;
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
  await runCounted(call, 'message', platform, async () => {
    const reply = await runIdentified(call, platform);
    await readToEnd(reply);
    return { status: reply.status ?? 200 };
  });
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
