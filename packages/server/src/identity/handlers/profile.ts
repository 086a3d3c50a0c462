// `user/profile` and `system/admin/profile`: what people see and change of themselves (contract/sessions-and-accounts.md §8).
import { fail } from '@sluice/contract';
import type { CallerUser } from '../../call/call.ts';
import { answer } from '../../call/call.ts';
import type { AccountKind, Identity } from '../index.ts';
import { type AccountHandler, type AccountOperations, fieldsOf } from './request.ts';

export function profileOperations(identity: Pick<Identity, 'accounts' | 'freshToken'>): AccountOperations {
  const save: AccountHandler = async (call, kind) => {
    const user = allowed(call.caller.user, kind, 'session.notFound');
    const fields = await fieldsOf(call);
    if (Object.keys(fields).length === 0) throw fail('account.noData');
    const { emailChanged } = await identity.accounts.changeProfile(user.id, fields, call);
    if (!emailChanged) return answer({ success: true });
    // The old token names the old address: without a new one the caller would be signed out.
    return answer({ success: true, session_token: await identity.freshToken(user.id, call) });
  };
  const change = { summary: 'Change the own profile', handle: save };
  return {
    GET: {
      summary: 'The profile of the caller',
      async handle({ caller }, kind) {
        return answer(await identity.accounts.profile(allowed(caller.user, kind, 'session.none').id));
      },
    },
    POST: change,
    PUT: change,
    PATCH: change,
  };
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
