import type { Platform } from '../platform.ts';
import type { Call } from './call.ts';

const sessionPaths = new Set(['user/session', 'system/admin/session']);

/**
 * Finds out who calls. On the two session paths a token sent with a sign-in is ignored and one sent for renewal may
 * have expired (contract/http-basics.md §2).
 */
export async function identify(call: Call, { identity }: Platform): Promise<undefined> {
  const isSession = sessionPaths.has(`${call.service}/${call.path.replace(/\/$/, '')}`);
  call.caller = await identity.identify(call.credentials, {
    ignoreToken: isSession && call.verb === 'POST',
    allowExpired: isSession && call.verb === 'PUT',
    requestor: 'API',
    ip: call.ip,
  });
}
