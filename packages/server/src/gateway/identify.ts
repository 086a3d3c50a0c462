import { type Soon, soon } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';

const sessionPath = /^(user\/session|system\/admin\/session)\/?$/;

/**
 * What counts of the token of a call: on the two session paths one sent with a sign-in is ignored, and one sent for
 * renewal may have expired (contract/http-basics.md §2).
 */
export function tokenUse({ service, path, verb }: Pick<Call, 'service' | 'path' | 'verb'>) {
  const isSession = (service === 'user' || service === 'system') && sessionPath.test(`${service}/${path}`);
  return { ignoreToken: isSession && verb === 'POST', allowExpired: isSession && verb === 'PUT' };
}

/** Finds out who calls. */
export function identify(call: Call, { identity }: Platform): Soon<undefined> {
  const found = identity.identify(call.credentials, {
    ...tokenUse(call),
    requestor: 'API',
    from: call,
  });
  return soon(found, (caller) => {
    call.caller = caller;
    return undefined;
  });
}
