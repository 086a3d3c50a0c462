import { chain, type MaybePromise } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';

/**
 * Finds the operation of an address, once, for all that ask about it: limits, scripts, the handler. An address that leads
 * nowhere is refused by the handler, so that steps before it see such a call, too.
 */
export const matchOperation = (call: Call, { services }: Pick<Platform, 'services'>): MaybePromise<undefined> =>
  chain(services.find(call.service), (addressed) => {
    call.match = addressed?.type?.routes.match(call.path, call.verb);
    return undefined;
  });
