// `platform.session` of a script (contract §4).
import type { Caller } from '../call/call.ts';

/** `secret`: the private lookup keys of the caller. */
export function sessionOf(
  { user, app, role, token, lookups, requestor }: Caller,
  secret: Record<string, string>,
): Record<string, unknown> {
  return {
    api_key: app?.apiKey ?? null,
    session_token: token?.text ?? null,
    user: user && {
      id: user.id,
      name: user.name,
      username: user.username,
      display_name: user.name,
      first_name: user.firstName,
      last_name: user.lastName,
      email: user.email,
      is_sys_admin: user.isAdmin,
      last_login_date: user.lastLoginDate,
      ldap_username: null,
    },
    app: app && { id: app.id },
    role: role && {
      id: role.id,
      name: role.name,
      services: role.access.map((row) => ({
        service: row.service,
        component: row.component,
        verb_mask: row.verbMask,
        requestor_mask: row.requestorMask,
        filters: row.filters ?? [],
        filter_op: row.filterOp,
      })),
    },
    lookup: Object.fromEntries(lookups),
    lookup_secret: secret,
    requestor,
  };
}
