// `user/password` and `system/admin/password`: the change by someone who knows the old one. Reset, code and answer
// need mail and come with it (contract/sessions-and-accounts.md §5).
import { fail, truthy } from '@sluice/contract';
import { answer } from '../../call/call.ts';
import type { Identity } from '../index.ts';
import { type AccountHandler, type AccountOperations, fieldsOf, textOf } from './request.ts';

export function passwordOperations(identity: Pick<Identity, 'accounts' | 'freshToken'>): AccountOperations {
  const set: AccountHandler = async (call, kind) => {
    const fields = await fieldsOf(call);
    const { user } = call.caller;
    const isGiven = (name: string) => fields[name] !== undefined && fields[name] !== null;
    if (!isGiven('old_password') || !user) {
      if (truthy(call.query.get('reset')) || isGiven('code') || isGiven('security_answer'))
        throw fail('account.resetUnavailable');
      throw fail('account.notEnough');
    }
    const old = textOf(fields, 'old_password');
    const wanted = textOf(fields, 'new_password');
    if (old === '' || wanted === '') throw fail('account.bothPasswords');
    if (user.isAdmin !== (kind === 'admin')) throw fail('account.wrongKind', { email: user.email });
    await identity.accounts.changePassword(user.id, { old, new: wanted }, call);
    if (!truthy(call.query.get('login'))) return answer({ success: true });
    return answer({ success: true, session_token: await identity.freshToken(user.id, call) });
  };
  const change = { summary: 'Change the own password', parameters: ['reset', 'login'], handle: set };
  return { POST: change, PUT: change, PATCH: change };
}
