import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';

/** Refuses a caller who has not read the answers to earlier calls, before anything is read for another. */
export function checkAnswersUnread(call: Call, { answers }: Platform): undefined {
  answers.checkShare(call);
}
