// `user/password` and `system/admin/password`: a new password by the old one, by a mail, or by the answer to a question
// (contract/sessions-and-accounts.md §5).
import { fail, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import type { ObjectShape } from '../../service/operation.ts';
import type { Settings } from '../../settings/index.ts';
import type { Identity } from '../index.ts';
import { type AccountHandler, type AccountOperations, readFields, readTextField } from './request.ts';

type PasswordIdentity = Pick<Identity, 'accounts' | 'issueToken' | 'recovery'>;

const answerFields: ObjectShape = {
  success: { type: 'boolean' },
  session_token: { type: 'string' },
  security_question: { type: 'string' },
};

export function passwordOperations(
  identity: PasswordIdentity,
  settings: Pick<Settings, 'loginAttribute'>,
): AccountOperations {
  const attribute = settings.loginAttribute === 'username' ? 'username' : 'email';

  const handle: AccountHandler = async (call, kind) => {
    const fields = await readFields(call);
    const { user } = call.caller;
    const hasField = (name: string) => fields[name] !== undefined && fields[name] !== null;
    const text = (name: string) => readTextField(fields, name);
    if (hasField('old_password') && user) {
      const [oldPassword, newPassword] = [text('old_password'), text('new_password')];
      if (oldPassword === '' || newPassword === '') throw fail('account.bothPasswords');
      if (user.isAdmin !== (kind === 'admin')) throw fail('account.wrongKind', { email: user.email });
      await identity.accounts.changePassword(user.id, { old: oldPassword, new: newPassword }, call);
      return answerChanged(call, user.id);
    }
    const isRequest = truthy(call.query.get('reset'));
    if (!isRequest && !hasField('code') && !hasField('security_answer')) throw fail('account.notEnough');
    const login = text(attribute).trim();
    if (login === '') throw fail('account.resetWithoutLogin', { attribute });
    if (isRequest) {
      const { question } = await identity.recovery.request(login, call);
      return answer(question === undefined ? { success: true } : { security_question: question });
    }
    const password = text('new_password');
    if (password === '') throw fail('account.resetWithoutPassword');
    return answerChanged(
      call,
      await identity.recovery.setPassword(kind, login, password, proofOf(hasField, text), call),
    );
  };

  const answerChanged = async (call: Call, id: number): Promise<Reply> => {
    if (!truthy(call.query.get('login'))) return answer({ success: true });
    return answer({ success: true, session_token: await identity.issueToken(id, call) });
  };

  const bodyFields: ObjectShape = {
    old_password: { type: 'string' },
    new_password: { type: 'string' },
    [attribute]: { type: 'string' },
    code: { type: 'string', description: 'Of the mail that reset asked for.' },
    security_answer: { type: 'string' },
  };
  const operation = {
    summary: 'Set a new password',
    description: 'By the old one; with reset=true it asks for a mail, whose code then sets the new one.',
    parameters: ['reset', 'login'],
    bodyFields,
    answerFields,
    errors: [
      ...(['account.notEnough', 'account.bothPasswords', 'account.oldPasswordWrong'] as const),
      ...(['account.resetWithoutLogin', 'account.resetWithoutPassword', 'account.codeWrong'] as const),
    ],
    handle,
  } as const;
  return { POST: operation, PUT: operation, PATCH: operation };
}

function proofOf(hasField: (name: string) => boolean, text: (name: string) => string) {
  if (hasField('code')) {
    const code = text('code').trim();
    // `y` stands for a confirmed address, and is nobody's code.
    if (code === '' || code === 'y') throw fail('account.codeMissing');
    return { code };
  }
  const securityAnswer = text('security_answer');
  if (securityAnswer === '') throw fail('account.answerMissing');
  return { answer: securityAnswer };
}
