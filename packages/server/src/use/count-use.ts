import type { Call } from '../call/call.ts';
import { failureText, isNoFailure, type Use } from './index.ts';

/** Counts a call that is over, with the status it was answered with; one that was refused before its service was known is no use. */
export function countUse(use: Use, call: Call, status: number): void {
  const { id, serviceId, verb, path, ip, caller, state } = call;
  if (serviceId === undefined) return;
  const hasFailed = status >= 400 && !state.get(isNoFailure);
  use.count(serviceId, caller.app?.id, hasFailed);
  if (!hasFailed) return;
  use.failedCalls.add(serviceId, {
    at: new Date().toISOString(),
    verb,
    path,
    status,
    message: state.get(failureText) ?? null,
    user_email: caller.user?.email ?? null,
    app: caller.app?.name ?? null,
    ip_address: ip,
    request_id: id,
  });
}
