import type { Call } from '../call/call.ts';
import { callerKey } from '../call/caller-key.ts';
import type { Platform } from './platform.ts';

/** Refuses a caller that has not read the answers to earlier calls, before anything is read for another. */
export function checkAnswersUnread(call: Call, { answers }: Platform): undefined {
  // As long as all callers together have less than a share, no caller has one.
  if (answers.bytes >= answers.share) answers.checkShare(callerKey(call));
}
