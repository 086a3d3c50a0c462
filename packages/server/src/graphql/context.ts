// What a request has while its fields are found: its calls, and bounds on what it may hold.
import { type Failure, fail, wireError } from '@sluice/contract';
import { GraphQLError } from 'graphql';
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import { callByDoor, type DoorRequest } from '../gateway/door-call.ts';
import type { Platform } from '../gateway/platform.ts';
import { agentContent } from '../mcp/agent-content.ts';

/** Fields in the answer of one request. */
const maxFields = 250_000;
/** Calls of one operation that are under way at once. */
const maxCalls = 4;

export class RequestContext {
  readonly message: Call;
  readonly platform: Platform;
  private fields = 0;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(message: Call, platform: Platform) {
    this.message = message;
    this.platform = platform;
  }

  countField(): void {
    this.fields += 1;
  }

  /** Throws where the answer holds more fields than it may. */
  checkFields(): void {
    if (this.fields > maxFields) throw graphqlError(fail('graphql.tooManyFields', { limit: maxFields }), this.message);
  }

  /** Makes a call of the API and answers what it answered. Throws what it failed with, as an error of a field. */
  async call(request: DoorRequest): Promise<unknown> {
    await this.enter();
    try {
      return await this.callNow(request);
    } finally {
      this.leave();
    }
  }

  private async callNow(request: DoorRequest): Promise<unknown> {
    const outcome = await callByDoor(this.message, request, 'graphql', this.platform, agentContent);
    if ('failure' in outcome) throw graphqlError(outcome.failure, this.message);
    const { content, status } = outcome;
    // A script may answer with anything.
    if (!('text' in content)) throw graphqlError(fail('graphql.noValue'), this.message);
    this.message.memory?.take(Buffer.byteLength(content.text));
    const value = parsed(content.text);
    if (value === undefined) throw graphqlError(fail('graphql.noValue'), this.message);
    if (status >= 400) throw replyError(status, value);
    return value;
  }

  private async enter(): Promise<void> {
    if (this.running >= maxCalls) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A failure as an error of GraphQL: code, status and context as the envelope has them, and its advice. */
export function graphqlError(failure: Failure, { id }: Pick<Call, 'id'>): GraphQLError {
  const { code, context, status_code: status } = wireError(failure);
  return new GraphQLError(failure.message, {
    extensions: {
      ...{ code, status, context },
      ...(failure.hint === undefined ? {} : { hint: failure.hint }),
      ...(failure.retryAfter === undefined ? {} : { retry_after: failure.retryAfter }),
      request_id: id,
    },
  });
}

/** Of a script that answers with a status of its own. */
function replyError(status: number, value: unknown): GraphQLError {
  const error = isRecord(value) && isRecord(value.error) ? value.error : {};
  const message = typeof error.message === 'string' ? error.message : `The call answered with status ${status}.`;
  return new GraphQLError(message, {
    extensions: { code: error.code ?? status, status, context: error.context ?? null },
  });
}
