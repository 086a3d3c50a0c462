// `user/register`: people who make their own account (contract/sessions-and-accounts.md §7).
import { truthy } from '@sluice/contract';
import { answer } from '../../call/call.ts';
import type { ObjectShape } from '../../service/operation.ts';
import type { Identity } from '../index.ts';
import { type AccountHandler, type AccountOperations, readFields } from './request.ts';

const bodyFields: ObjectShape = {
  first_name: { type: 'string' },
  last_name: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string', required: true },
  password: { type: 'string' },
  code: { type: 'string', description: 'Of the mail that confirms.' },
};
const answerFields: ObjectShape = {
  success: { type: 'boolean' },
  session_token: { type: 'string' },
  confirmation_required: { type: 'boolean' },
};

export function registerOperations(identity: Pick<Identity, 'registration' | 'issueToken'>): AccountOperations {
  const handle: AccountHandler = async (call) => {
    const id = await identity.registration.register(await readFields(call), call);
    if (!truthy(call.query.get('login'))) return answer({ success: true });
    if (id === undefined) return answer({ success: true, confirmation_required: true });
    return answer({ success: true, session_token: await identity.issueToken(id, call) });
  };
  const operation = {
    summary: 'Make an own account',
    parameters: ['login'],
    bodyFields,
    answerFields,
    errors: ['account.registrationClosed', 'account.registrationInvalid'],
    handle,
  } as const;
  return { POST: operation, PUT: operation, PATCH: operation };
}
