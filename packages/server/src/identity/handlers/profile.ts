// `user/profile` and `system/admin/profile`: what people see and change about themselves (contract/sessions-and-accounts.md §8).
import { fail } from '@sluice/contract';
import type { CallerUser } from '../../call/call.ts';
import { answer } from '../../call/call.ts';
import type { ObjectShape } from '../../service/operation.ts';
import type { AccountKind, Identity } from '../index.ts';
import { type AccountHandler, type AccountOperations, readFields } from './request.ts';

/** What people may read and change. */
const profileFields: ObjectShape = {
  name: { type: 'string' },
  first_name: { type: 'string', nullable: true },
  last_name: { type: 'string', nullable: true },
  email: { type: 'string' },
  username: { type: 'string' },
  phone: { type: 'string', nullable: true },
  security_question: { type: 'string', nullable: true },
  default_app_id: { type: 'integer', nullable: true },
};

export function profileOperations(identity: Pick<Identity, 'accounts' | 'issueToken'>): AccountOperations {
  const saveProfile: AccountHandler = async (call, kind) => {
    const user = requireUser(call.caller.user, kind, 'session.notFound');
    const fields = await readFields(call);
    if (Object.keys(fields).length === 0) throw fail('account.noData');
    const { isEmailChanged } = await identity.accounts.changeProfile(user.id, fields, call);
    if (!isEmailChanged) return answer({ success: true });
    // The old token names the old address: without a new one the caller would be signed out.
    return answer({ success: true, session_token: await identity.issueToken(user.id, call) });
  };
  const operation = {
    summary: 'Change the own profile',
    only: 'people',
    bodyFields: profileFields,
    answerFields: { success: { type: 'boolean' }, session_token: { type: 'string' } },
    errors: ['account.noData', 'record.invalid'],
    handle: saveProfile,
  } as const;
  return {
    GET: {
      summary: 'The profile of the caller',
      only: 'people',
      answerFields: { ...profileFields, oauth_provider: { type: 'string' }, adldap: { type: 'string' } },
      async handle({ caller }, kind) {
        return answer(await identity.accounts.profile(requireUser(caller.user, kind, 'session.none').id));
      },
    },
    POST: operation,
    PUT: operation,
    PATCH: operation,
  };
}

/** The person who calls; throws when nobody is signed in or the door is wrong. Administrators may use either door. */
function requireUser(
  user: CallerUser | undefined,
  kind: AccountKind,
  missingKey: 'session.none' | 'session.notFound',
): CallerUser {
  if (!user) throw fail(missingKey);
  if (kind === 'admin' && !user.isAdmin) throw fail('access.adminOnly');
  return user;
}
