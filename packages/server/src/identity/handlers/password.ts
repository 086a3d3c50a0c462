// `user/password` and `system/admin/password`: the change by somebody who knows the old one. Reset, code and
// security answer need mail and come with it (contract/sessions-and-accounts.md §5).
import { fail, truthy } from '@sluice/contract';
import { answer } from '../../call/call.ts';
import type { Identity } from '../index.ts';
import { type AccountHandler, type AccountOperations, readFields, readTextField } from './request.ts';

export function passwordOperations(identity: Pick<Identity, 'accounts' | 'issueToken'>): AccountOperations {
  const changePassword: AccountHandler = async (call, kind) => {
    const fields = await readFields(call);
    const { user } = call.caller;
    const hasField = (name: string) => fields[name] !== undefined && fields[name] !== null;
    if (!hasField('old_password') || !user) {
      if (truthy(call.query.get('reset')) || hasField('code') || hasField('security_answer'))
        throw fail('account.resetUnavailable');
      throw fail('account.notEnough');
    }
    const oldPassword = readTextField(fields, 'old_password');
    const newPassword = readTextField(fields, 'new_password');
    if (oldPassword === '' || newPassword === '') throw fail('account.bothPasswords');
    if (user.isAdmin !== (kind === 'admin')) throw fail('account.wrongKind', { email: user.email });
    await identity.accounts.changePassword(user.id, { old: oldPassword, new: newPassword }, call);
    if (!truthy(call.query.get('login'))) return answer({ success: true });
    return answer({ success: true, session_token: await identity.issueToken(user.id, call) });
  };
  const operation = { summary: 'Change the own password', parameters: ['reset', 'login'], handle: changePassword };
  return { POST: operation, PUT: operation, PATCH: operation };
}
