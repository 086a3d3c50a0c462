// The service `user`: sign-in, password and profile of the caller. People as records are `system/user`;
// what these calls do is in identity/.
import { type Verb, verbs } from '@sluice/contract';
import { passwordOperations } from '../../identity/handlers/password.ts';
import { profileOperations } from '../../identity/handlers/profile.ts';
import { registerOperations } from '../../identity/handlers/register.ts';
import { type AccountOperations, accountRoute } from '../../identity/handlers/request.ts';
import { sessionOperations } from '../../identity/handlers/session.ts';
import type { Identity } from '../../identity/index.ts';
import type { Resource } from '../../service/operation.ts';
import { type OpenService, type ServiceType, serviceType } from '../../service/service.ts';
import type { Settings } from '../../settings/index.ts';
import { config } from './config.ts';

/** The service type `user`. It takes the identity of its instance: there is one of both. */
export const userService = (
  identity: Identity,
  settings: Pick<Settings, 'loginAttribute'>,
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
    ],
    // `open` has nothing to do: the handlers have their parts from above.
    open: () => ({}),
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
