import type { Call } from '../call/call.ts';

/** One line a call: what, who, how it ended, how long. Neither query nor headers, which may hold keys and tokens. */
export const callLine = ({ id, verb, service, path, caller, ip }: Call, status: number, milliseconds: number) => ({
  reqId: id,
  verb,
  service,
  path: path.slice(0, 200),
  status,
  ms: Math.round(milliseconds * 10) / 10,
  user: caller.user?.id,
  app: caller.app?.id,
  ip,
});
