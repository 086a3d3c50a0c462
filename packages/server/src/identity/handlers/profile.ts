// `user/profile` and `system/admin/profile`: what people see and change of themselves (contract/sessions-and-accounts.md §8).
import { fail } from '@sluice/contract';
import type { CallerUser } from '../../call/call.ts';
import { answer } from '../../call/call.ts';
import type { AccountKind, Identity } from '../index.ts';
import { type AccountHandler, byVerb, fieldsOf } from './request.ts';

export function profileHandler(identity: Pick<Identity, 'accounts' | 'freshToken'>): AccountHandler {
  const save: AccountHandler = async (call, kind) => {
    const user = allowed(call.caller.user, kind, 'session.notFound');
    const fields = await fieldsOf(call);
    if (Object.keys(fields).length === 0) throw fail('account.noData');
    const { emailChanged } = await identity.accounts.changeProfile(user.id, fields, call);
    if (!emailChanged) return answer({ success: true });
    // The old token names the old address: without a new one the caller would be signed out.
    return answer({ success: true, session_token: await identity.freshToken(user.id, call) });
  };
  return byVerb('profile', {
    async GET({ caller }, kind) {
      return answer(await identity.accounts.profile(allowed(caller.user, kind, 'session.none').id));
    },
    POST: save,
    PUT: save,
    PATCH: save,
  });
}

/** The caller, if signed in and at the right door; administrators may use either. */
function allowed(
  user: CallerUser | undefined,
  kind: AccountKind,
  missing: 'session.none' | 'session.notFound',
): CallerUser {
  if (!user) throw fail(missing);
  if (kind === 'admin' && !user.isAdmin) throw fail('access.adminOnly');
  return user;
}
