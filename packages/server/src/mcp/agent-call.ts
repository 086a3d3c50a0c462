// A call that an agent makes, and what it is answered: the envelope of a failure with its advice, too.
import { type Failure, wireError } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import { callByDoor, type DoorRequest } from '../gateway/door-call.ts';
import type { Platform } from '../gateway/platform.ts';
import { type AgentContent, maxAnswer } from './agent-content.ts';

/** What an agent requests of a service. */
export type AgentRequest = DoorRequest;

export type AgentAnswer = AgentContent & { isError: boolean };

/** Makes the call and reads its reply; a failure is an answer, too. `message` is what the agent sent. */
export async function callForAgent(
  message: Call,
  request: AgentRequest,
  platform: Platform,
  read: (reply: Reply, call: Call) => Promise<AgentContent>,
): Promise<AgentAnswer> {
  const outcome = await callByDoor(message, request, 'agent', platform, async (reply, call) => {
    const content = await read(reply, call);
    call.memory?.take(Buffer.byteLength('text' in content ? content.text : content.base64));
    return content;
  });
  if ('failure' in outcome) return { text: failureJson(outcome.failure, message), isError: true };
  return { ...outcome.content, isError: outcome.status >= 400 };
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
