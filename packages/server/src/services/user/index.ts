// The service `user`: sign-in, password and profile of the caller. People as records are `system/user`;
// what these calls do is in identity/.
import { type Verb, verbs } from '@sluice/contract';
import { passwordOperations } from '../../identity/handlers/password.ts';
import { profileOperations } from '../../identity/handlers/profile.ts';
import { registerOperations } from '../../identity/handlers/register.ts';
import { type AccountOperations, accountRoute } from '../../identity/handlers/request.ts';
import { sessionOperations } from '../../identity/handlers/session.ts';
import { type SessionCalls, sessionCalls } from '../../identity/handlers/sessions.ts';
import type { Identity } from '../../identity/index.ts';
import { type Resource, routesOf } from '../../service/operation.ts';
import { type OpenService, type ServiceType, serviceType } from '../../service/service.ts';
import type { Settings } from '../../settings/index.ts';
import type { Store } from '../../store/index.ts';
import { config } from './config.ts';
import { customValues } from './custom.ts';

/** The service type `user`. It takes the identity of its instance: there is one of both. */
export const userService = (
  identity: Identity,
  settings: Pick<Settings, 'loginAttribute'>,
  store: Store,
): ServiceType<typeof config> =>
  serviceType({
    name: 'user',
    label: 'User service',
    description: 'Lets people register, sign in and change their password and profile.',
    group: 'User',
    can: { signIn: 'own', accessList: true, register: true },
    singleton: true,
    config,
    resources: [
      accountResource('password', 'Password', passwordOperations(identity, settings), ['POST']),
      accountResource('profile', 'Profile', profileOperations(identity), ['GET', 'POST', 'PUT', 'PATCH']),
      accountResource('register', 'Register', registerOperations(identity), ['POST']),
      accountResource('session', 'Session', sessionOperations(identity, settings), verbs),
      customValues(store),
      ownSessions(sessionCalls(identity)),
    ],
    // `open` has nothing to do: the handlers have their parts from above.
    open: () => ({}),
  });

const route = routesOf<OpenService>();

/** Where the caller is signed in. Everybody may see and end their own sessions, as they may sign out. */
const ownSessions = (calls: SessionCalls): Resource<OpenService> => ({
  entry: { name: '_sessions', label: 'Sessions' },
  isHidden: true,
  routes: [
    route(
      '',
      {
        GET: {
          summary: 'Where the caller is signed in',
          answer: 'records',
          handle: (call) => calls.list(call, calls.ownId(call)),
        },
        DELETE: {
          summary: 'Sign out everywhere else',
          answer: 'success',
          handle: (call) => calls.endAll(call, calls.ownId(call)),
        },
      },
      { public: ['GET', 'DELETE'] },
    ),
    route(
      '{session}',
      {
        DELETE: {
          summary: 'End a session of the caller',
          answer: 'record',
          handle: (call, { session }) => calls.end(call, calls.ownId(call), session),
        },
      },
      { public: ['DELETE'] },
    ),
  ],
});

/** A caller with a verb on the root sees all of them among the components (contract/sessions-and-accounts.md §12). */
const accountResource = (
  name: string,
  label: string,
  operations: AccountOperations,
  isPublic: readonly Verb[],
): Resource<OpenService> => ({
  entry: { name, label },
  components: [`${name}/`],
  accessComponent: '',
  routes: [accountRoute(operations, 'user', isPublic)],
});
