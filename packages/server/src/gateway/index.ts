// The life of a call. A door (http/ today) opens it: line, headers, verb; these steps run in order; the door replies.
// A further step is one file and one line here.
import { chain, type MaybePromise } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import { type Exchange, replaceByFailure, replaceReply } from '../call/exchange.ts';
import { keepToReading } from '../scripts/dry-run.ts';
import { checkAnswersUnread } from './answers-unread.ts';
import { authorizeCall } from './authorize.ts';
import { handle } from './handle.ts';
import { identify } from './identify.ts';
import { type InnerRequest, innerCall } from './inner-call.ts';
import { countCall } from './limit.ts';
import { matchOperation } from './match.ts';
import type { Platform } from './platform.ts';
import { afterScripts, beforeScripts } from './scripts.ts';

/** Lets a call pass or throws its refusal. */
export type DecidingStep = (call: Call, platform: Platform) => MaybePromise<undefined>;

/**
 * Stands before or after the handler. Before it a step may change the request, or reply or throw, so that the call is not
 * handled. After it a step sees the reply or the failure, whichever step it comes from, and may replace it.
 */
export interface ExchangeStep {
  /** Whether it has anything to do with a call. Asked once, before the handler; a call pays for no other step. */
  applies(call: Call, platform: Platform): boolean;
  run(exchange: Exchange, platform: Platform): MaybePromise<void>;
}

export interface Steps {
  /** For a call that came by a door. No other step sees a call that is refused here. */
  deciding: DecidingStep[];
  /** For a call inside another, whose caller is known. */
  decidingInside: DecidingStep[];
  before: readonly ExchangeStep[];
  handle(call: Call, platform: Platform): MaybePromise<Reply>;
  after: readonly ExchangeStep[];
}

const gateway: Steps = {
  deciding: [identify, authorizeCall, matchOperation, checkAnswersUnread, countCall],
  decidingInside: [authorizeCall, matchOperation, keepToReading],
  before: [beforeScripts],
  handle,
  after: [afterScripts],
};

/** Walks a call through the steps; throws the failure of the step that refused it. */
export const run = (call: Call, platform: Platform, steps = gateway): MaybePromise<Reply> =>
  runStep(call, platform, steps, steps.deciding, 0);

/** As `run`, for a call of a door that has found out itself who calls: its messages hold several calls. */
export const runIdentified = (call: Call, platform: Platform, steps = gateway): MaybePromise<Reply> =>
  runStep(call, platform, steps, steps.deciding, steps.deciding.indexOf(identify) + 1);

/** Makes a call inside another, for a step or a handler, and walks it through the same steps. */
export function runInside(call: Call, request: InnerRequest, platform: Platform, steps = gateway): MaybePromise<Reply> {
  return runStep(innerCall(call, request), platform, steps, steps.decidingInside, 0);
}

/** Throws the refusal of a call inside another, which is not made. */
export const authorizeInside = (call: Call, request: InnerRequest, platform: Platform): MaybePromise<undefined> =>
  authorizeCall(innerCall(call, request), platform);

function runStep(
  call: Call,
  platform: Platform,
  steps: Steps,
  deciding: DecidingStep[],
  index: number,
): MaybePromise<Reply> {
  const step = deciding[index];
  if (step) return chain(step(call, platform), () => runStep(call, platform, steps, deciding, index + 1));
  const before = applyingSteps(steps.before, call, platform);
  const after = applyingSteps(steps.after, call, platform);
  // A call without further steps awaits nothing and needs no exchange (docs/adr/0005).
  if (before.length === 0 && after.length === 0) return steps.handle(call, platform);
  return runAround({ call }, platform, { ...steps, before, after });
}

const applyingSteps = (steps: readonly ExchangeStep[], call: Call, platform: Platform): readonly ExchangeStep[] =>
  steps.length === 0 ? steps : steps.filter((step) => step.applies(call, platform));

/** Once a step has replied or thrown, the call is not handled; the steps in `after` run in any case. */
async function runAround(exchange: Exchange, platform: Platform, { before, handle, after }: Steps): Promise<Reply> {
  try {
    for (const step of before) if (!exchange.reply) await step.run(exchange, platform);
    if (!exchange.reply) replaceReply(exchange, await handle(exchange.call, platform));
  } catch (error) {
    replaceByFailure(exchange, error);
  }
  for (const step of after) {
    try {
      await step.run(exchange, platform);
    } catch (error) {
      replaceByFailure(exchange, error);
    }
  }
  if (!exchange.reply) throw exchange.failure;
  return exchange.reply;
}
