import type { MaybePromise } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';

/** Counts a call that may be made, before anything is done for it; refuses one that is above a limit (contract/limits.md §4). */
export const countCall = (call: Call, { limits }: Pick<Platform, 'limits'>): MaybePromise<undefined> =>
  limits.count(call);
