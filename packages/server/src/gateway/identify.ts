import { type Soon, soon } from '@sluice/contract';
import type { Platform } from '../platform.ts';
import type { Call } from './call.ts';

const sessionPath = /^(user\/session|system\/admin\/session)\/?$/;

/**
 * Finds out who calls. On the two session paths a token sent with a sign-in is ignored and one sent for renewal may
 * have expired (contract/http-basics.md §2).
 */
export function identify(call: Call, { identity }: Platform): Soon<undefined> {
  const { service, path, verb } = call;
  const isSession = (service === 'user' || service === 'system') && sessionPath.test(`${service}/${path}`);
  const found = identity.identify(call.credentials, {
    ignoreToken: isSession && verb === 'POST',
    allowExpired: isSession && verb === 'PUT',
    requestor: 'API',
    ip: call.ip,
  });
  return soon(found, (caller) => {
    call.caller = caller;
    return undefined;
  });
}
