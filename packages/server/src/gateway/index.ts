// The life of a call. A door (http/ today) opens it: line, headers, verb; these steps run in order; the door replies.
// The first step that answers ends the walk. What runs in between later (limits, scripts) is one file and one line here.
import { type Soon, soon } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import { authorizeCall } from './authorize.ts';
import { handle } from './handle.ts';
import { identify } from './identify.ts';
import type { Platform } from './platform.ts';

type Step = (call: Call, platform: Platform) => Soon<Reply | undefined>;

export const steps: Step[] = [identify, authorizeCall, handle];

/** Walks a call through the steps, or those from `first` on; throws the failure of the step that refused it. */
export function run(call: Call, platform: Platform, first = 0): Soon<Reply> {
  const step = steps[first];
  if (!step) throw new Error('no step answered the call');
  return soon(step(call, platform), (reply) => reply ?? run(call, platform, first + 1));
}
