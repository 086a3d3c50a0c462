// `user/session` and `system/admin/session`: sign in, read, renew, sign out (contract/sessions-and-accounts.md §3).
import { Failure, fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readBodyFlag } from '../../call/payload.ts';
import type { ObjectShape } from '../../service/operation.ts';
import type { Settings } from '../../settings/index.ts';
import type { Identity } from '../index.ts';
import { type AccountOperations, readFields, readTextField } from './request.ts';

/** What a session says of its person, and the token that is sent with calls. */
const sessionFields: ObjectShape = {
  session_token: { type: 'string', nullable: true },
  token_expiry_date: { type: 'string', nullable: true },
  session_id: { type: 'string', nullable: true },
  id: { type: 'integer' },
  name: { type: 'string' },
  first_name: { type: 'string', nullable: true },
  last_name: { type: 'string', nullable: true },
  email: { type: 'string' },
  is_sys_admin: { type: 'boolean' },
  host: { type: 'string' },
  role: { type: 'string' },
  role_id: { type: 'integer' },
  last_login_date: { type: 'string', nullable: true },
};

type SessionIdentity = Pick<Identity, 'signIn' | 'renew' | 'signOut' | 'sessionOf' | 'hasService' | 'external'>;

export function sessionOperations(
  identity: SessionIdentity,
  settings: Pick<Settings, 'loginAttribute'>,
): AccountOperations {
  const attribute = settings.loginAttribute === 'username' ? 'username' : 'email';
  const missingLogin =
    attribute === 'username' ? ('session.missingUsername' as const) : ('session.missingEmail' as const);

  return {
    GET: {
      summary: 'The session of the caller',
      only: 'people',
      answerFields: sessionFields,
      parameters: ['service'],
      async handle(call, kind) {
        const { caller, query } = call;
        if (kind === 'admin') {
          if (!caller.user) throw fail('session.notFound');
          if (!caller.user.isAdmin) throw fail('access.adminOnly');
          return answer(identity.sessionOf(caller));
        }
        const service = query.get('service');
        if (service) return sendToProvider(await identity.external.begin(service, call), call);
        return answer(identity.sessionOf(caller));
      },
    },

    POST: {
      summary: 'Sign in',
      bodyFields: {
        [attribute]: { type: 'string', required: true },
        password: { type: 'string', required: true },
        remember_me: { type: 'boolean' },
        // Of a directory, with a username whatever logins are here.
        service: { type: 'string' },
        ...(attribute === 'username' ? {} : { username: { type: 'string' } as const }),
      },
      answerFields: sessionFields,
      errors: [missingLogin, 'session.missingPassword', 'session.credentials', 'session.badLoginService'],
      token: 'ignored',
      parameters: ['service', 'oauth_callback', 'state', 'code'],
      async handle(call, kind) {
        const session = kind === 'user' ? await identity.external.complete(call) : undefined;
        if (session) return answer(session);
        const fields = await readFields(call);
        const service = readTextField(fields, 'service') || call.query.get('service');
        if (service) {
          if (!(await identity.hasService(service))) throw fail('service.unknown', { service });
          if (kind === 'admin') throw fail('session.badLoginService');
          const credentials = {
            username: readTextField(fields, 'username'),
            password: readTextField(fields, 'password'),
            remember: readBodyFlag(fields, 'remember_me'),
          };
          const session = await identity.external.byPassword(service, credentials, call);
          if (session) return answer(session);
          return sendToProvider(await beginByPost(identity, service, call), call);
        }
        const login = readTextField(fields, attribute).trim();
        const password = readTextField(fields, 'password');
        if (login === '') throw fail(missingLogin);
        if (password === '') throw fail('session.missingPassword');
        return answer(await identity.signIn(kind, login, password, readBodyFlag(fields, 'remember_me'), call));
      },
    },

    PUT: {
      summary: 'Renew the session',
      only: 'people',
      answerFields: sessionFields,
      errors: ['session.refreshFailed'],
      token: 'expired',
      async handle(call, kind) {
        const { token } = call.credentials;
        if (!token) throw fail('session.refreshFailed', { reason: 'A token is required' });
        return answer(await identity.renew(kind, token, call));
      },
    },

    DELETE: {
      summary: 'Sign out',
      async handle(call) {
        const { token } = call.caller;
        if (token) await identity.signOut(token.text, call);
        return answer({ success: true });
      },
    },
  };
}

/** A service that a POST names may be one for passwords: what it is not has the words of both kinds. */
async function beginByPost({ external }: SessionIdentity, service: string, call: Call): Promise<string> {
  try {
    return await external.begin(service, call);
  } catch (error) {
    if (error instanceof Failure && error.key === 'session.badOauthService') throw fail('session.badLoginService');
    throw error;
  }
}

/** A browser goes on to the provider; a script gets its address (contract/sessions-and-accounts.md §9). */
function sendToProvider(url: string, call: Call): Reply {
  if (/^XMLHttpRequest$/i.test(call.header('x-requested-with') ?? ''))
    return answer({ response: { redirect: true, url } });
  return { status: 302, headers: { location: url }, body: { value: { response: { redirect: true, url } } } };
}
