import type { MaybePromise } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';

/** Counts a call that may be made, before anything is done for it; refuses one that is above a limit (contract/limits.md §4). */
export const countCall = (call: Call, { limits }: Pick<Platform, 'limits'>): MaybePromise<undefined> =>
  isAdminDoor(call) ? undefined : limits.count(call);

/**
 * The sign-in of administrators is like their other calls, never counted: anybody could use up a limit of 30 days and lock them
 * out. Guesses of passwords are slowed where they are made (design.md, difference 70).
 */
const isAdminDoor = ({ service, path }: Call): boolean => service === 'system' && path === 'admin/session';
